import { columns } from '../columns/columns.ts';
import { DECODE_FEATURES } from '../decode/features.ts';
import type { SharedStructures } from '../record/SharedStructures.ts';
import { BaseUnpackr } from './BaseUnpackr.ts';
import { type Callable, callable } from './callable.ts';
import { DIALECT, type InternalOptions } from './dialect.ts';
import { elsewhere } from './elsewhere.ts';
import { schemas } from './schema.ts';
import type { Source, UnpackFeatures } from './unpack-arguments.ts';
import { View } from './View.ts';

/** All features of unpacking. */
export const UNPACK_FEATURES: UnpackFeatures = /* @__PURE__ */ Object.assign(
  {},
  DECODE_FEATURES,
  columns,
  schemas,
);

/**
 * Unpacks messages, and keeps structures and generated decoders for further ones. It may be
 * used while it is in use, as within an extension.
 *
 * Every fault in the bytes is thrown as a {@link MsgpackDecodeError}.
 *
 * @example
 * const unpackr = new Unpackr({ maxDepth: 64 });
 * unpackr.unpack(bytes);
 */
export class UnpackrClass extends BaseUnpackr {
  declare protected readonly shared: SharedStructures;

  constructor(given: InternalOptions = {}) {
    super(given, given[DIALECT]?.unpackFeatures ?? UNPACK_FEATURES, elsewhere);
  }

  /**
   * Returns access to a part of a message without building the rest: to one field of a stored record,
   * for example. See {@link View}.
   *
   * @throws MsgpackDecodeError
   * @example
   * unpackr.view(bytes).get('users', 0, 'name');
   */
  view(source: Source): View {
    return new View(source, this);
  }
}

/** Unpacks; see {@link UnpackrClass}. May be called without `new`. */
export type Unpackr = UnpackrClass;
export const Unpackr: Callable<typeof UnpackrClass> = /* @__PURE__ */ callable(
  UnpackrClass,
  'Unpackr',
);
