/** Columns as tables of Arrow, and back. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import * as arrow from 'apache-arrow';
import { ExtData, Packr, Timestamp, Unpackr } from 'packord';
import { fromArrow, toArrow } from 'packord/arrow';
import { columns, columnsOf } from 'packord/columns';
import { SEED } from './random.js';
import { tablesOf } from './random-tables.js';

const N = 120;
const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const packr = (options) => new Packr({ columns, ...options });
const rowsOf = (make) => Array.from({ length: N }, (_, i) => ({ v: make(i), id: 1000 + i * i, name: `n${i * 7}` }));

/** Each with its type in Arrow, and the values if they come back otherwise. */
const TYPES = [
  ['small integers', (i) => i * 2, /^Uint8$|^Int32$/],
  ['negative integers', (i) => ((i * 37) % 1000) - 500, /^Int(16|32)$/],
  ['integers of 64 bits', (i) => 2n ** 60n + BigInt(i * i), /^Int64$/],
  ['integers from 2^63 up', (i) => 2n ** 63n + BigInt(i * i), /^Uint64$/],
  ['floats', (i) => Math.sqrt(i) + 0.5, /^Float64$/],
  ['decimal floats', (i) => i / 100 + 0.005, /^Float64$/],
  ['floats and integers', (i) => (i % 3 === 0 ? i : i / 7), /^Float64$/],
  ['floats with nil', (i) => (i % 5 === 0 ? null : i / 8 + 0.01), /^Float64$/],
  ['strings', (i) => `né${i}`.repeat(i % 3), /^Utf8$/],
  ['strings with nil', (i) => (i % 4 === 0 ? null : `né${i}`), /^Utf8$/],
  ['equal strings', (i) => ['Oslo', 'Rome', 'Lima'][i % 3], /^Dictionary<Int32, Utf8>$/],
  ['booleans', (i) => i % 3 === 0, /^Bool$/],
  ['booleans with nil', (i) => (i % 7 === 0 ? null : i % 3 === 0), /^Bool$/],
  ['bytes', (i) => Buffer.from([i, i + 1, 255].slice(0, 1 + (i % 3))), /^Binary$/],
  ['seconds', (i) => new Date(1_700_000_000_000 + i * 1000), /^Timestamp<SECOND>$/],
  ['milliseconds', (i) => new Date(1_700_000_000_000 + i * 1001), /^Timestamp<MILLISECOND>$/],
  ['nanoseconds', (i) => new Timestamp(BigInt(i) - 60n, i * 7 + 1), /^Timestamp<NANOSECOND>$/],
  ['nil', () => null, /^Null$/],
  ['lists', (i) => Array.from({ length: i % 4 }, (_, j) => i + j), /^List<U?[Ii]nt(8|16|32)>$/],
  ['lists with nil', (i) => (i % 5 === 0 ? null : [`a${i}`, `b${i}`]), /^List<Utf8>$/],
  ['pairs', (i) => [i / 4 + 0.1, (i * i) / 8 + 0.1], /^List<Float64>$/],
  ['tuples', (i) => [`s${i}`, i], /^List<Union</],
  ['structs', (i) => ({ x: i, y: `y${i}` }), /^Struct<\{x:\w+, y:Utf8\}>$/],
  ['structs with nil', (i) => (i % 5 === 0 ? null : { x: i, y: `y${i}` }), /^Struct/],
];

describe('columns and Arrow:', () => {
  for (const [name, make, type] of TYPES)
    it(name, () => {
      const rows = rowsOf(make);
      const reader = packr({ timestamps: name === 'nanoseconds' ? 'timestamp' : 'native' });
      const table = toArrow(packr().pack(rows));
      assert.equal(table.numRows, N);
      assert.match(String(table.schema.fields[0].type), type);
      // What Arrow writes and reads itself is valid.
      const again = arrow.tableFromIPC(arrow.tableToIPC(table));
      for (const each of [table, again]) assert.deepEqual(reader.unpack(fromArrow(each)), rows);
    });

  it('missing keys and nil are null', () => {
    const rows = Array.from({ length: N }, (_, i) =>
      i % 3 === 0 ? { id: i } : { id: i, note: i % 2 === 0 ? null : `n${i}` },
    );
    const table = toArrow(packr().pack(rows));
    const note = table.getChild('note');
    assert.deepEqual(
      [...note],
      rows.map((row) => row.note ?? null),
    );
    assert.equal(note.nullCount, rows.filter((row) => (row.note ?? null) === null).length);
  });

  it('values of several types are a union', () => {
    const rows = rowsOf((i) => [i, `s${i}`, null, i / 3, true][i % 5]);
    const table = toArrow(packr().pack(rows));
    assert.match(String(table.schema.fields[0].type), /^Union</);
    assert.deepEqual(packr().unpack(fromArrow(table)), rows);
  });

  it('maps with keys that are data', () => {
    const rows = rowsOf((i) => new Map(Array.from({ length: 3 }, (_, j) => [i * 3 + j, `v${j}`])));
    const table = toArrow(packr().pack(rows));
    assert.match(String(table.schema.fields[0].type), /^Map/);
    const reader = packr({ maps: 'map' });
    assert.deepEqual(
      reader.unpack(fromArrow(table)).map((row) => row.get('v')),
      rows.map((row) => row.v),
    );
  });

  it('numbers are used in place where they are aligned', () => {
    const source = packr().pack(rowsOf((i) => Math.sqrt(i) + 0.5));
    const inPlace = Array.from({ length: 8 }, (_, shift) => {
      const message = new Uint8Array(new ArrayBuffer(source.length + shift)).subarray(shift);
      message.set(source);
      return toArrow(message).getChild('v').data[0].values.buffer === message.buffer;
    });
    assert.equal(inPlace.filter(Boolean).length, 1);
  });

  it('tables of Arrow with chunks, slices and types of its own', () => {
    const table = arrow.tableFromArrays({
      id: Int32Array.from({ length: 90 }, (_, i) => i - 5),
      big: BigInt64Array.from({ length: 90 }, (_, i) => 2n ** 60n + BigInt(i)),
      f: Float32Array.from({ length: 90 }, (_, i) => i / 4),
      day: arrow.vectorFromArray(
        Array.from({ length: 90 }, (_, i) => (i % 9 === 0 ? null : new Date(i * 1000))),
        new arrow.TimestampMicrosecond(),
      ),
      name: Array.from({ length: 90 }, (_, i) => `n${i % 4}`),
    });
    const rows = Array.from({ length: 90 }, (_, i) => ({
      id: i - 5,
      big: 2n ** 60n + BigInt(i),
      f: i / 4,
      day: i % 9 === 0 ? null : new Date(i * 1000),
      name: `n${i % 4}`,
    }));
    const chunked = table.concat(table);
    assert.deepEqual(packr().unpack(fromArrow(chunked)), [...rows, ...rows]);
    assert.deepEqual(packr().unpack(fromArrow(table.slice(11, 77))), rows.slice(11, 77));
    const bad = new arrow.Table({
      d: arrow.makeVector(new arrow.Data(new arrow.DurationSecond(), 0, 1)),
    });
    assert.throws(() => fromArrow(bad), TypeError);
  });

  it('rows that are not stored by column are tables too', () => {
    const few = [{ id: 1, name: 'a' }, { name: 'b' }, { id: 3, name: null }];
    const table = toArrow(packr().pack(few));
    assert.deepEqual(
      table.toArray().map((row) => row.toJSON()),
      [
        { id: 1, name: 'a' },
        { id: null, name: 'b' },
        { id: 3, name: null },
      ],
    );
    assert.deepEqual(packr().unpack(fromArrow(toArrow(fromArrow(table)))), [
      { id: 1, name: 'a' },
      { id: null, name: 'b' },
      { id: 3, name: null },
    ]);
    assert.equal(toArrow(packr().pack([])).numRows, 0);
    const kinds = Array.from({ length: 400 }, () => ({ kind: 'of one', level: 3 }));
    const repeated = packr().pack(kinds);
    assert.ok(columnsOf(repeated).column('[]').kind === 'dict');
    const levels = toArrow(repeated).getChild('level');
    assert.deepEqual(
      Array.from(levels, Number),
      kinds.map((row) => row.level),
    );
    const different = Array.from({ length: 3000 }, (_, i) => ({ [`key ${i}`]: i }));
    const wide = toArrow(packr().pack(different));
    assert.deepEqual([wide.numRows, wide.numCols, wide.get(2999)['key 2999']], [3000, 3000, 2999]);
  });

  it('other values are refused', () => {
    const numbered = packr().pack([new Map([[1, 2]])]);
    assert.throws(() => toArrow(numbered, { maps: 'map' }), /keys of the rows/);
    assert.throws(() => toArrow(packr().pack(Array.from({ length: 300 }, (_, i) => i))), TypeError);
    assert.throws(() => toArrow(packr().pack([1])), TypeError);
  });

  it('random tables come back, as far as Arrow has their types', () => {
    const table = tablesOf(SEED);
    const keep = new Unpackr({});
    let tables = 0;
    for (let run = 0; run < RUNS; run++) {
      const message = packr().pack(table());
      if (!(keep.unpack(message) instanceof ExtData)) continue;
      let made;
      try {
        made = toArrow(message);
      } catch (error) {
        assert.match(String(error), /TypeError: A table needs/);
        continue;
      }
      tables++;
      const rows = packr().unpack(message);
      const found = packr().unpack(fromArrow(made));
      assert.equal(found.length, rows.length);
      rows.forEach((row, i) => {
        for (const [key, value] of Object.entries(row))
          if (value === null || ['number', 'string', 'boolean', 'bigint'].includes(typeof value))
            assert.deepEqual(found[i][key], value, `SEED=${SEED}, ${run}: ${key} of ${i}`);
      });
    }
    assert.ok(tables > 0);
  });

  it('in CommonJS', () => {
    const { toArrow: required } = createRequire(import.meta.url)('packord/arrow');
    assert.equal(required(packr().pack(rowsOf((i) => i))).numRows, N);
  });
});
