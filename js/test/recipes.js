/** The recipes of docs/works-with.md as modules, in a folder that has all packages. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(join(root, '../docs/works-with.md'), 'utf8');

/** Makes a folder with links to all packages; `packord/msgpackr` takes the place of `aliases`. */
export function makeFolder(aliases = []) {
  const folder = mkdtempSync(join(tmpdir(), 'packord-recipes-'));
  const modules = join(folder, 'node_modules');
  const installed = join(root, 'node_modules');
  mkdirSync(modules);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (const name of readdirSync(installed))
    if (!aliases.includes(name)) symlinkSync(join(installed, name), join(modules, name), 'junction');
  symlinkSync(root, join(modules, 'packord'), 'junction');
  for (const name of aliases) {
    mkdirSync(join(modules, name));
    for (const file of ['index.js', 'pack.js', 'unpack.js'])
      writeFileSync(join(modules, name, file), "module.exports = require('packord/msgpackr');\n");
  }
  return folder;
}

let folder;

/** Imports the recipe below a heading. */
export async function recipe(heading) {
  if (folder === undefined) {
    folder = makeFolder();
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
  const code = new RegExp(`^## ${heading}\\n.*?^\`\`\`js\\n(.*?)^\`\`\`$`, 'ms').exec(page);
  if (code === null) throw new Error(`docs/works-with.md has no recipe for ${heading}`);
  const file = join(folder, `${heading.replaceAll(/\W/g, '-')}.js`);
  writeFileSync(file, code[1]);
  return import(pathToFileURL(file).href);
}
