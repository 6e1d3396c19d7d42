import { exposeOptions } from '../options/table.ts';

/** A class that may be called without `new`. */
export type Callable<C extends new (...args: never[]) => unknown> = C &
  ((...args: ConstructorParameters<C>) => InstanceType<C>);

/**
 * Returns a class that may be called without `new`. It shares the prototype with the class
 * given, so that `instanceof` and subclasses work.
 *
 * @param options those that packord does not have, which its instances have as properties
 */
export function callable<C extends new (...args: never[]) => object>(
  base: C,
  name: string,
  options: readonly string[] = [],
): Callable<C> {
  function Made(...args: never[]): object {
    // With Made as the target, V8 would give each instance a hidden class of its own.
    return new.target === undefined || new.target === Made
      ? new base(...args)
      : Reflect.construct(base, args, new.target);
  }
  Object.setPrototypeOf(Made, base);
  Object.defineProperty(Made, 'name', { value: name });
  Object.defineProperty(Made, 'prototype', { value: base.prototype, writable: false });
  base.prototype.constructor = Made;
  exposeOptions(base.prototype, options);
  return Made as unknown as Callable<C>;
}

/** Returns a class with the name that programs know it by: bundlers rename classes that name themselves. */
export function named<C extends object>(Class: C, name: string): C {
  return Object.defineProperty(Class, 'name', { value: name });
}
