/** The package that npm would publish, in bundlers, test runners and React Native: each does what Node does. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import commonjs from '@rollup/plugin-commonjs';
import resolve from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import Metro from 'metro';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';
import { installPacked } from '../scripts/packed.js';

const here = fileURLToPath(new URL('.', import.meta.url));
/** A project below this folder, so that it finds the tools. */
const folder = mkdtempSync(join(here, 'project-'));
after(() => rmSync(folder, { recursive: true }));
installPacked(folder);
const at = (name) => join(folder, name);
const write = (name, text) => writeFileSync(at(name), text);

/** The entry points that are modules; `packord/arrow` needs apache-arrow. */
const { exports } = JSON.parse(readFileSync(at('node_modules/packord/package.json'), 'utf8'));
const entries = Object.keys(exports)
  .filter((path) => !/^\.\/(?:arrow$|browser\/|package\.json$)/.test(path))
  .map((path) => [path === '.' ? 'index' : path.slice(2), `packord${path.slice(1)}`]);
const required = entries.map(([name, path]) => `'${name}': require('${path}'),`).join('\n');
const imported = entries.map(([, path], i) => `import * as e${i} from '${path}';`).join('\n');
const listed = entries.map(([name], i) => `'${name}': e${i},`).join('\n');

/** A package of each kind that uses packord, as those that a program depends on. */
for (const [name, extension, code] of [
  ['requires', 'cjs', `module.exports = require('./use.cjs')({${required}});`],
  ['imports', 'mjs', `${imported}\nimport use from './use.cjs';\nexport default use({${listed}});`],
]) {
  mkdirSync(at(`node_modules/${name}`));
  write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: `index.${extension}` }));
  write(`node_modules/${name}/index.${extension}`, code);
  cpSync(join(here, 'use.cjs'), at(`node_modules/${name}/use.cjs`));
}
write('package.json', JSON.stringify({ private: true, type: 'module' }));
const KINDS = ['requires', 'imports'];
for (const kind of KINDS)
  write(`${kind}.js`, `import lines from '${kind}';\n(globalThis.print ?? console.log)(lines);\n`);

const run = promisify(execFile);
const node = async (...args) => (await run(process.execPath, args, { cwd: folder, maxBuffer: 1 << 24 })).stdout.trim();
const expected = await node('requires.js');

it('Node has the same by import and by require', async () => {
  assert.equal(await node('imports.js'), expected);
  assert.equal(expected.split('\n').length, 36);
});

/** What writes a bundle of a program into a file. */
const BUNDLERS = {
  esbuild: (entry, outfile) => esbuild.build({ entryPoints: [entry], outfile, bundle: true, platform: 'browser' }),
  async rollup(input, file) {
    const plugins = [resolve({ browser: true }), commonjs()];
    const bundle = await rollup({ input, plugins, onLog: () => {} });
    await bundle.write({ file, format: 'iife' });
  },
  webpack: (entry, file) =>
    new Promise((done, failed) => {
      const output = { path: folder, filename: file.slice(folder.length + 1) };
      const options = { mode: 'production', context: folder, entry, output, target: 'web' };
      const compiler = webpack({ ...options, performance: false });
      compiler.run((error, stats) => {
        const problem = error ?? (stats.hasErrors() && new Error(stats.toString()));
        if (problem) failed(problem);
        else done();
      });
    }),
  async vite(entry, file) {
    const output = { entryFileNames: file.slice(folder.length + 1) };
    await vite.build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: false, rollupOptions: { input: entry, output } },
    });
  },
};

for (const [name, bundle] of Object.entries(BUNDLERS))
  describe(`a bundle for browsers by ${name}`, () => {
    for (const kind of KINDS)
      it(`of a program that ${kind} each entry point`, async () => {
        const file = at(`${name}-${kind}.js`);
        await bundle(at(`${kind}.js`), file);
        assert.equal(await node(file), expected);
      });
  });

describe('React Native', () => {
  it('reads each entry point, by Metro, its preset and Hermes 0.12', async () => {
    write('babel.config.cjs', "module.exports = { presets: ['@react-native/babel-preset'] };");
    cpSync(join(here, 'globals.js'), at('globals.js'));
    write('native.js', "require('./globals.js');\nprint(require('requires'));\n");
    write('metro.config.cjs', 'module.exports = {};');
    const config = await Metro.loadConfig(
      { config: at('metro.config.cjs'), 'reset-cache': true },
      { projectRoot: folder, watchFolders: [here], reporter: { update() {} } },
    );
    await Metro.runBuild(config, {
      entry: 'native.js',
      out: at('native'),
      platform: 'android',
      dev: false,
      minify: false,
    });
    const cli = createRequire(import.meta.url).resolve('hermes-engine-cli/package.json');
    const hermes = join(cli, '../linux64-bin/hermes');
    const { stdout } = await run(hermes, [at('native.js')], { maxBuffer: 1 << 24 });
    assert.equal(stdout.trim(), expected);
  });
});

/** Compares with what is expected, in a test of a runner. */
const CHECK = `it('does what Node does', () => expect(lines).toBe(${JSON.stringify(expected)}));
it('packs values of its realm and of another', () => {
  const { pack, unpack } = packord;
  expect(Array.from(pack(new Map([['a', 1]])))).toEqual([0x81, 0xa1, 0x61, 1]);
  const vm = process.getBuiltinModule('node:vm');
  const foreign = vm.runInNewContext('[new Map([["a", 1]]), new Uint8Array([1, 2]).buffer]');
  const [map, buffer] = unpack(pack(foreign));
  expect(map).toEqual({ a: 1 });
  expect(Array.from(buffer)).toEqual([1, 2]);
});\n`;

describe('a test runner', () => {
  const tool = (name) => join(here, 'node_modules', name);
  const byRequire = "const [packord, lines] = ['packord', 'requires'].map((name) => require(name));\n";
  const byImport = "import * as packord from 'packord';\nimport lines from 'imports';\n";

  for (const environment of ['node', 'jsdom'])
    it(`jest, in the environment ${environment}`, async () => {
      write('jest.config.cjs', 'module.exports = { transform: {}, rootDir: __dirname };');
      write('jest-requires.test.cjs', byRequire + CHECK);
      write('jest-imports.test.mjs', byImport + CHECK);
      await node(
        '--experimental-vm-modules',
        tool('jest/bin/jest.js'),
        `--env=${environment}`,
        '--config=jest.config.cjs',
        '--testMatch=**/jest-*.test.*js',
        '--runInBand',
      );
    });

  for (const environment of ['node', 'jsdom'])
    it(`vitest, in the environment ${environment}`, async () => {
      const make = "process.getBuiltinModule('node:module').createRequire(import.meta.url)";
      write('vitest-requires.test.js', `const require = ${make};\n${byRequire}${CHECK}`);
      write('vitest-imports.test.js', byImport + CHECK);
      const args = ['run', '--globals', `--environment=${environment}`, 'vitest-'];
      await node(tool('vitest/vitest.mjs'), ...args);
    });
});
