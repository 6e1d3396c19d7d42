/** The vectors of container files: every way of reading them, and the bytes that are written. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as zlib from 'node:zlib';
import { ExtData, MsgpackDecodeError, Unpackr } from 'packord';
import { ContainerReader } from 'packord/container';
import { zstd } from './container-codecs.js';
import { casesOf, difference, expand, vectorValue } from './vectors.js';

const values = { mapsAsObjects: false, timestamps: 'timestamp' };
/** What Node has from 22.15 on; fzstd has no dictionaries, and does not compare the size with that of a frame. */
const hasZstd = 'zstdDecompressSync' in zlib;
const codecs = hasZstd ? {} : { zstd };
const BEYOND_FZSTD = /dictionary|wrong announced size/;
const plain = new Unpackr({ useRecords: false, ...values });

/** The chunks of a stream of bytes. */
async function* chunksOf(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const described = ({ kind, offset, detail }) => {
  const [, inside] = /^at byte (\d+) of the body/.exec(detail ?? '') ?? [];
  return inside === undefined ? { kind, offset } : { kind, offset, inside: Number(inside) };
};

/** Reads a source; returns its rows, the error after them, and what was passed over. */
async function outcome(source, options) {
  const rows = [];
  let end;
  const reader = await ContainerReader.open(source, { values, codecs, ...options });
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

function optionsOf({ index, on_bad_block, split, where, prune }, { max_block } = {}) {
  return {
    index: index ?? false,
    onBadBlock: on_bad_block,
    split,
    where: predicateOf(where),
    prune: predicateOf(prune),
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
    const { name, error, options, needs = [] } = entry;
    if (needs.includes('lz4') || (!hasZstd && BEYOND_FZSTD.test(name))) continue;
    const bytes = expand(entry.bytes);
    if (error !== undefined) {
      it(`${name}: the file is not opened`, async () => {
        for (const source of [bytes, new Blob([bytes]), chunksOf(bytes, 1), chunksOf(bytes, 1000)])
          await assert.rejects(
            ContainerReader.open(source, { maxBlock: options?.max_block }),
            error,
          );
      });
      continue;
    }
    const rows =
      entry.rows === '' || entry.rows.length === 0
        ? []
        : normal(plain.unpackMultiple(expand(entry.rows)));
    it(`${name}: each way of reading returns what the vector says`, async () => {
      for (const read of entry.reads) {
        const expected = {
          rows: read.take === undefined ? rows : read.take.map((at) => rows[at]),
          end: read.end,
          ranges: read.ranges ?? [],
        };
        const how = optionsOf(read, options);
        const sources = [bytes, new Blob([bytes])];
        if (!read.index && read.split === undefined)
          sources.push(chunksOf(bytes, 1), chunksOf(bytes, 13), chunksOf(bytes, 100_000));
        for (const source of sources)
          assert.deepEqual(await outcome(source, how), expected, JSON.stringify(read));
      }
    });
    it(`${name}: the index, the splits and the offsets are those of the vector`, async () => {
      const reader = await ContainerReader.open(bytes, { codecs, maxBlock: options?.max_block });
      const { index } = reader;
      if (entry.index === null) assert.equal(index, null);
      else checkIndex(entry.index, index);
      for (const [n, ranges] of entry.splits ?? []) assert.deepEqual(reader.splits(n), ranges);
      if (entry.ends !== undefined) assert.equal(entry.ends.at(-1), bytes.length);
      if (entry.blocks === undefined) return;
      const front = await ContainerReader.open(bytes, {
        codecs,
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
      Object.fromEntries(
        [...schema].map(([path, { types, nullable }]) => [path, [types, nullable]]),
      ),
      expected.schema,
    );
}

/** The rules that follow from `ends` and `blocks`. */
function derived({ name, ends, blocks, options, index: listed }, bytes, rows) {
  const hasIndex = listed !== null;
  const maxBlock = options?.max_block;
  it(`${name}: cut anywhere, all whole blocks are read`, async () => {
    const counts = [];
    for await (const { offset, size, count } of (
      await ContainerReader.open(bytes, { codecs, index: false, maxBlock })
    ).blocks())
      counts.push([offset + size, count]);
    for (let n = 0; n < bytes.length; n++) {
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
        assert.deepEqual(
          await outcome(source, { index: false, maxBlock }),
          expected,
          `cut at ${n}`,
        );
    }
  });
  it(`${name}: any changed byte of data is found`, async () => {
    const counts = [];
    for await (const { count } of (
      await ContainerReader.open(bytes, { codecs, index: false, maxBlock })
    ).blocks())
      counts.push(count);
    for (const [number, [mark, at, begin, end, next]] of blocks.entries()) {
      const before = counts.slice(0, number).reduce((sum, count) => sum + count, 0);
      for (let p = begin; p < end; p++) {
        const changed = Uint8Array.from(bytes);
        changed[p] ^= 1 << (p % 8);
        const error = { kind: 'invalid_ext', offset: at };
        const stopped = { rows: rows.slice(0, before), end: error, ranges: [] };
        assert.deepEqual(await outcome(changed, { index: false, maxBlock }), stopped);
        const skipped = {
          rows: rows.toSpliced(before, counts[number]),
          end: undefined,
          ranges: [[mark, next, error]],
        };
        for (const source of [changed, chunksOf(changed, 30)])
          assert.deepEqual(
            await outcome(source, { index: false, maxBlock, onBadBlock: 'skip' }),
            skipped,
          );
      }
    }
  });
  it(`${name}: two splits have all rows, wherever they meet`, async () => {
    for (let n = 0; n <= bytes.length; n++)
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
  it(`${name}: it is a stream of plain MessagePack`, () => {
    const found = [];
    new Unpackr({ useRecords: false, mapsAsObjects: false }).unpackMultiple(
      bytes,
      (_, __, end) => void found.push(end),
    );
    for (const end of ends) assert.ok(found.includes(end), `${end}`);
    assert.equal(found.at(-1), bytes.length);
  });
}
