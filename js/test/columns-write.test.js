/** Writing columns (spec/columns.md section 6): what is written by column, and that it comes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeIter, ExtData, encodeIter, Packr, pack, Timestamp, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import * as noEval from 'packord/index-no-eval';
import * as plainPack from 'packord/pack';
import * as plainUnpack from 'packord/unpack';
import { measured } from './measure.js';
import { SEED } from './random.js';
import { tablesOf } from './random-tables.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const COLUMNS = { columns };
const PLAIN = { columns };

/** Returns the types of the ext values of a message that are columns. */
function payloads(message) {
  const found = [];
  const reader = new Unpackr({
    rich: true,
    records: true,
    extensions: [{ type: 0x5c, unpack: (bytes) => found.push(Buffer.from(bytes)) }],
  });
  reader.unpack(message);
  return found;
}

const rows = (n, more = {}) =>
  Array.from({ length: n }, (_, i) => ({ id: i, name: `user${i % 7}`, price: i / 4, ...more }));

describe('columns are written:', () => {
  it('the worked example of the specification', () => {
    const cities =
      'Oslo Graz! Oslo Bonn Po Rome - Lima Wien Metz Nice Bari Lodz Cork Bern Brno Kiel Lyon Pisa York Linz Basel Ulm Wien';
    const value = cities.split(' ').map((c, i) => ({
      ok: i % 2 === 0,
      at: 1000 + 10 * i,
      c: c === '-' ? '' : c,
      t: i === 2 || i === 12 ? null : i * 1.25 - 3.5,
    }));
    const message = new Packr(PLAIN).pack(value);
    assert.equal(payloads(message).length, 1);
    assert.equal(message.length < 290, true);
    assert.deepEqual(new Packr(PLAIN).unpack(message), value);
  });

  it('an array of numbers with equal differences', () => {
    const value = Array.from({ length: 300 }, (_, i) => 1000 + 3 * i);
    // LIST of 300, whose size is the base of an INT; INT with delta, base 3 and first 1000; filler none.
    const directory = '07cd012c' + '0120cd012c' + '013003cd03e8';
    const header = '01cd0387cd012d010f';
    assert.equal(hex(new Packr(PLAIN).pack(value)), `c7185c${header}${directory}`);
  });

  it('with records around them, and none in them', () => {
    const value = { kind: 'list', rows: rows(100), more: { kind: 'list', rows: rows(3) } };
    const packr = new Packr({ ...COLUMNS, records: true });
    const message = packr.pack(value);
    assert.deepEqual(packr.unpack(message), value);
    assert.ok(message.length < new Packr({ records: true }).pack(value).length);
    // The outer object and the three small rows are records.
    assert.equal(hex(message).split('d472').length - 1, 3);
    assert.equal(payloads(message).length >= 1, true);
  });

  it('not for small or random values, which are written as without them', () => {
    for (const value of [1, 'a', null, [1, 2], { a: 1 }, rows(4), [rows(2), { b: [] }]])
      for (const options of [{}, { records: true }]) {
        const message = new Packr({ ...options, columns }).pack(value);
        assert.equal(hex(message), hex(new Packr(options).pack(value)));
      }
  });

  it('not with options that they do not go with', () => {
    const value = rows(100);
    for (const options of [{ canonical: true }, { records: () => false }]) {
      const message = new Packr({ ...options, columns }).pack(value);
      assert.equal(hex(message), hex(new Packr(options).pack(value)));
    }
  });

  it('not around an ext of columns, or one that belongs to the value after it', () => {
    const own = new ExtData(0x5c, Buffer.from([1, 1, 1, 1, 2, 0, 0, 1, 0x91]));
    const message = new Packr(PLAIN).pack([...rows(100), own]);
    assert.deepEqual(payloads(message), [Buffer.from(own.data)]);
    assert.equal(hex(message), hex(pack([...rows(100), own])));
    const sets = [...rows(100), new Set([1, 2])];
    const packr = new Packr({ ...PLAIN, rich: true });
    const packed = packr.pack({ sets, rows: rows(100) });
    assert.deepEqual(packr.unpack(packed), { sets, rows: rows(100) });
    // A set is one value, which is stored by column as others.
    assert.equal(payloads(packed).length, 2);
    // An ext of the program with such a type is one value.
    const alone = [...rows(100), new ExtData(0x73, Buffer.of(0))];
    assert.equal(hex(packr.pack(alone)), hex(new Packr({ rich: true }).pack(alone)));
  });

  it('with extensions of the program', () => {
    class Point {
      constructor(x, y) {
        this.x = x;
        this.y = y;
      }
    }
    const extension = {
      Class: Point,
      type: 5,
      pack: ({ x, y }) => Uint8Array.of(x, y),
      unpack: (bytes) => new Point(bytes[0], bytes[1]),
    };
    const value = rows(100).map((row, i) => ({ ...row, at: new Point(i, i + 1) }));
    const packr = new Packr({ ...COLUMNS, extensions: [extension] });
    assert.deepEqual(packr.unpack(packr.pack(value)), value);
    assert.equal(payloads(packr.pack(value)).length, 1);
    const spanning = {
      Class: Point,
      type: 6,
      write: ({ x, y }) => [x, y],
      read: ([x, y]) => new Point(x, y),
    };
    const other = new Packr({ ...COLUMNS, extensions: [spanning] });
    assert.deepEqual(other.unpack(other.pack(value)), value);
    const without = new Packr({ extensions: [spanning] });
    assert.equal(hex(other.pack(value)), hex(without.pack(value)));
  });

  it('with integers beyond 2^53, timestamps, bin and floats of all bits', () => {
    const value = Array.from({ length: 64 }, (_, i) => ({
      wide: 2n ** 63n + BigInt(i) * 12345678901n,
      low: -(2n ** 62n) - BigInt(i * i),
      time: new Timestamp(BigInt(i) - 20n, i * 1001),
      bytes: Buffer.from([i, i + 1]),
      float: i % 5 === 0 ? -0 : i % 7 === 0 ? Number.NaN : Math.sqrt(i),
    }));
    const packr = new Packr({ ...COLUMNS, timestamps: 'timestamp' });
    const message = packr.pack(value);
    assert.equal(payloads(message).length, 1);
    assert.deepEqual(packr.unpack(message), value);
  });

  it('in streams and in functions that take options', async () => {
    const values = [rows(60), rows(90), { a: rows(70) }];
    const chunks = [...encodeIter(values, COLUMNS)].map((chunk) => Buffer.from(chunk));
    assert.deepEqual([...decodeIter(chunks, COLUMNS)], values);
    assert.equal(payloads(new Packr(PLAIN).pack(values[0])).length, 1);
    assert.ok(Buffer.concat(chunks).length < 1500);
  });

  it('with shared structures, which payloads neither use nor add to', () => {
    const structures = [];
    const packr = new Packr({ ...COLUMNS, structures });
    const value = { rows: rows(100), other: { x: 1 } };
    const message = packr.pack(value);
    assert.deepEqual(structures.map(String), ['rows,other', 'x']);
    assert.deepEqual(packr.unpack(message), value);
    assert.deepEqual(packr.unpack(packr.pack(value)), value);
  });

  it('with the structures of earlier messages after a value that cannot be written', () => {
    const structures = [];
    const packr = new Packr({ ...COLUMNS, structures });
    const first = Buffer.from(packr.pack([{ x: 1 }]));
    assert.throws(() => packr.pack([{ z: 1 }, Symbol('x')]), { kind: 'unsupported_type' });
    assert.deepEqual(structures.map(String), ['x']);
    const second = packr.pack([{ y: 2 }]);
    assert.deepEqual([packr.unpack(first), packr.unpack(second)], [[{ x: 1 }], [{ y: 2 }]]);
  });

  it('by the feature of packord/pack', () => {
    const { Packr: Plain } = plainPack;
    for (const Class of [Plain, Packr, plainUnpack.Unpackr, Unpackr])
      assert.throws(() => new Class({ columns: true }), /needs the feature columns/);
    const packr = new Plain({ columns: plainPack.columns });
    const message = packr.pack(rows(100));
    assert.equal(hex(message), hex(new Packr(PLAIN).pack(rows(100))));
    const reader = new plainUnpack.Unpackr({ columns: plainUnpack.columns });
    assert.deepEqual(reader.unpack(message), rows(100));
  });

  it('with errors of values as without them', () => {
    const packr = new Packr(COLUMNS);
    const value = rows(100);
    value[7].bad = Symbol('x');
    assert.throws(() => packr.pack(value), { kind: 'unsupported_type', path: '$[7].bad' });
    const cycle = rows(50);
    cycle[3].self = cycle;
    assert.throws(() => packr.pack(cycle), { kind: 'cycle' });
    assert.deepEqual(packr.unpack(packr.pack(rows(50))), rows(50));
  });
});

describe('random tables', () => {
  for (const [name, options] of Object.entries({
    plain: {},
    records: {},
    'few structures': { maxOwnStructures: 2 },
    'no structures': { maxOwnStructures: 0 },
    sequential: { sequential: true },
    shared: { structures: [] },
    'floats of 32 bits': { float32: true },
  }))
    it(`come back: ${name}`, () => {
      const table = tablesOf(SEED);
      const sameTable = tablesOf(SEED, noEval);
      const fresh = () => ('structures' in options ? { structures: [] } : options);
      const packr = new Packr({ ...fresh(), columns });
      const other = new noEval.Packr({ ...fresh(), columns });
      const without = new Packr({ float32: options.float32 });
      for (let run = 0; run < RUNS; run++) {
        const value = table();
        const again = sameTable();
        const message = Buffer.from(packr.pack(value));
        const plain = without.pack(value);
        // Read and packed again, because a bigint may come back as a number.
        const expected = hex(without.pack(without.unpack(plain)));
        assert.equal(hex(without.pack(packr.unpack(message))), expected, `SEED=${SEED}, ${run}`);
        assert.equal(hex(other.pack(again)), hex(message), `SEED=${SEED}, ${run}`);
      }
    });
});

describe('values that were made to collide', () => {
  const mix = (hash, word) => {
    const product = Math.imul(hash ^ word, 0x9e3779b1);
    return product ^ (product >>> 15);
  };
  /** Payloads of 7 bytes whose bin all have the hash of the table, three bytes at a time. */
  function colliding(count) {
    const first = mix(9, 0xc4 | (7 << 8));
    const found = [];
    for (let word = 0; found.length < count; word++) {
      const hash = mix(first, word);
      if (hash >>> 24 !== 0x5a) continue;
      const last = hash & 0xffffff;
      found.push(Buffer.of(0, word, word >> 8, word >> 16, last, last >> 8, last >> 16));
    }
    return found;
  }

  it('take at most a few times as long as others', () => {
    const packr = new Packr(PLAIN);
    const twice = (values) => values.flatMap((value) => [value, value]);
    const time = (values) => {
      const { result, milliseconds } = measured(() => packr.pack(values));
      assert.deepEqual(packr.unpack(result), values);
      return milliseconds;
    };
    const bad = twice(colliding(40_000));
    const good = twice(bad.map((_, i) => Buffer.from(`${i}`.padStart(7, '0')))).slice(0, bad.length);
    const usual = Math.min(time(good), time(good), time(good));
    assert.ok(Math.min(time(bad), time(bad)) < 5 * usual + 50);
  });
});
