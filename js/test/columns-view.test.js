/** Views of columns: what they list, and one column read without the others. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExtData, Packr, pack, Timestamp, Unpackr } from 'packord';
import { columns, columnsOf } from 'packord/columns';
import { View } from 'packord/view';
import { SEED } from './random.js';
import { tablesOf } from './random-tables.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 200);
const N = 200;
const ROWS = Array.from({ length: N }, (_, i) => ({
  id: i * i,
  price: Math.sqrt(i) + 0.5,
  name: `n${i % 50}é`.repeat(i % 3),
  city: ['Oslo', 'Rome', 'Lima'][i % 3],
  ok: i % 3 === 0,
  at: new Date(1_700_000_000_000 + i * 1000),
  place: [i / 4, i],
  tags: Array.from({ length: i % 4 }, (_, j) => i + j),
  user: { age: i % 90, city: `c${i}` },
  ...(i % 5 === 0 ? {} : { note: i % 2 === 0 ? null : i * 7 }),
}));
const packed = () => new Packr({ columns }).pack(ROWS);
const column = (path) => columnsOf(packed()).column(path);

describe('a view of columns', () => {
  it('lists them with their kinds and numbers of values', () => {
    const view = columnsOf(packed());
    assert.equal(view.plainSize, pack(ROWS).length);
    assert.deepEqual(
      view.columns.map(({ path }) => path),
      [
        ...['', '[]', '[].id', '[].price', '[].name', '[].city', '[].ok', '[].at'],
        ...['[].place', '[].place[]', '[].tags', '[].tags[]'],
        ...['[].user', '[].user.age', '[].user.city', '[].note'],
      ],
    );
    assert.equal(view.column('[].id').kind, 'int');
    assert.equal(view.column('[].city').kind, 'dict');
    assert.equal(view.column('[].nothing'), undefined);
    const note = view.column('[].note');
    assert.deepEqual([note.n, note.missing, note.nils], [160, 40, 80]);
    assert.deepEqual([view.column('[].id').nils, view.column('[].id').missing], [0, 0]);
    assert.equal(view.column('[].tags[]').n, 300);
  });

  it('tells how many elements arrays have', () => {
    const view = columnsOf(packed());
    assert.deepEqual(
      view.column('[].tags').lengths(),
      ROWS.map((row) => row.tags.length),
    );
    assert.deepEqual(view.column('').lengths(), [ROWS.length]);
    for (const path of ['[]', '[].id', '[].note']) assert.equal(view.column(path).lengths(), undefined, path);
  });

  it('tells which maps have a key', () => {
    const view = columnsOf(packed());
    assert.deepEqual(
      view.column('[].note').present(),
      ROWS.map((row) => 'note' in row),
    );
    for (const path of ['', '[]', '[].id', '[].place[]', '[].tags[]'])
      assert.equal(view.column(path).present(), undefined, path);
  });

  it('reads each of them', () => {
    const view = columnsOf(packed());
    const values = (path) => Array.from(view.column(path).values());
    for (const key of ['id', 'price', 'name', 'city', 'ok', 'at', 'place', 'tags', 'user'])
      assert.deepEqual(
        values(`[].${key}`),
        ROWS.map((row) => row[key]),
        key,
      );
    assert.deepEqual(
      values('[].user.age'),
      ROWS.map((row) => row.user.age),
    );
    assert.deepEqual(
      values('[].tags[]'),
      ROWS.flatMap((row) => row.tags),
    );
    assert.deepEqual(
      values('[].note'),
      ROWS.filter((row) => 'note' in row).map((row) => row.note),
    );
    assert.deepEqual(values(''), [ROWS]);
  });

  it('has numbers in place where their section is aligned, and copies them elsewhere', () => {
    const source = packed();
    const bits = Buffer.alloc(8);
    bits.writeDoubleLE(ROWS[0].price);
    const at = Buffer.from(source).indexOf(bits);
    for (let shift = 0; shift < 8; shift++) {
      const message = new Uint8Array(new ArrayBuffer(source.length + shift)).subarray(shift);
      message.set(source);
      const prices = columnsOf(message).column('[].price').values();
      assert.ok(prices instanceof Float64Array);
      assert.equal(prices.buffer === message.buffer, (at + shift) % 8 === 0);
      assert.equal(prices.buffer.byteLength, prices.buffer === message.buffer ? source.length + shift : 8 * N);
      assert.deepEqual(
        [...prices],
        ROWS.map((row) => row.price),
      );
    }
  });

  it('is of an ext in a message as well', () => {
    const message = new Packr({ columns }).pack({ total: N, rows: ROWS });
    const ext = new View(message).get('rows');
    assert.ok(ext instanceof ExtData);
    assert.deepEqual(
      [...columnsOf(ext).column('[].city').values()],
      ROWS.map((row) => row.city),
    );
    assert.equal(columnsOf(packed()).columns.length, 16);
  });

  it('says how columns are stored', () => {
    const city = column('[].city').data();
    assert.equal(city.kind, 'dictionary');
    assert.equal(city.entries.kind, 'values');
    assert.deepEqual([...city.entries.values], ['Oslo', 'Rome', 'Lima']);
    const { kind, type, bytes, offsets } = column('[].user.city').data();
    assert.deepEqual([kind, type], ['bytes', 'str']);
    assert.equal(Buffer.from(bytes.subarray(offsets[7], offsets[8])).toString(), 'c7');
    assert.equal(column('[].at').data().digits, 0);
    assert.deepEqual([...column('[].tags').data().offsets.subarray(0, 6)], [0, 0, 1, 3, 6, 6]);
  });

  it('applies limits and finds faults', () => {
    assert.throws(() => columnsOf(pack([1])), TypeError);
    assert.throws(() => columnsOf(Uint8Array.of()), TypeError);
    assert.throws(() => columnsOf(packed(), { maxExpansion: 0 }), {
      kind: 'length_limit',
      offset: 0,
    });
    const source = packed();
    for (let size = 4; size < source.length; size += 7) {
      const ext = new ExtData(0x5c, source.subarray(4, size));
      assert.throws(() => columnsOf(ext).column('').values(), {
        name: /TypeError|MsgpackDecodeError/,
      });
    }
  });

  it('is a value or an error for damaged bytes', () => {
    const source = packed();
    const damaged = Buffer.from(source);
    const BITS = [0, 3, 7];
    for (let at = 3; at < source.length; at++) {
      for (const bit of process.env.PACKORD_EXHAUSTIVE ? BITS : [BITS[at % BITS.length]]) {
        damaged[at] ^= 1 << bit;
        try {
          for (const each of columnsOf(damaged).columns) {
            each.present();
            each.lengths();
            each.values();
            each.data();
            each.nils;
          }
        } catch (error) {
          assert.ok(
            error.name === 'MsgpackDecodeError' || error instanceof TypeError,
            `${damaged.toString('hex')}: ${error.stack}`,
          );
        }
        damaged[at] = source[at];
      }
    }
  });

  it('of random tables has the values of the whole', () => {
    const table = tablesOf(SEED);
    const packr = new Packr({ columns });
    const keep = new Unpackr({});
    for (let run = 0; run < RUNS; run++) {
      const message = packr.pack(table());
      if (!(keep.unpack(message) instanceof ExtData)) continue;
      const view = columnsOf(message);
      assert.deepEqual(view.column('').values()[0], packr.unpack(message), `SEED=${SEED}, ${run}`);
      const rows = view.column('[]');
      if (rows?.kind !== 'struct') continue;
      for (const { path, missing, n } of view.columns)
        if (/^\[\]\.c\d$/.test(path)) {
          const all = packr.unpack(message).filter((row) => Object.hasOwn(row, path.slice(3)));
          assert.equal(n + missing, rows.n);
          const present = view.column(path).present() ?? Array(rows.n).fill(true);
          assert.deepEqual(
            present,
            packr.unpack(message).map((row) => Object.hasOwn(row, path.slice(3))),
          );
          assert.deepEqual(
            Array.from(view.column(path).values()),
            all.map((row) => row[path.slice(3)]),
            `SEED=${SEED}, ${run}`,
          );
        }
    }
  });

  it('reads timestamps as asked', () => {
    const at = columnsOf(packed(), { timestamps: 'timestamp' }).column('[].at').values();
    assert.deepEqual(at[1], new Timestamp(1_700_000_001n));
  });
});
