/** Prints the table of bundle sizes for the README: minified, and minified and gzipped. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const bundles = {
  'whole (`packord`)': 'esm/index.js',
  'packing and unpacking (`packord/pack`)': 'esm/pack.js',
  'decoder alone (`packord/unpack`)': 'esm/unpack.js',
  'decoder alone, no code generation (`packord/unpack-no-eval`)': 'esm-no-eval/unpack.js',
};

console.log('| bundle | minified | gzipped |\n|---|---|---|');
for (const [name, entry] of Object.entries(bundles)) {
  const { outputFiles } = await build({
    entryPoints: [dist + entry],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const { contents } = outputFiles[0];
  const kilobytes = (length) => `${(length / 1000).toFixed(1)} kB`;
  console.log(
    `| ${name} | ${kilobytes(contents.length)} | ${kilobytes(gzipSync(contents).length)} |`,
  );
}
