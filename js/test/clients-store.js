/** The database that both processes of the test with lmdb open. */
import { recipe } from './recipes.js';

export const { openStore } = await recipe('lmdb');

/** An object whose keys depend on `writer` and `shape` only. */
export function record(writer, shape, i) {
  return { [`${writer}${shape}`]: i, name: `${writer} ${i}`, [`list${shape}`]: [i, { shape }] };
}
