/**
 * Runs the examples of the README and of the guides. A line that ends with a value as its
 * comment has to return that value.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pack } from 'packord';

const root = fileURLToPath(new URL('..', import.meta.url));
const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'packord-docs-'));
after(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});
process.chdir(folder);
mkdirSync('node_modules');
writeFileSync('package.json', '{ "type": "module" }');
symlinkSync(root, 'node_modules/packord', 'junction');
for (const name of ['@msgpack', 'apache-arrow', 'msgpackr', 'zod'])
  symlinkSync(join(root, 'node_modules', name), `node_modules/${name}`, 'junction');

/** What the examples assume. */
globalThis.assert = assert;
globalThis.fetch = async (url, { headers } = {}) => {
  if (!String(url).endsWith('.pkd')) return new Response(pack([1, 2]));
  // A server that sends ranges.
  const bytes = readFileSync(String(url).split('/').at(-1));
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(new Headers(headers).get('range'));
  const part = bytes.subarray(Number(from), Number(to) + 1);
  const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
  return new Response(part, { status: 206, headers: { 'content-range': range } });
};

function isExpression(text) {
  try {
    new Function(`return (${text})`);
    return true;
  } catch {
    return false;
  }
}

/** Replaces each line that ends with a value by an assertion. */
function withChecks(code) {
  let checks = 0;
  const lines = code.split('\n').map((line) => {
    const [, expression, expected] = /^\s*(?!import |const )(.+); \/\/ (.+)$/.exec(line) ?? [];
    if (expected === undefined || !isExpression(expected)) return line;
    checks++;
    return `assert.deepEqual(${expression}, ${expected});`;
  });
  return { code: lines.join('\n'), checks };
}

for (const [page, least] of [
  ['README.md', 10],
  ['../docs/from-msgpackr.md', 2],
  ['../docs/from-msgpack-msgpack.md', 3],
])
  describe(`examples of ${page}`, () => {
    const text = readFileSync(join(root, page), 'utf8');
    const blocks = [...text.matchAll(/^( *)```js\n(.*?)^ *```$/gms)].map(([, indent, code]) =>
      withChecks(code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
    );

    for (const [i, { code }] of blocks.entries())
      it(`example ${i + 1} runs and returns the values in its comments`, async () => {
        const file = join(folder, `${page.replaceAll(/\W/g, '-')}-${i}.js`);
        writeFileSync(file, code);
        await import(pathToFileURL(file).href);
      });

    it('have comments with values', () => {
      const checks = blocks.reduce((sum, block) => sum + block.checks, 0);
      assert.ok(checks >= least, `${checks} values`);
    });
  });
