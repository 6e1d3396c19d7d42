/**
 * Returns a function that makes an instance for options, unless those of the last call were the same.
 *
 * @param apart the name of an option that makes no other instance, and is not passed to `make`
 */
export function perOptions<Options extends object, T>(
  make: (options: Options) => T,
  apart?: string,
): (options: Options) => T {
  let recent: { readonly entries: readonly [string, unknown][]; readonly made: T } | undefined;
  return (options) => {
    const given = options as Record<string, unknown>;
    const size = Object.keys(given).length - (apart !== undefined && apart in given ? 1 : 0);
    // A value of undefined is not that of a name that is not there.
    const isSame = recent?.entries.every(([name, value]) => name in given && given[name] === value);
    if (recent === undefined || !isSame || recent.entries.length !== size) {
      const entries = Object.entries(given).filter(([name]) => name !== apart);
      recent = { entries, made: make(Object.fromEntries(entries) as Options) };
    }
    return recent.made;
  };
}

/** Returns the options that a function was given; none where it is called by `map`, with an index and the array. */
export function optionsIn<Options extends object>(
  given: Options | number | null | undefined,
  array: unknown,
): Options | undefined {
  if (typeof given === 'object') return given ?? undefined;
  if (given !== undefined && !(typeof given === 'number' && Array.isArray(array)))
    throw new TypeError('Options are an object; packord/msgpackr has modes');
  return undefined;
}
