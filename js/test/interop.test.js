/** packord and msgpackr read each other's bytes, and `packord/msgpackr` writes those of msgpackr. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as peer from 'msgpackr';
import * as compatible from 'packord/msgpackr';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const RUNS = Number(process.env.PROPERTY_RUNS ?? 150);

/** Strings without lone surrogates, which msgpackr writes as bytes that are not UTF-8. */
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ maxLength: 300 }));
/** Keys that keep their order in an object, and that msgpackr does not rename. */
const key = fc
  .oneof(fc.constantFrom('id', 'name', 'a long key of more than thirty-one characters', 'é'), text)
  .filter((name) => !/^\d+$/.test(name) && name !== '__proto__');
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -200, max: 300 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }),
  fc.constantFrom(0, 63, 64, 127, 128, 255, 256, 65535, 65536, 2 ** 31, 2 ** 32 - 1, 2 ** 32, -(2 ** 31)),
);
const date = fc.date({
  min: new Date(0),
  max: new Date('2105-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const bigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    number,
    text,
    fc.constantFrom(null, true, false),
    date,
    bytes,
    bigint,
    fc.array(tie('value'), { maxLength: 20 }),
    tie('object'),
    tie('object'),
  ),
  object: fc.dictionary(key, tie('value'), { maxKeys: 20, noNullPrototype: true }),
}));

/** Converts a value to what the other package reads: objects instead of maps. */
function same(actual, expected) {
  assert.deepStrictEqual(JSON.stringify(plain(actual)), JSON.stringify(plain(expected)));
}

function plain(data) {
  if (typeof data === 'bigint') return { bigint: String(data) };
  if (typeof data === 'number') return Number.isSafeInteger(data) ? { bigint: String(data) } : { f: String(data) };
  if (data instanceof Date) return { date: data.getTime() };
  if (data instanceof Uint8Array) return { bytes: hex(data) };
  if (data instanceof Set) return { set: [...data].map(plain) };
  if (data instanceof Map) return { map: [...data].map((entry) => entry.map(plain)) };
  if (data instanceof Error) return { error: [data.name, data.message] };
  if (data instanceof RegExp) return { regexp: String(data) };
  if (ArrayBuffer.isView(data)) return { view: [data.constructor.name, ...new Uint8Array(data.buffer)] };
  if (Array.isArray(data)) return data.map(plain);
  if (data === null || typeof data !== 'object') return data === undefined ? { undefined: 1 } : data;
  return { object: Object.entries(data).map(([name, field]) => [name, plain(field)]) };
}

const OPTIONS = {
  'no options': {},
  'records off': { useRecords: false },
  'small maps': { useRecords: false, variableMapSize: true },
  'more types': { moreTypes: true },
  'shared structures': { structures: [] },
  'many shared structures': { structures: [], maxSharedStructures: 100 },
  'two-byte ids': { maxOwnStructures: 300 },
  'bundled strings': { bundleStrings: true },
  'bundled strings, no records': { bundleStrings: true, useRecords: false },
  'structured clone': { structuredClone: true },
  'clone with bundled strings': { structuredClone: true, bundleStrings: true },
  'floats of 32 bits': { useFloat32: 1 },
  'floats that fit': { useFloat32: 4 },
  'int64 as numbers': { int64AsType: 'number' },
  'int64 as text': { int64AsType: 'string' },
  sequential: { sequential: true },
};

/** Copies options for each package, because both change the list of structures. */
const fresh = (options) => ('structures' in options ? { ...options, structures: [] } : { ...options });

describe('packord/msgpackr writes the bytes of msgpackr', () => {
  for (const [name, options] of Object.entries(OPTIONS)) {
    it(name, () => {
      fc.assert(
        fc.property(fc.array(value, { maxLength: 5 }), (messages) => {
          const [theirs, ours] = [new peer.Packr(fresh(options)), new compatible.Packr(fresh(options))];
          for (const data of messages) assert.equal(hex(ours.pack(data)), hex(theirs.pack(data)));
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('for more structures than there are ids', () => {
    const data = Array.from({ length: 200 }, (_, i) => ({ [`key ${i}`]: i }));
    for (const [name, options] of Object.entries(OPTIONS)) {
      const [theirs, ours] = [new peer.Packr(fresh(options)), new compatible.Packr(fresh(options))];
      for (let round = 0; round < 2; round++) assert.equal(hex(ours.pack(data)), hex(theirs.pack(data)), name);
    }
  });

  it('by the functions without an instance', () => {
    fc.assert(
      fc.property(value, (data) => {
        assert.equal(hex(compatible.pack(data)), hex(peer.pack(data)));
        same(compatible.unpack(peer.pack(data)), peer.unpack(peer.pack(data)));
      }),
      { numRuns: RUNS },
    );
  });

  it('for values of all types', () => {
    class Point {
      x = 1;
      y = [2];
    }
    const kinds = [
      undefined,
      -0,
      Number.NaN,
      Infinity,
      new Array(3),
      new Date(Number.NaN),
      new Date(-1),
      new Date(-1000),
      new Date(1500),
      new Date(2 ** 31 * 1000 + 5),
      new Date(2 ** 35 * 1000),
      new Map([
        [1, 'a'],
        ['b', 64],
      ]),
      new Map(),
      new Set([1, 'x']),
      new Error('wrong', { cause: 5 }),
      new TypeError('t'),
      /a+/gi,
      new Point(),
      Object.create(null),
      new Float64Array([1, 2]),
      new Uint8Array([1, 2]),
      new ArrayBuffer(3),
      new DataView(new ArrayBuffer(2)),
      {},
      [],
      { a: undefined, f() {} },
      { toJSON: 5 },
      { nested: { toJSON: () => 1 } },
      5n,
      -5n,
      2n ** 63n,
      2n ** 70n,
      -(2n ** 70n),
      2n ** 64n,
      -(2n ** 63n) - 1n,
      'x'.repeat(70000),
      'é'.repeat(200),
      Array.from({ length: 70000 }, () => 1),
      new (class extends Array {})(),
    ]; // prettier-ignore
    for (const moreTypes of [false, true])
      for (const useRecords of [false, true])
        for (const [index, kind] of kinds.entries()) {
          // Without moreTypes msgpackr writes elements cut to bytes, then memory that it never set.
          if (ArrayBuffer.isView(kind) && !(kind instanceof Uint8Array) && !moreTypes) continue;
          const options = { moreTypes, useRecords, useBigIntExtension: true };
          const [theirs, ours] = [new peer.Packr({ ...options }), new compatible.Packr(options)];
          const expected = theirs.pack(kind);
          assert.equal(hex(ours.pack(kind)), hex(expected), `kind ${index}, ${JSON.stringify(options)}`);
          same(ours.unpack(expected), theirs.unpack(expected));
        }
  });

  it('with extensions that write into the message themselves', () => {
    class Point {}
    const extension = {
      Class: Point,
      type: 0x20,
      pack(_point, allocateForWrite, pack) {
        const { target, targetView, position } = allocateForWrite(70_000);
        target.fill(0, position, position + 70_000);
        target[position] = 0xc9;
        targetView.setUint32(position + 1, 69_994);
        target[position + 5] = 0x20;
        pack(['more']);
      },
    };
    const [ours, theirs] = [compatible, peer].map((library) => {
      library.addExtension(extension);
      return library.pack([new Point(), 'behind']);
    });
    assert.equal(hex(ours), hex(theirs));
  });
});

describe('each reads the other', () => {
  for (const [name, options] of Object.entries(OPTIONS)) {
    it(name, () => {
      // With structures, the decoder has the list of the encoder.
      const readers = { ...options, moreTypes: true, structuredClone: true, bundleStrings: true };
      fc.assert(
        fc.property(fc.array(value, { maxLength: 4 }), (messages) => {
          const [theirs, ours] = [new peer.Packr(fresh(options)), new compatible.Packr(fresh(options))];
          const [reader, peerReader] = [
            new compatible.Unpackr({ ...readers, structures: theirs.structures }),
            new peer.Unpackr({ ...fresh(readers) }),
          ];
          for (const data of messages) {
            const packed = Buffer.from(theirs.pack(data));
            if (options.sequential) same(reader.unpack(packed), reading(data, options));
            else
              same(
                new compatible.Unpackr({ ...readers, structures: structuresOf(theirs) }).unpack(packed),
                reading(data, options),
              );
            const ownBytes = Buffer.from(ours.pack(data));
            const shared = structuresOf(ours);
            const other = options.sequential
              ? peerReader
              : new peer.Unpackr({
                  ...readers,
                  ...(shared ? { getStructures: () => shared } : {}),
                  structures: undefined,
                });
            same(other.unpack(ownBytes), peerReading(data, options));
          }
        }),
        { numRuns: RUNS },
      );
    });
  }

  const structuresOf = ({ structures }) =>
    structures?.length > 0
      ? structures.slice(0, structures.sharedLength ?? structures.length).map((keys) => [...keys])
      : undefined;

  /** Returns the value that is read, which may differ from the one written. */
  function reading(data, options) {
    const plainly = plainOptions(options);
    return new compatible.Packr({ ...plainly, moreTypes: true }).unpack(new peer.Packr(plainly).pack(data));
  }

  function peerReading(data, options) {
    const plainly = plainOptions(options);
    return new peer.Packr({ ...plainly }).unpack(new compatible.Packr(plainly).pack(data));
  }

  /** The options that say which value is read, without those that only change the bytes. */
  function plainOptions({ useRecords, moreTypes, useFloat32, int64AsType }) {
    const options = { useRecords, moreTypes, useFloat32, int64AsType };
    return Object.fromEntries(Object.entries(options).filter(([, given]) => given !== undefined));
  }
});

describe('packord/msgpackr', () => {
  const packr = new compatible.Packr({ moreTypes: true });

  it('reads an AggregateError without its errors, as older versions wrote it', () => {
    const legacy = 'd4650093ae4167677265676174654572726f72a4626f6f6dd40000';
    const error = packr.unpack(Buffer.from(legacy, 'hex'));
    assert.ok(error instanceof AggregateError);
    assert.deepEqual([error.name, error.message, error.errors], ['AggregateError', 'boom', []]);
  });

  it('writes views with a toJSON of their class as those of the platform', () => {
    class Polyfill extends Uint8Array {
      toJSON() {
        return 'bytes';
      }
    }
    class View extends DataView {
      toJSON() {
        return 'view';
      }
    }
    const plain = new compatible.Packr();
    assert.deepEqual(plain.unpack(plain.pack(Polyfill.of(1, 2))), Buffer.of(1, 2));
    const view = packr.unpack(packr.pack(new View(Uint8Array.of(6).buffer)));
    assert.ok(view instanceof DataView);
    assert.equal(view.getUint8(0), 6);
    const own = Object.assign(Uint8Array.of(1), { toJSON: () => 'own' });
    assert.equal(plain.unpack(plain.pack(own)), 'own');
  });

  it('takes a store of structures that is cut off for no message to be continued', () => {
    const store = packr.pack([['a']]);
    const getStructures = () => packr.unpack(store.subarray(0, -1));
    const reader = new compatible.Unpackr({ structures: [], getStructures });
    assert.throws(() => reader.unpack(Buffer.of(0x40)), { kind: 'eof', incomplete: false });
    assert.throws(() => reader.unpack(Buffer.of(0x92, 1)), { kind: 'eof', incomplete: true });
  });

  it('tells the number of shared structures', () => {
    const sharing = new compatible.Packr({ structures: [['a', 'b']] });
    sharing.pack({ c: 1 });
    assert.equal(sharing.lastNamedStructuresLength, 2);
    sharing.clearSharedData();
    assert.equal(sharing.lastNamedStructuresLength, 0);
  });

  it('says how keys that are not strings are read', () => {
    const bytes = packr.pack(new Map([[{ a: 1 }, 1]]));
    const asObjects = new compatible.Unpackr({ mapsAsObjects: true });
    assert.throws(() => asObjects.unpack(bytes), /mapsAsObjects: false/);
    const asMaps = new compatible.Unpackr({ mapsAsObjects: false });
    assert.deepEqual([...asMaps.unpack(bytes).values()], [1]);
  });
});
