/** Strings in many scripts and lengths, which are read one at a time, many at once, or from caches. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Packr, pack, Unpackr, unpack } from 'packord';

/** Characters by the number of bytes that each takes. */
const LETTERS = ['a', 'é', 'ÿ', 'Ā', '’', '日', '\ufffd', '\u{1f600}', '\u{10ffff}'];
/** Sizes in bytes around those at which strings are read in another way. */
const SIZES = [1, 2, 3, 4, 15, 16, 17, 18, 31, 32, 33, 60, 191, 193, 255, 257, 511, 513, 2047, 2049];

/** Strings of about a size with one letter among ASCII, and of that letter alone. */
function textsOf(size, letter) {
  const wide = Buffer.byteLength(letter);
  const ascii = 'x'.repeat(Math.max(0, size - wide));
  const half = ascii.length >> 1;
  return [
    letter + ascii,
    ascii.slice(0, half) + letter + ascii.slice(half),
    ascii + letter,
    letter.repeat(Math.ceil(size / wide)),
  ];
}

const texts = SIZES.flatMap((size) => LETTERS.flatMap((letter) => textsOf(size, letter)));
const unpackr = (options) => new Unpackr(options);

describe('strings in many scripts', () => {
  it('are written as UTF-8 and read, as values, as keys and alone', () => {
    const object = Object.fromEntries(texts.map((text, i) => [text, i]));
    for (const value of [texts, object, texts.map((text) => [null, { text }, 3.5, text])]) {
      const bytes = pack(value);
      // The second time the keys are known.
      for (let i = 0; i < 3; i++) assert.deepEqual(unpack(bytes), value);
      assert.deepEqual(unpackr({ sliceStrings: false }).unpack(bytes), value);
    }
    for (const text of texts) {
      const bytes = pack(text);
      assert.equal(bytes.subarray(bytes.length - Buffer.byteLength(text)).toString(), text);
      assert.equal(unpack(bytes), text);
    }
  });

  it('replace lone surrogates in short strings and keep pairs', () => {
    const packr = new Packr();
    for (const text of ['\ud800', 'a\udc00b', '\ud83d\ude00', '\ud83d\ud83d\ude00', 'é\ud800'])
      for (const more of ['', 'x'.repeat(20), '日'.repeat(9)])
        assert.equal(unpack(packr.pack(text + more)), Buffer.from(text + more).toString());
  });

  it('survive records, whose ids may look like the header of a str', () => {
    const packr = new Packr({ structures: [], maxSharedStructures: 200 });
    const rows = Array.from({ length: 120 }, (_, i) => ({
      [`k${i}`]: 'Grüße aus dem Süden',
      n: i,
    }));
    for (let i = 0; i < 3; i++) assert.deepEqual(packr.unpack(packr.pack([rows, rows])), [rows, rows]);
  });

  it('are read where another message had one at the same place', () => {
    const unpackr = new Unpackr();
    const memory = new Uint8Array(1000);
    const read = (value) => {
      const bytes = pack(value);
      memory.set(bytes);
      return unpackr.unpack(memory.subarray(0, bytes.length));
    };
    const texts = (count) => Array.from({ length: count }, (_, i) => `${i} 汉字假名交じり`);
    const size = pack(texts(2)).length - pack(texts(1)).length;
    for (let left = 1; left < 6; left++) {
      assert.deepEqual(read(texts(6)), texts(6));
      assert.deepEqual(read(texts(left)), texts(left));
      // The first of this message is where the one after those was.
      const value = [new Uint8Array(left * size - 2), texts(6)[left]];
      assert.deepEqual(read(value)[1], value[1]);
      // After a string that is ill-formed as well.
      assert.deepEqual(read(texts(6)), texts(6));
      const bytes = pack(texts(2));
      memory.set(bytes);
      memory[10] = 0xff;
      assert.throws(() => unpackr.unpack(memory.subarray(0, bytes.length)), {
        kind: 'invalid_utf8',
      });
      const second = [new Uint8Array(size - 2), texts(6)[1]];
      assert.deepEqual(read(second)[1], second[1]);
    }
  });

  it('are read again after the message changed', () => {
    const memory = Buffer.from(pack(['Grüße aus dem Süden', 'Vögel über den Dächern']));
    const reader = unpackr();
    reader.unpack(memory);
    memory[2] = 'K'.charCodeAt(0);
    assert.deepEqual(reader.unpack(memory), ['Krüße aus dem Süden', 'Vögel über den Dächern']);
  });
});

describe('ill-formed strings', () => {
  const BAD = [
    [0x80],
    [0xc1, 0x80],
    [0xc3],
    [0xc3, 0x41],
    [0xe0, 0x9f, 0xbf],
    [0xed, 0xa0, 0x80],
    [0xe6, 0x97],
    [0xe6, 0x97, 0x41],
    [0xf0, 0x8f, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf0, 0x9f, 0x98],
    [0xff],
  ];

  /** The message of an array of strings, of which one is given as bytes. */
  function message(before, bad, behind) {
    const parts = [Buffer.of(0x90 | (before.length + 1 + behind.length)), ...before.map((s) => pack(s))];
    const offset = Buffer.concat(parts).length + (bad.length < 32 ? 1 : bad.length < 256 ? 2 : 3);
    const head = pack('x'.repeat(bad.length)).subarray(0, -bad.length);
    return {
      bytes: Buffer.concat([...parts, head, Buffer.from(bad), ...behind.map((s) => pack(s))]),
      offset,
    };
  }

  it('are an error at their first byte, wherever they are', () => {
    const wide = 'Grüße aus dem Süden';
    for (const bad of BAD)
      for (const size of [0, 14, 20, 200, 600])
        for (const letter of ['x', 'ü'])
          for (const [before, behind] of [
            [[], []],
            [[wide, wide], [wide]],
            [['a', 'b', 'c', 'd', 'e'], [wide]],
          ]) {
            const start = Buffer.from(letter.repeat(size));
            const { bytes, offset } = message(before, [...start, ...bad], behind);
            assert.throws(() => unpack(bytes), {
              kind: 'invalid_utf8',
              offset: offset + start.length,
            });
            const expected = Buffer.from([...start, ...bad]).toString();
            assert.deepEqual(unpackr({ utf8: 'replace' }).unpack(bytes), [...before, expected, ...behind]);
          }
  });

  it('never reach another decoder through the cache of keys', () => {
    const bytes = Buffer.of(0x81, 0xa4, 0x6b, 0xc3, 0x28, 0x79, 1);
    const replaces = unpackr({ utf8: 'replace' });
    for (let i = 0; i < 5; i++) assert.deepEqual(replaces.unpack(bytes), { 'k\ufffd(y': 1 });
    assert.throws(() => unpack(bytes), { kind: 'invalid_utf8', offset: 3 });
  });
});
