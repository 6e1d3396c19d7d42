/**
 * The browser bundle in a real Chromium, under a Content-Security-Policy that forbids
 * generated code: CHROMIUM names the program, else it is looked for in PATH.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Packr, pack, Unpackr } from 'packord';
import { findChromium } from './chromium.js';
import { fileOf, rowsOf } from './container-files.js';
import { casesOf, expand } from './vectors.js';

const BUNDLE = readFileSync(new URL('../dist/browser/packord.min.js', import.meta.url));
/** Without generated code, so that the policies are those of one bundle. */
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('../src/entry/container.ts', import.meta.url))],
  define: { GENERATES_CODE: 'false' },
  bundle: true,
  format: 'iife',
  globalName: 'packordContainer',
  write: false,
});
const CONTAINER = outputFiles[0].contents;
const PAGE = `<!doctype html><meta charset="utf-8">
<script src="/packord.js"></script><script src="/container.js"></script><script src="/page.js"></script>`;
const FILE = await fileOf(rowsOf(5000), { codec: 'none', blockRows: 100, columns: false });
/** A file with blocks of every codec: the default one of other languages is zstd, which browsers may lack. */
const CODECS = casesOf('container').find(({ name }) => name === 'codecs named by blocks');
const RECORDS = [
  { id: 1, name: 'é' },
  { id: 2, name: 'x'.repeat(600) },
];

/** Runs in the page. */
async function page() {
  const violations = [];
  document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
  const { pack, unpack, Packr, Unpackr, decodeAsync, decodeMultiStream, UnpackrTransformStream } = globalThis.packord;
  let evaluated = 0;
  // biome-ignore lint/security/noGlobalEval: counts the calls
  const evaluate = globalThis.eval;
  globalThis.eval = (code) => {
    evaluated++;
    return evaluate(code);
  };
  const checks = {};
  const check = (name, value) => {
    checks[name] = JSON.stringify(value);
  };
  try {
    const value = {
      text: 'é日本語',
      ascii: 'a'.repeat(500),
      list: [1, -1, 1.5, 2 ** 40],
      bytes: Array.from({ length: 3 }),
    };
    check('plain', unpack(pack(value)));
    const packr = new Packr();
    for (let i = 0; i < 50; i++)
      check(
        'records',
        packr.unpack(
          packr.pack([
            { a: i, b: 'x' },
            { a: 1, b: 'y' },
          ]),
        ),
      );
    for (let i = 0; i < 50; i++)
      check(
        'maps',
        unpack(
          pack([
            { a: i, b: 'x' },
            { a: 1, b: 'y' },
          ]),
        ),
      );
    check('fetched', await decodeAsync((await fetch('/one')).body, { records: true }));
    const streamed = [];
    for await (const part of decodeMultiStream((await fetch('/many')).body)) streamed.push(part);
    check('streamed', streamed);
    const piped = [];
    const reader = (await fetch('/many')).body.pipeThrough(new UnpackrTransformStream({})).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) piped.push(part.value);
    check('piped', piped);
    const { ContainerReader, ContainerWriter } = globalThis.packordContainer;
    const remote = await ContainerReader.open(new URL('/rows.pkd', location.href), {
      where: [['id', '==', 4321]],
    });
    for await (const { id, name } of remote) check('remote', [remote.count, id, name]);
    const writer = await ContainerWriter.open(null, { blockRows: 2 });
    for (let id = 0; id < 5; id++) await writer.write({ id });
    await writer.finish();
    const file = await ContainerReader.open(writer.blob());
    const read = [];
    for await (const rows of file.batches()) read.push(rows.map(({ id }) => id));
    check('container', read);
    const codecs = [];
    for await (const row of await ContainerReader.open(await (await fetch('/codecs.pkd')).blob())) codecs.push(row);
    check('codecs', codecs);
    try {
      await ContainerWriter.open(null, { codec: 'lz4' });
    } catch (error) {
      check('codec', error.message.includes('"lz4"'));
    }
    try {
      new Unpackr().unpack(Uint8Array.of(0xa1, 0xff));
    } catch (error) {
      check('error', [error.kind, error.offset]);
    }
  } catch (error) {
    checks.failure = String(error?.stack ?? error);
  }
  await fetch('/done', { method: 'POST', body: JSON.stringify({ checks, violations, evaluated }) });
}

function serve(policy) {
  let report;
  const ranges = [];
  const done = new Promise((resolve) => {
    report = resolve;
  });
  const server = createServer((request, response) => {
    const send = (type, body) => {
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
      response.end(body);
    };
    if (request.url === '/') send('text/html', PAGE);
    else if (request.url === '/packord.js') send('text/javascript', BUNDLE);
    else if (request.url === '/container.js') send('text/javascript', CONTAINER);
    else if (request.url === '/rows.pkd') {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range).map(Number);
      const bytes = FILE.subarray(from, to + 1);
      ranges.push(bytes.length);
      const range = `bytes ${from}-${from + bytes.length - 1}/${FILE.length}`;
      response.writeHead(206, { 'content-range': range }).end(bytes);
    } else if (request.url === '/codecs.pkd') send('application/octet-stream', expand(CODECS.bytes));
    else if (request.url === '/page.js') send('text/javascript', `(${page})()`);
    else if (request.url === '/one') send('application/msgpack', new Packr().pack(RECORDS));
    else if (request.url === '/many')
      send('application/msgpack', Buffer.concat(RECORDS.map((value) => Buffer.from(pack(value)))));
    else if (request.url === '/done') {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        send('text/plain', '');
        report(JSON.parse(body));
      });
    } else response.writeHead(404).end();
  });
  return { server, done, ranges };
}

/** Runs the page under a policy; checks what has to hold, and returns what else it reports. */
async function runPage(policy) {
  const { server, done, ranges } = serve(policy);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'packord-chromium-'));
  const browser = spawn(
    chromium,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--no-first-run',
      `--user-data-dir=${profile}`,
      `http://127.0.0.1:${server.address().port}/`,
    ],
    // A group of its own, so that its children end with it and leave the profile alone.
    { stdio: 'ignore', detached: true },
  );
  try {
    const { checks, ...report } = await Promise.race([
      done,
      new Promise((_, reject) =>
        browser.on('error', reject).on('exit', (code) => reject(new Error(`chromium ended: ${code}`))),
      ),
    ]);
    assert.equal(checks.failure, undefined);
    assert.equal(
      checks.plain,
      JSON.stringify({
        text: 'é日本語',
        ascii: 'a'.repeat(500),
        list: [1, -1, 1.5, 2 ** 40],
        bytes: [null, null, null],
      }),
    );
    const pair = JSON.stringify([
      { a: 49, b: 'x' },
      { a: 1, b: 'y' },
    ]);
    assert.deepEqual([checks.records, checks.maps], [pair, pair]);
    const records = JSON.stringify(RECORDS);
    assert.deepEqual([checks.fetched, checks.streamed, checks.piped], [records, records, records]);
    assert.equal(checks.error, '["invalid_utf8",1]');
    assert.equal(checks.remote, '[5000,4321,"n47"]');
    assert.ok(ranges.reduce((sum, size) => sum + size) < FILE.length, String(ranges));
    assert.deepEqual([checks.container, checks.codec], ['[[0,1],[2,3],[4]]', 'true']);
    const rows = new Unpackr({}).unpackMultiple(expand(CODECS.rows));
    assert.equal(checks.codecs, JSON.stringify(rows));
    return report;
  } finally {
    browser.removeAllListeners('exit');
    if (browser.exitCode === null && browser.signalCode === null && browser.pid !== undefined) {
      const ended = once(browser, 'exit');
      process.kill(-browser.pid, 'SIGKILL');
      await ended;
    }
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const chromium = findChromium();
const missing = 'no chromium in PATH; install it or set CHROMIUM';
const skip = chromium === undefined ? missing : false;
const BASE = "default-src 'none'; connect-src 'self'";

describe('the bundle in Chromium', { skip, timeout: 180_000 }, () => {
  it('works under a strict Content-Security-Policy', async () => {
    const { violations } = await runPage(`${BASE}; script-src 'self'`);
    // The first refusal is reported once a direction; the bundle without code generation has none.
    assert.ok(violations.length <= 2, String(violations));
  });

  it('generates code under Trusted Types without a violation', async () => {
    const allowed = `${BASE}; script-src 'self' 'unsafe-eval'; require-trusted-types-for 'script'`;
    for (const policy of [allowed, `${allowed}; trusted-types packord`]) {
      const { violations, evaluated } = await runPage(policy);
      assert.deepEqual(violations, [], policy);
      assert.ok(evaluated > 0, policy);
    }
  });

  it('works where Trusted Types have no policy for it', async () => {
    const policy = `${BASE}; script-src 'self' 'unsafe-eval'; require-trusted-types-for 'script'; trusted-types 'none'`;
    const { violations, evaluated } = await runPage(policy);
    assert.ok(violations.length <= 2, String(violations));
    assert.equal(evaluated, 0);
  });
});
