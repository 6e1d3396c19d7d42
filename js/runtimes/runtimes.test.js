/** packord in Bun, Deno and workerd: each has to do what it does in Node. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const binary = (...parts) => join(here, 'node_modules', ...parts);
const folder = mkdtempSync(join(tmpdir(), 'packord-runtimes-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(join(here, '..'), join(folder, 'node_modules/packord'), 'junction');
copyFileSync(join(here, 'lines.js'), join(folder, 'lines.js'));
const dependencies = { packord: '*' };
writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
writeFileSync(
  join(folder, 'main.js'),
  `import * as packord from 'packord';
  import * as msgpack from 'packord/msgpack';
  import { View } from 'packord/view';
  import { lines } from './lines.js';
  console.log(JSON.stringify(await lines({ packord, View, msgpack })));`,
);
writeFileSync(
  join(folder, 'worker.js'),
  `import * as packord from 'packord';
  import * as msgpack from 'packord/msgpack';
  import { View } from 'packord/view';
  import { lines } from './lines.js';
  export default {
    async fetch(request) {
      if (request.method === 'POST')
        return packord.packResponse({ got: await packord.unpackBody(request) });
      return new Response(JSON.stringify(await lines({ packord, View, msgpack })));
    },
  };`,
);

/** Runs a program in the folder; returns what it prints. */
async function output(program, ...args) {
  const env = { ...process.env, DENO_DIR: join(folder, 'deno'), DENO_NO_UPDATE_CHECK: '1' };
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [printed, errors] = [[], []];
  child.stdout.on('data', (chunk) => printed.push(chunk));
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const [status] = await once(child, 'close');
  assert.equal(status, 0, Buffer.concat(errors).toString());
  return JSON.parse(Buffer.concat(printed).toString());
}

const expected = await output(process.execPath, 'main.js');

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function answer(url, init) {
  for (let tries = 0; ; tries++)
    try {
      return await fetch(url, init);
    } catch (error) {
      if (tries === 100) throw error;
      await delay(50);
    }
}

describe('packord', () => {
  it('does the same in Bun', async () => {
    assert.deepEqual(await output(binary('@oven/bun-linux-x64/bin/bun'), 'main.js'), expected);
  });

  it('does the same in Deno', async () => {
    const deno = binary('@deno/linux-x64-glibc/deno');
    const args = ['run', '--no-prompt', '--node-modules-dir=manual', 'main.js'];
    assert.deepEqual(await output(deno, ...args), expected);
  });

  it('does the same in workerd, which never generates code, and answers requests', async () => {
    await build({
      entryPoints: [join(folder, 'worker.js')],
      outfile: join(folder, 'bundle.js'),
      bundle: true,
      format: 'esm',
      conditions: ['workerd', 'worker', 'browser'],
      logLevel: 'warning',
    });
    const port = await freePort();
    writeFileSync(
      join(folder, 'config.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
      const config :Workerd.Config = (
        services = [(name = "main", worker = .worker)],
        sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
      );
      const worker :Workerd.Worker = (
        modules = [(name = "bundle.js", esModule = embed "bundle.js")],
        compatibilityDate = "2026-01-01",
      );`,
    );
    const workerd = binary('@cloudflare/workerd-linux-64/bin/workerd');
    const child = spawn(workerd, ['serve', 'config.capnp'], { cwd: folder, stdio: 'inherit' });
    try {
      const { packRequest, unpackBody } = await import('../dist/esm/node.js');
      const url = `http://127.0.0.1:${port}/`;
      assert.deepEqual(await (await answer(url)).json(), expected);
      const response = await answer(packRequest(url, { id: 1, text: 'é' }));
      assert.deepEqual(await unpackBody(response), { got: { id: 1, text: 'é' } });
    } finally {
      child.kill();
    }
  });
});
