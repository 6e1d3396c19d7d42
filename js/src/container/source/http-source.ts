/** Files of HTTP servers, read by requests of ranges. */
import type { ByteSource, RandomSource } from './byte-source.ts';
import { ContainerSourceError } from './ContainerSourceError.ts';
import { chunkSource } from './chunk-source.ts';

/** Bytes of the first request, of each further one at least, and those that are read rather than once more. */
const FIRST = 1 << 16;
const STEP = 1 << 20;
const GAP = 1 << 15;

/** What a server says of the part that it sends. */
interface RangePart {
  readonly from: number;
  readonly to: number;
  /** Size of the file; undefined where the server does not know it. */
  readonly size: number | undefined;
}

function partOf(response: Response): RangePart | undefined {
  const header = response.headers.get('content-range') ?? '';
  const [, from, to, size] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { from: Number(from), to: Number(to), size: size === '*' ? undefined : Number(size) };
}

/** What tells two versions of a file apart: an ETag that is not weak, else the time of the last change. */
function versionOf({ headers }: Response): string | undefined {
  const etag = headers.get('etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return headers.get('last-modified') ?? undefined;
}

function failed({ status }: Response, url: string): ContainerSourceError {
  return new ContainerSourceError(`The server answered ${status} for ${url}`, status);
}

const changed = (url: string): ContainerSourceError =>
  new ContainerSourceError(`The file changed while it was being read: ${url}`);

/** A file of a server that sends ranges. */
class HttpSource implements RandomSource {
  readonly kind = 'random';
  readonly size: number;
  readonly step = STEP;
  readonly gap = GAP;
  readonly #url: string;
  readonly #version: string | undefined;
  readonly #signal: AbortSignal | undefined;
  /** The bytes of the first answer. */
  #first: Uint8Array;

  constructor(
    url: string,
    size: number,
    version: string | undefined,
    first: Uint8Array,
    signal: AbortSignal | undefined,
  ) {
    this.#url = url;
    this.size = size;
    this.#version = version;
    this.#first = first;
    this.#signal = signal;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    const first = this.#first.subarray(offset, offset + length);
    bytes.set(first);
    for (let at = first.length; at < length; ) {
      const part = await this.#request(offset + at, offset + length - 1);
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Requests a range; the server may send fewer bytes of it. */
  async #request(from: number, to: number): Promise<Uint8Array> {
    const headers: Record<string, string> = { range: `bytes=${from}-${to}` };
    if (this.#version !== undefined) headers['if-range'] = this.#version;
    const signal = this.#signal ?? null;
    const response = await fetch(this.#url, { headers, signal });
    const { status } = response;
    const part = status === 206 ? partOf(response) : undefined;
    const isSame = versionOf(response) === this.#version && part?.size === this.size;
    const isPart = part !== undefined && part.from === from && part.to >= from && part.to <= to;
    if (!isSame || !isPart) {
      await response.body?.cancel();
      if (status !== 206 && status !== 200 && status !== 412 && status !== 416) throw failed(response, this.#url);
      throw isSame ? new ContainerSourceError('The server sent another range') : changed(this.#url);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length !== part.to - from + 1)
      throw new ContainerSourceError('The server sent fewer or more bytes than it announced');
    return bytes;
  }

  async close(): Promise<void> {
    this.#first = new Uint8Array(0);
  }
}

/**
 * Opens a file of a server: by ranges where the server sends them and says the size of the file, else as
 * one stream.
 */
export async function httpSource(url: string | URL, signal: AbortSignal | undefined): Promise<ByteSource> {
  const address = String(url);
  const init = { headers: { range: `bytes=0-${FIRST - 1}` }, signal: signal ?? null };
  const response = await fetch(address, init);
  const part = response.status === 206 ? partOf(response) : undefined;
  if (part?.from === 0 && part.size !== undefined) {
    const first = new Uint8Array(await response.arrayBuffer());
    if (first.length !== part.to + 1)
      throw new ContainerSourceError('The server sent fewer or more bytes than it announced');
    return new HttpSource(address, part.size, versionOf(response), first, signal);
  }
  if (response.status === 200 && response.body !== null) return chunkSource(response.body, signal);
  await response.body?.cancel();
  // An empty file has no range, and a part without a size does not tell where the file ends.
  if (response.status !== 416 && response.status !== 206) throw failed(response, address);
  const whole = await fetch(address, { signal: signal ?? null });
  if (whole.status !== 200 || whole.body === null) throw failed(whole, address);
  return chunkSource(whole.body, signal);
}
