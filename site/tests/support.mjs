// The built site, served on loopback, in a real Chromium.

import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findChromium } from '../../js/test/chromium.js';

export const HTML = fileURLToPath(new URL('../../out/site/html/', import.meta.url));

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/** The address in the settings, where the site is published. */
export const PUBLISHED = /^site_url: (\S+)$/m.exec(readFileSync(new URL('../mkdocs.yml', import.meta.url), 'utf8'))[1];
const PREFIX = new URL(PUBLISHED).pathname;

/** Serves the site, below the path of the settings too. Returns its address and a function that ends it. */
export async function serve() {
  const server = createServer((request, response) => {
    const asked = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname));
    const path = asked.startsWith(PREFIX) ? asked.slice(PREFIX.length - 1) : asked;
    let file = join(HTML, path.endsWith('/') ? `${path}index.html` : path);
    const exists = file.startsWith(HTML) && existsSync(file) && statSync(file).isFile();
    if (!exists) file = join(HTML, '404.html');
    response.writeHead(exists ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Imports a module of the playground. */
export async function moduleOf(name) {
  const entry = fileURLToPath(new URL(`../playground/${name}.ts`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

export function launch() {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('missing: Chromium (Debian: chromium)');
  return chromium.launch({
    executablePath,
    timeout: 120_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}
