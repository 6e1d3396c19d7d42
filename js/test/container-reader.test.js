/** Reading container files: sources, options, predicates, columns. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { Packr, Timestamp } from 'packord';
import { ContainerReader, ContainerWriter } from 'packord/container';
import { chunksOf, fileOf, readAll, rowsOf, SYNC } from './container-files.js';
import { after, describe, it } from './untracked.js';
import { expand } from './vectors.js';

const rows = rowsOf(500);
const file = await fileOf(rows, { blockRows: 60 });
const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'rows.pkd');
writeFileSync(path, file);

/** Readers of files, which are closed at the end. */
const opened = [];
after(() => Promise.all(opened.map((reader) => reader.close())));

const RUNS = Number(process.env.PROPERTY_RUNS ?? 100);

describe('the sources of a ContainerReader', () => {
  const sources = {
    'a Uint8Array': () => file,
    'an ArrayBuffer': () => file.slice().buffer,
    'a view in larger memory': () => Uint8Array.from([9, 9, ...file, 9]).subarray(2, file.length + 2),
    'a Blob': () => new Blob([file]),
    'a File': () => new File([file], 'rows.pkd'),
    'a path': () => path,
    'a file URL': () => pathToFileURL(path),
    'a ReadableStream': () => new Blob([file]).stream(),
    'a Response': () => new Response(file),
    'an async iterable of chunks': () => chunksOf(file, 37),
    'an iterable of chunks': () => [file.subarray(0, 100), file.subarray(100)],
    'a stream of Node': () => Readable.from(chunksOf(file, 1000)),
  };
  for (const [name, source] of Object.entries(sources))
    it(`can be ${name}`, async () => {
      assert.deepEqual(await readAll(source()), rows);
    });

  it('can be a FileHandle, which stays open', async () => {
    const handle = await open(path);
    assert.deepEqual(await readAll(handle), rows);
    assert.equal((await handle.stat()).size, file.length);
    await handle.close();
  });

  it('are random where that is possible, and have an index', async () => {
    for (const source of [file, new Blob([file]), path]) {
      const reader = await ContainerReader.open(source);
      opened.push(reader);
      assert.equal(reader.count, 500);
      assert.equal(reader.size, file.length);
      assert.equal(reader.index.length, 9);
    }
    const reader = await ContainerReader.open(chunksOf(file, 100));
    assert.deepEqual([reader.count, reader.size, reader.index], [undefined, undefined, null]);
  });

  it('of a stream are read once, those in memory many times', async () => {
    const stream = await ContainerReader.open(chunksOf(file, 1000));
    for await (const _ of stream);
    await assert.rejects(stream.blocks().next(), TypeError);
    const reader = await ContainerReader.open(file);
    for (let i = 0; i < 2; i++) {
      let count = 0;
      for await (const _ of reader) count++;
      assert.equal(count, 500);
    }
  });

  it('of other kinds are refused', async () => {
    for (const source of [null, undefined, 5, {}, new Date()])
      await assert.rejects(ContainerReader.open(source), TypeError);
    await assert.rejects(ContainerReader.open(folder), TypeError);
    await assert.rejects(ContainerReader.open(join(folder, 'missing')), { code: 'ENOENT' });
  });
});

describe('a ContainerReader', () => {
  it('has what the header says', async () => {
    const meta = { origin: 'test', n: 3 };
    const options = { meta, stats: ['id', 'pos.x'], codec: 'deflate' };
    const reader = await ContainerReader.open(await fileOf(rows, options));
    assert.deepEqual(reader.meta, meta);
    const { codec, stats, sync } = reader.header;
    assert.deepEqual([codec, stats], ['deflate', ['id', 'pos.x']]);
    assert.deepEqual([...sync], [...SYNC]);
    assert.deepEqual(await readAll(await fileOf(rows, options)), rows);
  });

  it('returns blocks with their statistics', async () => {
    const reader = await ContainerReader.open(file);
    const found = [];
    for await (const block of reader.blocks()) found.push(block);
    assert.deepEqual(
      found.map(({ count }) => count),
      [60, 60, 60, 60, 60, 60, 60, 60, 20],
    );
    const [first] = found;
    assert.deepEqual(first.stats.get('id'), { nulls: 0, min: 0, max: 59 });
    assert.deepEqual(first.stats.get('price'), { nulls: 6, min: 0.25, max: 14.75 });
    assert.equal(first.stats.get('at').min.seconds, 1_700_000_000n);
    assert.equal(first.kind, 'rows');
    assert.equal((await first.body()).length, first.rawSize);
    assert.deepEqual(await first.values(), rows.slice(0, 60));
    assert.equal(first.offset + first.size, found[1].offset);
  });

  it('returns arrays of rows, and rows the same way', async () => {
    const reader = await ContainerReader.open(file);
    const all = [];
    for await (const batch of reader.batches()) all.push(...batch);
    assert.deepEqual(all, rows);
  });

  it('returns rows to calls of next that do not wait for each other', async () => {
    const iterator = (await ContainerReader.open(file))[Symbol.asyncIterator]();
    const results = await Promise.all(Array.from({ length: 502 }, () => iterator.next()));
    assert.deepEqual(
      results.slice(0, 500).map(({ value }) => value),
      rows,
    );
    assert.deepEqual(results.slice(500), [
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
  });

  it('ends with break, and cancels the stream that it reads', async () => {
    let cancelled = false;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(file.subarray(0, 5000)),
      cancel() {
        cancelled = true;
      },
    });
    const reader = await ContainerReader.open(stream);
    for await (const row of reader) {
      assert.deepEqual(row, rows[0]);
      break;
    }
    await reader.close();
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(cancelled);
  });

  it('has rows that await using ends', async () => {
    const values = (await ContainerReader.open(file))[Symbol.asyncIterator]();
    assert.deepEqual((await values.next()).value, rows[0]);
    await values[Symbol.asyncDispose]();
    assert.equal((await values.next()).done, true);
  });

  it('reads values by the options of Unpackr', async () => {
    const values = { maps: 'map', timestamps: 'timestamp' };
    const [row] = await readAll(file, { values });
    assert.ok(row instanceof Map && row.get('at') instanceof Timestamp);
  });

  it('refuses options with wrong values', async () => {
    for (const options of [
      { onBadBlock: 'ignore' },
      { maxBlock: -1 },
      { split: [1] },
      { split: 'all' },
      { where: 'id > 3' },
      { where: [['id', '=', 3]] },
      { where: [['id', '==']] },
      { where: [['id', 'in', 3]] },
      { where: [[3, '==', 3]] },
      { prune: [5] },
      { values: { records: true } },
      { values: { columns: false } },
      { values: { noSuchOption: true } },
      { follow: true },
    ])
      await assert.rejects(ContainerReader.open(file, options), TypeError, JSON.stringify(options));
  });

  it('ends with the reason of a signal', async () => {
    const reason = new Error('enough');
    await assert.rejects(ContainerReader.open(file, { signal: AbortSignal.abort(reason) }), reason);
    const controller = new AbortController();
    const { signal } = controller;
    const endless = new ReadableStream({
      start: (stream) => stream.enqueue(file.subarray(0, 2000)),
    });
    const reader = await ContainerReader.open(endless, { signal });
    const reading = (async () => {
      for await (const _ of reader);
    })();
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(reading, reason);
    const blob = await ContainerReader.open(new Blob([file]), {
      signal: AbortSignal.timeout(60_000),
    });
    for await (const _ of blob);
  });

  it('says how to pass a codec that it does not know', async () => {
    const codecs = {
      mirror: {
        compress: (body) => body.slice(0, -1).reverse(),
        decompress: () => new Uint8Array(),
      },
    };
    const bytes = await fileOf(rows, { codec: 'mirror', codecs });
    const reader = await ContainerReader.open(bytes);
    await assert.rejects(reader.blocks().next(), (error) => {
      assert.equal(error.kind, 'invalid_container');
      assert.match(error.detail, /^block 0: .*"mirror".*codecs/);
      return true;
    });
  });

  it('unpacks zstd everywhere, and writes it where the platform does', async () => {
    const path = new URL('../../spec/vectors/container/codecs.json', import.meta.url);
    const { cases } = JSON.parse(readFileSync(path));
    const packed = cases.find(({ name, needs }) => needs?.includes('zstd') && /header/.test(name));
    assert.ok((await readAll(expand(packed.bytes))).length > 0);
    const options = { codec: 'zstd', level: 1 };
    if ('zstdDecompressSync' in zlib) {
      assert.deepEqual(await readAll(await fileOf(rows, options)), rows);
      assert.ok((await fileOf(rows, options)).length < (await fileOf(rows, { codec: 'none' })).length);
      return;
    }
    await assert.rejects(ContainerWriter.open(null, options), {
      name: 'TypeError',
      message: 'The codec "zstd" cannot compress here (Node has that from 22.15 on)',
    });
    const codecs = { x: { decompress: () => new Uint8Array() } };
    await assert.rejects(ContainerWriter.open(null, { codec: 'x', codecs }), {
      name: 'TypeError',
      message: 'The codec "x" cannot compress',
    });
  });

  it('takes codecs of the program, which may be asynchronous', async () => {
    const flip = (bytes) => Uint8Array.from(bytes, (byte) => byte ^ 0xff);
    const codecs = {
      flip: {
        compress: async (body) => flip(body).subarray(1),
        decompress: async (data, rawSize) => {
          assert.equal(rawSize, data.length + 1);
          return flip(Uint8Array.from([0xff ^ 0x93, ...data]));
        },
      },
    };
    const bytes = await fileOf([1, 2, 3], { codec: 'flip', codecs });
    assert.deepEqual(await readAll(bytes, { codecs }), [1, 2, 3]);
    const broken = {
      flip: {
        decompress: () => {
          throw new Error('broken');
        },
      },
    };
    await assert.rejects(
      readAll(bytes, { codecs: broken }),
      (error) => error.kind === 'invalid_container' && error.cause.message === 'broken',
    );
    const short = { flip: { decompress: () => new Uint8Array(3) } };
    await assert.rejects(readAll(bytes, { codecs: short }), { kind: 'invalid_container' });
    await assert.rejects(readAll(bytes, { codecs: { flip: { decompress: () => 'text' } } }), {
      kind: 'invalid_container',
    });
  });
});

describe('where', () => {
  const meets = {
    '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
  };

  it('returns the rows that match, from blocks that can have one', async () => {
    for (const [op, test] of Object.entries(meets))
      for (const constant of [-1, 0, 3.5, 59, 60, 250, 499, 1e9]) {
        const where = [['id', op, constant]];
        const expected = rows.filter(({ id }) => test(id, constant));
        assert.deepEqual(await readAll(file, { where }), expected, `${op} ${constant}`);
        assert.deepEqual(await readAll(chunksOf(file, 500), { where }), expected);
      }
  });

  it('skips blocks by the index', async () => {
    const reader = await ContainerReader.open(file, { where: [['id', '>=', 450]] });
    const offsets = [];
    for await (const { stats } of reader.blocks()) offsets.push(stats.get('id').min);
    assert.deepEqual(offsets, [420, 480]);
  });

  it('compares timestamps with their nanoseconds', async () => {
    const times = [0, 1, 999, 1000].map((ns) => ({ t: new Timestamp(5n, ns) }));
    const bytes = await fileOf(times);
    const values = { timestamps: 'timestamp' };
    const found = async (...condition) =>
      (await readAll(bytes, { where: [['t', ...condition]], values })).map(({ t }) => t.nanoseconds);
    assert.deepEqual(await found('==', new Date(5000)), [0]);
    assert.deepEqual(await found('>', new Timestamp(5n, 1)), [999, 1000]);
    assert.deepEqual(await found('in', [new Timestamp(5n, 999), new Date(5000)]), [0, 999]);
    assert.equal((await readAll(bytes, { where: [['t', '>', new Date(5000)]] })).length, 3);
  });

  it('names values within maps and arrays', async () => {
    const found = await readAll(file, {
      where: [
        ['pos.x', '==', 2],
        ['tags.1', 'is_not_null'],
      ],
    });
    assert.deepEqual(
      found,
      rows.filter(({ pos, tags }) => pos.x === 2 && tags.length > 1),
    );
    const nulls = await readAll(file, { where: [['price', 'is_null']] });
    assert.deepEqual(
      nulls,
      rows.filter(({ price }) => price === null),
    );
    assert.equal((await readAll(file, { where: [['tags.01', 'is_not_null']] })).length, 0);
    assert.equal((await readAll(await fileOf([7, 8, 'x']), { where: [['', '>', 7]] })).length, 1);
  });

  it('finds no keys that are not str', async () => {
    const bytes = await fileOf([new Map([[1, 'int']]), { 1: 'str' }, new Map([[true, 1]]), { true: 2 }]);
    assert.deepEqual(await readAll(bytes, { where: [['1', 'is_not_null']] }), [{ 1: 'str' }]);
    assert.deepEqual(await readAll(bytes, { where: [['true', 'is_not_null']] }), [{ true: 2 }]);
    assert.equal((await readAll(bytes, { where: [['constructor', 'is_not_null']] })).length, 0);
    assert.equal((await readAll(bytes, { where: [['__proto__', 'is_not_null']] })).length, 0);
  });

  it('compares integers beyond 2^53 exactly', async () => {
    const ids = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, -(2n ** 63n)].map((id) => ({
      id,
    }));
    const bytes = await fileOf(ids);
    const found = async (op, constant) =>
      (await readAll(bytes, { where: [['id', op, constant]] })).map(({ id }) => BigInt(id));
    assert.deepEqual(await found('==', 2n ** 53n + 1n), [2n ** 53n + 1n]);
    assert.deepEqual(await found('>', 2 ** 53), [2n ** 53n + 1n, 2n ** 63n]);
    assert.deepEqual(await found('<', 2n ** 53n), [2n ** 53n - 1n, -(2n ** 63n)]);
  });

  it('orders strings by their code points', async () => {
    const texts = ['\u{e000}', '\u{10000}', 'z', '\u{ffff}', '\u{d7ff}', ''].map((s) => ({ s }));
    const bytes = await fileOf(texts);
    const found = async (op, s) => (await readAll(bytes, { where: [['s', op, s]] })).map((row) => row.s);
    assert.deepEqual(await found('>', '\u{ffff}'), ['\u{10000}']);
    assert.deepEqual(await found('<', '\u{e000}'), ['z', '\u{d7ff}', '']);
    const { stats } = (await ContainerReader.open(bytes)).index.block(0);
    assert.deepEqual(stats.get('s'), { nulls: 0, min: '', max: '\u{10000}' });
  });

  it('finds the same with and without the index, columns and options', async () => {
    const value = fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.double({ min: -5, max: 5, noNaN: false }),
      fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 3n }),
      fc.constantFrom('', 'a', 'b', 'é', '\u{1f600}', 'x'.repeat(70), `${'x'.repeat(70)}y`),
      fc.boolean(),
      fc.constant(null),
      fc.date({ min: new Date(0), max: new Date(5), noInvalidDate: true }),
      fc.constantFrom(Uint8Array.of(1), [1, 2], { k: 1 }),
    );
    const row = fc.record({ a: value, b: fc.record({ c: value }, { requiredKeys: [] }) }, { requiredKeys: [] });
    const path = fc.constantFrom('a', 'b.c', 'b', 'z', 'a.0', '');
    const condition = fc.oneof(
      fc.tuple(path, fc.constantFrom('==', '!=', '<', '<=', '>', '>='), value),
      fc.tuple(path, fc.constant('in'), fc.array(value, { maxLength: 3 })),
      fc.tuple(path, fc.constantFrom('is_null', 'is_not_null')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.array(condition, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 20 }),
        async (given, where, blockRows) => {
          const results = [];
          for (const columns of [true, false]) {
            const bytes = await fileOf(given, { blockRows, columns, stats: ['a', 'b.c', 'b'] });
            for (const options of [{}, { index: false }, { values: { timestamps: 'timestamp' } }]) {
              const found = await readAll(bytes, { where, ...options });
              results.push(found.map((one) => Buffer.from(new Packr({}).pack(one)).toString('hex')).join());
            }
          }
          assert.equal(new Set(results).size, 1);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('prune', () => {
  it('leaves out blocks and no rows', async () => {
    const found = await readAll(file, { prune: [['id', '>=', 450]] });
    assert.deepEqual(found, rows.slice(420));
    assert.equal((await readAll(file, { prune: [['id', '>=', 450]], index: false })).length, 500);
  });
});

describe('columns', () => {
  async function columnsOf(source, paths, options) {
    const reader = await ContainerReader.open(source, options);
    const all = Object.fromEntries(paths.map((path) => [path, []]));
    const types = {};
    let count = 0;
    for await (const batch of reader.columns(paths)) {
      count += batch.count;
      for (const path of paths) {
        all[path].push(...Array.from(batch.columns[path]));
        types[path] = batch.columns[path].constructor.name;
      }
    }
    return { all, types, count };
  }

  it('are the values of the rows, numbers in typed arrays', async () => {
    for (const [source, stored] of [
      [file, true],
      [await fileOf(rows, { columns: false, blockRows: 99 }), false],
    ]) {
      const paths = ['id', 'price', 'pos.y', 'tags.0', 'note', 'missing', 'pos', 'a.b.c', ''];
      const { all, types, count } = await columnsOf(source, paths);
      assert.equal(count, 500);
      assert.deepEqual(
        all.id,
        rows.map(({ id }) => id),
      );
      assert.deepEqual(
        all.price,
        rows.map(({ price }) => price),
      );
      assert.deepEqual(
        all['pos.y'],
        rows.map(({ pos }) => pos.y),
      );
      assert.deepEqual(
        all['tags.0'],
        rows.map(({ tags }) => tags[0]),
      );
      assert.deepEqual(
        all.note,
        rows.map(({ note }) => note),
      );
      assert.deepEqual(
        all.missing,
        rows.map(() => undefined),
      );
      assert.deepEqual(
        all['a.b.c'],
        rows.map(() => undefined),
      );
      assert.deepEqual(
        all.pos,
        rows.map(({ pos }) => pos),
      );
      assert.deepEqual(all[''], rows);
      if (stored) assert.match(types.id, /^(Float64|Uint8|Uint16|Uint32|Int32)Array$/);
    }
  });

  it('are of the rows that match', async () => {
    const { all, count } = await columnsOf(file, ['id', 'name'], { where: [['pos.x', '==', 3]] });
    const expected = rows.filter(({ pos }) => pos.x === 3);
    assert.deepEqual(all, {
      id: expected.map(({ id }) => id),
      name: expected.map(({ name }) => name),
    });
    assert.equal(count, expected.length);
  });

  it('leave out messages', async () => {
    const { count } = await columnsOf(await fileOf(rows, { messages: true }), ['id']);
    assert.equal(count, 0);
  });

  it('with a point in a key are not taken for others', async () => {
    const bytes = await fileOf(Array.from({ length: 40 }, (_, i) => ({ 'a.b': i, a: { c: -i } })));
    const { all } = await columnsOf(bytes, ['a.b', 'a.c']);
    assert.equal(
      all['a.b'].every((value) => value === undefined),
      true,
    );
    assert.equal(all['a.c'][3], -3);
  });
});

describe('splits', () => {
  it('have all rows between them, with and without the index', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        fc.constantFrom('none', 'deflate'),
        async (blockRows, n, index, codec) => {
          const bytes = await fileOf(rows.slice(0, 200), { blockRows, codec });
          const reader = await ContainerReader.open(bytes, { index });
          const parts = [];
          for (const split of reader.splits(n)) parts.push(...(await readAll(new Blob([bytes]), { index, split })));
          assert.deepEqual(parts, rows.slice(0, 200));
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('of a stream are read by their offsets', async () => {
    const at = (await ContainerReader.open(file)).index.block(3).offset;
    assert.deepEqual(await readAll(chunksOf(file, 999), { split: [at, file.length] }), rows.slice(180));
    assert.deepEqual(await readAll(chunksOf(file, 999), { split: [0, at] }), rows.slice(0, 180));
  });

  it('and all other options have to exist', async () => {
    for (const options of [{ onBadBlok: 'skip' }, { wehre: [] }, { maxDepth: 4 }])
      await assert.rejects(ContainerReader.open(file, options), {
        name: 'TypeError',
        message: `There is no option ${Object.keys(options)[0]}`,
      });
  });

  it('of a stream are not known', async () => {
    const reader = await ContainerReader.open(chunksOf(file, 999));
    assert.throws(() => reader.splits(2), TypeError);
    const whole = await ContainerReader.open(file);
    for (const n of [0, -1, 1.5, '2']) assert.throws(() => whole.splits(n), TypeError);
  });
});

describe('rows', () => {
  it('with keys that objects cannot have are Maps, and no reason to skip their block', async () => {
    const path = join(folder, 'keys.pkd');
    const written = [{ a: 1 }, new Map([[1, 'one']]), new Map([[null, [1]]]), { __proto__x: 2 }];
    const writer = await ContainerWriter.open(path);
    await writer.writeAll(written);
    await writer.finish();
    const reader = await ContainerReader.open(path, { onBadBlock: 'skip' });
    opened.push(reader);
    const read = [];
    for await (const row of reader) read.push(row);
    assert.deepEqual(read, written);
    assert.deepEqual(reader.damaged, []);
  });
});

describe('messages', () => {
  it('and rows are in one file in their order', async () => {
    const first = join(folder, 'mixed.pkd');
    const writer = await ContainerWriter.open(first);
    await writer.writeAll(rows.slice(0, 10));
    await writer.finish();
    const more = await ContainerWriter.append(first, { messages: true });
    await more.writeAll(['a', { b: 1 }]);
    await more.finish();
    assert.deepEqual(await readAll(first), [...rows.slice(0, 10), 'a', { b: 1 }]);
    const reader = await ContainerReader.open(first);
    opened.push(reader);
    const kinds = [];
    for await (const { kind } of reader.blocks()) kinds.push(kind);
    assert.deepEqual(kinds, ['rows', 'messages']);
    assert.equal(reader.schema.get('b'), undefined);
  });
});
