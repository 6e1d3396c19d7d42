/** Hostile messages in the playground: each one under 20 MB is shown or refused in words, and the page never stands still. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { casesOf, expand, sizeOf } from '../../js/test/vectors.js';
import { launch, serve } from './support.mjs';

const LARGEST = 20e6;
/** The most seconds of the processor that the page works on one message. It stands still no longer than that. */
const LONGEST_WORK = 4;
/** The longest time until a new input is answered while a large one is read, in times of an answer without one. */
const LONGEST_CANCEL = 10;

const CASES = casesOf('hostile').filter(({ bytes }) => sizeOf(bytes) < LARGEST);

describe('hostile messages', () => {
  let site;
  let browser;
  let page;
  let devtools;
  let folder;
  let count = 0;
  const crashes = [];

  /** Opens the bytes as a file, and returns its name once the page has taken it. */
  async function open(bytes) {
    const name = `${count++}.msgpack`;
    const path = join(folder, name);
    writeFileSync(path, bytes);
    await page.locator('#pg-file').setInputFiles(path);
    await page.waitForFunction((name) => document.getElementById('pg-text').placeholder.startsWith(`${name},`), name);
    rmSync(path);
  }

  /** Waits for the end of the work, and returns the error or the status that is shown. */
  async function answer() {
    const found = await page.waitForFunction(
      () => {
        const error = document.getElementById('pg-error');
        const status = document.getElementById('pg-status').textContent;
        if (!error.hidden) return { error: error.textContent };
        return status !== '' && !status.endsWith('…') && { status };
      },
      undefined,
      { polling: 20, timeout: 120_000 },
    );
    return found.jsonValue();
  }

  /** The seconds of the processor that the thread of the page has had. Other programs on the machine do not count. */
  async function work() {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value;
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'packord-site-'));
    browser = await launch();
    site = await serve();
    page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    page.setDefaultTimeout(60_000);
    page.on('crash', () => crashes.push('the page crashed'));
    page.on('pageerror', (error) => crashes.push(error.message));
    await page.goto(`${site.address}/playground.html`);
    devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  });
  after(async () => {
    await browser?.close();
    site?.close();
    if (folder) rmSync(folder, { recursive: true });
  });

  it('are many', () => assert.ok(CASES.length > 900, `${CASES.length}`));

  for (const file of new Set(CASES.map((entry) => entry.file)))
    it(`of ${file} are shown, or refused with a kind and a byte`, async () => {
      const wrong = [];
      for (const { name, bytes, options, error } of CASES.filter((entry) => entry.file === file)) {
        const before = await work();
        await open(expand(bytes));
        const found = await answer().catch((reason) => ({ error: `${reason}` }));
        const seconds = (await work()) - before;
        if (seconds > LONGEST_WORK) wrong.push(`${name}: the page worked for ${seconds} s`);
        if (found.error !== undefined && !/\b[a-z_0-9]+ at byte \d+/.test(found.error)) wrong.push(`${name}: ${found.error.slice(0, 200)}`);
        // The page reads with the defaults, and takes messages one after another: what trails is the next one.
        if (options !== undefined || error?.kind === 'trailing_bytes') continue;
        const expected = error && `${error.kind} at byte ${error.offset}`;
        if (expected === undefined ? found.error !== undefined : !found.error?.includes(expected))
          wrong.push(`${name}: ${expected ?? 'a value'} was expected: ${JSON.stringify(found).slice(0, 200)}`);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(crashes, []);
    });

  it('are left when a new input comes', async () => {
    const replaced = async () => {
      const start = performance.now();
      await page.locator('#pg-text').fill('[1,2,3]');
      await page.locator('#pg-status').filter({ hasText: 'as MessagePack 4 bytes' }).waitFor();
      return performance.now() - start;
    };
    await open(Uint8Array.of(1));
    await answer();
    const usual = await replaced();
    const largest = [...CASES].sort((one, other) => sizeOf(other.bytes) - sizeOf(one.bytes)).slice(0, 5);
    for (const { name, bytes } of largest) {
      await open(expand(bytes));
      const took = await replaced();
      assert.ok(took < LONGEST_CANCEL * usual + 1000, `${name}: ${Math.round(took)} ms, usually ${Math.round(usual)} ms`);
    }
    assert.deepEqual(crashes, []);
  });
});
