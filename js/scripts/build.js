/**
 * Builds `dist/`: ES modules, CommonJS, the variants without code generation, bundles
 * for script tags, and types.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;
const src = (name) => `${root}src/${name}.ts`;

const common = {
  bundle: true,
  target: 'es2022',
  charset: 'utf8',
  logLevel: 'warning',
  external: ['node:*', 'apache-arrow'],
  // Numbers of the format instead of the names of constants: engines see them at once.
  minifySyntax: true,
};

/** Defines the constant that includes or omits the generation of code. */
const generating = (generates) => ({ define: { GENERATES_CODE: String(generates) } });

const entries = [
  'node',
  'index',
  'pack',
  'unpack',
  'schema',
  'stream',
  'msgpackr',
  'msgpackr-node',
  'msgpack',
  'host',
];
/** Entries that others do not load in CommonJS. */
const containerEntries = ['container', 'container-node'];
const noEvalEntries = ['node', 'index', 'unpack', 'schema'];

async function esm() {
  const shared = { ...common, format: 'esm', splitting: true, chunkNames: 'shared-[hash]' };
  await build({
    ...shared,
    entryPoints: [...entries, 'arrow', ...containerEntries].map(src),
    outdir: `${dist}/esm`,
    ...generating(true),
  });
  await build({
    ...shared,
    entryPoints: noEvalEntries.map(src),
    outdir: `${dist}/esm-no-eval`,
    ...generating(false),
  });
}

/**
 * Builds CommonJS: one bundle for all entry points, so that they share their classes, and a
 * small file for each entry point.
 */
async function cjs(folder, names, generates, internals = []) {
  const contents = names.map(
    (name) => `export * as ${name.replace('-', '_')} from './${name}.ts';`,
  );
  for (const path of internals)
    contents.push(`export * as ${internalName(path)} from './${path}';`);
  await build({
    ...common,
    format: 'cjs',
    stdin: { contents: contents.join('\n'), resolveDir: `${root}src`, loader: 'ts' },
    outfile: `${dist}/${folder}/all.cjs`,
    ...generating(generates),
  });
  for (const name of names)
    writeFileSync(
      `${dist}/${folder}/${name}.cjs`,
      `'use strict';\nmodule.exports = require('./all.cjs').${name.replace('-', '_')};\n`,
    );
}

const internalName = (path) => `internal_${path.replace(/\W/g, '_')}`;

/** Returns what `packord/container` imports from the other folders, types left out. */
function containerImports() {
  const files = readdirSync(`${root}src/container`).map((name) => `${root}src/container/${name}`);
  const paths = files.flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*? from '\.\.\/([^']+)';/gms),
    ].map(([, path]) => path),
  );
  return [...new Set(paths)];
}

/**
 * Builds the CommonJS of `packord/container`: a file that others do not load, which takes all it shares
 * with them from their bundle.
 */
async function cjsContainer(internals) {
  const shared = {
    name: 'shared',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/all\.cjs$/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const found = internals.find((internal) =>
          `${resolveDir}/${path}`.endsWith(`/${internal}`),
        );
        return found === undefined ? undefined : { path: found, namespace: 'shared' };
      });
      onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
        contents: `module.exports = require('./all.cjs').${internalName(path)};`,
        resolveDir: `${root}src`,
      }));
    },
  };
  for (const name of containerEntries)
    await build({
      ...common,
      format: 'cjs',
      entryPoints: [src(name)],
      outfile: `${dist}/cjs/${name}.cjs`,
      plugins: [shared],
      ...generating(true),
    });
}

/** Builds the CommonJS of `packord/arrow`, which takes the classes of `packord` from there. */
async function cjsArrow() {
  const fromPackord = {
    name: 'from packord',
    setup({ onResolve }) {
      onResolve({ filter: /\/(api|ext)\// }, () => ({ path: './index.cjs', external: true }));
    },
  };
  await build({
    ...common,
    format: 'cjs',
    entryPoints: [src('arrow')],
    outfile: `${dist}/cjs/arrow.cjs`,
    plugins: [fromPackord],
    ...generating(true),
  });
}

async function browser() {
  const shared = { ...common, ...generating(true), minify: true, platform: 'browser' };
  await build({
    ...shared,
    entryPoints: [src('index')],
    format: 'iife',
    globalName: 'packord',
    outfile: `${dist}/browser/packord.min.js`,
  });
  await build({
    ...shared,
    entryPoints: [src('index')],
    format: 'esm',
    outfile: `${dist}/browser/packord.min.mjs`,
  });
}

function types() {
  execFileSync(
    process.execPath,
    [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`],
    {
      stdio: 'inherit',
    },
  );
  // Programs without the types of Node have no node:stream, and don't use what needs it.
  const streams = `${dist}/types/api/node-streams.d.ts`;
  writeFileSync(streams, `// @ts-ignore\n${readFileSync(streams, 'utf8')}`);
  // A copy of the declarations with a package.json that declares them as CommonJS.
  cpSync(`${dist}/types`, `${dist}/types-cjs`, { recursive: true });
  writeFileSync(`${dist}/types-cjs/package.json`, '{ "type": "commonjs" }\n');
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(`${dist}/cjs`, { recursive: true });
mkdirSync(`${dist}/cjs-no-eval`, { recursive: true });
const internals = containerImports();
await Promise.all([
  esm(),
  cjs('cjs', entries, true, internals),
  cjsContainer(internals),
  cjsArrow(),
  cjs('cjs-no-eval', noEvalEntries, false),
  browser(),
]);
types();
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE'])
  copyFileSync(`${root}../${licence}`, root + licence);
