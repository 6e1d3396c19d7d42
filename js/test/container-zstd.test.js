/** Chunks that are compressed by zstd: as the tool of zstd 1.5 makes them, damaged, and hostile. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { pack } from 'packord';
import { ContainerReader } from 'packord/container';
import { blockArray } from './container-bytes.js';
import { fileOf, readAll, SYNC } from './container-files.js';
import { randomOf } from './random.js';

const FRAMES = JSON.parse(readFileSync(new URL('zstd-frames.json', import.meta.url)));
const random = randomOf(1);
/** The strings of the frames, as messages of MessagePack. */
const TEXTS = {
  words: Array.from({ length: 150 }, () => ['alpha', 'beta', 'gamma', 'delta'][random(4)] + random(20)).join(' '),
  'several blocks': Array.from(
    { length: 2500 },
    (_, i) =>
      `${'The same phrase again and again, number '.slice(0, 30 + random(3))}${random(12)};${i % 500 === 0 ? random(1e9) : ''}`,
  )
    .join('')
    .repeat(2),
  'one byte': 'a'.repeat(300_000),
  noise: Array.from({ length: 200 }, () => String.fromCharCode(32 + random(95))).join(''),
};
const empty = await fileOf([], { codec: 'none' });
const header = empty.subarray(0, (await ContainerReader.open(empty)).index.offset);
const mark = Buffer.from([0xd8, 0x5d, ...SYNC]);

/** Reads a file with a chunk. */
function read(data, raw, options) {
  const array = blockArray({ kind: 0, codec: 'zstd', data: Buffer.from(data), raw });
  return readAll(Buffer.concat([header, mark, array]), options);
}

const sizeOf = (text) => pack(text).length;
const REFUSED = { kind: 'invalid_container' };

describe('zstd is unpacked:', () => {
  for (const { text: name, options, frame } of FRAMES)
    it(`${name}, zstd ${options}`, async () => {
      const text = TEXTS[name];
      const data = Buffer.from(frame, 'base64');
      const size = sizeOf(text);
      assert.deepEqual(await read(data, size), [text]);
      for (const wrong of [size - 1, size + 1, 0]) await assert.rejects(read(data, wrong), REFUSED);
      // Frames one after another, and one with data of the program.
      const own = Buffer.from('502a4d1803000000616263', 'hex');
      const both = Buffer.concat([own, data]);
      assert.deepEqual(await read(both, size), [text]);
      await assert.rejects(read(Buffer.concat([data, Buffer.of(0)]), size), REFUSED);
    });

  it('with nothing but the platform, by the entry of Node and by that of browsers', async () => {
    for (const [name, allowed] of [
      ['container-node', /^node:/],
      ['container', /^$/],
    ]) {
      const { metafile } = await build({
        entryPoints: [fileURLToPath(new URL(`../dist/esm/${name}.js`, import.meta.url))],
        bundle: true,
        external: ['node:*'],
        format: 'esm',
        logLevel: 'error',
        metafile: true,
        write: false,
      });
      const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports);
      for (const { path } of outside) assert.match(path, allowed);
      for (const path of Object.keys(metafile.inputs)) assert.ok(!path.includes('node_modules'), path);
    }
    const { dependencies = {} } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
    assert.deepEqual(dependencies, {});
  });

  it('several frames', async () => {
    const [{ text, frame }] = FRAMES;
    const data = Buffer.from(frame, 'base64');
    const array = blockArray({
      kind: 0,
      count: 2,
      codec: 'zstd',
      data: Buffer.concat([data, data]),
      raw: 2 * sizeOf(TEXTS[text]),
    });
    const found = await readAll(Buffer.concat([header, mark, array]));
    assert.deepEqual(found, [TEXTS[text], TEXTS[text]]);
  });
});

describe('damaged zstd', () => {
  it('is an error, or another text of the same size', async () => {
    const { text, frame } = FRAMES.find(({ options }) => options.includes('no-check'));
    const data = Buffer.from(frame, 'base64');
    const size = sizeOf(TEXTS[text]);
    for (let cut = 0; cut < data.length; cut++) await assert.rejects(read(data.subarray(0, cut), size), REFUSED);
    for (let bit = 0; bit < 8 * data.length; bit++) {
      const changed = Buffer.from(data);
      changed[bit >> 3] ^= 1 << (bit & 7);
      await read(changed, size).catch((error) => {
        assert.equal(error.name, 'MsgpackDecodeError');
      });
    }
  });

  it('with a wrong checksum is an error', async () => {
    const { text, frame } = FRAMES[0];
    const data = Buffer.from(frame, 'base64');
    data[data.length - 1] ^= 1;
    await assert.rejects(read(data, sizeOf(TEXTS[text])), REFUSED);
  });
});

describe('hostile zstd', () => {
  /** A frame that announces a window of 2 GiB, with a last block. */
  function frameOf(type, size, content) {
    const head = (size << 3) | (type << 1) | 1;
    const start = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xa8, head & 255, (head >> 8) & 255, head >> 16];
    return Uint8Array.from([...start, ...content]);
  }

  it('takes time in proportion to the chunk', async () => {
    // 98,047 sequences that copy 65,539 bytes each, in nine bytes.
    const block = [0x00, 255, 0xff, 0xff, 0x54, 0, 0, 52, 0x01];
    const frames = [
      frameOf(2, block.length, block),
      // A block of the largest size, and one of many empty blocks.
      frameOf(1, 0x1fffff, [7]),
      Uint8Array.from([...frameOf(0, 0, []).subarray(0, 6), ...new Uint8Array(3_000_000)]),
    ];
    const before = process.cpuUsage();
    for (const frame of frames) await assert.rejects(read(frame, 1 << 22), REFUSED);
    const { user } = process.cpuUsage(before);
    assert.ok(user < 2_000_000, `${user} µs`);
  });
});
