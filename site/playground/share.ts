// An input and the choices of the page in the fragment of the address: parameters, and the data as zlib's format, whose
// checksum tells a damaged link, in base64 of the form for addresses. Nothing is sent anywhere, since browsers keep the
// fragment to themselves.

/** What a link keeps. */
export interface Shared {
  /** "Read as", as it was chosen. */
  read: string;
  /** "Write as". */
  write: string;
  /** The result that is shown. */
  view: string;
  /** The name of the file that was given; empty for what was typed. */
  name: string;
  /** What was given: the text that was typed, or the bytes of the file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** The largest fragment; longer addresses are cut by some programs. */
const MAX_FRAGMENT = 32_000;
/** The most bytes that a fragment may unpack to. */
const MAX_INPUT = 4 * 1024 * 1024;

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream, most: number) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new RangeError('too large');
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Returns the fragment, or undefined if it would be too long. */
export async function toFragment({ bytes, ...choices }: Shared): Promise<string | undefined> {
  const packed = await through(bytes, new CompressionStream('deflate'), Number.POSITIVE_INFINITY);
  if (packed.length > MAX_FRAGMENT * 0.75) return undefined;
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const data = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `#${new URLSearchParams({ ...choices, data })}`;
}

/** Returns what a fragment keeps; `undefined` if it is none of a link, and a message if it is damaged. */
export async function fromFragment(fragment: string): Promise<Shared | string | undefined> {
  const found = new URLSearchParams(fragment.slice(1));
  const data = found.get('data');
  if (data === null && !found.has('read') && !found.has('write')) return undefined;
  try {
    const text = atob((data as string).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(text, (char) => char.charCodeAt(0));
    const bytes = await through(packed, new DecompressionStream('deflate'), MAX_INPUT);
    const [read, write, view, name] = ['read', 'write', 'view', 'name'].map((key) => found.get(key) ?? '');
    return { read, write, view, name, bytes } as Shared;
  } catch {
    return 'This link is damaged: a part of it is missing or changed, so its data cannot be shown. Ask for the link again.';
  }
}
