/** The vectors of container files: every way of reading them, and the bytes that are written. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExtData, MsgpackDecodeError, Packr, Unpackr } from 'packord';
import { ContainerReader, ContainerWriter } from 'packord/container';
import { after, describe, it } from './untracked.js';
import { casesOf, difference, expand, vectorValue } from './vectors.js';

const values = { maps: 'map', timestamps: 'timestamp' };
const plain = new Unpackr({ ...values });
const packer = new Packr({});
const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));

function valuesOf(stream) {
  const bytes = expand(stream);
  return bytes.length === 0 ? [] : plain.unpackMultiple(bytes);
}

/** Bytes at the beginning and the end of a large file that come in small chunks. */
const EDGE = 1000;

/**
 * The chunks of a stream of bytes. Of large files, what is between the edges comes in larger chunks, as node:test
 * follows each promise: `PACKORD_EXHAUSTIVE=1` makes all of one size.
 */
async function* chunksOf(bytes, size) {
  const isWhole = process.env.PACKORD_EXHAUSTIVE || bytes.length < 4 * EDGE;
  for (let at = 0, next = 0; at < bytes.length; at = next) {
    const isEdge = at < EDGE || at >= bytes.length - EDGE;
    next = at + (isWhole || isEdge ? size : Math.max(size, 4093));
    if (!isWhole && !isEdge) next = Math.min(next, bytes.length - EDGE);
    yield bytes.subarray(at, next);
  }
}

const described = ({ kind, offset, detail }) => {
  const [, inside] = /^(?:block \d+: )?at byte (\d+) of the body/.exec(detail ?? '') ?? [];
  return inside === undefined ? { kind, offset } : { kind, offset, inside: Number(inside) };
};

/** Reads a source; returns its rows, the error after them, and what was passed over. */
async function outcome(source, options) {
  const rows = [];
  let end;
  const reader = await ContainerReader.open(source, { values, ...options });
  try {
    for await (const row of reader) rows.push(normal(row));
  } catch (error) {
    if (!(error instanceof MsgpackDecodeError)) throw error;
    end = described(error);
  }
  return {
    rows,
    end,
    ranges: reader.damaged.map(({ from, to, error }) => [from, to, described(error)]),
  };
}

function predicateOf(conditions) {
  return conditions?.map(([path, op, constant]) =>
    constant === undefined ? [path, op] : [path, op, vectorValue(constant)],
  );
}

function optionsOf({ index, on_bad_block, split, where, prune, select }, { max_block } = {}) {
  return {
    index: index ?? false,
    onBadBlock: on_bad_block,
    split,
    where: predicateOf(where),
    prune: predicateOf(prune),
    select,
    maxBlock: max_block,
  };
}

/** Makes records and the bytes of ext values as other readings have them. */
function normal(value) {
  if (Array.isArray(value)) return value.map(normal);
  if (value instanceof ExtData) return new ExtData(value.type, Buffer.from(value.data));
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (value instanceof Map) return new Map([...value].map((entry) => entry.map(normal)));
  const isRecord = value?.constructor === Object;
  return isRecord ? normal(new Map(Object.entries(value))) : value;
}

describe('vectors of container files', () => {
  for (const entry of casesOf('container')) {
    const { name, error, options } = entry;
    const bytes = expand(entry.bytes);
    if (error !== undefined) {
      it(`${name}: the file is not opened`, async () => {
        for (const source of [bytes, new Blob([bytes]), chunksOf(bytes, 1), chunksOf(bytes, 1000)])
          await assert.rejects(ContainerReader.open(source, { maxBlock: options?.max_block }), error);
      });
      continue;
    }
    const rows = normal(valuesOf(entry.rows ?? entry.write.rows));
    it(`${name}: each way of reading returns what the vector says`, async () => {
      for (const read of entry.reads) {
        const taken = read.take === undefined ? rows : read.take.map((at) => rows[at]);
        const expected = {
          rows: read.returned === undefined ? taken : normal(valuesOf(read.returned)),
          end: read.end,
          ranges: read.ranges ?? [],
        };
        const how = optionsOf(read, options);
        const sources = [bytes, new Blob([bytes])];
        if (!read.index && read.split === undefined)
          sources.push(...[1, 13, 100_000].map((size) => chunksOf(bytes, size)));
        for (const source of sources) assert.deepEqual(await outcome(source, how), expected, JSON.stringify(read));
      }
    });
    it(`${name}: the index, the splits and the offsets are those of the vector`, async () => {
      const reader = await ContainerReader.open(bytes, { maxBlock: options?.max_block });
      const { index } = reader;
      if (entry.index === null) assert.equal(index, null);
      else if (entry.index !== undefined) checkIndex(entry.index, index);
      for (const [n, ranges] of entry.splits ?? []) assert.deepEqual(reader.splits(n), ranges);
      if (entry.ends !== undefined) assert.equal(entry.ends.at(-1), bytes.length);
      if (entry.blocks === undefined) return;
      const front = await ContainerReader.open(bytes, {
        index: false,
        maxBlock: options?.max_block,
      });
      const found = [];
      for await (const { offset, size, data } of front.blocks())
        found.push([
          offset,
          data.byteOffset - bytes.byteOffset,
          data.byteOffset - bytes.byteOffset + data.length,
          offset + size,
        ]);
      assert.deepEqual(
        found,
        entry.blocks.map(([mark, , begin, dataEnd, end]) => [mark, begin, dataEnd, end]),
      );
    });
    if (entry.ends !== undefined) derived(entry, bytes, rows);
    if (entry.write !== undefined) written(entry, bytes);
  }
});

function checkIndex(expected, index) {
  assert.equal(index.offset, expected.mark);
  assert.equal(index.count, expected.count);
  const blocks = [...index];
  assert.deepEqual(
    blocks.map(({ offset, size, count }) => [offset, size, count]),
    expected.blocks.map(([offset, size, count]) => [offset, size, count]),
  );
  expected.blocks.forEach(([, , , stats], number) => {
    const found = blocks[number].stats;
    assert.equal(found === null, stats === null);
    assert.deepEqual([...(found?.keys() ?? [])], Object.keys(stats ?? {}));
    for (const [path, entry] of Object.entries(stats ?? {})) {
      const known = found.get(path);
      assert.equal(known.nulls, entry[0]);
      for (const [bound, value] of [
        [entry[1], known.min],
        [entry[2], known.max],
      ])
        assert.equal(difference(bound, value), undefined);
    }
  });
  const { schema } = index;
  assert.equal(schema === undefined, expected.schema === null);
  if (schema !== undefined)
    assert.deepEqual(
      Object.fromEntries([...schema].map(([path, { types, nullable }]) => [path, [types, nullable]])),
      expected.schema,
    );
}

const WRITER_NAMES = {
  block_size: 'blockSize',
  block_rows: 'blockRows',
  columns: 'columns',
  messages: 'messages',
  stats: 'stats',
};

function writerOptions({ sync, meta, ...others }, isNew) {
  const options = { codec: 'none' };
  if (isNew) options.sync = Buffer.from(sync ?? '000102030405060708090a0b0c0d0e0f', 'hex');
  if (meta !== undefined) options.meta = vectorValue(meta);
  for (const [name, value] of Object.entries(others)) {
    assert.ok(name in WRITER_NAMES, name);
    options[WRITER_NAMES[name]] = value;
  }
  if (!isNew) delete options.codec;
  return options;
}

/** The bytes that a writer makes; of values that JavaScript can say (spec/format.md section 7). */
function written({ name, write }, bytes) {
  const { options = {}, flush = [], refused = [], append } = write;
  const rows = valuesOf(write.rows);
  const again = Buffer.concat(rows.map((row) => Uint8Array.from(packer.pack(row))));
  const isKept = again.equals(Buffer.from(expand(write.rows)));
  it(`${name}: the writer makes the same bytes`, {
    skip: !isKept && 'not to be said',
  }, async () => {
    const path = join(folder, 'written.pkd');
    if (append !== undefined) writeFileSync(path, expand(append));
    const writer =
      append === undefined
        ? await ContainerWriter.open(path, writerOptions(options, true))
        : await ContainerWriter.append(path, writerOptions(options, false));
    const kinds = new Map(refused);
    for (const [number, row] of rows.entries()) {
      if (kinds.has(number)) await assert.rejects(writer.write(row), { kind: kinds.get(number) });
      else await writer.write(row);
      if (flush.includes(number + 1)) await writer.flush();
    }
    await writer.finish();
    assert.equal(readFileSync(path).toString('hex'), Buffer.from(bytes).toString('hex'));
  });
}

/** Number of places that are tried of a file with more bytes, but for `PACKORD_EXHAUSTIVE=1`. */
const PLACES = 30;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
let samples = 0;

/**
 * The places of a file at which a rule is tried: each byte of small files, and some of others. They begin at
 * another byte each time, so that all files together have each place of a block.
 */
function* placesOf(from, to) {
  const isWhole = process.env.PACKORD_EXHAUSTIVE || to - from <= 3 * PLACES;
  const step = isWhole ? 1 : (to - from) / PLACES;
  const begin = isWhole ? from : from + step * ((samples++ * GOLDEN) % 1);
  if (!isWhole) yield from;
  for (let at = begin; at < to; at += step) yield Math.floor(at);
  if (!isWhole) yield to - 1;
}

/** Copies of bytes with one bit changed in a range: each bit of each byte with PACKORD_EXHAUSTIVE, else one of them in turn. */
function* changedBits(bytes, from, to) {
  for (const p of placesOf(from, to))
    for (const bit of process.env.PACKORD_EXHAUSTIVE ? [0, 1, 2, 3, 4, 5, 6, 7] : [p % 8]) {
      const changed = Uint8Array.from(bytes);
      changed[p] ^= 1 << bit;
      yield changed;
    }
}

/** The rules that follow from `ends` and `blocks`. */
function derived({ name, ends, blocks, options, index: listed }, bytes, rows) {
  const hasIndex = listed !== null && listed !== undefined;
  const maxBlock = options?.max_block;
  it(`${name}: cut anywhere, all whole blocks are read`, async () => {
    const counts = [];
    for await (const { offset, size, count } of (
      await ContainerReader.open(bytes, { index: false, maxBlock })
    ).blocks())
      counts.push([offset + size, count]);
    for (const n of placesOf(0, bytes.length)) {
      const cut = bytes.subarray(0, n);
      if (n < ends[0]) {
        await assert.rejects(ContainerReader.open(cut), { kind: 'eof', offset: n });
        continue;
      }
      const whole = counts.reduce((sum, [end, count]) => sum + (end <= n ? count : 0), 0);
      const expected = {
        rows: rows.slice(0, whole),
        end: ends.includes(n) ? undefined : { kind: 'eof', offset: n },
        ranges: [],
      };
      for (const source of n % 4 === 0 ? [cut, chunksOf(cut, 50)] : [cut])
        assert.deepEqual(await outcome(source, { index: false, maxBlock }), expected, `cut at ${n}`);
    }
  });
  it(`${name}: any changed byte of data is found`, async () => {
    const counts = [];
    for await (const { count } of (await ContainerReader.open(bytes, { index: false, maxBlock })).blocks())
      counts.push(count);
    for (const [number, [mark, at, begin, end, next]] of blocks.entries()) {
      const before = counts.slice(0, number).reduce((sum, count) => sum + count, 0);
      for (const p of placesOf(begin, end)) {
        const changed = Uint8Array.from(bytes);
        changed[p] ^= 1 << (p % 8);
        const error = { kind: 'invalid_container', offset: at };
        const stopped = { rows: rows.slice(0, before), end: error, ranges: [] };
        assert.deepEqual(await outcome(changed, { index: false, maxBlock }), stopped);
        const skipped = {
          rows: rows.toSpliced(before, counts[number]),
          end: undefined,
          ranges: [[mark, next, error]],
        };
        for (const source of [changed, chunksOf(changed, 30)])
          assert.deepEqual(await outcome(source, { index: false, maxBlock, onBadBlock: 'skip' }), skipped);
      }
    }
  });
  it(`${name}: two splits have all rows, wherever they meet`, async () => {
    for (const n of placesOf(0, bytes.length + 1))
      for (const index of hasIndex && n % 3 === 0 ? [true, false] : [false]) {
        const parts = [];
        for (const split of [
          [0, n],
          [n, bytes.length],
        ])
          parts.push(await outcome(bytes, { index, split, maxBlock }));
        assert.deepEqual(
          parts.flatMap((part) => part.rows),
          rows,
          `split at ${n}`,
        );
        assert.ok(parts.every((part) => part.end === undefined));
      }
  });
  it(`${name}: any changed bit of the header is found`, async () => {
    for (const changed of changedBits(bytes, 0, ends[0]))
      await assert.rejects(ContainerReader.open(changed, { maxBlock }), MsgpackDecodeError);
  });
  if (hasIndex && ends.at(-1) === bytes.length)
    it(`${name}: any changed bit of the index is found`, async () => {
      for (const changed of changedBits(bytes, listed.mark, bytes.length)) {
        const reader = await ContainerReader.open(changed, { maxBlock });
        assert.equal(reader.index, null);
        const { rows: found } = await outcome(changed, { index: true, maxBlock });
        assert.deepEqual(found, rows);
      }
    });
  it(`${name}: it is a stream of plain MessagePack`, () => {
    const found = [];
    new Unpackr({ maps: 'map' }).unpackMultiple(bytes, (_, __, end) => void found.push(end));
    for (const end of ends) assert.ok(found.includes(end), `${end}`);
    assert.equal(found.at(-1), bytes.length);
  });
}
