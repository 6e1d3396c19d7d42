// An input in the fragment of the address: deflate, then base64 of the form for addresses. Nothing is sent anywhere,
// since browsers keep the fragment to themselves.

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

/** Returns the fragment for an input, or undefined if it would be too long. */
export async function toFragment(bytes: Uint8Array<ArrayBuffer>, format: string): Promise<string | undefined> {
  const packed = await through(bytes, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  if (packed.length > MAX_FRAGMENT * 0.75) return undefined;
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return `#${format}=${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Returns the format and the bytes of a fragment; undefined if it has none, or is damaged. */
export async function fromFragment(fragment: string): Promise<[string, Uint8Array<ArrayBuffer>] | undefined> {
  const found = /^#(json|msgpack|cbor)=([\w-]+)$/.exec(fragment);
  if (!found) return undefined;
  try {
    const text = atob((found[2] as string).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(text, (char) => char.charCodeAt(0));
    return [found[1] as string, await through(packed, new DecompressionStream('deflate-raw'), MAX_INPUT)];
  } catch {
    return undefined;
  }
}
