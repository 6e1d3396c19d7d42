/** What npm publishes: the files, their licences, and links that work outside the repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const REPOSITORY = 'https://github.com/packord/packord';

function packedFiles() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const output = JSON.parse(execFileSync(npm, args, { cwd: root, encoding: 'utf8' }));
  const [packed] = Array.isArray(output) ? output : Object.values(output);
  return packed.files.map(({ path }) => path);
}

/** The files that a condition of `exports` names. */
function targets(exported) {
  return typeof exported === 'string' ? [exported] : Object.values(exported).flatMap(targets);
}

describe('the package', () => {
  const files = packedFiles();

  it('has the licences, the README and every entry point', () => {
    for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'README.md', 'package.json'])
      assert.ok(files.includes(name), name);
    for (const path of targets(manifest.exports)) assert.ok(files.includes(path.replace('./', '')), path);
  });

  it('has neither tests nor tools', () => {
    const others = files.filter((path) => !/^dist\/|^[^/]+$/.test(path));
    assert.deepEqual(others, []);
  });

  it('names the files of content delivery networks', () => {
    for (const field of [manifest.unpkg, manifest.jsdelivr]) assert.ok(files.includes(field.replace('./', '')), field);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const [, path] = /cdn\.jsdelivr\.net\/npm\/packord\/([^']+)/.exec(readme);
    assert.ok(files.includes(path), path);
  });

  it('names the repository, with its folder', () => {
    assert.equal(manifest.repository.url, `git+${REPOSITORY}.git`);
    assert.equal(manifest.repository.directory, 'js');
    assert.ok(manifest.homepage.startsWith(REPOSITORY));
    assert.ok(manifest.bugs.url.startsWith(REPOSITORY));
  });

  it('has a README whose links work on npm', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll(/```.*?```/gs, '');
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
    assert.ok(links.length >= 4);
    for (const link of links) {
      const [, path] = new RegExp(`^${REPOSITORY}/blob/main/([^#]+)`).exec(link) ?? [];
      assert.ok(/^#|^https:/.test(link), link);
      if (path !== undefined) assert.ok(existsSync(join(root, '..', path)), link);
    }
  });
});

/** Entry points without Node's streams and files, and of no other package. */
const ENTRIES = Object.keys(manifest.exports).filter((name) => !/arrow|browser|json/.test(name));

/** Returns a bundle for browsers of a program. */
async function bundled(contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'bundle',
    logLevel: 'error',
    write: false,
  });
  return outputFiles[0].text;
}

describe('a bundle for browsers', () => {
  for (const [kind, load] of [
    ['import', (name) => `export * from '${name}'`],
    ['require', (name) => `module.exports = require('${name}')`],
  ])
    it(`has each entry point by ${kind}, and nothing of Node`, async () => {
      for (const entry of ENTRIES) {
        const text = await bundled(load(entry.replace('.', manifest.name)));
        assert.ok(!/node:|static\s*\{/.test(text), entry);
      }
    });

  const lacking = 'for (const name of ["BigInt64Array", "BigUint64Array"]) delete globalThis[name];';

  it('is loaded where globals are missing, as in jsdom, from each entry point', async () => {
    for (const entry of ENTRIES) {
      const code = await bundled(`module.exports = require('${entry.replace('.', manifest.name)}')`);
      const realm = createContext({ Buffer });
      runInContext(`${lacking}${code}`, realm);
      assert.ok(runInContext('Object.keys(bundle).length', realm) > 0, entry);
    }
  });

  it('works where globals are missing', async () => {
    const code = await bundled("module.exports = require('packord')");
    const use = 'JSON.stringify(bundle.unpack(bundle.pack({ id: 1, text: ["é", "x".repeat(20)] })))';
    const realm = createContext({ Buffer });
    runInContext(`${lacking}${code}`, realm);
    const text = runInContext(use, realm);
    assert.deepEqual(JSON.parse(text), { id: 1, text: ['é', 'x'.repeat(20)] });
  });

  it('packs values of classes whose prototypes are of another realm, as in jest', async () => {
    const code = await bundled("module.exports = require('packord')");
    const realm = createContext({ Buffer, ArrayBuffer, Uint8Array, Map, Set, Date });
    runInContext(code, realm);
    const bytes = runInContext(
      'bundle.pack([new ArrayBuffer(2), new Map([["a", new Set([1])]]), new Date(1000)])',
      realm,
    );
    assert.equal(Buffer.from(bytes).toString('hex'), '93c402000081a1619101d6ff00000001');
  });
});

describe('CommonJS', () => {
  it('is a copy of its own, whose errors have the same names', async () => {
    const { unpack } = await import('packord');
    const other = createRequire(import.meta.url)('packord');
    try {
      unpack(Uint8Array.of(0xc1));
      assert.fail('no error');
    } catch (error) {
      assert.ok(!(error instanceof other.MsgpackDecodeError));
      assert.equal(error.name, 'MsgpackDecodeError');
    }
  });

  it('has extensions of its own', async () => {
    const { addExtension, pack } = await import('packord/msgpackr');
    const other = createRequire(import.meta.url)('packord/msgpackr');
    class Own {}
    addExtension({ Class: Own, type: 40, pack: () => Uint8Array.of(7) });
    assert.deepEqual([...pack(new Own())], [0xd4, 40, 7]);
    assert.equal(other.pack(new Own())[0], 0xde);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    assert.match(readme, /`addExtension` of\s+`packord\/msgpackr` registers in one copy is unknown in the other/);
  });

  it('loads what an entry point needs, and shares it', () => {
    const loaded = (code) =>
      Number(execFileSync(process.execPath, ['-e', `${code};${SIZE}`], { cwd: root }).toString());
    const SIZE = 'console.log(Object.keys(require.cache).reduce((n, f) => n + fs.statSync(f).size, 0))';
    const packord = loaded("require('packord')");
    const both = loaded("require('packord'); require('packord/container')");
    const others = loaded("require('packord'); require('packord/msgpackr'); require('packord/pack')");
    assert.ok(packord < both * 0.6 && others < packord * 1.4, `${packord}, ${both}, ${others}`);
    const same = "require('packord/unpack').ExtData === require('packord').ExtData";
    assert.ok(loaded(`if (!(${same})) throw new Error()`) > 0);
  });
});
