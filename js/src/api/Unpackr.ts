import { DECODE_FEATURES } from '../decode/features.ts';
import type { InternalOptions } from '../options/dialect.ts';
import { elsewhere } from '../options/elsewhere.ts';
import type { Feature, Preset } from '../options/options.ts';
import { schemas } from '../schema/schema.ts';
import { type Callable, callable } from './callable.ts';
import { Unpacker } from './Unpacker.ts';

/** The features of unpacking in `packord`. */
export const READ_FEATURES: Feature = /* @__PURE__ */ Object.assign({}, DECODE_FEATURES, schemas);

const PRESET: Preset = { features: READ_FEATURES, elsewhere };

/** See {@link Unpacker}. */
export class UnpackrClass extends Unpacker {
  constructor(options: InternalOptions = {}, preset: Preset = PRESET) {
    super(options, preset);
  }
}

/** Unpacks with the features of `packord`; see {@link Unpacker}. May be called without `new`. */
export type Unpackr = UnpackrClass;
export const Unpackr: Callable<typeof UnpackrClass> = /* @__PURE__ */ callable(UnpackrClass, 'Unpackr');
