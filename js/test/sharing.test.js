/** Shared structures of several encoders, and programs that store them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as msgpackr from 'msgpackr';
import { Packr, pack, Unpackr, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';

const child = fileURLToPath(new URL('sharing-child.js', import.meta.url));

describe('shared structures', () => {
  it('may be loaded into the memory of the message, as lmdb does', () => {
    const message = new Packr({ structures: [] }).pack({ a: 1, b: 2 });
    const memory = Buffer.alloc(64);
    const unpackr = new Unpackr({
      getStructures() {
        memory.fill(0xc0);
        return [['a', 'b']];
      },
    });
    message.copy(memory);
    assert.deepEqual(unpackr.unpack(memory.subarray(0, message.length)), { a: 1, b: 2 });
  });

  it('are none without a list, whatever their maximum', () => {
    const packr = new Packr({ records: true, maxSharedStructures: 8 });
    for (const value of [[{ a: 1 }, { a: 2 }], [{ a: 3 }]])
      assert.deepEqual(new Unpackr({ records: true }).unpack(packr.pack(value)), value);
  });

  it('do not count the values before the load twice', () => {
    const unpackr = new Unpackr({ maxNodes: 5, getStructures: () => [['a']] });
    assert.deepEqual(unpackr.unpack(Buffer.from('9301024003', 'hex')), [1, 2, { a: 3 }]);
  });

  it('are saved once after one decline, because isCompatible takes over the existing list', () => {
    const stored = [['x']];
    const answers = [];
    const packr = new Packr({
      structures: [],
      saveStructures(structures, isCompatible) {
        answers.push(isCompatible(stored));
        if (answers.at(-1)) stored.splice(0, Infinity, ...structures);
        return answers.at(-1);
      },
    });
    assert.equal(packr.pack({ a: 1 }).toString('hex'), '4101');
    assert.deepEqual(answers, [false, true]);
    assert.deepEqual(stored, [['x'], ['a']]);
    assert.deepEqual(packr.unpack(Buffer.of(0x40, 5)), { x: 5 });
  });

  it('leave offset and path of an error as they are when loaded', () => {
    const memory = Buffer.from('92 40 01 91 c1'.replaceAll(' ', ''), 'hex');
    const unpackr = new Unpackr({
      getStructures() {
        memory.fill(0xc0);
        return [['a']];
      },
    });
    assert.throws(() => unpackr.unpack(memory), {
      message: /^reserved_marker at byte 4 \(\$\[1\]\[0\]\)/,
    });
  });

  it('have no keys that other instances read otherwise', () => {
    let saved;
    const options = {
      getStructures: () => saved && unpack(saved),
      saveStructures: (structures) => {
        saved = pack(structures);
      },
    };
    const packr = new Packr(options);
    for (const value of [{ '\ud800': 1, a: 2 }, { '\ud800': 1, '\ud801': 2 }, { '\u{1f600}': 1 }]) {
      const bytes = packr.pack(value);
      const read = packr.unpack(bytes);
      assert.deepEqual(new Packr(options).unpack(bytes), read);
      assert.ok(Object.keys(read).every((key) => !/[\ud800-\udfff]/u.test(key)));
    }
    assert.deepEqual(unpack(saved), [['\u{1f600}']]);
  });

  it('tell their number as sharedLength, as those of msgpackr do', () => {
    const lengths = ({ Packr: Class }) => {
      const seen = [];
      const given = [];
      const packr = new Class({
        structures: given,
        maxSharedStructures: 3,
        saveStructures: (structures) => seen.push(structures.sharedLength),
      });
      // After three, structures are not shared.
      for (const value of [{ a: 1 }, { b: 1 }, { a: 2 }, { c: 1, d: 2 }, { e: 1 }, { f: 1 }]) packr.pack(value);
      seen.push(given.sharedLength, packr.structures.sharedLength);
      const loaded = [['x'], ['y']];
      const other = new Class({ getStructures: () => loaded });
      other.unpack(Buffer.of(0x41, 5));
      return [...seen, loaded.sharedLength, other.structures.sharedLength];
    };
    assert.deepEqual(lengths(msgpackr), [1, 2, 3, 3, 3, 2, 2]);
    assert.deepEqual(lengths({ Packr }), lengths(msgpackr));
    assert.deepEqual(lengths(compatible), lengths(msgpackr));
    assert.deepEqual(new Packr({ structures: [['a']] }).structures, [['a']]);
  });

  it('are right for two processes that save by the example of the README', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'packord-'));
    try {
      const run = (first) => promisify(execFile)(process.execPath, [child, first], { cwd });
      const results = await Promise.all([run('0'), run('7')]);
      const structures = unpack(readFileSync(join(cwd, 'keys.mp')));
      // A structure that could not be saved is in the message, so some may be missing.
      assert.ok(structures.length > 0);
      assert.equal(new Set(structures.map(String)).size, structures.length);
      for (const { stdout } of results)
        for (const [hex, value] of JSON.parse(stdout))
          assert.deepEqual(new Unpackr({ structures }).unpack(Buffer.from(hex, 'hex')), value);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  it('are loaded between messages whose definitions are kept', () => {
    const unpackr = new Unpackr({ getStructures: () => [['a']] });
    const bytes = Buffer.from('d4724191a16205 4106 9240074108'.replaceAll(' ', ''), 'hex');
    assert.deepEqual(unpackr.unpackMultiple(bytes), [{ b: 5 }, { b: 6 }, [{ a: 7 }, { b: 8 }]]);
  });
});

describe('the shared list', () => {
  it('loaded in the middle of a message leave its own definitions in force', () => {
    let loads = 0;
    const unpackr = new Unpackr({ getStructures: () => [['x'], ['y']].slice(0, ++loads) });
    const own = 'd4726091a16101';
    assert.deepEqual(unpackr.unpack(Buffer.from(`93${own}40056002`, 'hex')), [{ a: 1 }, { x: 5 }, { a: 2 }]);
    assert.deepEqual(unpackr.unpack(Buffer.from(`94${own}410540066002`, 'hex')), [
      { a: 1 },
      { y: 5 },
      { x: 6 },
      { a: 2 },
    ]);
    assert.equal(unpackr.unpack(Buffer.of(0x60)), 0x60);
  });

  it('are packed again when another encoder saved first', () => {
    let stored = [];
    const options = () => ({
      structures: stored.slice(),
      getStructures: () => stored.slice(),
      saveStructures(structures, isCompatible) {
        if (!isCompatible(stored)) return false;
        stored = structures.map((keys) => [...keys]);
      },
    });
    const [one, two] = [new Packr(options()), new Packr(options())];
    const first = Buffer.from(one.pack({ a: 1 }));
    const second = Buffer.from(two.pack({ b: 2 }));
    assert.deepEqual(stored, [['a'], ['b']]);
    const reader = new Unpackr(options());
    assert.deepEqual([reader.unpack(first), reader.unpack(second)], [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(one.unpack(second), { b: 2 });
  });

  it('are replaced by own ones where saving is always declined', () => {
    const packr = new Packr({ structures: [], saveStructures: () => false });
    const bytes = packr.pack({ a: 1 });
    assert.deepEqual(packr.structures, []);
    assert.deepEqual(new Unpackr({ records: true }).unpack(bytes), { a: 1 });
  });

  it('are as before when saving throws, and the instance stays usable', () => {
    let fail = true;
    const packr = new Packr({
      structures: [],
      saveStructures() {
        if (fail) throw new Error('disk full');
      },
    });
    assert.throws(() => packr.pack({ a: 1 }), /disk full/);
    assert.deepEqual(packr.structures, []);
    fail = false;
    assert.equal(packr.pack({ a: 1 }).toString('hex'), '4001');
  });
});
