/** The codecs of the Compression Streams of browsers. */
import { joined, type OwnBytes } from '../../wire/platform.ts';
import type { Codec, Codecs } from './codecs.ts';
import { unpackZstd } from './zstd.ts';

/** Reads a stream up to one byte more than there should be, and returns what it had. */
async function bytesOf(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size > most) {
      await reader.cancel();
      break;
    }
  }
  return joined(chunks);
}

function piped(bytes: Uint8Array, through: GenericTransformStream): ReadableStream<Uint8Array> {
  const pair = through as ReadableWritablePair<Uint8Array, Uint8Array>;
  return new Blob([bytes as OwnBytes]).stream().pipeThrough(pair);
}

/** Returns the codec of a format of Compression Streams; undefined where the platform lacks it. */
function codecFor(name: string): Codec | undefined {
  const format = name as CompressionFormat;
  try {
    new DecompressionStream(format);
  } catch {
    return undefined;
  }
  return {
    decompress: (data, rawSize) => bytesOf(piped(data, new DecompressionStream(format)), rawSize),
    compress: (body) => bytesOf(piped(body, new CompressionStream(format)), Number.POSITIVE_INFINITY),
  };
}

/** Returns the codecs of the platform, which have no levels, and of zstd at least the unpacking. */
export function webCodecs(): Codecs {
  const deflate = codecFor('deflate-raw');
  const zstd = codecFor('zstd') ?? { decompress: unpackZstd };
  return deflate === undefined ? { zstd } : { deflate, zstd };
}
