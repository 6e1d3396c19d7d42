/** The option that no program sets: what the entry points with the names of other packages do otherwise. */
import type { DecodeConfig } from '../decode/DecodeConfig.ts';
import type { Decoder } from '../decode/Decoder.ts';
import type { DecodeFeatures } from '../decode/DecoderState.ts';
import type { EncodeConfig } from '../encode/EncodeConfig.ts';
import type { EncodeFeatures } from '../encode/EncodeFeatures.ts';
import type { Encoder } from '../encode/Encoder.ts';
import type { ExtensionRegistry } from '../ext/extension.ts';
import type { RecordIds } from '../record/RecordIds.ts';
import type { Feature, Options } from './options.ts';

/** The option that selects what entry points with the names of another package do otherwise. */
export const DIALECT: unique symbol = Symbol('dialect');

/** What an entry point does otherwise than the defaults; see {@link DIALECT}. */
export interface Dialect {
  /** Returns what the extensions of an instance are registered with. */
  readonly extensions?: (() => ExtensionRegistry) | undefined;
  /** Further options that are called with the instance as `this`. */
  readonly callbacks?: readonly string[] | undefined;
  /** Replaces the features of the entry point. */
  readonly features?: Feature | undefined;
  /** Returns the settings in place of those that packord's options lead to. */
  readonly encode?: ((options: never) => Partial<EncodeConfig>) | undefined;
  readonly decode?: ((options: never) => Partial<DecodeConfig>) | undefined;
  /** Whether options that packord does not have are passed over. */
  readonly anyOption?: boolean | undefined;
  /** Whether streams make a chunk of each message. */
  readonly oneChunkEach?: boolean | undefined;
  readonly newEncoder?: (
    config: EncodeConfig,
    features: EncodeFeatures,
    ids: RecordIds | null,
    options: never,
  ) => Encoder;
  readonly newDecoder?: (config: DecodeConfig, features: DecodeFeatures) => Decoder;
}

/** Options as constructors receive them. */
export type InternalOptions = Options & { [DIALECT]?: Dialect | undefined };
