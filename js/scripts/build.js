/**
 * Builds `dist/`: ES modules, CommonJS, the variants without code generation, bundles
 * for script tags, and types.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist`;
const src = (name) => `${root}src/entry/${name}.ts`;

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
  'columns',
  'view',
  'schema',
  'stream',
  'arrow',
  'container',
  'container-node',
  'msgpackr',
  'msgpackr-node',
  'msgpack',
  'host',
];
const noEvalEntries = ['node', 'index', 'unpack', 'columns', 'view', 'schema'];

/**
 * Makes all entry points reach what `packord` reaches, which so is one file for all of them: Node takes longer
 * for another file than for the text of a large one. Nothing is used of it, and bundlers leave it out.
 */
const sharing = {
  name: 'sharing',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]entry[\\/][^\\/]+\.ts$/ }, ({ path }) => ({
      contents: `${readFileSync(path, 'utf8')}\nimport { pack as _ } from './index.ts';\n`,
      loader: 'ts',
    }));
  },
};

/** Builds ES modules: one for each entry point, and those that they share. */
async function esm(folder, names, generates) {
  await build({
    ...common,
    plugins: [sharing],
    format: 'esm',
    splitting: true,
    chunkNames: 'shared-[hash]',
    entryPoints: names.map(src),
    outdir: `${dist}/${folder}`,
    ...generating(generates),
  });
  for (const name of readdirSync(`${dist}/${folder}`)) {
    const text = readFileSync(`${dist}/${folder}/${name}`, 'utf8');
    writeFileSync(`${dist}/${folder}/${name}`, shortened(text));
  }
}

/**
 * Returns a module without what only takes time to read: comments, which `src` has, indentation, and imports
 * without a name, as no module has an effect by itself. Names stay, and what tells bundlers that a call is pure.
 */
function shortened(text) {
  const comment = /^ *(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm;
  return text
    .replaceAll(/^import "\.\/[^"]+";\n/gm, '')
    .replaceAll(comment, '')
    .replaceAll(/^ +/gm, '');
}

/** Converts the ES modules of a folder to CommonJS, one by one, so that they share the same parts. */
async function cjs(from, folder) {
  mkdirSync(`${dist}/${folder}`);
  for (const name of readdirSync(`${dist}/${from}`)) {
    const text = readFileSync(`${dist}/${from}/${name}`, 'utf8');
    const named = text.replaceAll(/((?:from|import) "\.\/[^"]+)\.js"/g, '$1.cjs"');
    const options = { format: 'cjs', platform: 'node', target: common.target, charset: 'utf8' };
    const { code } = await transform(named, options);
    writeFileSync(`${dist}/${folder}/${name.replace(/js$/, 'cjs')}`, shortened(code));
  }
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
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`], {
    stdio: 'inherit',
  });
  // Programs without the types of Node have no node:stream, and don't use what needs it.
  const streams = `${dist}/types/api/node-streams.d.ts`;
  writeFileSync(streams, `// @ts-ignore\n${readFileSync(streams, 'utf8')}`);
  // A copy of the declarations with a package.json that declares them as CommonJS.
  cpSync(`${dist}/types`, `${dist}/types-cjs`, { recursive: true });
  writeFileSync(`${dist}/types-cjs/package.json`, '{ "type": "commonjs" }\n');
}

rmSync(dist, { recursive: true, force: true });
await Promise.all([esm('esm', entries, true), esm('esm-no-eval', noEvalEntries, false), browser()]);
await Promise.all([cjs('esm', 'cjs'), cjs('esm-no-eval', 'cjs-no-eval')]);
types();
for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) copyFileSync(`${root}../${licence}`, root + licence);
