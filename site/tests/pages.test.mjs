/** The pages: readable at the widths of a desktop and a phone, in light and dark, by everyone, without other hosts. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { launch, serve } from './support.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// One page of each kind.
const PAGES = [
  'index.html',
  'playground.html',
  'docs/is-it-worth-switching.html',
  'python/index.html',
  'spec/format.html',
  'docs/evidence.html',
  'docs/columns-sizes.html',
  'docs/survey.html',
  'clojure-api.html',
  'api.html',
  'CHANGELOG.html',
];
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

describe('pages', () => {
  let site;
  let browser;
  before(async () => {
    browser = await launch();
    site = await serve();
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  for (const colorScheme of ['light', 'dark'])
    for (const viewport of VIEWPORTS)
      it(`fit ${viewport.width} pixels and are accessible, ${colorScheme}`, async () => {
        const context = await browser.newContext({ viewport, colorScheme, serviceWorkers: 'block' });
        const page = await context.newPage();
        const others = [];
        page.on('request', (request) => {
          if (!request.url().startsWith(site.address) && !/^(data|blob):/.test(request.url())) others.push(request.url());
        });
        for (const name of PAGES) {
          await page.goto(`${site.address}/${name}`, { waitUntil: 'load' });
          const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          assert.ok(over <= 0, `${name} is ${over} pixels wider than the window`);
          await page.evaluate(AXE);
          const { violations } = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }));
          const found = violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`);
          assert.deepEqual(found, [], name);
        }
        assert.deepEqual(others, []);
        await context.close();
      });

  it('fit 320 pixels', async () => {
    const page = await (await browser.newContext({ viewport: { width: 320, height: 800 }, serviceWorkers: 'block' })).newPage();
    const wide = [];
    for (const name of PAGES) {
      await page.goto(`${site.address}/${name}`, { waitUntil: 'load' });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (over > 0) wide.push(`${name}: ${over} pixels too wide`);
    }
    assert.deepEqual(wide, []);
  });

  it('are found by the search', async () => {
    const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    await page.goto(`${site.address}/index.html`);
    await page.locator('.md-search__input').click();
    await page.keyboard.type('max_depth');
    await page.locator('.md-search-result__item').first().waitFor();
    assert.match(await page.locator('.md-search-result__list').innerText(), /[Ll]imits/);
  });
});
