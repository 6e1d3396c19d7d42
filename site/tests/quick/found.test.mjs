/** What a visitor looks for is found: by the search, in the menus, by other sites, and in tables that are wider than the window. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { HTML, launch, PUBLISHED, serve } from '../support.mjs';

// What is typed, and the page that has to be first.
const SEARCHES = {
  max_nodes: 'spec/limits.html',
  timestamp: 'spec/extensions.html',
  'duplicate key': 'docs/faq.html',
  msgpackr: 'docs/from-msgpackr.html',
  numpy: 'docs/faq.html',
  'Rust install': 'docs/start.html',
  browser: 'js/index.html',
};

describe('a visitor finds', () => {
  let site;
  let browser;
  const open = async (address, options = {}) => {
    const page = await (await browser.newContext({ serviceWorkers: 'block', ...options })).newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(address);
    return page;
  };
  before(async () => {
    browser = await launch();
    site = await serve();
  });
  after(async () => {
    await browser?.close();
    site?.close();
  });

  it('the right page first, with an index that is loaded for the search', async () => {
    const page = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
    page.setDefaultTimeout(60_000);
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    const isLoaded = () => requests.some((address) => address.endsWith('search_index.json'));
    await page.goto(`${site.address}/index.html`, { waitUntil: 'networkidle' });
    assert.equal(isLoaded(), false);
    const input = page.locator('.md-search__input');
    await input.click();
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('search_index.json')));
    assert.equal(isLoaded(), true);
    for (const [words, wanted] of Object.entries(SEARCHES)) {
      await input.fill('');
      await input.pressSequentially(words);
      // Results of the words before may still be there.
      await page
        .waitForFunction(
          (path) => document.querySelector('.md-search-result__item a')?.href.includes(path),
          `/${wanted}`,
        )
        .catch(async () => {
          const first = await page.locator('.md-search-result__item a').first().getAttribute('href');
          assert.fail(`${words}: ${first}, not ${wanted}`);
        });
    }
  });

  it('each page in a menu, with the address at which it is published', async () => {
    const sitemap = readFileSync(join(HTML, 'sitemap.xml'), 'utf8');
    const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    assert.ok(listed.length > 50);
    const page = await open(`${site.address}/index.html`);
    const linked = await page.locator('.md-nav--primary a').evaluateAll((links) => links.map(({ href }) => href.split('#')[0]));
    for (const address of listed) {
      assert.ok(address.startsWith(PUBLISHED), address);
      const path = address.slice(PUBLISHED.length) || 'index.html';
      const html = readFileSync(join(HTML, path), 'utf8');
      assert.ok(html.includes(`<link rel="canonical" href="${address}">`), path);
      assert.ok(linked.includes(`${site.address}/${path}`), `${path} is in no menu`);
    }
  });

  it('the public names of Clojure and ClojureScript', async () => {
    for (const [name, wanted] of [
      ['clojure-api', ['pack', 'unpack-stream', 'reader', 'write-all!']],
      ['clojurescript-api', ['pack', 'unpack-async', 'write-ext']],
    ]) {
      const page = await open(`${site.address}/${name}.html`);
      const found = (await page.locator('h3').allInnerTexts()).map((text) => text.replace('¶', '').trim());
      assert.deepEqual(wanted.filter((each) => !found.includes(each)), []);
    }
  });

  it('first on the page of the tool, which questions it answers', async () => {
    const page = await open(`${site.address}/rust/packord-cli/index.html`);
    const block = page.locator('article pre').first();
    assert.match(await block.innerText(), /^\$ packord --help\n[^]*What is this file, and is it valid\? +packord validate FILE/);
  });

  it('a way on from an address that does not exist', async () => {
    const page = await open(`${site.address}${new URL(PUBLISHED).pathname}docs/nothing.html`);
    await page.locator('h1', { hasText: 'does not exist' }).waitFor();
    await page.locator('article a', { hasText: 'Languages' }).click();
    await page.waitForURL(/\/api\.html$/);
  });

  for (const width of [1280, 390])
    it(`all columns and the heads of wide tables at ${width} pixels`, async () => {
      for (const name of ['docs/survey', 'docs/json-figures', 'docs/rust-options', 'docs/javascript-options', 'docs/evidence', 'clojure-api']) {
        const page = await open(`${site.address}/${name}.html`, { viewport: { width, height: 800 } });
        const faults = await page.evaluate(() => {
          const found = [];
          for (const folded of document.querySelectorAll('details')) folded.open = true;
          for (const table of document.querySelectorAll('.md-typeset__table table')) {
            const frame = table.closest('.md-typeset__scrollwrap');
            frame.scrollTo(frame.scrollWidth, frame.scrollHeight);
            const edge = frame.getBoundingClientRect();
            const last = table.querySelector('thead tr').lastElementChild.getBoundingClientRect();
            if (last.right > edge.right + 2) found.push(`cut at the right: ${table.textContent.slice(0, 60)}`);
            if (last.top < edge.top - 2) found.push(`no head: ${table.textContent.slice(0, 60)}`);
            const first = table.querySelector('tbody tr:last-child').firstElementChild.getBoundingClientRect();
            if (first.left < edge.left - 2) found.push(`no first column: ${table.textContent.slice(0, 60)}`);
            for (const code of table.querySelectorAll('code'))
              if (/^\w+$/.test(code.textContent) && code.getClientRects().length > 1) found.push(`broken: ${code.textContent}`);
          }
          return found;
        });
        assert.deepEqual(faults, [], name);
        await page.context().close();
      }
    });
});
