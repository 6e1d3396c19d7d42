/** The database that both processes of the test with lmdb open. */
import { open } from 'lmdb';
import { Packr } from 'packord/msgpackr';

export function openRecords(path) {
  return open({
    path,
    sharedStructuresKey: Symbol.for('structures'),
    encoder: { Encoder: Packr },
  });
}

/** An object whose keys depend on `writer` and `shape` only. */
export function record(writer, shape, i) {
  return { [`${writer}${shape}`]: i, name: `${writer} ${i}`, [`list${shape}`]: [i, { shape }] };
}
