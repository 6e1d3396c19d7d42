import { type Extension, ExtensionRegistry } from '../../ext/extension.ts';
import * as M from '../../wire/markers.ts';
import { ExtensionCodec, type ExtensionCodecType } from './ExtensionCodec.ts';

/** The extensions of an instance whose ext types are all read by a codec. */
export class CodecRegistry extends ExtensionRegistry {
  /** Passed to the codec; that of the call, where decoders are used again. */
  context: unknown;
  readonly #codec: ExtensionCodecType<unknown>;
  readonly #known = new Map<number, Extension>();

  constructor(codec: ExtensionCodecType<unknown>, context: unknown) {
    super();
    this.context = context;
    this.#codec = codec;
  }

  override ofType(type: number): Extension | undefined {
    // packord reads the timestamps of the default codec itself.
    if (type === M.EXT_TIMESTAMP && this.#codec === ExtensionCodec.defaultCodec) return undefined;
    let extension = this.#known.get(type);
    if (extension === undefined) {
      extension = { type, unpack: (data) => this.#codec.decode(data, type, this.context) };
      this.#known.set(type, extension);
    }
    return extension;
  }
}
