/** Puts the files of the package that npm would publish into a folder's `node_modules`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export function installPacked(folder) {
  const modules = join(folder, 'node_modules/packord');
  mkdirSync(modules, { recursive: true });
  const args = ['pack', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`];
  const tarball = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', modules]);
}
