/** The sources that every platform has: memory, Blobs, servers, streams. */
import { bytesIn, NO_BYTES } from '../../wire/platform.ts';
import {
  type ByteSource,
  type ChunkedBytes,
  chunkSource,
  isChunked,
  orAborted,
  type RandomSource,
} from './byte-source.ts';
import { ContainerSourceError } from './ContainerSourceError.ts';

/** Bytes of the first request, of each further one at least, and those that are read rather than once more. */
const FIRST = 1 << 16;
const STEP = 1 << 20;
const GAP = 1 << 15;

/** Returns what a server says of the part that it sends; of the size of the file where it knows that. */
function partOf(response: Response): { from: number; to: number; size: number | undefined } | undefined {
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

/** Returns the bytes of an answer, which has to have a number of them. */
async function bytesOf(response: Response, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length === size) return bytes;
  throw new ContainerSourceError('The server sent fewer or more bytes than it announced');
}

/** Makes the source of a file of a server that sends ranges; `begin` are the bytes of the first answer. */
function rangeSource(
  url: string,
  size: number,
  version: string | undefined,
  begin: Uint8Array,
  signal: AbortSignal | undefined,
): RandomSource {
  let first = begin;
  /** Requests a range; the server may send fewer bytes of it. */
  const request = async (from: number, to: number): Promise<Uint8Array> => {
    const headers: Record<string, string> = { range: `bytes=${from}-${to}` };
    if (version !== undefined) headers['if-range'] = version;
    const response = await fetch(url, { headers, signal: signal ?? null });
    const { status } = response;
    const part = status === 206 ? partOf(response) : undefined;
    const isSame = versionOf(response) === version && part?.size === size;
    const isPart = part !== undefined && part.from === from && part.to >= from && part.to <= to;
    if (isSame && isPart) return bytesOf(response, part.to - from + 1);
    await response.body?.cancel();
    if (status !== 206 && status !== 200 && status !== 412 && status !== 416) throw failed(response, url);
    throw new ContainerSourceError(
      isSame ? 'The server sent another range' : `The file changed while it was being read: ${url}`,
    );
  };
  return {
    kind: 'random',
    size,
    step: STEP,
    gap: GAP,
    async read(offset, length) {
      const bytes = new Uint8Array(length);
      const begun = first.subarray(offset, offset + length);
      bytes.set(begun);
      for (let at = begun.length; at < length; ) {
        const part = await request(offset + at, offset + length - 1);
        bytes.set(part, at);
        at += part.length;
      }
      return bytes;
    },
    async close() {
      first = NO_BYTES;
    },
  };
}

/** Opens a file of a server: by ranges where it sends them and says the size of the file, else as one stream. */
export async function httpSource(url: string | URL, signal: AbortSignal | undefined): Promise<ByteSource> {
  const address = String(url);
  const init = { headers: { range: `bytes=0-${FIRST - 1}` }, signal: signal ?? null };
  const response = await fetch(address, init);
  const part = response.status === 206 ? partOf(response) : undefined;
  if (part?.from === 0 && part.size !== undefined) {
    const first = await bytesOf(response, part.to + 1);
    return rangeSource(address, part.size, versionOf(response), first, signal);
  }
  if (response.status === 200 && response.body !== null) return chunkSource(response.body, signal);
  await response.body?.cancel();
  // An empty file has no range, and a part without a size does not tell where the file ends.
  if (response.status !== 416 && response.status !== 206) throw failed(response, address);
  const whole = await fetch(address, { signal: signal ?? null });
  if (whole.status !== 200 || whole.body === null) throw failed(whole, address);
  return chunkSource(whole.body, signal);
}

/** Bytes of a Blob that are read at once at least, and rather than once more. */
const BLOB_STEP = 1 << 20;
const BLOB_GAP = 1 << 14;

/**
 * What a container file can be read from: bytes in memory, a Blob or a File, the URL of a file on a server,
 * or a stream of chunks.
 */
export type WebSource = Uint8Array | ArrayBuffer | ArrayBufferView | Blob | URL | string | Response | ChunkedBytes;

function memorySource(whole: Uint8Array): RandomSource {
  return {
    kind: 'random',
    size: whole.length,
    whole,
    step: 0,
    gap: 0,
    read: async (offset, length) => whole.subarray(offset, offset + length),
    close: async () => undefined,
  };
}

function blobSource(blob: Blob, signal: AbortSignal | undefined): RandomSource {
  return {
    kind: 'random',
    size: blob.size,
    step: BLOB_STEP,
    gap: BLOB_GAP,
    async read(offset, length) {
      const part = blob.slice(offset, offset + length).arrayBuffer();
      return new Uint8Array(await orAborted(part, signal));
    },
    close: async () => undefined,
  };
}

/** Opens a source that every platform has; anything else is a TypeError. */
export async function webSource(source: WebSource, signal: AbortSignal | undefined): Promise<ByteSource> {
  const bytes = bytesIn(source);
  if (bytes !== undefined) return memorySource(bytes);
  if (source instanceof Blob) return blobSource(source, signal);
  if (typeof source === 'string' || source instanceof URL) return httpSource(source, signal);
  if (source instanceof Response && source.body !== null) return chunkSource(source.body, signal);
  if (isChunked(source)) return chunkSource(source, signal);
  throw new TypeError('A container file is read from bytes, a Blob, a URL or a stream');
}
