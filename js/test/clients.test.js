/** Programs of others that are given packord in place of msgpackr. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Packr } from 'packord/msgpackr';
import { openStore, record } from './clients-store.js';

const child = fileURLToPath(new URL('clients-child.js', import.meta.url));

describe('lmdb with packord as its encoder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packord-lmdb-'));
  after(() => rmSync(folder, { recursive: true }));

  it('reads every value of every shape after the database was opened again', async () => {
    const path = join(folder, 'reopened');
    const values = Array.from({ length: 50 }, (_, i) => record('shape', i % 10, i));
    const written = openStore(path);
    assert.ok(written.encoder instanceof Packr);
    for (const [i, value] of values.entries()) await written.put(i, value);
    assert.equal(written.get(Symbol.for('structures'))?.length > 0, true);
    await written.close();

    const db = openStore(path);
    assert.deepEqual(
      values.map((_, i) => db.get(i)),
      values,
    );
    await db.close();
  });

  it('reads shapes that another process writes, and both write and read on', async () => {
    const path = join(folder, 'two');
    const db = openStore(path);
    await db.put('own', record('own', 0, 0));
    assert.deepEqual(db.get('own'), record('own', 0, 0));
    const other = fork(child, [path], { execArgv: [] });
    const exit = once(other, 'exit');
    await once(other, 'message');
    for (let i = 0; i < 30; i++) {
      db.resetReadTxn();
      assert.deepEqual(db.get(`child${i}`), record('child', i, i));
    }

    for (let i = 0; i < 10; i++) await db.put(`parent${i}`, record('parent', i, i));
    const answer = once(other, 'message');
    other.send('go on');
    const [read] = await answer;
    assert.deepEqual(
      read,
      Array.from({ length: 10 }, (_, i) => record('parent', i, i)),
    );
    assert.deepEqual(await exit, [0, null]);
    db.resetReadTxn();
    for (let i = 0; i < 5; i++) assert.deepEqual(db.get(`later${i}`), record('later', i, i));
    assert.deepEqual(db.get('own'), record('own', 0, 0));
    await db.close();
  });
});
