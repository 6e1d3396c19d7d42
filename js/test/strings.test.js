/** Strings of all lengths and scripts, which wait for one another while a message is packed. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as official from '@msgpack/msgpack';
import fc from 'fast-check';
import { Packr, pack, RESERVE_START_SPACE, REUSE_BUFFER_MODE, unpack } from 'packord';
import * as noEval from 'packord/index-no-eval';

/** Strings wait only in messages that are not small. */
const filler = 'f'.repeat(300);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

/** Lengths around those at which a str has another header or is written in another way. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(
    7,
    8,
    11,
    12,
    13,
    31,
    32,
    33,
    47,
    48,
    49,
    127,
    128,
    254,
    255,
    256,
    257,
    511,
    512,
    513,
    4095,
    4097,
  ),
);
const odd = fc.constantFrom(
  'é',
  'ÿ',
  'Ā',
  '\u0141',
  '日',
  '😀',
  '\ud800',
  '\udc00',
  '\u0080',
  '\ufffd',
);

/** A string of ASCII, some with one other character at the beginning, in the middle or at the end. */
const text = fc
  .record({
    length,
    odd: fc.option(odd, { freq: 6 }),
    where: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ length, odd, where }) => {
    const letters = '~ abcdefghijklmnopqrstuvwxyz\u007f\u0000'
      .repeat(length / 30 + 1)
      .slice(0, length);
    if (odd === null || length === 0) return letters;
    const at = Math.round(where * (length - 1));
    return letters.slice(0, at) + odd + letters.slice(at + 1);
  });

const part = fc.oneof(
  text,
  text,
  text,
  fc.integer(),
  fc.constant(null),
  fc.double(),
  fc.uint8Array(),
);
const value = fc.array(fc.oneof(part, fc.array(part), fc.dictionary(text, part)), {
  maxLength: 120,
});

/** The bytes by another implementation, whose lone surrogates become U+FFFD before. */
function expected(value) {
  const wellFormed = (part) => {
    if (typeof part === 'string') return part.toWellFormed?.() ?? Buffer.from(part).toString();
    if (part instanceof Uint8Array || part === null || typeof part !== 'object') return part;
    if (Array.isArray(part)) return part.map(wellFormed);
    return Object.fromEntries(Object.entries(part).map(([key, field]) => [key, wellFormed(field)]));
  };
  return Buffer.from(official.encode(wellFormed(value)));
}

/** Whether no key has a lone surrogate and no number a form that the other library lacks. */
function comparable(part) {
  if (typeof part === 'number')
    return !Object.is(part, -0) && (Number.isInteger(part) ? Math.abs(part) < 2 ** 53 : true);
  if (part === null || typeof part !== 'object' || part instanceof Uint8Array) return true;
  const keys = Array.isArray(part) ? [] : Object.keys(part);
  return keys.every((key) => !/[\ud800-\udfff]/.test(key)) && Object.values(part).every(comparable);
}

describe('strings that wait to be written', () => {
  for (const [name, library] of Object.entries({ generating: { pack }, 'no eval': noEval }))
    it(`have the bytes that another library writes (${name})`, () => {
      fc.assert(
        fc.property(value.filter(comparable), (list) => {
          assert.equal(library.pack(list).toString('hex'), expected(list).toString('hex'));
        }),
        { numRuns: RUNS },
      );
    });

  it('have the right bytes with one that is not ASCII among thousands', () => {
    for (const at of [0, 1, 90, 500, 998, 999]) {
      const list = Array.from({ length: 1000 }, (_, i) => ({
        id: i,
        name: `a name of some length ${i}${i === at ? ' ł' : ''}`,
        nested: [`${i} is the number of this one`, i * 1000, 1.5],
      }));
      const bytes = pack(list);
      assert.deepEqual(bytes, expected(list));
      assert.deepEqual(unpack(bytes), list);
      const packr = new Packr();
      assert.deepEqual(packr.unpack(packr.pack(list)), list);
    }
  });

  it('are written before a Map is sorted by its keys', () => {
    const map = new Map(
      [
        'zeta is the last key of all',
        'alpha is the first key of all',
        'mü is in the middle of them',
      ].map((key, i) => [key, { text: `this is value number ${i}`, filler, key }]),
    );
    const packr = new Packr({ canonical: true });
    const again = new Packr({ useRecords: false, sortKeys: true });
    const sorted = [...map.keys()].sort();
    for (const bytes of [packr.pack([filler, map]), again.pack([filler, map])])
      assert.deepEqual([...new Packr({ mapsAsObjects: false }).unpack(bytes)[1].keys()], sorted);
  });

  it('are discarded when packing fails, and separate from those of a nested packing', () => {
    const packr = new Packr({ useRecords: false });
    const bad = [filler, 'a string of many letters '.repeat(9), Symbol('no')];
    assert.throws(() => packr.pack(bad), { kind: 'unsupported_type', path: '$[2]' });
    const inner = [filler, 'within: a string of some letters', 'and é, which is not ASCII'];
    let within;
    class Outer {
      toJSON() {
        within = Buffer.from(packr.pack(inner));
        return 'in place of the outer instance';
      }
    }
    const [before, behind] = [
      'before: a string of some letters',
      'behind: a string of some letters',
    ];
    const list = [filler, before, new Outer(), behind];
    const bytes = packr.pack(list);
    assert.deepEqual(unpack(bytes), [filler, before, 'in place of the outer instance', behind]);
    assert.deepEqual(unpack(within), inner);
  });

  it('move with the message, after the reserved bytes', () => {
    const packr = new Packr({ useRecords: false });
    packr.useBuffer(Buffer.alloc(128));
    const list = Array.from(
      { length: 50 },
      (_, i) => `text number ${i} of fifty${i === 49 ? '€' : ''}`,
    );
    const memory = packr.pack(list, REUSE_BUFFER_MODE | (RESERVE_START_SPACE + 5));
    assert.deepEqual(unpack(memory, { start: memory.start + 5, end: memory.end }), list);
    for (const message of [
      list.slice(0, 3),
      [filler, ...list.slice(45)],
      [filler, list[49], list[0]],
    ])
      assert.deepEqual(unpack(packr.pack(message)), message);
  });

  it('tells long ASCII from Latin-1 and from ill-formed bytes, wherever they are', () => {
    for (const length of [511, 512, 513, 514, 2048, 4096])
      for (const at of [0, 1, length >> 1, length - 2]) {
        const letters = 'x'.repeat(length);
        const wide = `${letters.slice(0, at)}\u00e9${letters.slice(at + 2)}`;
        assert.deepEqual(unpack(pack([letters, wide, letters])), [letters, wide, letters]);
        for (const byte of [0x80, 0xe9, 0xff]) {
          const bytes = Uint8Array.from(pack(letters));
          bytes[3 + at] = byte;
          const found = (error) => error.kind === 'invalid_utf8' && error.offset === 3 + at;
          assert.throws(() => unpack(bytes), found);
        }
      }
  });
});
