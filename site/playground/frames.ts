// The pages that the engine makes, in frames of their own, and its messages: both without the words of the command line.

const pages = new Map<HTMLIFrameElement, string>();
const isDark = () => document.body.dataset['mdColorScheme'] === 'slate';

/** A page in the colours that are chosen here, which the system may not have. */
function inScheme(html: string): string {
  const scheme = isDark() ? 'dark' : 'light';
  return html
    .replaceAll('@media (prefers-color-scheme: dark)', `@media ${isDark() ? 'all' : 'not all'}`)
    .replace('content="light dark"', `content="${scheme}"`);
}

/** Returns a frame with a page. */
export function frame(html: string, title: string): HTMLIFrameElement {
  const made = document.createElement('iframe');
  made.title = title;
  // The page has scripts of its own, and no access to this one.
  made.setAttribute('sandbox', 'allow-scripts');
  const plain = html
    .replace(/; the next page: --range [^<]*/, '')
    .replaceAll(/( more of the body): packord unpack --range [^"]*/g, '$1')
    .replace(/<h1>(?:data\.msgpack|input\.json)<\/h1>/, '<h1>The data</h1>');
  made.srcdoc = inScheme(plain);
  for (const known of pages.keys()) if (!known.isConnected) pages.delete(known);
  pages.set(made, plain);
  return made;
}

/** Draws the frames again when other colours are chosen. */
export function keepInScheme(): void {
  const draw = () => {
    for (const [made, html] of pages) if (made.isConnected) made.srcdoc = inScheme(html);
  };
  new MutationObserver(draw).observe(document.body, { attributeFilter: ['data-md-color-scheme'] });
}

/** Returns a message of the tool without its name, its options and the names of files that nobody gave. */
export function plainly(message: string): string {
  const lines = message.split('\n').map((line) =>
    line
      .replace(/^error: /, '')
      .replace(/^cannot read (?:data\.msgpack|input\.json): /, '')
      .replace(/^(?:data\.msgpack|input\.json): /, '')
      .replaceAll(/ \([^()]*(?:\bpackord |--\w)[^()]*\)/g, '')
      .split('; ')
      .filter((part) => !/\bpackord [a-z]|--\w/.test(part))
      .join('; '),
  );
  const words = lines.filter((line) => line.trim() !== '').join('\n');
  return words.charAt(0) === words.charAt(0).toLowerCase() && /^it is /.test(words) ? `I${words.slice(1)}.` : words;
}
