/** All elements that are read exist, which their type does not tell. */
const fcc = String.fromCharCode as (...codes: (number | undefined)[]) => string;

/** Maximum size of a string that {@link shortAscii} makes. */
export const SHORT_ASCII = 16;

/**
 * Returns the string of 2 to {@link SHORT_ASCII} bytes of ASCII. For a few strings of a small
 * message this takes less time than one call into the platform.
 */
export function shortAscii(s: Uint8Array, p: number, length: number): string {
  // biome-ignore format: one line for each length
  switch (length) {
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

/** Writes a string of ASCII; returns false, with a part written, for any other. */
export function writeAscii(bytes: Uint8Array, value: string, at: number): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[at + i] = code;
  }
  return true;
}
