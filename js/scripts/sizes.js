/**
 * The sizes of bundles: minified, and minified and gzipped. `node scripts/sizes.js` writes their
 * table into the README; with `--check` it fails where the README or a budget is not kept.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const README = `${root}README.md`;
const BEGIN = '<!-- sizes -->\n';
const END = '<!-- /sizes -->';

/** The program of each bundle, and its budget: the most kilobytes that it may have, gzipped. */
const bundles = [
  ['`pack` of `packord/pack`', "export { pack } from './pack.ts'", 7.3],
  ['`unpack` of `packord/unpack`', "export { unpack } from './unpack.ts'", 7.2],
  ['both', "export { pack } from './pack.ts'; export { unpack } from './unpack.ts'", 13.4],
  ['`Packr` of `packord/pack`', "export { Packr } from './pack.ts'", 9.0],
  ['`Unpackr` of `packord/unpack`', "export { Unpackr } from './unpack.ts'", 9.6],
  ['`Packr` with `records`', "export { Packr, records } from './pack.ts'", 12.6],
  ['`Unpackr` with `records`', "export { Unpackr, records } from './unpack.ts'", 15.8],
  ['`Unpackr` with `checks`', "export { Unpackr, checks } from './unpack.ts'", 12.0],
  ['`Unpackr` with `paths`', "export { Unpackr, paths } from './unpack.ts'", 12.0],
  ['`pack` and `unpack` of `packord`', "export { pack, unpack } from './index.ts'", 34.8],
  ['whole (`packord`)', "export * from './index.ts'", 39.1],
  [
    'whole without code generation (`packord/index-no-eval`)',
    "export * from './index.ts'",
    37.7,
    false,
  ],
  [
    '`packord` with `packord/columns`',
    "export * from './index.ts'; export * from './columns.ts'",
    54.7,
  ],
  [
    '`encode` and `decode` of `packord/msgpack`',
    "export { decode, encode } from './msgpack.ts'",
    32.2,
  ],
  ['whole (`packord/msgpackr`)', "export * from './msgpackr.ts'", 41.9],
  [
    '`ContainerReader` of `packord/container`',
    "export { ContainerReader } from './container.ts'",
    48.0,
  ],
  ['both classes of `packord/container`', "export * from './container.ts'", 72.6],
];

const kilobytes = (length) => (length / 1000).toFixed(1);

async function measure([name, contents, budget, generates = true]) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${root}src`, loader: 'ts' },
    define: { GENERATES_CODE: String(generates) },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    write: false,
  });
  const [file] = outputFiles;
  const gzipped = kilobytes(gzipSync(file.contents, { level: 9 }).length);
  if (Number(gzipped) > budget) throw new Error(`${name}: ${gzipped} kB exceed ${budget} kB`);
  return [name, `${kilobytes(file.contents.length)} kB`, `${gzipped} kB`];
}

function tableOf(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (cells, fill) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i], fill)).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head, ' '), line(['', '', ''], '-'), ...body.map((row) => line(row, ' '))].join(
    '\n',
  );
}

const rows = [['bundle', 'minified', 'gzipped']];
for (const bundle of bundles) rows.push(await measure(bundle));
const readme = readFileSync(README, 'utf8');
const begin = readme.indexOf(BEGIN) + BEGIN.length;
const end = readme.indexOf(END);
if (begin < BEGIN.length || end < begin) throw new Error('The README has no place for the table');
const written = `${readme.slice(0, begin)}\n${tableOf(rows)}\n\n${readme.slice(end)}`;
if (!process.argv.includes('--check')) writeFileSync(README, written);
else if (written !== readme)
  throw new Error('The sizes in the README are not up to date: run `node scripts/sizes.js`');
