/** Strings of all lengths and scripts, which wait for one another while a message is packed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import * as official from '@msgpack/msgpack';
import fc from 'fast-check';
import { Packr, pack, unpack } from 'packord';
import * as noEval from 'packord/index-no-eval';
import { RESERVE_START_SPACE, REUSE_BUFFER_MODE } from 'packord/msgpackr';

/** The bundle for browsers, in which no Buffer exists while it is loaded. */
function withoutBuffer() {
  const code = readFileSync(new URL('../dist/browser/packord.min.js', import.meta.url), 'utf8');
  const { Buffer } = globalThis;
  try {
    delete globalThis.Buffer;
    return new Function(`${code}; return packord;`)();
  } finally {
    globalThis.Buffer = Buffer;
  }
}
const web = withoutBuffer();

/** Strings wait only in messages that are not small. */
const filler = 'f'.repeat(300);
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300);

/** Lengths around those at which a str has another header or is written in another way. */
const length = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(7, 8, 11, 12, 13, 31, 32, 33, 47, 48, 49, 127, 128, 254, 255, 256, 257, 511, 512, 513, 4095, 4097),
);
const odd = fc.constantFrom('é', 'ÿ', 'Ā', '\u0141', '日', '😀', '\ud800', '\udc00', '\u0080', '\ufffd');

/** A string of ASCII, some with one other character at the beginning, in the middle or at the end. */
const text = fc
  .record({
    length,
    odd: fc.option(odd, { freq: 6 }),
    where: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ length, odd, where }) => {
    const letters = '~ abcdefghijklmnopqrstuvwxyz\u007f\u0000'.repeat(length / 30 + 1).slice(0, length);
    if (odd === null || length === 0) return letters;
    const at = Math.round(where * (length - 1));
    return letters.slice(0, at) + odd + letters.slice(at + 1);
  });

const part = fc.oneof(text, text, text, fc.integer(), fc.constant(null), fc.double(), fc.uint8Array());
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
  for (const [name, library] of Object.entries({
    generating: { pack, unpack },
    'no eval': noEval,
    web,
  }))
    it(`have the bytes that another library writes (${name})`, () => {
      fc.assert(
        fc.property(value.filter(comparable), (list) => {
          const bytes = library.pack(list);
          assert.equal(Buffer.from(bytes).toString('hex'), expected(list).toString('hex'));
          const again = library.unpack(Uint8Array.from(bytes));
          assert.equal(expected(again).toString('hex'), expected(list).toString('hex'));
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
      ['zeta is the last key of all', 'alpha is the first key of all', 'mü is in the middle of them'].map((key, i) => [
        key,
        { text: `this is value number ${i}`, filler, key },
      ]),
    );
    const packr = new Packr({ canonical: true });
    const again = new Packr({ sortKeys: true });
    const sorted = [...map.keys()].sort();
    for (const bytes of [packr.pack([filler, map]), again.pack([filler, map])])
      assert.deepEqual([...new Packr({ maps: 'map' }).unpack(bytes)[1].keys()], sorted);
  });

  it('are discarded when packing fails, and separate from those of a nested packing', () => {
    const packr = new Packr({});
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
    const [before, behind] = ['before: a string of some letters', 'behind: a string of some letters'];
    const list = [filler, before, new Outer(), behind];
    const bytes = packr.pack(list);
    assert.deepEqual(unpack(bytes), [filler, before, 'in place of the outer instance', behind]);
    assert.deepEqual(unpack(within), inner);
  });

  it('move with the message, after the reserved bytes', () => {
    const packr = new Packr({});
    packr.useBuffer(Buffer.alloc(128));
    const list = Array.from({ length: 50 }, (_, i) => `text number ${i} of fifty${i === 49 ? '€' : ''}`);
    const memory = packr.pack(list, REUSE_BUFFER_MODE | (RESERVE_START_SPACE + 5));
    assert.deepEqual(unpack(memory, { start: memory.start + 5, end: memory.end }), list);
    for (const message of [list.slice(0, 3), [filler, ...list.slice(45)], [filler, list[49], list[0]]])
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

  it('are whole at every size, in each place that they are made', () => {
    const sizes = [0, 1, 7, 40, 127, 128, 512, 513, 4097, 16383, 16384, 16385, 65536, 100000];
    for (const library of [{ pack, unpack }, noEval, web])
      for (const size of sizes)
        for (const odd of ['', 'é', '日', '😀', 'é'.repeat(70)]) {
          const letters = 'abcdefghijklm'.repeat(size / 13 + 1).slice(0, size);
          const text = letters.slice(0, size >> 1) + odd + letters.slice(size >> 1);
          const list = [text, 'a', text, odd, letters, text];
          for (const value of [text, list])
            assert.deepEqual(library.unpack(library.pack(value)), value, `${size} ${odd}`);
        }
  });

  it('are not those of the last message in the same memory', () => {
    const memory = new Uint8Array(128);
    const read = (value) => {
      const bytes = pack(value);
      memory.set(bytes);
      return unpack(memory.subarray(0, bytes.length));
    };
    // From its third use on a key is known, and not among the strings that are taken.
    const known = ['первое второе', { 'третье слово': 1 }];
    for (let i = 0; i < 4; i++) assert.deepEqual(read(known), known);
    const other = ['a'.repeat(Buffer.byteLength(known[0])), ['слово третье', 1]];
    assert.equal(pack(known).length, pack(other).length);
    assert.deepEqual(read(other), other);
  });

  it('are right where few of their characters are not ASCII, one by one and many in a row', () => {
    const sentence = 'The river ran past the old stone bridge, and the wind was still. ';
    for (const character of ['\u2019', '\u00fc', '\u00fc\u00df', '\u{1f600}', '\u6c34\u6d41'])
      for (const length of [1, 2, 3, 40, 50, 60, 100, 128, 300, 700, 5000, 17_000])
        for (const apart of [5, 40, 49, 100, 1000]) {
          const letters = sentence.repeat(length);
          let value = '';
          for (let i = 0; value.length < length; i += apart) value += letters.slice(i, i + apart) + character;
          const list = [letters.slice(0, length), value, 7, value.slice(0, -character.length), -1.5];
          const many = [...list, { [value]: list, tail: letters.slice(0, 90) }, ...list];
          assert.deepEqual(unpack(pack(many)), many);
          assert.deepEqual(noEval.unpack(pack(many)), many);
        }
  });

  it('are found ill-formed at the right byte, in a part that is not ASCII', () => {
    const letters = 'x'.repeat(400);
    for (const [part, at] of [
      [[0xe2, 0x80], 0],
      [[0xc3, 0xbc, 0x80], 2],
      [[0xed, 0xa0, 0x80], 0],
    ]) {
      const bytes = Uint8Array.from(pack([letters, letters, letters]));
      const place = 1 + 403 + 3 + 200;
      bytes.set(part, place);
      assert.throws(() => unpack(bytes), { kind: 'invalid_utf8', offset: place + at });
      assert.deepEqual(unpack(pack([letters])), [letters]);
    }
  });
});

describe('strings of hundreds of megabytes', () => {
  it('are written whole, and leave the next message as it is', () => {
    // Room for three bytes a character and twice that is above 2^31.
    const n = 342 * 2 ** 20;
    const packr = new Packr();
    const message = packr.pack({ s: 'a'.repeat(n) });
    assert.equal(message.length, 1 + 2 + 5 + n);
    assert.equal(message.subarray(0, 10).toString('hex'), '81a173db156000006161');
    assert.deepEqual(packr.unpack(packr.pack({ text: 'x'.repeat(64), n: 1 })), {
      text: 'x'.repeat(64),
      n: 1,
    });
  });

  it('for which the platform has no string are an error when reading', () => {
    // Its memory is asked for where it is written, so that this takes almost none.
    const bytes = Buffer.alloc(1 + 5 + 2 ** 29);
    bytes.set([0x91, 0xdb, 0x20]);
    assert.throws(() => new Packr().unpack(bytes), {
      name: 'MsgpackDecodeError',
      kind: 'length_limit',
      offset: 1,
      path: '$[0]',
    });
  });

  it('take no memory of their size where they are ill-formed', () => {
    const program = `
      import { unpack } from 'packord';
      const bytes = Buffer.alloc(5 + 2 ** 28, 'a');
      bytes.set([0xdb, 0x10, 0, 0, 0, 0xc3, 0xa9]);
      bytes[bytes.length - 1] = 0xff;
      const before = process.resourceUsage().maxRSS;
      try { unpack(bytes); } catch ({ kind, offset }) {
        console.log(JSON.stringify([kind, offset, process.resourceUsage().maxRSS - before]));
      }`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    const [kind, offset, kilobytes] = JSON.parse(printed);
    assert.deepEqual([kind, offset], ['invalid_utf8', 4 + 2 ** 28]);
    assert.ok(kilobytes < 64 * 1024, `${kilobytes} kB`);
  });

  it('are an error where there is no room for them', () => {
    const { allocUnsafeSlow } = Buffer;
    Buffer.allocUnsafeSlow = (size) => {
      if (size > 1e6) throw new RangeError('Array buffer allocation failed');
      return allocUnsafeSlow(size);
    };
    try {
      const packr = new Packr();
      assert.throws(() => packr.pack({ a: ['x'.repeat(2e6)] }), {
        name: 'MsgpackEncodeError',
        kind: 'out_of_range',
        path: '$.a[0]',
      });
      // Twice its size is too much, and once is enough.
      const text = 'x'.repeat(3e5);
      assert.equal(packr.unpack(packr.pack(text)), text);
    } finally {
      Buffer.allocUnsafeSlow = allocUnsafeSlow;
    }
  });
});
