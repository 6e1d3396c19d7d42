/** In place of compile.ts in the build that never generates code: nothing is compiled. */
import type { RecordReader } from '../record/structures.ts';
import type { MapReader } from './objects.ts';

export const GENERATES: boolean = false;

export function compileMapReader(_keys: readonly string[]): MapReader | null {
  return null;
}

export function compileRecordReader(_keys: readonly string[]): RecordReader | null {
  return null;
}
