/**
 * `packord/pack`: the encoder alone, for plain MessagePack. Instances have the features that they
 * are given, and a bundle contains no others.
 *
 * @example
 * import { Packr, pack, records } from 'packord/pack';
 * pack({ id: 1 }); // 81 a2 69 64 01
 * new Packr({ records }).pack({ id: 1 }); // d4 72 40 91 a2 69 64 01
 */
import { type Callable, callable } from '../api/callable.ts';
import { Instance } from '../api/Instance.ts';
import { type InstanceClass, type Packs, packs } from '../api/packs.ts';
import { extensions } from '../encode/features.ts';

export { packAlone as pack } from '../api/pack-alone.ts';
export { columns } from '../columns/write/columns.ts';
export {
  floats,
  paths,
  prediction,
  records,
  replacer,
  rich,
  selection,
} from '../encode/features.ts';
export { type EncodeErrorKind, type ErrorKind, MsgpackEncodeError } from '../errors/errors.ts';
export { ExtData, type Extension } from '../ext/extension.ts';
export { Decimal, Duration, LocalDate, LocalTime, Ratio, Uuid } from '../ext/rich.ts';
export { Timestamp } from '../ext/Timestamp.ts';
export type { Feature, Options } from '../options/options.ts';
export type { Structures } from '../record/structures.ts';
export type { Packed } from '../wire/platform.ts';

/** Packs as `Packr` of `packord` does, without its features and its decoder. May be called without `new`. */
export type Packr = Instance & Packs;
export const Packr: Callable<InstanceClass<Packr>> = /* @__PURE__ */ callable(
  /* @__PURE__ */ packs(Instance, { features: extensions }),
  'Packr',
);
