import { type Callable, callable } from './callable.ts';
import { UnpackrClass } from './unpackr.ts';

/** Unpacks; see {@link UnpackrClass}. May be called without `new`. */
export type Unpackr = UnpackrClass;
export const Unpackr: Callable<typeof UnpackrClass> = /* @__PURE__ */ callable(
  UnpackrClass,
  'Unpackr',
);
