import type { Options } from './options.ts';

type LimitName = Extract<keyof Options, `max${string}`>;

/** Returns the value of an option that is a maximum. */
export function limit(options: Options, name: LimitName, preset: number): number {
  const { [name]: value = preset } = options;
  if (typeof value !== 'number' || !(value >= 0))
    throw new TypeError(`${name} must be a number from 0 up, not ${value}`);
  return value;
}
