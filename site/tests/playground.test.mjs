/** The playground in Chromium: what is pasted, dropped and downloaded, faults, large and hostile data, no network. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { launch, serve } from './support.mjs';

const TEAM = '{"users":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]}';
const TEAM_HEX = '81a5757365727392 82a2696401a46e616d65a3416461 82a2696402a46e616d65a54772616365';

describe('playground', () => {
  let site;
  let browser;
  let page;
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
    page.setDefaultTimeout(20_000);
    await page.goto(`${site.address}/playground.html`);
  });
  after(async () => {
    await browser?.close();
    site?.close();
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
    await paste('{"a": 1,}');
    await error.filter({ hasText: /line 1|byte 8/ }).waitFor();
  });

  it('takes dropped files of MessagePack and CBOR', async () => {
    await drop('team.msgpack', `Uint8Array.from([0x82, 0xa1, 0x61, 1, 0xa1, 0x62, 0xc3])`);
    await status('MessagePack, 7 bytes');
    await drop('team.cbor', `Uint8Array.from([0xa1, 0x61, 0x61, 0x18, 0x64])`);
    await status('CBOR, 5 bytes; as MessagePack 4 bytes');
  });

  it('opens the data of a link again', async () => {
    await paste(TEAM);
    await status('as MessagePack 38 bytes');
    await page.locator('#pg-share').click();
    await status('The link is in the address bar');
    const link = page.url();
    assert.match(link, /#json=/);
    await page.goto('about:blank');
    await page.goto(link);
    await status('as MessagePack 38 bytes');
    assert.equal(await page.locator('#pg-text').inputValue(), TEAM);
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
    assert.deepEqual(sent.filter((line) => !line.startsWith(`GET ${site.address}/playground/`) && !line.includes(' blob:')), []);
  });
});
