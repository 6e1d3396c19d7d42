/** The playground in Chromium: what is pasted, dropped and downloaded, faults, large and hostile data, no network. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { after, before, describe, it } from 'node:test';
import { HTML, launch, serve } from './support.mjs';

/** What the first input may load, packed by gzip. */
const MOST_LOADED = 2.5e6;
const JS = new URL('../../js/', import.meta.url).pathname;

const TEAM = '{"users":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]}';
const TEAM_HEX = '81a5757365727392 82a2696401a46e616d65a3416461 82a2696402a46e616d65a54772616365';

describe('playground', () => {
  let site;
  let browser;
  let page;
  const requests = [];
  const status = (words) => page.locator('#pg-status').filter({ hasText: words }).waitFor();
  const paste = (words) => page.locator('#pg-text').fill(words);
  const drop = (name, make) =>
    page.evaluate(
      ([name, make]) => {
        const data = new DataTransfer();
        data.items.add(new File([new Function(`return ${make}`)()], name));
        document.querySelector('.pg-input').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [name, make],
    );
  const tab = (name) => page.locator(`#pg-tab-${name}`).click();

  before(async () => {
    browser = await launch();
    site = await serve();
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${site.address}/playground.html`, { waitUntil: 'networkidle' });
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  it('loads nothing of its engine before the first input, and little with it', async () => {
    const isEngine = (path) => /\.wasm|worker\.js|offline/.test(path);
    assert.deepEqual(requests.filter(isEngine), []);
    requests.length = 0;
    await paste('[1]');
    await status('as MessagePack 2 bytes');
    await page.locator('html[data-offline="ready"]').waitFor({ state: 'attached' });
    const loaded = [...new Set(requests)].filter(isEngine).map((path) => readFileSync(join(HTML, path)));
    assert.ok(loaded.length >= 2);
    const weight = loaded.reduce((sum, bytes) => sum + (bytes[0] === 0x1f ? bytes : gzipSync(bytes)).length, 0);
    assert.ok(weight <= MOST_LOADED, `${weight} bytes`);
  });

  it('packs pasted JSON, and shows bytes and tree side by side', async () => {
    await paste(TEAM);
    await status('as MessagePack 38 bytes');
    const frame = page.frameLocator('#pg-bytes iframe');
    await frame.getByText('Grace').first().waitFor();
    assert.match(await frame.locator('#hex').innerText(), /81\s?a5\s?75/);
  });

  it('measures the formats, and says in words which to take', async () => {
    await tab('sizes');
    const frame = page.frameLocator('#pg-sizes iframe');
    await frame.getByText('In short').first().waitFor({ timeout: 60_000 });
    const words = await frame.locator('body').innerText();
    for (const name of ['JSON', 'MessagePack', 'records', 'columns', 'gzip', 'zstd']) assert.ok(words.includes(name), `no ${name} in ${words}`);
  });

  it('shows the schema, code for every language, and files to download', async () => {
    await tab('schema');
    await page.locator('#pg-schema').getByText('interface').first().waitFor();
    await tab('code');
    assert.match(await page.locator('#pg-code').innerText(), /packord\.unpackb/);
    await tab('download');
    const link = page.locator('#pg-download a', { hasText: 'data.msgpack' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(readFileSync(await download.path()).toString('hex'), TEAM_HEX.replaceAll(' ', ''));
  });

  it('reads hexadecimal digits, and says at which byte they are damaged', async () => {
    await tab('bytes');
    await paste(TEAM_HEX);
    await status('MessagePack in hexadecimal digits, 38 bytes');
    await paste(TEAM_HEX.slice(0, 60));
    const error = page.locator('#pg-error');
    await error.filter({ hasText: /eof at byte 29/ }).waitFor();
    await page.frameLocator('#pg-bytes iframe').getByText('Ada').first().waitFor();
    // A str of 4 GB, of which two bytes are there.
    await paste('92 01 db ff ff ff ff c0 c0');
    await error.filter({ hasText: /^eof at byte 9 \(\$\[1\]\)/ }).waitFor();
    await paste('{"a": 1,}');
    await error.filter({ hasText: /line 1|byte 8/ }).waitFor();
  });

  it('says what it took the input for, and reads it in another way at a click', async () => {
    const taken = page.locator('#pg-taken');
    await paste('1234');
    await taken.filter({ hasText: 'Taken for JSON.' }).waitFor();
    await status('JSON, 4 bytes; as MessagePack 3 bytes');
    await taken.getByRole('button', { name: 'hexadecimal digits' }).click();
    await status('MessagePack in hexadecimal digits, 2 bytes');
    await page.locator('#pg-format').selectOption('auto');
    await paste("b'\\x82\\xa1a\\x01\\xa1b\\xc3'");
    await status('MessagePack in a literal with escapes, 7 bytes');
    await paste('gqFhAaFiww==');
    await status('MessagePack in base64, 7 bytes');
    await paste('00000000: 82a1 6101 a162 c3                        ..a..b.');
    await status('MessagePack in a dump of xxd or hexdump, 7 bytes');
  });

  it('has three examples to click', async () => {
    const buttons = page.locator('#pg-examples button');
    assert.equal(await buttons.count(), 3);
    await buttons.nth(0).click();
    await status('as MessagePack 38 bytes');
    await buttons.nth(1).click();
    await page.frameLocator('#pg-bytes iframe').getByText('2026-01-02').first().waitFor();
    await buttons.nth(2).click();
    await page.locator('#pg-error').filter({ hasText: 'invalid_utf8 at byte 15 ($.users[0].name)' }).waitFor();
    await page.frameLocator('#pg-bytes iframe').getByText('go to the fault').waitFor();
  });

  it('has no words of the command line in what is wrong', async () => {
    const error = page.locator('#pg-error');
    for (const [make, words] of [
      [`'{"a": 1}'`, /^It is not MessagePack but JSON\.$/],
      [`'name,age\\nAda,36\\n'`, /^It is not MessagePack but text\.$/],
      [`Uint8Array.from([0x82, 0xa1, 0x61])`, /^eof at byte 3/],
      [`Uint8Array.from([0x1f, 0x8b, 8, 0, 0])`, /./],
    ]) {
      await drop('data.msgpack', make);
      await error.filter({ hasText: words }).waitFor();
    }
    for (const text of ['{"a": 1,}', 'name,age', 'a: 1\nb: 2', '[1', '{"a":1}{"b"']) {
      await paste(text);
      await error.waitFor();
      const shown = await error.innerText();
      assert.doesNotMatch(shown, /--\w|\bpackord [a-z]|input\.json|^error/, text);
      await paste('');
      await error.waitFor({ state: 'hidden' });
    }
  });

  it('shows code that reads the file that was given', async () => {
    const { pack, Packr } = await import(`${JS}dist/esm/index.js`);
    const { columns } = await import(`${JS}dist/esm/columns.js`);
    const { ContainerWriter } = await import(`${JS}dist/esm/container.js`);
    const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: `n${id % 7}`, price: id / 8 }));
    const writer = await ContainerWriter.open(null);
    for (const row of rows) await writer.write(row);
    await writer.finish();
    const folder = mkdtempSync(join(JS, 'shown-'));
    const files = {
      plain: pack(rows),
      records: new Packr({ records: true }).pack(rows),
      columns: pack(rows, { columns }),
      stream: Buffer.concat([pack(rows[0]), new Packr({ records: true }).pack(rows), pack(rows, { columns })]),
      container: writer.bytes(),
    };
    try {
      for (const [name, bytes] of Object.entries(files)) {
        await drop(`${name}.msgpack`, `Uint8Array.from([${[...bytes]}])`);
        await status(`MessagePack, ${bytes.length.toLocaleString('en')} bytes`);
        await tab('code');
        await page.locator('#pg-code h3', { hasText: 'JavaScript' }).waitFor();
        const code = await page.locator('#pg-code h3:text("JavaScript") + pre').innerText();
        const [, read] = /'(data\.\w+)'/.exec(code);
        writeFileSync(join(folder, read), bytes);
        writeFileSync(join(folder, 'shown.mjs'), code);
        const printed = execFileSync('node', ['shown.mjs'], { cwd: folder, encoding: 'utf8' });
        assert.match(printed, /name: 'n6'|name: 'n0'/, `${name}: ${printed.slice(0, 200)}`);
        await tab('bytes');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('has frames in the colours that are chosen, and a tree that keys and screen readers use', async () => {
    await paste(TEAM);
    await status('as MessagePack 38 bytes');
    const frame = page.frameLocator('#pg-bytes iframe');
    const ground = () => frame.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
    const before = await ground();
    await page.locator('label[for="__palette_1"]:visible').click();
    await page.waitForFunction(() => document.body.dataset.mdColorScheme === 'slate');
    await frame.getByText('Grace').first().waitFor();
    assert.notEqual(await ground(), before);
    const tree = frame.getByRole('tree');
    await tree.focus();
    await tree.press('ArrowDown');
    await tree.press('ArrowDown');
    const item = frame.getByRole('treeitem', { selected: true });
    assert.match(await item.innerText(), /users/);
    assert.equal(await item.getAttribute('aria-level'), '2');
    assert.equal(await tree.getAttribute('aria-activedescendant'), await item.getAttribute('id'));
    const count = await frame.getByRole('treeitem').count();
    await tree.press('Home');
    await tree.press('ArrowLeft');
    assert.equal(await frame.getByRole('treeitem', { expanded: false }).count(), 1);
    assert.equal(await frame.getByRole('treeitem').count(), 1);
    await tree.press('ArrowRight');
    assert.equal(await frame.getByRole('treeitem').count(), count);
    await page.locator('label[for="__palette_0"]:visible').click();
  });

  it('takes dropped files of MessagePack and CBOR', async () => {
    await drop('team.msgpack', `Uint8Array.from([0x82, 0xa1, 0x61, 1, 0xa1, 0x62, 0xc3])`);
    await status('MessagePack, 7 bytes');
    await drop('team.cbor', `Uint8Array.from([0xa1, 0x61, 0x61, 0x18, 0x64])`);
    await status('CBOR, 5 bytes; as MessagePack 4 bytes');
  });

  it('opens a link again with every choice, and says when one is damaged', async () => {
    await paste(TEAM_HEX);
    await page.locator('#pg-format').selectOption('hex');
    await page.locator('#pg-form').selectOption('records');
    await status('MessagePack in hexadecimal digits, 38 bytes');
    await tab('schema');
    await page.locator('#pg-schema').getByText('interface').first().waitFor();
    await page.locator('#pg-share').click();
    await status('The link is in the address bar');
    const link = page.url();
    await page.goto('about:blank');
    await page.goto(link);
    await page.locator('#pg-schema').getByText('interface').first().waitFor();
    assert.equal(await page.locator('#pg-text').inputValue(), TEAM_HEX);
    assert.equal(await page.locator('#pg-format').inputValue(), 'hex');
    assert.equal(await page.locator('#pg-form').inputValue(), 'records');
    // A second link in the same tab, and one that lost its end.
    const error = page.locator('#pg-error');
    for (const damaged of [link.slice(0, -6), link.replace(/data=(.{20})./, 'data=$1_'), link.replace('read=hex', 'read=xml')]) {
      await page.evaluate((address) => location.replace(address), damaged);
      await error.filter({ hasText: 'This link is damaged' }).waitFor();
      await page.evaluate((address) => location.replace(address), link);
      await error.waitFor({ state: 'hidden' });
    }
    await page.goto('about:blank');
    await page.goto(`${site.address}/playground.html`);
    await paste('');
  });

  it('takes 20 MB, and a new input ends the work on it', async () => {
    await drop('large.json', `JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'user ' + id, tags: ['a', 'b'], score: id / 7, text: 'x'.repeat(20) })))`);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    await paste(TEAM);
    await status('as MessagePack 38 bytes');
    await drop('large.json', `JSON.stringify(Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'user ' + id, tags: ['a', 'b'], score: id / 7, text: 'x'.repeat(20) })))`);
    await page.locator('#pg-status').filter({ hasText: /JSON, 2[0-9],[0-9]{3},[0-9]{3} bytes; as MessagePack/ }).waitFor({ timeout: 120_000 });
    await tab('schema');
    await page.locator('#pg-schema').getByText('interface').first().waitFor({ timeout: 120_000 });
    await tab('bytes');
  });

  it('works without a network once it is loaded', async () => {
    await page.locator('html[data-offline="ready"]').waitFor({ state: 'attached' });
    await page.context().setOffline(true);
    await page.goto(`${site.address}/playground.html`);
    await paste('[1,2,3]');
    await status('as MessagePack 4 bytes');
    await page.context().setOffline(false);
  });

  it('sends nothing anywhere', async () => {
    const sent = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()}`));
    await paste('["secret"]');
    await status('as MessagePack 8 bytes');
    await tab('schema');
    await page.locator('#pg-schema').getByText('interface').or(page.locator('#pg-schema pre')).first().waitFor();
    assert.deepEqual(sent.filter((line) => !line.startsWith(`GET ${site.address}/playground`) && !line.includes(' blob:')), []);
  });
});
