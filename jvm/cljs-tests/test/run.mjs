/**
 * Runs the compiled tests of packord for ClojureScript in Node and in Chromium (CHROMIUM names the
 * program, else it is looked for in PATH). The files for and from the JVM are in target/tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findChromium } from '../../../js/test/chromium.js';
import { casesOf, expand, inexpressible, keysOfMapDiffer } from '../../../js/test/vectors.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = (name) => join(root, 'target', 'tests', name);
const bundle = file('bundle.js');
const hex = (pieces) => expand(pieces).toString('hex');

/** The number of bytes of a BYTES member, without making them. */
function sizeOf(pieces) {
  if (typeof pieces === 'string') return pieces.length / 2;
  const sizes = pieces.map((piece) => {
    if (typeof piece === 'string') return piece.length / 2;
    if ('repeat' in piece) return sizeOf(piece.repeat) * piece.times;
    const around = (piece.prefix.length + piece.suffix.length) / 2;
    if ('counter' in piece) return piece.counter * (around + piece.digits);
    const letter = Math.max(...piece.product.map((digits) => digits.length / 2));
    return piece.product.length ** piece.power * (around + piece.power * letter);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The longest hostile case that is read, in bytes. */
const MAX_HOSTILE = 1e6;

async function bundleTests() {
  const { build } = createRequire(new URL('../../../js/package.json', import.meta.url))('esbuild');
  await build({
    entryPoints: [file('main.js')],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    outfile: bundle,
    logLevel: 'warning',
    alias: { 'packord/host': join(root, '../../js/dist/esm/host.js') },
  });
}

/** A case with its bytes in hexadecimal, and what JavaScript's numbers cannot express in it. */
function prepared(className) {
  return casesOf(className).map((entry) => {
    const values = 'value' in entry ? [entry.value] : (entry.values ?? []);
    const { canonical } = entry;
    const isBytes = typeof canonical === 'string' || Array.isArray(canonical);
    const { options = {} } = entry;
    const bytesAsKeys = /\[\[\{"bin"/.test(JSON.stringify(values));
    return {
      ...entry,
      class: className,
      bytes: entry.bytes === undefined ? undefined : hex(entry.bytes),
      canonical: isBytes ? hex(canonical) : canonical,
      steps: entry.steps?.map((step) => ({ ...step, bytes: step.bytes && hex(step.bytes) })),
      loose: !values.every(keysOfMapDiffer) || bytesAsKeys,
      inexpressible: values.map((value) => inexpressible(value, options.float32)).find(Boolean),
      'inexpressible-canonical': values.map((value) => inexpressible(value, true)).find(Boolean),
    };
  });
}

const DEFAULTS = JSON.stringify(
  casesOf('defaults').map((entry) => ({
    ...entry,
    bytes: entry.bytes === undefined ? undefined : hex(entry.bytes),
    again: typeof entry.again === 'string' ? hex(entry.again) : entry.again,
  })),
);

// Every prefix of every case makes an error; their stacks are of no use.
Error.stackTraceLimit = 0;

const problems = [];
const seconds = () => `${process.uptime().toFixed(1)} s`;

function report(where, faults) {
  for (const fault of faults.slice(0, 20)) problems.push(`${where}: ${fault}`);
}

function reportApi(where, { test, pass, fail, error }) {
  console.log(`${seconds()} ${where}: ${test} tests, ${pass} assertions`);
  if (!(test > 10) || fail + error > 0) problems.push(`${where}: ${fail} failures, ${error} errors`);
}

/** Runs all tasks by `call`, which returns their results. */
async function tasks(where, call, cases, samples) {
  reportApi(where, await call('api'));
  const { faults, counts } = await call('vectors', cases);
  console.log(`${seconds()} ${where}: ${JSON.stringify(counts)}`);
  report(where, faults);
  if (!(counts.cases > 2500)) problems.push(`${where}: only ${counts.cases} vectors`);
  if (!(counts.again > 500)) problems.push(`${where}: only ${counts.again} messages written again`);
  const defaults = await call('defaults', DEFAULTS);
  console.log(`${seconds()} ${where}: ${JSON.stringify(defaults.counts)} without options`);
  report(where, defaults.faults);
  report(where, await call('faults', samples));
}

async function inNode(cases, samples) {
  await import(bundle);
  const call = async (task, json) => globalThis.packordTests(task, json);
  await tasks('Node', call, cases, samples);
  writeFileSync(file('node.json'), JSON.stringify(await call('samples', '1000000')));
  writeFileSync(file('repacked.json'), JSON.stringify(await call('repacked', cases)));
}

function hostile() {
  let read = 0;
  for (const entry of casesOf('hostile')) {
    if (sizeOf(entry.bytes) > MAX_HOSTILE) continue;
    const bytes = expand(entry.bytes);
    const before = process.cpuUsage();
    const fault = globalThis.packordHostile(JSON.stringify({ ...entry, bytes: '' }), bytes);
    const { user, system } = process.cpuUsage(before);
    read++;
    if (fault) problems.push(`hostile: ${fault}`);
    if (user + system > 4e6 + bytes.length * 12)
      problems.push(`hostile: ${entry.name} takes ${(user + system) / 1e6} s`);
  }
  console.log(`${seconds()} Node: ${read} hostile vectors`);
}

const PAGE = '<!doctype html><meta charset="utf-8"><script src="/bundle.js"></script><script src="/page.js"></script>';

/** Runs in the page: asks for tasks, and sends their results. */
async function page() {
  const post = (body) => fetch('/next', { method: 'POST', body });
  Error.stackTraceLimit = 0;
  let result = 'null';
  for (;;) {
    const { task, json } = await (await post(result)).json();
    if (task === undefined) return;
    try {
      result = JSON.stringify({ value: await globalThis.packordTests(task, json) });
    } catch (error) {
      result = JSON.stringify({ error: String(error?.stack ?? error) });
    }
  }
}

async function bodyOf(request) {
  let body = '';
  for await (const chunk of request) body += chunk;
  return JSON.parse(body);
}

/** Serves the page; `next` is called with each result and returns the next task. */
function serve(next) {
  const policy = "default-src 'none'; connect-src 'self'; script-src 'self'";
  return createServer(async (request, response) => {
    const send = (type, body) => {
      response.writeHead(200, { 'content-type': type, 'content-security-policy': policy });
      response.end(body);
    };
    if (request.url === '/') send('text/html', PAGE);
    else if (request.url === '/bundle.js') send('text/javascript', readFileSync(bundle));
    else if (request.url === '/page.js') send('text/javascript', `(${page})()`);
    else if (request.url === '/next') send('application/json', JSON.stringify(await next(await bodyOf(request))));
    else response.writeHead(404).end();
  });
}

async function inChromium(chromium, cases, samples) {
  let give;
  const queue = [];
  const waiting = [];
  // The page asks with its last result; it gets the next task when there is one.
  const next = (result) => {
    if (result !== null && give !== undefined) {
      const done = give;
      give = undefined;
      if ('error' in result) problems.push(`Chromium: ${result.error}`);
      done(result.value);
    }
    return new Promise((resolve) => {
      if (queue.length > 0) resolve(queue.shift());
      else waiting.push(resolve);
    });
  };
  const call = (task, json) =>
    new Promise((resolve) => {
      give = resolve;
      const wanted = { task, json };
      if (waiting.length > 0) waiting.shift()(wanted);
      else queue.push(wanted);
    });
  const server = serve(next);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = mkdtempSync(join(tmpdir(), 'packord-chromium-'));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const url = `http://127.0.0.1:${server.address().port}/`;
  const browser = spawn(chromium, [...options, '--no-first-run', `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    detached: true,
  });
  try {
    await Promise.race([
      tasks('Chromium', call, cases, samples),
      new Promise((_, reject) =>
        browser.on('error', reject).on('exit', (code) => reject(new Error(`chromium ended: ${code}`))),
      ),
    ]);
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

async function bench() {
  await import(bundle);
  const duration = process.env.QUICK ? 0.1 : 1;
  for (const { document, bytes, pack, unpack } of globalThis.packordBench(duration)) {
    const ratio = (times) => [times[0], times[1], times[2]].map((t) => t.toFixed(1)).join(' ');
    console.log(`${document}: bytes ${bytes.join(' ')}; pack µs ${ratio(pack)}; unpack µs ${ratio(unpack)}`);
  }
}

await bundleTests();
if (process.argv[2] === 'bench') await bench();
else {
  const cases = JSON.stringify(['valid', 'invalid', 'stream', 'records'].flatMap(prepared));
  const samples = readFileSync(file('jvm.json'), 'utf8');
  await inNode(cases, samples);
  hostile();
  const chromium = findChromium();
  if (chromium === undefined) console.log('Chromium: not in PATH; install it or set CHROMIUM');
  else await inChromium(chromium, cases, samples);
  for (const problem of problems.slice(0, 60)) console.log(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
