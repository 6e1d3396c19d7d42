/**
 * Returns the string itself, of which V8 then knows that it is one. V8 has many kinds of strings.
 * Where it met more than four of them, looking for a property of one takes several times as long as
 * reading a character, so methods are called as `String.prototype.charCodeAt.call` in loops.
 */
export function known(value: string): string {
  return `${value}`;
}

/** All elements that are read exist, which their type does not tell. */
const fcc = String.fromCharCode as (...codes: (number | undefined)[]) => string;

/** Maximum length of a string that {@link shortString} makes. */
export const SHORT_STRING = 16;

/**
 * Returns the string of at most {@link SHORT_STRING} code units: of UTF-16, or bytes of ASCII. This
 * takes less time than one call into the platform.
 */
export function shortString(s: Uint8Array | Uint16Array, p: number, length: number): string {
  // biome-ignore format: one line for each length
  switch (length) {
    case 0: return '';
    case 1: return fcc(s[p]);
    case 2: return fcc(s[p], s[p + 1]);
    case 3: return fcc(s[p], s[p + 1], s[p + 2]);
    case 4: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3]);
    case 5: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4]);
    case 6: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5]);
    case 7: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6]);
    case 8: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7]);
    case 9: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8]);
    case 10: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9]);
    case 11: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10]);
    case 12: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11]);
    case 13: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12]);
    case 14: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13]);
    case 15: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13], s[p + 14]);
    default: return fcc(s[p], s[p + 1], s[p + 2], s[p + 3], s[p + 4], s[p + 5], s[p + 6], s[p + 7], s[p + 8], s[p + 9], s[p + 10], s[p + 11], s[p + 12], s[p + 13], s[p + 14], s[p + 15]);
  }
}

/** Writes the characters of a string before the first that is not ASCII, and returns their number. */
export function writeAscii(bytes: Uint8Array, value: string, n: number, at: number): number {
  // Looked up here, because engines take a variable of a module for one that may change.
  const { charCodeAt } = String.prototype;
  const text = known(value);
  for (let i = 0; i < n; i++) {
    const code = charCodeAt.call(text, i);
    if (code > 0x7f) return i;
    bytes[at + i] = code;
  }
  return n;
}
