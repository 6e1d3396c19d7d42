/** In place of compile.ts in the build that never generates code: nothing is compiled. */
import type { ObjectWriter } from './shapes.ts';

export function compileFields(
  _keys: readonly string[],
  _bytes: readonly Uint8Array[],
): ObjectWriter | null {
  return null;
}

export function compileValues(_keys: readonly string[]): ObjectWriter | null {
  return null;
}
