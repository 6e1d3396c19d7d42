/** One run of Chromium over the pages of a build without the engine, as a part of `make test`. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launch, serve } from '../support.mjs';

const LANGUAGES = ['Rust', 'Python', 'JavaScript', 'Clojure'];

describe('the site', () => {
  let site;
  let browser;
  let page;
  const faults = [];
  before(async () => {
    browser = await launch();
    site = await serve();
    page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(site.address) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
    });
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  it('begins with a page that shows a program in each language', async () => {
    await page.goto(`${site.address}/index.html`);
    for (const name of LANGUAGES) {
      await page.locator('.tabbed-labels label').getByText(name, { exact: true }).click();
      await page.locator('.tabbed-block:visible').first().getByText(/pack/).first().waitFor();
    }
    assert.deepEqual(faults, []);
  });

  it('leads from there to the playground, which takes input and says what is wrong with it', async () => {
    await page.locator('article a', { hasText: 'playground' }).first().click();
    const text = page.locator('#pg-text');
    const error = page.locator('#pg-error');
    await page.locator('#pg-format').selectOption('hex');
    await text.fill('82 a');
    await error.filter({ hasText: 'These are not pairs of hexadecimal digits.' }).waitFor();
    await page.locator('#pg-tab-code').click();
    assert.equal(await page.locator('#pg-tab-code').getAttribute('aria-selected'), 'true');
    // This build has no engine. A reader is told so, and the page stays usable.
    await page.locator('#pg-format').selectOption('auto');
    await text.fill('{"id": 7}');
    await error.filter({ hasText: 'The engine of the playground is missing' }).waitFor();
    await text.fill('');
    await error.waitFor({ state: 'hidden' });
    assert.deepEqual(faults, []);
  });
});
