import { ENCODE_FEATURES } from '../encode/features.ts';
import { elsewhere } from '../options/elsewhere.ts';
import type { Feature } from '../options/options.ts';
import { type Callable, callable } from './callable.ts';
import { type InstanceClass, type Packs, packs } from './packs.ts';
import { READ_FEATURES, UnpackrClass } from './Unpackr.ts';

/** The features of `packord`. */
export const FEATURES: Feature = /* @__PURE__ */ Object.assign({}, ENCODE_FEATURES, READ_FEATURES);

/** See {@link Packr}. */
export type PackrClass = UnpackrClass & Packs;
export const PackrClass: InstanceClass<PackrClass> = /* @__PURE__ */ packs(UnpackrClass, {
  features: FEATURES,
  elsewhere,
});

/**
 * Packs values, and unpacks them as {@link Unpackr} does. With the option `records`, objects of
 * the same keys are written as records. May be called without `new`.
 *
 * @example
 * const packr = new Packr({ records: true });
 * const bytes = packr.pack([{ x: 1 }, { x: 2 }]);
 * packr.unpack(bytes); // [{ x: 1 }, { x: 2 }]
 */
export type Packr = PackrClass;
export const Packr: Callable<typeof PackrClass> = /* @__PURE__ */ callable(PackrClass, 'Packr');
