/**
 * Reads a container file with many false marks, and prints its size and how many bytes were examined: headers, and
 * bytes of which a CRC was computed. `node container-work-child.js CASE`. The library is built again with counters.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { blockArray } from './container-bytes.js';
import { fileOf, SYNC } from './container-files.js';

const SIZE = process.env.PACKORD_EXHAUSTIVE ? 3_200_000 : 400_000;
const src = fileURLToPath(new URL('../src/', import.meta.url));
const work = { examined: 0 };
globalThis.packordWork = work;

/** Where the library is counted: a line of a file, and what is put after it. */
const COUNTERS = {
  'crc32c.ts': ['  tables ??= makeTables();', 'globalThis.packordWork.examined += end - start;'],
  'header.ts': [/export function readHeader\([^{]*\{/, 'globalThis.packordWork.examined++;'],
};

async function counting() {
  const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
  const outfile = join(folder, 'container.mjs');
  const counters = {
    name: 'counters',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/](container[\\/]crc32c|wire[\\/]header)\.ts$/ }, ({ path }) => {
        const [line, counter] = COUNTERS[path.split(/[\\/]/).at(-1)];
        const text = readFileSync(path, 'utf8');
        const contents = text.replace(line, (found) => `${found}\n${counter}`);
        if (contents === text) throw new Error(`${path} has no place for a counter`);
        return { contents, loader: 'ts' };
      });
    },
  };
  await build({
    entryPoints: [join(src, 'entry/container.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { GENERATES_CODE: 'true' },
    plugins: [counters],
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const { ContainerReader } = await counting();
const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);
const bytesOf = (...parts) => Buffer.concat([mark, ...parts]);
const none = Buffer.alloc(0);
const announced = 100_000;
const announcing = bytesOf(blockArray({ data: none, announced, chunks: [[announced, announced, 7]] }));
const nested = bytesOf(Buffer.of(0xdc, 0xff, 0xff, 0xa1, 0x61));
const further = bytesOf(blockArray({ elements: Buffer.of(0xdc, 0xff, 0xff), data: none, chunks: [] }));
const right = bytesOf(blockArray({ data: none, chunks: [[5, 0, 0]] }));
const unknown = bytesOf(blockArray({ codec: 'x', data: none, chunks: [] }));
// Marks that follow each other are in the data of all before; each has as many bytes in chunks.
const parts = Array.from({ length: 40 }, (_, i) => [0, 5000 + i, 7]);
const size = parts.reduce((sum, [, part]) => sum + part, 0);
const chunked = bytesOf(blockArray({ data: none, announced: size, chunks: parts }));
const CASES = {
  'that announce data': [announcing],
  'that begin arrays in one another': [nested],
  'with further elements that do not end': [further],
  'of blocks that are right but for their size': [right],
  'of blocks with many chunks': [chunked],
  'of blocks that are right, of an unknown codec': [unknown],
  'of all these kinds': [nested, right, further, announcing, unknown, chunked],
};

const empty = await fileOf([], { codec: 'none' });
const { index } = await ContainerReader.open(empty);
const once = Buffer.concat(CASES[process.argv[2]]);
const many = Buffer.alloc(once.length * Math.floor(SIZE / once.length), once);
const bytes = Buffer.concat([empty.subarray(0, index.offset), many]);
work.examined = 0;
for (const options of [
  { onBadBlock: 'skip', maxBlock: 1 << 22 },
  { index: false, split: [100, bytes.length] },
])
  try {
    const reader = await ContainerReader.open(bytes, options);
    for await (const _ of reader.batches());
  } catch (error) {
    if (error.name !== 'MsgpackDecodeError') throw error;
  }
console.log(JSON.stringify({ size: bytes.length, examined: work.examined }));
