/** The declarations in a program that has neither the types of Node nor `skipLibCheck`. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the types without those of Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packord-types-'));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/packord'), 'junction');
  copyFileSync(join(root, 'test/types/portable.ts'), join(folder, 'portable.ts'));

  for (const [module, type, lib, compiler = 'typescript'] of [
    ['nodenext', 'module', 'dom'],
    ['nodenext', 'commonjs', 'dom'],
    ['preserve', 'module', 'dom'],
    ['preserve', 'module', 'webworker'],
    // TypeScript 5.0, the oldest that the README names.
    ['nodenext', 'module', 'dom', 'typescript-oldest'],
    ['nodenext', 'commonjs', 'dom', 'typescript-oldest'],
    ['es2022', 'module', 'webworker', 'typescript-oldest'],
  ])
    it(`have no errors for ${type} with module ${module}, ${lib} and ${compiler}`, () => {
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: [],
        module,
      };
      compilerOptions.target = 'es2022';
      compilerOptions.lib = ['es2022', lib, `${lib}.iterable`];
      if (compiler === 'typescript') compilerOptions.lib.push(`${lib}.asynciterable`);
      if (module === 'es2022') compilerOptions.moduleResolution = 'bundler';
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['portable.ts'] }));
      const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
      const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder]);
      assert.equal(String(stdout), '');
      assert.equal(status, 0);
    });
});
