/**
 * `describe`, `it` and `after` for tests that await very many promises. node:test follows each promise of its
 * thread by async_hooks, which takes more time than the tests: here they run in a worker, which has no such hooks, and
 * node:test reports what became of them.
 */
import assert from 'node:assert/strict';
import { on } from 'node:events';
import { test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const planned = [];
const last = [];
let within = [];

/** Defines tests that belong together. */
export function describe(name, ...more) {
  if (isMainThread) return;
  const outer = within;
  within = [...within, name];
  more.at(-1)();
  within = outer;
}

/** Defines a test: its function may be asynchronous, and is called with `diagnostic`. */
export function it(name, given, run = given) {
  if (!isMainThread) planned.push({ name: [...within, name].join(' > '), skip: given.skip, run });
}

/** Defines what is done after all tests of this thread. */
export function after(run) {
  last.push(run);
}

async function runAll() {
  assert.ok(planned.length > 0, 'no tests');
  for (const { name, skip, run } of planned) {
    const notes = [];
    const result = { name, skip, notes };
    try {
      if (!skip) await run({ diagnostic: (note) => void notes.push(note) });
    } catch (error) {
      result.error = { message: error?.message ?? String(error), stack: error?.stack };
    }
    parentPort.postMessage(result);
  }
  for (const run of last) await run();
  parentPort.postMessage({ end: true });
}

if (isMainThread)
  test('in a worker', async (context) => {
    for (const run of last) context.after(run);
    const worker = new Worker(new URL(import.meta.url), { workerData: process.argv[1] });
    worker.on('exit', (code) => worker.emit('message', { end: true, code }));
    for await (const [{ name, skip, notes, error, end, code }] of on(worker, 'message')) {
      assert.equal(code, undefined, 'the worker ended before its tests');
      if (end) break;
      await context.test(name, { skip }, (inner) => {
        for (const note of notes) inner.diagnostic(note);
        if (error !== undefined) throw Object.assign(new Error(error.message), error);
      });
    }
  });
// The file that imports this one defines its tests.
else import(workerData).then(runAll);
