/**
 * The sizes of bundles of the package that npm would publish: minified, and minified and gzipped.
 * `node scripts/sizes.js` writes their table into the README; with `--check` it fails where the README or a
 * budget is not kept. The package has to be built.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { installPacked } from './packed.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const README = `${root}README.md`;
const BEGIN = '<!-- sizes -->\n';
const END = '<!-- /sizes -->';

/** The program of each bundle, and its budget: the most kilobytes that it may have, gzipped. */
const bundles = [
  ['`pack` of `packord/pack`', "export { pack } from 'packord/pack'", 6.5],
  ['`unpack` of `packord/unpack`', "export { unpack } from 'packord/unpack'", 6.8],
  ['both', "export { pack } from 'packord/pack'; export { unpack } from 'packord/unpack'", 12.1],
  ['`Packr` of `packord/pack`', "export { Packr } from 'packord/pack'", 8.9],
  ['`Unpackr` of `packord/unpack`', "export { Unpackr } from 'packord/unpack'", 9.7],
  ['`Packr` with `records`', "export { Packr, records } from 'packord/pack'", 13.1],
  ['`Unpackr` with `records`', "export { Unpackr, records } from 'packord/unpack'", 16.0],
  ['`Unpackr` with `checks`', "export { Unpackr, checks } from 'packord/unpack'", 12.1],
  ['`Unpackr` with `paths`', "export { Unpackr, paths } from 'packord/unpack'", 11.6],
  ['`pack` and `unpack` of `packord`', "export { pack, unpack } from 'packord'", 24.1],
  ['whole (`packord`)', "export * from 'packord'", 39.7],
  ['whole without code generation (`packord/index-no-eval`)', "export * from 'packord/index-no-eval'", 38.3],
  ['`packord` with `packord/columns`', "export * from 'packord'; export * from 'packord/columns'", 54.6],
  ['`encode` and `decode` of `packord/msgpack`', "export { decode, encode } from 'packord/msgpack'", 24.3],
  ['whole (`packord/msgpackr`)', "export * from 'packord/msgpackr'", 39.8],
  ['`ContainerReader` of `packord/container`', "export { ContainerReader } from 'packord/container'", 47.0],
  ['both classes of `packord/container`', "export * from 'packord/container'", 71.4],
];

const kilobytes = (length) => (length / 1000).toFixed(1);

async function measure([name, contents, budget], folder) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
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
  const line = (cells, fill) => `| ${cells.map((cell, i) => cell.padEnd(widths[i], fill)).join(' | ')} |`;
  const [head, ...body] = rows;
  return [line(head, ' '), line(['', '', ''], '-'), ...body.map((row) => line(row, ' '))].join('\n');
}

const rows = [['bundle', 'minified', 'gzipped']];
const folder = mkdtempSync(join(tmpdir(), 'packord-sizes-'));
try {
  installPacked(folder);
  for (const bundle of bundles) rows.push(await measure(bundle, folder));
} finally {
  rmSync(folder, { recursive: true });
}
const readme = readFileSync(README, 'utf8');
const begin = readme.indexOf(BEGIN) + BEGIN.length;
const end = readme.indexOf(END);
if (begin < BEGIN.length || end < begin) throw new Error('The README has no place for the table');
const written = `${readme.slice(0, begin)}\n${tableOf(rows)}\n\n${readme.slice(end)}`;
if (!process.argv.includes('--check')) writeFileSync(README, written);
else if (written !== readme) throw new Error('The sizes in the README are not up to date: run `node scripts/sizes.js`');
