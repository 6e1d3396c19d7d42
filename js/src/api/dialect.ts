/** Options that no program sets: those that the entry points with the names of other packages have. */
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import type { Decoder } from '../decode/Decoder.ts';
import type { DecodeFeatures } from '../decode/DecoderState.ts';
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../encode/EncodeFeatures.ts';
import type { Encoder } from '../encode/Encoder.ts';
import type { RecordIds } from '../encode/RecordIds.ts';
import type { ExtensionRegistry } from '../ext/extension.ts';
import type { Options } from './options.ts';

/** The option that selects the defaults of `packord/msgpackr`. */
export const COMPATIBLE: unique symbol = Symbol('compatible with msgpackr');

/** The option that selects what entry points with the names of another package do otherwise. */
export const DIALECT: unique symbol = Symbol('dialect');

/** What an entry point does otherwise than the defaults; see {@link DIALECT}. */
export interface Dialect {
  /** Replaces the extensions of the instance and those of all instances. */
  readonly extensions: ExtensionRegistry;
  readonly newEncoder?: (
    config: EncodeConfig,
    features: EncodeFeatures,
    ids: RecordIds | null,
  ) => Encoder;
  readonly newDecoder?: (config: DecodeConfig, features: DecodeFeatures) => Decoder;
}

/** Options as constructors receive them. */
export type InternalOptions = Options & { [COMPATIBLE]?: boolean; [DIALECT]?: Dialect };
