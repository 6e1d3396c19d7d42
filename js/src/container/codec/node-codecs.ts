import * as zlib from 'node:zlib';
import type { Codec, Codecs } from './codecs.ts';
import { unpackZstd } from './zstd.ts';

const DEFLATE_LEVEL = 6;
const ZSTD_LEVEL = 3;
/** The most that deflate makes of a byte. */
const DEFLATE_RATIO = 1032;
const MIN_CHUNK = 64;

type Done<T> = (error: Error | null, result: T) => void;

function promised<T>(call: (done: Done<T>) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error === null ? resolve(result) : reject(error)));
  });
}

const deflate: Codec = {
  decompress(data, rawSize) {
    // Memory is taken in pieces of this size, which must not be larger than data can fill.
    const chunkSize = Math.max(MIN_CHUNK, Math.min(rawSize + 1, data.length * DEFLATE_RATIO));
    const options = { maxOutputLength: rawSize + 1, chunkSize, info: true };
    const result: unknown = zlib.inflateRawSync(data, options);
    const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
    if (engine.bytesWritten !== data.length) throw new Error('Bytes follow the stream of deflate');
    return buffer;
  },
  compress: (body, { level = DEFLATE_LEVEL }) =>
    promised((done: Done<Buffer>) => zlib.deflateRaw(body, { level }, done)),
};

/** What Node has from 22.15 on. */
interface Zstd {
  zstdDecompressSync(data: Uint8Array, options: { readonly maxOutputLength: number }): Buffer;
  zstdCompress(
    body: Uint8Array,
    options: { readonly params: Readonly<Record<number, number>> },
    done: Done<Buffer>,
  ): void;
  readonly constants: { readonly ZSTD_c_compressionLevel: number };
}

const zstdOf = ({ zstdDecompressSync, zstdCompress, constants }: Zstd): Codec => ({
  decompress: (data, rawSize) => zstdDecompressSync(data, { maxOutputLength: rawSize + 1 }),
  compress: (body, { level = ZSTD_LEVEL }) =>
    promised((done: Done<Buffer>) =>
      zstdCompress(body, { params: { [constants.ZSTD_c_compressionLevel]: level } }, done),
    ),
});

/** Returns the codecs of this version of Node: `zstd` from 22.15 on, before that only its unpacking. */
export function nodeCodecs(): Codecs {
  const zstd = zlib as unknown as Zstd;
  return {
    deflate,
    zstd: 'zstdDecompressSync' in zlib ? zstdOf(zstd) : { decompress: unpackZstd },
  };
}
