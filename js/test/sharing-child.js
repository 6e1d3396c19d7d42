/**
 * Packs objects of keys that other processes use as well, by the example of the README in
 * the working folder, and prints the messages.
 */
import { readFileSync } from 'node:fs';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const example = /^ {2}```js\n([\s\S]*?)^ {2}```$/m.exec(readme)[1];
const code = example
  .slice(0, example.indexOf('  packr.pack('))
  .replace(/import (\{[^}]*\}) from '([^']*)';/g, "const $1 = load('$2');");
const modules = { packord: await import('packord'), 'node:fs': await import('node:fs') };
const packr = new Function('load', `${code}; return packr`)((name) => modules[name]);

const first = Number(process.argv[2]);
const messages = [];
for (let i = 0; i < 24; i++) {
  const value = { [`key${(first + i * 5) % 24}`]: i, who: first };
  messages.push([packr.pack(value).toString('hex'), value]);
  await new Promise((done) => setTimeout(done, 2));
}
process.stdout.write(JSON.stringify(messages));
