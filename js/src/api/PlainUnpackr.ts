import { BaseUnpackr } from './BaseUnpackr.ts';
import { type Callable, callable } from './callable.ts';
import { checkFeatures } from './option-names.ts';
import type { Options } from './options.ts';
import type { UnpackFeatures } from './unpack-arguments.ts';

/** A part of unpacking that a plain unpacker lacks, such as `records`. */
export type UnpackFeature = UnpackFeatures;

/** The options of a plain unpacker: those of `Unpackr`, and the features that they need. */
export interface PlainUnpackOptions extends Options {
  features?: readonly UnpackFeature[] | undefined;
}

/** The options that need a feature, by its name. */
const NEEDS: { readonly [name in keyof UnpackFeatures]: readonly (keyof Options)[] } = {
  records: ['records', 'structures', 'getStructures'],
  rich: ['rich', 'bigint'],
  columns: ['columns', 'maxExpansion'],
  reviver: ['reviver'],
  checks: [
    'canonical',
    'duplicateKey',
    'maxStrLen',
    'maxBinLen',
    'maxExtLen',
    'maxArrayLen',
    'maxMapLen',
    'maxNodes',
  ],
};

/**
 * Unpacks plain MessagePack, and with the features that it is given as `Unpackr` of `packord` does.
 *
 * Every fault in the bytes is thrown as a `MsgpackDecodeError`, with its path if there is the
 * feature `paths`.
 *
 * @example
 * const unpackr = new Unpackr({ features: [records, paths], records: true });
 * unpackr.unpack(bytes);
 */
export class PlainUnpackrClass extends BaseUnpackr {
  /** @throws TypeError for an option that does not exist, or whose feature is not given */
  constructor({ features: given = [], ...others }: PlainUnpackOptions = {}) {
    const features: UnpackFeatures = Object.assign({}, ...given);
    super(others, features);
    checkFeatures(others, features, NEEDS);
  }
}

/** Unpacks; see {@link PlainUnpackrClass}. May be called without `new`. */
export type PlainUnpackr = PlainUnpackrClass;
export const PlainUnpackr: Callable<typeof PlainUnpackrClass> = /* @__PURE__ */ callable(
  PlainUnpackrClass,
  'Unpackr',
);
