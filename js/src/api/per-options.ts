/** Whether two objects have the same properties. */
function same(a: object, b: object): boolean {
  const before = Object.entries(a);
  const now = b as Record<string, unknown>;
  return (
    before.length === Object.keys(b).length && before.every(([name, value]) => now[name] === value)
  );
}

/** Returns a function that makes an instance for options, unless those of the last call were the same. */
export function perOptions<Options extends object, T>(
  make: (options: Options) => T,
): (options: Options) => T {
  let recent: { readonly options: Options; readonly made: T } | undefined;
  return (options) => {
    if (recent === undefined || !same(recent.options, options))
      recent = { options: { ...options }, made: make(options) };
    return recent.made;
  };
}

/**
 * Returns the options that a function was given; none where it is called by `map`, with an index and the array.
 *
 * @throws TypeError for anything else, such as the modes of `packord/msgpackr`
 */
export function optionsIn<Options extends object>(
  given: Options | number | null | undefined,
  array: unknown,
): Options | undefined {
  if (typeof given === 'object') return given ?? undefined;
  if (given !== undefined && !(typeof given === 'number' && Array.isArray(array)))
    throw new TypeError('Options are an object; packord/msgpackr has modes');
  return undefined;
}
