import { type Callable, callable } from './callable.ts';
import { PackrClass } from './packr.ts';

/** Packs and unpacks; see {@link PackrClass}. May be called without `new`. */
export type Packr = PackrClass;
export const Packr: Callable<typeof PackrClass> = /* @__PURE__ */ callable(PackrClass, 'Packr');
