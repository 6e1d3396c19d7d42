/**
 * `packord/pack` and `packord/unpack`, compared with `packord`: the same bytes and values, with the features
 * that an option needs.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr as Whole, Unpackr as WholeUnpackr, pack as wholePack } from 'packord';
import * as plain from 'packord/pack';
import * as plainUnpack from 'packord/unpack';
import { View } from 'packord/view';

const { Packr, pack, ...named } = plain;
const { Unpackr, unpack, unpackMultiple, ...readers } = plainUnpack;

const hex = (bytes) => Buffer.from(bytes).toString('hex');

const VALUES = [
  [null, true, -1, 1.5, 2 ** 40, 10n ** 15n, 'ä'.repeat(40), 'a long string of ASCII '.repeat(20)],
  Array.from({ length: 40 }, (_, id) => ({ id, name: `user ${id}`, tags: ['x', 'y'] })),
  {
    date: new Date(1500),
    map: new Map([[1, { a: 1 }]]),
    bytes: Uint8Array.of(1, 2),
    none: [undefined],
  },
  new Set([1, 2]),
  new (class Point {
    x = 1;
    toJSON() {
      return { point: this.x };
    }
  })(),
];

/** Options, the features that they need, and a value to pack with them. */
const CASES = [
  [{ records: true }, ['records'], VALUES[1]],
  [{ structures: [] }, ['records'], VALUES[1]],
  [
    { canonical: true },
    ['selection'],
    {
      b: 1,
      a: new Map([
        ['d', 1],
        ['c', 2],
      ]),
    },
  ],
  [{ sortKeys: true }, ['selection'], { b: 1, a: 2 }],
  [{ skipNil: true }, ['selection'], { b: null, a: 2 }],
  [{ rich: true }, ['rich'], [new Set([1]), Float32Array.of(1), /x/g, 1n << 80n]],
  [{ bigint: true }, ['rich'], 1n << 80n],
  [{ float32: true }, ['floats'], [1.5, 0.1, Number.NaN]],
  [{ replacer: ['a'] }, ['replacer'], { a: 1, b: 2 }],
];

/** Options of the writers of records. */
const RECORD_OPTIONS = ['shouldShareStructure', 'maxSharedStructures', 'maxOwnStructures'];

describe('packord/pack', () => {
  it('writes the bytes of packord without features', () => {
    for (const value of VALUES) assert.equal(hex(pack(value)), hex(wholePack(value)));
  });

  it('writes the same bytes with the feature prediction', () => {
    const packr = new Packr({ features: [plain.prediction] });
    for (let i = 0; i < 20; i++)
      for (const value of VALUES) assert.equal(hex(packr.pack(value)), hex(wholePack(value)));
  });

  it('has the errors of packord, and their paths with the feature paths', () => {
    const located = new Packr({ features: [plain.paths] });
    const cycle = [];
    cycle.push({ cycle });
    for (const value of [
      cycle,
      { a: [Symbol('x')] },
      new Map([
        [[1], () => {}],
        [2n, Symbol('y')],
      ]),
    ]) {
      const expected = outcome(() => wholePack(value));
      assert.equal(expected.name, 'MsgpackEncodeError');
      assert.deepEqual(
        outcome(() => located.pack(value)),
        expected,
      );
      const { path } = expected;
      assert.deepEqual(
        outcome(() => pack(value)),
        { ...expected, path: '$…', message: expected.message.replace(path, '$…') },
      );
    }
  });

  it('has no decoder', () => {
    assert.ok(!('unpack' in new Packr()));
    assert.ok(!('unpack' in plain));
  });

  it('names the feature that an option needs', () => {
    for (const [options, [feature]] of CASES) {
      const [name] = Object.keys(options);
      assert.throws(() => new Packr(options), {
        name: 'TypeError',
        message: new RegExp(`^${name} needs the feature ${feature}`),
      });
    }
    for (const name of ['sequential', ...RECORD_OPTIONS])
      assert.throws(() => new Packr({ [name]: 5 }), {
        name: 'TypeError',
        message: `${name} needs the feature records: { features: [records] }`,
      });
    new Packr({
      records: false,
      sortKeys: false,
      replacer: null,
      structures: undefined,
    });
    assert.throws(() => new Packr({ useRecord: true }), {
      message: 'There is no option useRecord',
    });
  });

  it('writes the bytes of packord with features', () => {
    for (const [options, features, value] of CASES) {
      const copy = () => (options.structures === undefined ? options : { structures: [] });
      const whole = new Whole(copy());
      const packr = new Packr({ ...copy(), features: features.map((name) => named[name]) });
      for (let i = 0; i < 3; i++) assert.equal(hex(packr.pack(value)), hex(whole.pack(value)), JSON.stringify(options));
    }
  });

  it('saves shared structures', () => {
    const saved = [];
    const packr = new Packr({
      features: [plain.records],
      structures: [],
      saveStructures: (structures) => void saved.push(structures.map((keys) => [...keys])),
    });
    assert.equal(hex(packr.pack({ x: 1 })), '4001');
    assert.deepEqual(saved, [[['x']]]);
    assert.deepEqual([...packr.structures], [['x']]);
  });

  it('packs within toJSON and extensions', () => {
    const packr = new Packr({ features: [plain.records], records: true });
    class Inner {
      toJSON() {
        return packr.pack({ inner: 1 });
      }
    }
    assert.equal(hex(packr.pack([new Inner()])).slice(0, 6), '91c40b');
    class Point {}
    packr.addExtension({ Class: Point, type: 5, pack: () => Uint8Array.of(7) });
    assert.equal(hex(packr.pack(new Point())), 'd40507');
  });
});

const RECORDS = new Whole({ records: true }).pack(VALUES[1]);
const RICH = new Whole({ rich: true });

/** Options, the features that they need, and bytes to unpack with them. */
const READS = [
  [{ records: true }, ['records'], RECORDS],
  [{ structures: [['x']] }, ['records'], Uint8Array.of(0x40, 1)],
  [{ getStructures: () => [['x']] }, ['records'], Uint8Array.of(0x40, 1)],
  [{ rich: true }, ['rich'], RICH.pack([new Set([1]), Float32Array.of(1), /x/g])],
  [{ bigint: true }, ['rich'], RICH.pack(1n << 80n)],
  [{ reviver: (key, value) => (key === 'a' ? 7 : value) }, ['reviver'], wholePack({ a: 1, b: 2 })],
  [{ canonical: true }, ['checks'], wholePack({ a: 1 })],
  [{ duplicateKey: 'error' }, ['checks'], wholePack({ a: 1 })],
  [{ maxStrLen: 2 }, ['limits'], wholePack({ a: 'bc' })],
  [{ maxNodes: 0 }, ['limits'], wholePack({ a: 'bc' })],
];

/** What a function returns or throws. */
function outcome(run) {
  try {
    return { value: run() };
  } catch ({ name, kind, offset, path, message }) {
    return { name, kind, offset, path, message };
  }
}

describe('packord/unpack', () => {
  it('reads what packord reads, without features', () => {
    for (const value of VALUES) {
      const bytes = wholePack(value);
      assert.deepEqual(unpack(bytes), new WholeUnpackr().unpack(bytes));
      assert.deepEqual(new Unpackr().unpack(bytes), unpack(bytes));
      assert.deepEqual(unpackMultiple(Buffer.concat([bytes, bytes])).length, 2);
    }
  });

  it('reads the same with the feature prediction', () => {
    const unpackr = new Unpackr({ features: [readers.prediction] });
    for (let i = 0; i < 20; i++)
      for (const value of VALUES) assert.deepEqual(unpackr.unpack(wholePack(value)), unpack(wholePack(value)));
  });

  it('leaves records and other ext types as they are', () => {
    for (const type of [0x42, 0x62, 0x69, 0x70, 0x72, 0x73, 0x74])
      assert.deepEqual(unpack(Uint8Array.of(0xd4, type, 1)), new readers.ExtData(type, Uint8Array.of(1)));
  });

  it('has the errors of packord, and their paths with the feature paths', () => {
    const whole = new WholeUnpackr();
    const located = new Unpackr({ features: [readers.paths] });
    const nested = Buffer.alloc(3000, 0x91);
    for (const hex of ['', '81a161c1', '92a1ff01', '81a16192', 'c1', '0101', '8191010c', 'd4', 'c705ff'])
      for (const bytes of [Buffer.from(hex, 'hex'), nested]) {
        const expected = outcome(() => whole.unpack(bytes));
        assert.deepEqual(
          outcome(() => located.unpack(bytes)),
          expected,
        );
        const { name, kind, offset, path } = outcome(() => unpack(bytes));
        assert.deepEqual(
          { name, kind, offset, path },
          {
            name: expected.name,
            kind: expected.kind,
            offset: expected.offset,
            path: undefined,
          },
        );
      }
  });

  it('has the depth limit where the stack ends before it', () => {
    const unpackr = new Unpackr({ maxDepth: 1e9 });
    assert.throws(() => unpackr.unpack(Buffer.alloc(1_000_000, 0x91)), { kind: 'depth_limit' });
    assert.equal(unpackr.unpack(Uint8Array.of(1)), 1);
  });

  it('names the feature that an option needs', () => {
    for (const [options, [feature]] of READS) {
      const [name] = Object.keys(options);
      assert.throws(() => new Unpackr(options), {
        name: 'TypeError',
        message: new RegExp(`^${name} needs the feature ${feature}`),
      });
    }
    for (const [name, value] of [
      ['sequential', true],
      ['undefinedRecord', 'error'],
    ])
      assert.throws(() => new Unpackr({ [name]: value }), {
        name: 'TypeError',
        message: `${name} needs the feature records: { features: [records] }`,
      });
    // Where no record is read, none has too many keys.
    new Unpackr({ maxRecordKeys: 5, undefinedRecord: 'integer', sequential: false });
    new Unpackr({ records: false, duplicateKey: 'last', reviver: null });
    assert.throws(() => new Unpackr({ useRecord: 1 }), { message: 'There is no option useRecord' });
    const schema = { '~standard': { version: 1, validate: (value) => ({ value: [value] }) } };
    assert.throws(() => unpack(Uint8Array.of(1), schema), /needs the feature schemas/);
    const unpackr = new Unpackr({ features: [readers.schemas] });
    assert.deepEqual(unpackr.unpack(Uint8Array.of(1), schema), [1]);
  });

  it('reads what packord reads, with features', () => {
    for (const [options, features, bytes] of READS) {
      const whole = new WholeUnpackr(options);
      const unpackr = new Unpackr({
        ...options,
        features: [...features.map((name) => readers[name]), readers.paths],
      });
      for (let i = 0; i < 20; i++)
        assert.deepEqual(
          outcome(() => unpackr.unpack(bytes)),
          outcome(() => whole.unpack(bytes)),
          Object.keys(options)[0],
        );
    }
  });

  it('gives its options to a View', () => {
    const unpackr = new Unpackr({ features: [readers.records], structures: [['x']] });
    assert.equal(new View(Uint8Array.of(0x40, 1), unpackr).get('x'), 1);
  });
});
