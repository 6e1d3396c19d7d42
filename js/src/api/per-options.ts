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
