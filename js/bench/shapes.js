/** The shapes of the survey that are not strings: one row for each kind of value. */
import { tools } from './documents.js';

const { random, int, pick, words, hex } = tools(17);
const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const dictionary = (count, make) => Object.fromEntries(many(count, (i) => [`${hex(8)}${i}`, make(i)]));

class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
}

/** Values in 300 levels of arrays and objects. */
function deep() {
  let value = 'the innermost';
  for (let i = 0; i < 150; i++) value = [i, { level: i, value }];
  return value;
}

/** Objects of 40 fields, most of which most objects lack. */
function optional() {
  const keys = many(40, (i) => `field${i}`);
  return many(100, () => Object.fromEntries(keys.filter(() => random() > 0.6).map((key) => [key, int(100)])));
}

/** Rows by name. The types of some are not in MessagePack, and not every packer has them. */
export const shapeRows = {
  'dictionary of 200 keys': dictionary(200, int),
  'dictionary of 2,000 keys': dictionary(2000, (i) => i),
  'dictionary of 20,000 keys': dictionary(20_000, (i) => i),
  'dictionary of objects': dictionary(300, (i) => ({ id: i, name: pick(['ab', 'cd']), on: true })),
  'distinct keys': many(200, (i) => ({ [`a${i}`]: i, [`b${i}`]: i, [`c${i}`]: i })),
  coordinates: many(1000, () => [random() * 360 - 180, random() * 180 - 90]),
  floats: many(2000, () => random() * 1000),
  'booleans and nulls': many(2000, () => pick([true, false, null])),
  'integers of 7 bits': many(2000, () => int(128)),
  'integers of 8 bits': many(2000, () => 128 + int(128)),
  'integers of 16 bits': many(2000, () => 256 + int(60_000)),
  'integers of 32 bits': many(2000, () => 70_000 + int(4e9)),
  'integers above 2^32': many(2000, () => 1_700_000_000_000 + int(4e9)),
  'negative integers': many(2000, () => -int(4e9)),
  'integers of all widths': many(2000, () => int(2 ** int(50))),
  bigints: many(1000, () => BigInt(int(2 ** 30)) << 33n),
  'bytes of 10': many(300, () => Buffer.from(hex(20), 'hex')),
  'bytes of 4,000': many(20, () => Buffer.from(hex(8000), 'hex')),
  'typed arrays of 4': many(200, () => Uint8Array.of(1, 2, 3, int(200))),
  dates: many(500, () => new Date(1_700_000_000_000 + int(1e9))),
  maps: many(
    100,
    (i) =>
      new Map([
        ['id', i],
        ['name', 'one'],
        [i, true],
      ]),
  ),
  'empty containers': many(1000, (i) => (i % 2 === 0 ? [] : {})),
  'arrays of 3': many(500, () => [int(100), 'ab', null]),
  '300 levels': deep(),
  'objects of 2 fields': many(500, (i) => ({ id: i, on: i % 2 === 0 })),
  'objects of 60 fields': many(20, () => Object.fromEntries(many(60, (i) => [`column${i}`, int(100)]))),
  'optional fields': optional(),
  'instances of a class': many(500, () => new Point(int(100), int(100))),
  'nested objects': many(200, (i) => ({ a: { b: { c: { d: i } } }, e: { f: [i, { g: 1 }] } })),
  'strings of words': many(500, () => words(1 + int(3))),
  'one tiny value': 7,
  'one small object': { id: 1, ok: true },
};
