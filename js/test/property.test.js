/** Random values are read as they were packed, in every mode and in both builds. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeIter, Packr, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const hex = (bytes) => Buffer.from(bytes).toString('hex');

const text = fc.string({ unit: 'binary', maxLength: 60 });
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double(),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    text,
    fc.constantFrom(null, true, false, undefined),
    fc.date({ noInvalidDate: true }),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.array(tie('value'), { maxLength: 8 }),
    fc.dictionary(fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', '7'), text), tie('value'), {
      maxKeys: 8,
      noNullPrototype: true,
    }),
  ),
}));

const MODES = {
  plain: {},
  records: { records: true },
  shared: { structures: [] },
  'two-byte ids': { records: true, maxOwnStructures: 200, sequential: false },
  'few structures': { records: true, maxOwnStructures: 2 },
  sequential: { records: true, sequential: true },
  columns: { columns },
  rich: { rich: true },
  canonical: { canonical: true },
};

/** Returns a value as its canonical encoding has it: whole floats are integers. */
function asIntegers(value) {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return 0;
    const isWhole = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64;
    return isWhole && !Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (Array.isArray(value)) return value.map(asIntegers);
  const isPlain = typeof value === 'object' && Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asIntegers(inner)]));
}

/** Returns a value as it comes back: without properties that are undefined. */
function written(value) {
  if (Array.isArray(value)) return value.map(written);
  const isPlain = typeof value === 'object' && Object.getPrototypeOf(value ?? 0) === Object.prototype;
  if (!isPlain) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [key, written(inner)]));
}

describe('what is packed is unpacked', () => {
  for (const [name, options] of Object.entries(MODES)) {
    it(name, () => {
      const fresh = () => ('structures' in options ? { structures: [] } : { ...options });
      fc.assert(
        fc.property(fc.array(value, { maxLength: 5 }), (messages) => {
          const [packr, other] = [new Packr(fresh()), new noEval.Packr(fresh())];
          const packed = messages.map((message) => Buffer.from(packr.pack(message)));
          const plain = messages.map(written);
          const expected = options.canonical ? plain.map(asIntegers) : plain;
          messages.forEach((message, i) => {
            const read = packr.unpack(packed[i]);
            assert.deepStrictEqual(read, expected[i]);
            assert.equal(hex(other.pack(message)), hex(packed[i]));
            assert.deepStrictEqual(other.unpack(packed[i]), expected[i]);
            if (options.canonical) assert.equal(hex(packr.pack(read)), hex(packed[i]));
          });
          const reading = { ...fresh(), structures: packr.structures };
          const stream = Buffer.concat(packed);
          for (const size of [3, 1000]) {
            const chunks = [];
            for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
            assert.deepStrictEqual([...decodeIter(chunks, reading)], expected);
          }
        }),
        { numRuns: RUNS },
      );
    });
  }

  it('by generated encoders and decoders too', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.array(value, { minLength: 6, maxLength: 6 }), (keys, values) => {
        const make = (shift) => Object.fromEntries(keys.map((key, i) => [`k${key}`, values[(i + shift) % 6]]));
        const list = Array.from({ length: 40 }, (_, i) => make(i));
        for (const options of [{}, { records: true }]) {
          const packr = new Packr(options);
          const expected = written(list);
          assert.deepStrictEqual(packr.unpack(packr.pack(list)), expected);
          assert.deepStrictEqual(new Unpackr(options).unpack(new noEval.Packr(options).pack(list)), expected);
        }
      }),
      { numRuns: Math.ceil(RUNS / 4) },
    );
  });
});

describe('str values', () => {
  const SCRIPTS = ['ascii', '\u6771\u4eac ', '\u043f\u0440\u0438 ', 'gr\u00fc\u00df', '\u{1f44d}x'];
  /** A string of any length, mostly of one script, and the position of a byte to change. */
  const texts = fc.array(
    fc.tuple(
      fc.constantFrom(...SCRIPTS),
      fc.integer({ min: 0, max: 700 }),
      text,
      fc.boolean(),
      fc.nat(4000),
      fc.integer({ min: 0, max: 255 }),
    ),
    { minLength: 1, maxLength: 12 },
  );

  it('are read as the platform reads them, or are invalid_utf8', () => {
    const packr = new Packr({});
    const platform = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    fc.assert(
      fc.property(texts, (parts) => {
        const bytes = parts.map(([script, length, other, whole, place, byte]) => {
          const encoded = Buffer.from(script.repeat(length / script.length) + other);
          if (!whole && encoded.length > 0) encoded[place % encoded.length] = byte;
          return encoded;
        });
        const header = (length) => Buffer.from([0xda, length >> 8, length & 0xff]);
        const message = Buffer.concat([
          Buffer.from([0x90 | bytes.length]),
          ...bytes.flatMap((encoded) => [header(encoded.length), encoded]),
        ]);
        let expected;
        try {
          expected = bytes.map((encoded) => platform.decode(encoded));
        } catch {
          assert.throws(() => packr.unpack(message), { kind: 'invalid_utf8' });
          return;
        }
        assert.deepEqual(packr.unpack(message), expected);
      }),
      { numRuns: RUNS },
    );
  });
});

describe('keys', () => {
  it('are read correctly in any order', () => {
    const key = fc.constantFrom(
      ...['', 'a', 'b', 'ab', 'abc', 'abd', 'abcd', 'abce', 'abcde', 'xbcde', 'abcdefgh', 'abcdxfgh'],
      ...['abcdefghi', 'bbcdefghi', '\u00e9', '\u00e9\u00e9', '__proto__', 'a'.repeat(70)],
    );
    const objects = fc.array(fc.uniqueArray(key, { maxLength: 8 }), { maxLength: 12 });
    fc.assert(
      fc.property(objects, (lists) => {
        const list = lists.map((keys) =>
          keys.reduce(
            (object, name, i) =>
              Object.defineProperty(object, name, {
                value: i,
                writable: true,
                enumerable: true,
                configurable: true,
              }),
            {},
          ),
        );
        for (const { Packr: Class } of [{ Packr }, noEval]) {
          const packr = new Class({});
          const expected = written(list);
          assert.deepStrictEqual(packr.unpack(packr.pack(list)), expected);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
