/** What npm publishes: the files, their licences, and links that work outside the repository. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

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
    for (const path of targets(manifest.exports))
      assert.ok(files.includes(path.replace('./', '')), path);
  });

  it('has neither tests nor tools', () => {
    const others = files.filter((path) => !/^(dist|src)\/|^[^/]+$/.test(path));
    assert.deepEqual(others, []);
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
