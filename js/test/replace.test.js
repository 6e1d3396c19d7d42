/** The options replacer and reviver, compared with those of JSON. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeIter, Packr, pack, Unpackr, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';

const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 500) };
const plain = {};
const written = (value, replacer) => unpack(new Packr({ ...plain, replacer }).pack(value));
const read = (value, reviver) => new Unpackr({ ...plain, reviver }).unpack(pack(value));

/** A function that changes some values, and records how it is called. */
function changing() {
  const calls = [];
  const change = function (key, value) {
    calls.push([key, JSON.stringify(value), Array.isArray(this), Object.keys(this).length]);
    if (value === 1) return 'one';
    if (value === 'x') return undefined;
    if (value === true) return { made: 1 };
    return value;
  };
  return { calls, change };
}

const value = fc.jsonValue({ maxDepth: 4 }).map((given) => JSON.parse(JSON.stringify(given)));
const leaf = fc.constantFrom(1, 'x', true, 2);
const small = fc.oneof(value, fc.dictionary(fc.string({ maxLength: 2 }), fc.oneof(leaf, fc.array(leaf))));

describe('a replacer', () => {
  it('is called as that of JSON.stringify, and has the same result', () => {
    const property = fc.property(small, (given) => {
      const [ours, theirs] = [changing(), changing()];
      const text = JSON.stringify([given], theirs.change);
      // JSON writes null for what is undefined in an array.
      const result = written([given], ours.change);
      assert.deepEqual(JSON.parse(JSON.stringify(result)), JSON.parse(text));
      assert.deepEqual(ours.calls, theirs.calls);
    });
    fc.assert(property, RUNS);
  });

  it('may be a list of keys', () => {
    const given = { a: 1, b: { a: 2, c: 3 }, 5: [{ a: 4, d: 5 }], d: new Map([['d', 6]]) };
    assert.deepEqual(written(given, ['a', 'b', 5]), { 5: [{ a: 4 }], a: 1, b: { a: 2 } });
  });

  it('sees what toJSON returns, values of a Map, and fields of instances', () => {
    class Money {
      constructor(cents) {
        this.cents = cents;
      }
      set currency(_) {
        assert.fail('a setter is called');
      }
    }
    const money = Object.defineProperty(new Money(5), 'currency', {
      value: 'EUR',
      enumerable: true,
    });
    const given = {
      at: new Date(5),
      json: { toJSON: (key) => `json ${key}` },
      map: new Map([[1, 2]]),
      money,
    };
    const seen = [];
    const result = written(given, (key, inner) => {
      seen.push(key);
      return typeof inner === 'number' ? inner * 2 : inner;
    });
    assert.deepEqual(seen, ['', 'at', 'json', 'map', 1, 'money', 'cents', 'currency']);
    assert.deepEqual(result, {
      at: new Date(5),
      json: 'json json',
      map: new Map([[1, 4]]),
      money: { cents: 10, currency: 'EUR' },
    });
    assert.deepEqual([given.map.get(1), money.cents], [2, 5]);
  });

  it('leaves values with an extension to it, and may pack within', () => {
    class Point {}
    const extension = {
      Class: Point,
      type: 5,
      pack: () => Uint8Array.of(1),
      unpack: () => 'point',
    };
    const packr = new Packr({
      extensions: [extension],
      replacer: (key, inner) => (key === 'raw' ? packr.pack(inner) : inner),
    });
    const { point, raw } = packr.unpack(packr.pack({ point: new Point(), raw: { a: 1 } }));
    assert.equal(point, 'point');
    assert.deepEqual(packr.unpack(raw), { a: 1 });
  });

  it('keeps identity with structuredClone, and reports cycles and depth without', () => {
    const cyclic = { list: [] };
    cyclic.list.push(cyclic);
    const replacer = (_, inner) => inner;
    const clone = new compatible.Packr({ structuredClone: true, replacer });
    const copy = clone.unpack(clone.pack(cyclic));
    assert.equal(copy.list[0], copy);
    const packr = new Packr({ replacer, maxDepth: 3 });
    assert.throws(() => packr.pack(cyclic), { kind: 'cycle', path: '$.list[0]' });
    assert.throws(() => packr.pack([[[[]]]]), { kind: 'depth_limit', path: '$[0][0][0]' });
    const endless = new Packr({ replacer: () => ({ a: 1 }) });
    assert.throws(() => endless.pack(1), { kind: 'depth_limit' });
    const same = {};
    assert.deepEqual(packr.unpack(packr.pack([same, same])), [{}, {}]);
  });

  it('keeps __proto__ a field', () => {
    const given = JSON.parse('{"__proto__": {"a": 1}}');
    const back = written(given, (_, inner) => inner);
    assert.deepEqual(Object.keys(back), ['__proto__']);
    assert.equal(back.a, undefined);
  });
});

describe('a reviver', () => {
  it('is called as that of JSON.parse, and has the same result', () => {
    const property = fc.property(small, (given) => {
      const [ours, theirs] = [changing(), changing()];
      const text = JSON.stringify([given]);
      const result = read(JSON.parse(text), ours.change);
      assert.deepEqual(JSON.stringify(result), JSON.stringify(JSON.parse(text, theirs.change)));
      assert.deepEqual(
        ours.calls.map(([key, inner]) => [key, inner]),
        theirs.calls.map(([key, inner]) => [key, inner]),
      );
    });
    fc.assert(property, RUNS);
  });

  it('sees values of a Map, and of records', () => {
    const reviver = (key, inner) => (typeof inner === 'number' ? `${key}=${inner}` : inner);
    const packr = new Packr({ records: true, reviver });
    assert.deepEqual(packr.unpack(packr.pack([{ a: 1 }, new Map([[2, 3]])])), [{ a: 'a=1' }, new Map([[2, '2=3']])]);
  });

  it('sees the values of streams and of unpackMultiple', () => {
    const reviver = (_, inner) => (inner === 1 ? 'one' : inner);
    const bytes = Buffer.concat([pack([1]), pack({ a: 1 })]);
    const expected = [['one'], { a: 'one' }];
    const options = { ...plain, reviver };
    assert.deepEqual(new Unpackr(options).unpackMultiple(bytes), expected);
    assert.deepEqual([...decodeIter([bytes.subarray(0, 1), bytes.subarray(1)], options)], expected);
  });

  it('sees an object of a structured clone once, and its errors are passed on', () => {
    const cyclic = { list: [] };
    cyclic.list.push(cyclic);
    let calls = 0;
    const packr = new compatible.Packr({
      structuredClone: true,
      reviver(_, inner) {
        calls++;
        return inner;
      },
    });
    const copy = packr.unpack(packr.pack(cyclic));
    assert.equal(copy.list[0], copy);
    assert.equal(calls, 3);
    const failing = new Unpackr({
      reviver() {
        throw new SyntaxError('own');
      },
    });
    assert.throws(() => failing.unpack(pack(1)), { name: 'SyntaxError' });
    assert.throws(() => new Unpackr({ freezeData: true, reviver: () => 1 }), TypeError);
  });
});
