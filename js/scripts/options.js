/**
 * Writes site/generated/javascript-options.md, the table of all options, from their types and comments in
 * `src/`. With `--check` it fails when the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = `${root}../site/generated/javascript-options.md`;

const TABLES = [
  ['Reading: `Unpackr` and the streams', 'options/options.ts', 'UnpackrOptions'],
  ['Writing: `Packr` and the streams, in addition to those for reading', 'options/options.ts', 'Options'],
  [
    '`Packr`, `Unpackr` and the streams of `packord/msgpackr`, in addition to those above',
    'compat/msgpackr/options.ts',
    'MsgpackrOptions',
  ],
  ['`Encoder` and `encode` of `packord/msgpack`', 'compat/msgpack/options.ts', 'EncoderSettings'],
  ['`Decoder` and the functions that decode of `packord/msgpack`', 'compat/msgpack/options.ts', 'DecoderSettings'],
  ['Reading container files', 'container/read/ContainerReader.ts', 'ContainerReaderOptions'],
  ['Writing container files', 'container/write/writer-options.ts', 'ContainerWriterOptions'],
];

/** Returns the name, the type and the comment of each option of an interface. */
function optionsOf(file, name) {
  const text = readFileSync(`${root}src/${file}`, 'utf8');
  const body = new RegExp(`^(?:export )?interface ${name}\\b[^{]*\\{\n(.*?)^\\}`, 'ms').exec(text)[1];
  const member = /^ {2}\/\*\*(.*?)\*\/\s+(?:readonly )?(\w+)\?:\s*(.*?);$/gms;
  const options = [...body.matchAll(member)].map(([, comment, option, type]) => ({
    option,
    type: type.replaceAll(/\s+/g, ' ').replace(/ \| undefined$/, ''),
    comment: comment.replaceAll(/\s*\n\s*\*\s*/g, ' ').trim(),
  }));
  const declared = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\?:/gm)].map(([, option]) => option);
  const missing = declared.filter((option) => !options.some((other) => other.option === option));
  if (missing.length > 0) throw new Error(`${name}: ${missing.join(', ')} need a comment`);
  return options;
}

/** Splits a comment into the meaning and the default that it names. */
function split(comment) {
  const found = /\s*Default:? (.*?)(?:\.(?=\s|$)|$)/.exec(comment);
  const links = (text) => text.replaceAll(/\{@link (\w+)\}/g, '`$1`').replace(/^@deprecated /, 'Use ');
  if (found === null) return { meaning: links(comment), preset: '' };
  const meaning = comment
    .replace(found[0], '')
    .replace(/^[;,] /, '')
    .trim();
  return { meaning: links(meaning), preset: links(found[1]) };
}

const cell = (text) => text.replaceAll('|', '\\|');

function table([heading, file, name]) {
  const rows = optionsOf(file, name).map(({ option, type, comment }) => {
    const { meaning, preset } = split(comment);
    return `| \`${option}\` | \`${cell(type)}\` | ${cell(preset)} | ${cell(meaning)} |`;
  });
  return `## ${heading}\n\n| option | type | default | meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** Returns the options of a function of `packord`. */
function optionsOfFunction(type) {
  const functions = readFileSync(`${root}src/api/functions.ts`, 'utf8');
  const [, body] = new RegExp(`type ${type} = Pick<(.*?)>;`, 's').exec(functions);
  return [...body.matchAll(/'(\w+)'/g)].map(([, option]) => `\`${option}\``).join(', ');
}

const text = `# Options of packord for JavaScript

For programs in JavaScript: every option, in a table that \`npm run options\` makes from the types.
[Limits](../spec/limits.md) defines the limits. An option that does not exist is an error, except in
\`packord/msgpackr\`, whose defaults are those of msgpackr ([guide](from-msgpackr.md)).

Instances and streams have all options. The functions have some, and an error for the others, so that a bundle
of them is small. \`unpack\` has ${optionsOfFunction('UnpackSettings')}. \`pack\` has
${optionsOfFunction('PackSettings')}.

${TABLES.map(table).join('\n')}`;

if (!process.argv.includes('--check')) writeFileSync(page, text);
else if (readFileSync(page, 'utf8') !== text) {
  console.error('site/generated/javascript-options.md is out of date: run npm run options in js/');
  process.exit(1);
}
