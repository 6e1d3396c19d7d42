/** The codecs of blocks (spec/container.md section 1). */

/** What a codec is told about a body. */
export interface CodecBody {
  /** Size of the body in bytes. */
  readonly rawSize: number;
  /** The dictionary of the file, which is for the codec `zstd`. */
  readonly dictionary: Uint8Array | undefined;
}

/**
 * Compresses and unpacks the bodies of blocks.
 *
 * @example
 * import { decompress } from 'fzstd';
 * const reader = await ContainerReader.open(file, { codecs: { zstd: { decompress } } });
 */
export interface Codec {
  /**
   * Unpacks data. What it returns is refused unless it has exactly `rawSize` bytes. So that hostile data
   * takes no more memory, it should stop after `rawSize + 1` bytes, or throw.
   */
  decompress(data: Uint8Array, body: CodecBody): Uint8Array | PromiseLike<Uint8Array>;
  /** Compresses a body; needed for writing only. */
  compress?(
    body: Uint8Array,
    options: { readonly level: number | undefined; readonly dictionary: Uint8Array | undefined },
  ): Uint8Array | PromiseLike<Uint8Array>;
}

/** Codecs by their names. */
export type Codecs = Readonly<Record<string, Codec>>;

/** `none`, which each platform has. */
export const NONE: Codec = {
  decompress: (data) => data,
  compress: (body) => body,
};

/** Returns a codec by its name, of those that the program gave, or else of the platform. */
export function codecOf(name: string, given: Codecs, platform: Codecs): Codec | undefined {
  if (name === 'none') return NONE;
  if (Object.hasOwn(given, name)) return given[name];
  return Object.hasOwn(platform, name) ? platform[name] : undefined;
}

/** Says how to get a codec that is missing. */
export function missingCodec(name: string): string {
  const known = name === 'zstd' ? ' (Node has it from 22.15 on)' : '';
  return `the codec ${JSON.stringify(name)} is not known${known}: pass it in the option codecs`;
}
