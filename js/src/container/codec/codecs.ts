/** The codecs of blocks (spec/container.md section 1). */

/**
 * Compresses and unpacks the chunks of blocks.
 *
 * @example
 * const lzma = { decompress: (data, rawSize) => unlzma(data, { maxSize: rawSize + 1 }) };
 * const reader = await ContainerReader.open(file, { codecs: { lzma } });
 */
export interface Codec {
  /**
   * Unpacks data. What it returns is refused unless it has exactly `rawSize` bytes. So that hostile data
   * takes no more memory, it should stop after `rawSize + 1` bytes, or throw.
   */
  decompress(data: Uint8Array, rawSize: number): Uint8Array | PromiseLike<Uint8Array>;
  /** Compresses a chunk; needed for writing only. */
  compress?(body: Uint8Array, options: { readonly level: number | undefined }): Uint8Array | PromiseLike<Uint8Array>;
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

export function missingCodec(name: string): string {
  return `the codec ${JSON.stringify(name)} is not known: pass it in the option codecs`;
}
