/** `packord/pack` beside `packord`: the same bytes, with the features that an option needs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr as Whole, pack as wholePack } from 'packord';
import * as plain from 'packord/pack';

const { Packr, pack, ...named } = plain;

const hex = (bytes) => Buffer.from(bytes).toString('hex');

const VALUES = [
  [null, true, -1, 1.5, 2 ** 40, 10n ** 15n, 'ä'.repeat(40), 'a long string of ASCII '.repeat(20)],
  Array.from({ length: 40 }, (_, id) => ({ id, name: `user ${id}`, tags: ['x', 'y'] })),
  {
    date: new Date(1500),
    map: new Map([[1, { a: 1 }]]),
    bytes: Uint8Array.of(1, 2),
    none: undefined,
  },
  new Set([1, 2]),
  new (class Point {
    x = 1;
    toJSON() {
      return { point: this.x };
    }
  })(),
];

const shared = { a: 1, b: [1, 2] };

/** Options, the features that they need, and a value to pack with them. */
const CASES = [
  [{ useRecords: true }, ['records'], VALUES[1]],
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
  [{ ignoreUndefined: true }, ['selection'], { b: undefined, a: 2 }],
  [{ skipValues: [2] }, ['selection'], { b: 1, a: 2 }],
  [{ coercibleKeyAsNumber: true }, ['selection'], { 1: 1 }],
  [{ moreTypes: true }, ['moreTypes'], [new Set([1]), Float32Array.of(1), /x/g, 1n << 80n]],
  [{ useBigIntExtension: true }, ['moreTypes'], 1n << 80n],
  [{ structuredClone: true }, ['structuredClone'], [shared, shared]],
  [{ bundleStrings: true }, ['bundleStrings'], ['one string', 'ein Straßenname']],
  [{ replacer: ['a'] }, ['replacer'], { a: 1, b: 2 }],
];

describe('packord/pack', () => {
  it('writes the bytes of packord without features', () => {
    for (const value of VALUES) assert.equal(hex(pack(value)), hex(wholePack(value)));
  });

  it('writes the same bytes with the feature prediction', () => {
    const packr = new Packr({ features: [plain.prediction] });
    for (let i = 0; i < 20; i++)
      for (const value of VALUES) assert.equal(hex(packr.pack(value)), hex(wholePack(value)));
  });

  it('has the errors of packord', () => {
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
      let expected;
      try {
        wholePack(value);
      } catch (error) {
        expected = error;
      }
      if (expected === undefined) assert.equal(hex(pack(value)), hex(wholePack(value)));
      else
        assert.throws(
          () => pack(value),
          (error) => {
            assert.equal(error.name, 'MsgpackEncodeError');
            assert.equal(error.message, expected.message);
            return true;
          },
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
    new Packr({ useRecords: false, sortKeys: false, replacer: null, structures: undefined });
    assert.throws(() => new Packr({ useRecord: true }), {
      message: 'There is no option useRecord',
    });
  });

  it('writes the bytes of packord with features', () => {
    for (const [options, features, value] of CASES) {
      const copy = () => (options.structures === undefined ? options : { structures: [] });
      const whole = new Whole({ useRecords: features.includes('records'), ...copy() });
      const packr = new Packr({ ...copy(), features: features.map((name) => named[name]) });
      for (let i = 0; i < 3; i++)
        assert.equal(hex(packr.pack(value)), hex(whole.pack(value)), JSON.stringify(options));
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
    const packr = new Packr({ features: [plain.records] });
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
