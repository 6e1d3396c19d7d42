/** Writing container files: options, targets, errors. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { Decimal, ExtData, LocalDate, MsgpackEncodeError, Timestamp, Unpackr, Uuid } from 'packord';
import { ContainerReader, ContainerWriter } from 'packord/container';
import { fileOf, readAll, rowsOf, SYNC } from './container-files.js';

const rows = rowsOf(300);
const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));
const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

const hex = (bytes) => Buffer.from(bytes).toString('hex');

async function blocksOf(bytes, options) {
  const blocks = [];
  for await (const block of (await ContainerReader.open(bytes, options)).blocks()) blocks.push(block);
  return blocks;
}

describe('a ContainerWriter', () => {
  it('writes the example of the specification', async () => {
    const bytes = await fileOf([1, 2, 3], { codec: 'none' });
    assert.equal(
      hex(bytes),
      '94a77061636b6f72640182a473796e63c410000102030405060708090a0b0c0d0e0fa5636f646563a46e6f6e65cedc8f4b58' +
        'd85d000102030405060708090a0b0c0d0e0f950103c0930404ce00d5eb98c40493010203' +
        'd85d000102030405060708090a0b0c0d0e0f94a5696e646578019194322403c081a5636f756e7403c70c5d000000000000005652dc4f16',
    );
  });

  it('writes rows that are read as they were, with all options', async () => {
    const options = fc.record(
      {
        codec: fc.constantFrom('none', 'deflate'),
        level: fc.integer({ min: 1, max: 9 }),
        blockRows: fc.integer({ min: 1, max: 100 }),
        blockSize: fc.integer({ min: 1, max: 4000 }),
        columns: fc.boolean(),
        messages: fc.boolean(),
        stats: fc.constantFrom([], ['id'], ['pos.x', 'tags.0', 'id', 'id', 'none']),
        meta: fc.constantFrom({}, { a: [1, { b: 2 }] }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(options, fc.integer({ min: 0, max: 120 }), async (given, count) => {
        const bytes = await fileOf(rows.slice(0, count), given);
        assert.deepEqual(await readAll(bytes), rows.slice(0, count));
        assert.deepEqual(await readAll(bytes, { index: false }), rows.slice(0, count));
        assert.deepEqual((await ContainerReader.open(bytes)).meta, given.meta);
        new Unpackr({}).unpackMultiple(bytes);
      }),
      { numRuns: RUNS },
    );
  });

  it('ends a block before the row with which its plain body would be too large', async () => {
    const row = 'x'.repeat(29);
    for (const [blockSize, counts] of [
      [31, [1, 1, 1, 1]],
      [61, [2, 2]],
      [60, [1, 1, 1, 1]],
      [91, [3, 1]],
      [10, [1, 1, 1, 1]],
    ]) {
      const blocks = await blocksOf(await fileOf([row, row, row, row], { blockSize }));
      assert.deepEqual(
        blocks.map(({ count }) => count),
        counts,
        `${blockSize}`,
      );
    }
  });

  it('ends a block after a number of rows, and with flush', async () => {
    const writer = await ContainerWriter.open(null);
    await writer.flush();
    await writer.write(1);
    await writer.flush();
    await writer.writeAll([2, 3]);
    await writer.finish();
    assert.deepEqual(
      (await blocksOf(writer.bytes())).map(({ count }) => count),
      [1, 2],
    );
    assert.deepEqual(
      (await blocksOf(await fileOf([1, 2, 3], { blockRows: 2 }))).map(({ count }) => count),
      [2, 1],
    );
  });

  it('says what was written', async () => {
    const writer = await ContainerWriter.open(null, { blockRows: 2 });
    await writer.writeAll([1, 2, 3]);
    assert.equal(writer.count, 3);
    const summary = await writer.finish();
    assert.deepEqual(summary, { count: 3, blocks: 2, size: writer.bytes().length });
    assert.equal(writer.size, summary.size);
    assert.equal(writer.blob().size, summary.size);
  });

  it('keeps the types of rich values in rows, stored by column or not', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => ({
      id: i,
      price: new Decimal(BigInt(i), 2),
      day: new LocalDate(i % 3),
      tags: new Set([i % 2, 'x']),
      key: new Uuid(new Uint8Array(16).fill(i)),
      large: 2n ** 70n + BigInt(i),
    }));
    const values = { rich: true };
    for (const columns of [true, false]) {
      const file = await fileOf(rows, { columns, values });
      assert.deepEqual(await readAll(file, { values }), rows);
      const [first] = await readAll(file);
      assert.ok(first.price instanceof ExtData);
    }
    const [text] = await readAll(await fileOf([{ price: new Decimal(150n, 2) }]));
    assert.deepEqual(text, { price: '1.50' });
    // The ext of an Error is followed by its parts, which do not make a row of their own.
    await assert.rejects(fileOf([new TypeError('mine')], { values }), MsgpackEncodeError);
  });

  it('writes an index without blocks for a file without rows', async () => {
    const reader = await ContainerReader.open(await fileOf([]));
    assert.deepEqual([reader.count, reader.index.length, reader.schema], [0, 0, undefined]);
  });

  it('writes data that would not be smaller as it is', async () => {
    const noise = crypto.getRandomValues(new Uint8Array(500));
    const blocks = await blocksOf(await fileOf([noise, 'a'.repeat(500)], { blockRows: 1 }));
    assert.deepEqual(
      blocks.map(({ codec, chunks: [{ rawSize, size }] }) => [codec, rawSize === size]),
      [
        ['deflate', true],
        ['deflate', false],
      ],
    );
  });

  it('takes the level of the codec', async () => {
    const sizes = [];
    for (const level of [1, 6, 9]) sizes.push((await fileOf(rowsOf(3000), { level, columns: false })).length);
    assert.ok(sizes[0] > sizes[1] && sizes[1] >= sizes[2], String(sizes));
    assert.equal(sizes[1], (await fileOf(rowsOf(3000), { columns: false })).length);
  });

  it('chooses random sync bytes', async () => {
    const syncs = [];
    for (let i = 0; i < 3; i++) {
      const writer = await ContainerWriter.open(null);
      await writer.finish();
      syncs.push(hex((await ContainerReader.open(writer.bytes())).header.sync));
    }
    assert.equal(new Set(syncs).size, 3);
  });

  it('refuses options with wrong values', async () => {
    for (const options of [
      { codec: 'lz4' },
      { codec: 5 },
      { codecs: { x: { decompress: () => new Uint8Array() } }, codec: 'x' },
      { blockSize: 0 },
      { blockSize: (1 << 26) + 1 },
      { blockRows: 1.5 },
      { stats: 'id' },
      { stats: [1] },
      { key: ['id'] },
      { views: true },
      { meta: 5 },
      { meta: [1] },
      { sync: new Uint8Array(15) },
      { sync: '0123456789abcdef' },
      { values: { records: true } },
      { values: { canonical: true } },
      { unknown: 1 },
    ])
      await assert.rejects(ContainerWriter.open(null, options), TypeError, JSON.stringify(options).slice(0, 80));
    await assert.rejects(ContainerWriter.open(5), TypeError);
    await assert.rejects(ContainerWriter.open({}), TypeError);
  });
});

describe('statistics', () => {
  async function statsOf(given, options) {
    const reader = await ContainerReader.open(await fileOf(given, options));
    return Object.fromEntries(reader.index.block(0).stats ?? []);
  }
  const of = async (values) =>
    (
      await statsOf(
        values.map((v) => ({ v })),
        { stats: ['v'] },
      )
    ).v;

  it('are those of the scalars in the first row, without the option', async () => {
    const { id, ...others } = await statsOf([
      {
        id: 1,
        s: 'a',
        b: true,
        t: new Date(5),
        n: null,
        f: 0.5,
        list: [1],
        map: {},
        bin: new Uint8Array(1),
        '': 1,
        'a.b': 2,
      },
      { late: 1 },
    ]);
    assert.deepEqual(id, { nulls: 1, min: 1, max: 1 });
    assert.deepEqual(Object.keys(others), ['s', 'b', 't', 'n', 'f']);
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
    assert.equal(Object.keys(await statsOf([wide])).length, 32);
    const long = 'x'.repeat(257);
    assert.deepEqual(Object.keys(await statsOf([{ [long]: 1, [long.slice(1)]: 2 }])), [long.slice(1)]);
    for (const first of [[{ a: 1 }], 5, null, 'text']) assert.deepEqual(await statsOf([first, { a: 1 }]), {});
    assert.deepEqual(await statsOf(rows, { stats: [] }), {});
    assert.deepEqual(await statsOf(rows, { messages: true }), {});
  });

  it('have the bounds of numbers, exactly', async () => {
    assert.deepEqual(await of([3, -1.5, null, 7]), { nulls: 1, min: -1.5, max: 7 });
    assert.deepEqual(await of([2n ** 64n - 1n, 2 ** 70, -1]), { nulls: 0, min: -1, max: 2 ** 70 });
    assert.deepEqual(await of([2n ** 53n + 1n, 2 ** 53]), {
      nulls: 0,
      min: 2 ** 53,
      max: 2n ** 53n + 1n,
    });
    assert.deepEqual(await of([-(2n ** 63n), Number.NEGATIVE_INFINITY]), {
      nulls: 0,
      min: Number.NEGATIVE_INFINITY,
      max: -(2n ** 63n),
    });
    assert.deepEqual(await of([1, Number.NaN]), { nulls: 0, min: null, max: null });
    assert.deepEqual(await of([Number.NaN, 1]), { nulls: 0, min: null, max: null });
  });

  it('have no bounds of other values, and of several types', async () => {
    for (const values of [[1, 'a'], [true, false], [[1], [2]], [new Uint8Array(1)], ['a', new Date(1)], [1, [2]]])
      assert.deepEqual(await of(values), { nulls: 0, min: null, max: null });
    assert.deepEqual(await of([null, null]), { nulls: 2, min: null, max: null });
  });

  it('have the bounds of timestamps of every size', async () => {
    const times = [new Timestamp(-5n, 3), new Timestamp(1n), new Timestamp(2n ** 33n, 5), new Timestamp(2n ** 40n)];
    const { min, max } = await of([times[1], times[3], times[0], times[2]]);
    assert.deepEqual([min, max], [times[0], times[3]]);
    assert.deepEqual((await of([times[2], times[1]])).max, times[2]);
  });

  it('have strings of at most 64 bytes, cut at the end of a character', async () => {
    const long = (start) => start + 'z'.repeat(100);
    assert.deepEqual(await of([long('b'), 'c', long('a')]), {
      nulls: 0,
      min: `a${'z'.repeat(63)}`,
      max: 'c',
    });
    assert.deepEqual((await of([long('a')])).max, `a${'z'.repeat(62)}{`);
    assert.deepEqual((await of(['é'.repeat(40)])).min, 'é'.repeat(32));
    assert.deepEqual((await of([`a${'é'.repeat(40)}`])).min, `a${'é'.repeat(31)}`);
    assert.deepEqual((await of([`${'\u{10ffff}'.repeat(20)}`])).max, null);
    assert.deepEqual((await of([`a${'\u{10ffff}'.repeat(20)}`])).max, 'b');
    assert.deepEqual((await of([`${'x'.repeat(61)}\ud7ff\ud7ff`])).max, `${'x'.repeat(61)}\ue000`);
    assert.deepEqual((await of([`${'x'.repeat(62)}\u007f\u007f\u007f`])).max, `${'x'.repeat(62)}\u0080`);
    assert.deepEqual((await of([`${'x'.repeat(63)}\u007f\u007f`])).max, `${'x'.repeat(62)}y`);
  });

  it('are true of all rows', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.string({ unit: fc.constantFrom('\u{10ffff}', 'é', 'a', '\ud7ff'), maxLength: 80 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
        const { min, max } = await of(values);
        const bytes = (text) => Buffer.from(text);
        for (const one of values) {
          assert.ok(Buffer.compare(bytes(min), bytes(one)) <= 0);
          if (max !== null) assert.ok(Buffer.compare(bytes(max), bytes(one)) >= 0);
        }
        assert.ok(bytes(min).length <= 64 && (max === null || bytes(max).length <= 64));
      }),
      { numRuns: RUNS },
    );
  });
});

describe('the schema', () => {
  async function schemaOf(given, options) {
    const { schema } = await ContainerReader.open(await fileOf(given, options));
    return schema && Object.fromEntries([...schema].map(([path, { types, nullable }]) => [path, [types, nullable]]));
  }

  it('has the types at each path', async () => {
    const found = await schemaOf([
      { a: 1, tags: ['x', null], rows: [{ k: 1 }, {}] },
      {
        a: 'x',
        tags: [],
        at: new Date(1),
        big: 2n ** 63n,
        bin: new Uint8Array(1),
        ext: new ExtData(5, new Uint8Array(1)),
      },
      { a: 0.5, b: { c: true } },
    ]);
    assert.deepEqual(found, {
      a: [['int', 'float', 'str'], false],
      tags: [['array'], true],
      'tags[]': [['str'], true],
      rows: [['array'], true],
      'rows[]': [['map'], false],
      'rows[].k': [['int'], true],
      at: [['timestamp'], true],
      big: [['uint'], true],
      bin: [['bin'], true],
      ext: [['ext'], true],
      b: [['map'], true],
      'b.c': [['bool'], true],
    });
  });

  it('is left out where a table has none', async () => {
    for (const given of [
      [],
      [1],
      [{ a: 1 }, 5],
      [{ 'a.b': 1 }],
      [{ '': 1 }],
      [{ 'a[]': 1 }],
      [new Map([[1, 2]])],
      [{ a: { 'b.c': 1 } }],
    ])
      assert.equal(await schemaOf(given), undefined, JSON.stringify(given));
    const wide = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    assert.equal(Object.keys(await schemaOf([wide(1000)])).length, 1000);
    assert.equal(await schemaOf([wide(1001)]), undefined);
    assert.equal(
      await schemaOf([wide(600), Object.fromEntries(Object.entries(wide(500)).map(([k, v]) => [`x${k}`, v]))]),
      undefined,
    );
    assert.equal(await schemaOf([{ ['x'.repeat(257)]: 1 }]), undefined);
    assert.ok(await schemaOf([{ ['x'.repeat(256)]: 1 }]));
    assert.equal(await schemaOf(rows, { messages: true }), undefined);
  });

  it('of what is appended is put together with that of the file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record(
            {
              a: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
              list: fc.array(fc.record({ k: fc.boolean(), l: fc.constant(null) }, { requiredKeys: [] }), {
                maxLength: 2,
              }),
              m: fc.record({ x: fc.double() }, { requiredKeys: [] }),
            },
            { requiredKeys: [] },
          ),
          { minLength: 2, maxLength: 8 },
        ),
        fc.nat(),
        async (given, where) => {
          const cut = 1 + (where % (given.length - 1));
          const path = join(folder, 'schema.pkd');
          const writer = await ContainerWriter.open(path);
          await writer.writeAll(given.slice(0, cut));
          await writer.finish();
          const more = await ContainerWriter.append(path);
          await more.writeAll(given.slice(cut));
          await more.finish();
          const together = await ContainerReader.open(readFileSync(path));
          const byPath = (schema) => [...schema].sort(([a], [b]) => (a < b ? -1 : 1));
          const whole = await ContainerReader.open(await fileOf(given));
          assert.deepEqual(byPath(together.schema), byPath(whole.schema));
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('rows that cannot be packed', () => {
  it('are errors of the row; the writer goes on', async () => {
    const writer = await ContainerWriter.open(null);
    await writer.write({ id: 1 });
    await assert.rejects(writer.write({ id: 2, f: [Symbol('x')] }), (error) => {
      assert.ok(error instanceof MsgpackEncodeError);
      assert.deepEqual([error.kind, error.path], ['unsupported_type', '$.f[0]']);
      return true;
    });
    const circle = {};
    circle.self = circle;
    await assert.rejects(writer.write(circle), { kind: 'cycle' });
    await writer.write({ id: 3 });
    await writer.finish();
    assert.deepEqual(await readAll(writer.bytes()), [{ id: 1 }, { id: 3 }]);
  });

  it('are none with an ext that defines records elsewhere', async () => {
    const row = { r: new ExtData(0x72, Buffer.of(0x40)), x: 0x40 };
    for (const options of [{}, { columns: false }, { messages: true }]) {
      const bytes = await fileOf(Array(30).fill(row), { ...options, sync: SYNC });
      assert.deepEqual(await readAll(bytes), Array(30).fill(row));
    }
  });

  it('are rows of more than 64 MiB', async () => {
    const writer = await ContainerWriter.open(null, {
      codec: 'none',
      columns: false,
      blockSize: 1 << 26,
    });
    const most = new Uint8Array((1 << 26) - 6);
    await assert.rejects(writer.write(new Uint8Array((1 << 26) - 5)), (error) => {
      assert.equal(error.kind, 'length_limit');
      assert.match(error.message, /^length_limit at \$: value exceeds a length limit: a row has/);
      return true;
    });
    await writer.write(1);
    await writer.write(most);
    await writer.finish();
    assert.deepEqual(
      (await blocksOf(writer.bytes())).map(({ count }) => count),
      [1, 1],
    );
  });

  it('are as deep as max_depth with the array of rows around them', async () => {
    const nested = (depth) => {
      let value = [];
      for (let i = 1; i < depth; i++) value = [value];
      return value;
    };
    const writer = await ContainerWriter.open(null);
    await writer.write(nested(1023));
    await assert.rejects(writer.write(nested(1024)), { kind: 'depth_limit' });
    await writer.finish();
    assert.equal((await readAll(writer.bytes())).length, 1);
    const messages = await ContainerWriter.open(null, { messages: true });
    await messages.write(nested(1024));
    await assert.rejects(messages.write(nested(1025)), { kind: 'depth_limit' });
  });

  it('are those that an extension writes as several values', async () => {
    class Two {}
    const extensions = [{ Class: Two, type: 0x69, write: () => [1, 2], read: () => new Two() }];
    const writer = await ContainerWriter.open(null, { values: { extensions } });
    await writer.write({ a: 1 });
    await assert.rejects(writer.write({ two: new Two() }), { kind: 'unsupported_type' });
  });

  it('may be written by extensions and other options of values', async () => {
    class Point {
      constructor(x) {
        this.x = x;
      }
    }
    const point = {
      Class: Point,
      type: 5,
      pack: ({ x }) => Uint8Array.of(x),
      unpack: ([x]) => new Point(x),
    };
    const values = { extensions: [point], skipNil: true };
    const bytes = await fileOf([{ p: new Point(3), u: undefined, n: null }], { values });
    assert.deepEqual(await readAll(bytes, { values: { extensions: [point] } }), [{ p: new Point(3) }]);
  });
});

describe('the targets of a ContainerWriter', () => {
  it('can be a WritableStream, whose backpressure is kept', async () => {
    const chunks = [];
    let waiting = 0;
    const stream = new WritableStream({
      async write(chunk) {
        waiting++;
        assert.equal(waiting, 1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        waiting--;
        chunks.push(chunk);
      },
    });
    const writer = await ContainerWriter.open(stream, { blockRows: 10 });
    await writer.writeAll(rows);
    await writer.finish();
    assert.deepEqual(await readAll(Buffer.concat(chunks)), rows);
  });

  it('can be a stream of Node, a path and a FileHandle', async () => {
    const path = join(folder, 'target.pkd');
    const writer = await ContainerWriter.open(path, { sync: SYNC });
    await writer.writeAll(rows);
    await writer.finish();
    const expected = await fileOf(rows);
    assert.equal(hex(readFileSync(path)), hex(expected));

    const handle = await open(path, 'w');
    const second = await ContainerWriter.open(handle, { sync: SYNC });
    await second.writeAll(rows);
    await second.finish();
    await handle.close();
    assert.equal(hex(readFileSync(path)), hex(expected));

    const chunks = [];
    const stream = new PassThrough();
    stream.on('data', (chunk) => chunks.push(chunk));
    const third = await ContainerWriter.open(stream, { sync: SYNC });
    await third.writeAll(Readable.from(rows));
    await third.finish();
    assert.equal(hex(Buffer.concat(chunks)), hex(expected));
    assert.ok(stream.writableFinished);
  });

  it('replace a file that is there', async () => {
    const path = join(folder, 'replaced.pkd');
    for (const given of [rows, [{ a: 1 }]]) {
      const writer = await ContainerWriter.open(path);
      await writer.writeAll(given);
      await writer.finish();
    }
    assert.deepEqual(await readAll(path), [{ a: 1 }]);
  });

  it('that fail end the writer with their error', async () => {
    const failure = new Error('the target is broken');
    const web = new WritableStream({
      write(chunk) {
        if (chunk.length > 100) throw failure;
      },
    });
    const node = new Writable({
      write(chunk, _, done) {
        done(chunk.length > 100 ? failure : null);
      },
    });
    for (const target of [web, node]) {
      const writer = await ContainerWriter.open(target, { blockRows: 50, columns: false });
      await assert.rejects(async () => {
        for (const row of rows) await writer.write(row);
        await writer.finish();
      }, failure);
      await assert.rejects(writer.write({}), failure);
      await assert.rejects(writer.flush(), failure);
      await assert.rejects(writer.finish(), failure);
      await writer.abort();
    }
  });

  it('are given up by abort, and a finished writer takes no rows', async () => {
    const path = join(folder, 'aborted.pkd');
    const writer = await ContainerWriter.open(path, { blockRows: 100 });
    await writer.writeAll(rows.slice(0, 250));
    await writer.flush();
    await writer.write(rows[250]);
    await writer.abort();
    const reader = await ContainerReader.open(path);
    assert.equal(reader.index, null);
    await reader.close();
    assert.deepEqual(await readAll(path), rows.slice(0, 250));
    await assert.rejects(writer.write({}), TypeError);
    const finished = await ContainerWriter.open(null);
    await finished.finish();
    await assert.rejects(finished.finish(), TypeError);
    await assert.rejects(finished.write(1), TypeError);
    const elsewhere = await ContainerWriter.open(path);
    assert.throws(() => elsewhere.bytes(), TypeError);
    await elsewhere.abort();
  });

  it('take rows from a stream', async () => {
    const writer = await ContainerWriter.open(null);
    const stream = new ReadableStream({
      start(controller) {
        for (const row of rows) controller.enqueue(row);
        controller.close();
      },
    });
    await stream.pipeTo(writer.writable());
    assert.deepEqual(await readAll(writer.bytes()), rows);
  });
});
