/** Container files on servers: with ranges, without them, cut answers, files that change. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, it } from 'node:test';
import { ContainerReader, ContainerSourceError } from 'packord/container';
import { fileOf, readAll, rowsOf } from './container-files.js';

const rows = rowsOf(20_000);
/** Of several requests: without columns and compression. */
const file = await fileOf(rows, { codec: 'none', columns: false, blockRows: 500 });

/** A server of one file; `answer` may send something else. */
async function serve(answer, { bytes = file, version = 1 } = {}) {
  const state = { bytes, version, requests: [] };
  const server = createServer((request, response) => {
    const { range, 'if-range': ifRange } = request.headers;
    state.requests.push({ range, ifRange });
    const etag = `"v${state.version}"`;
    const isSame = ifRange === undefined || ifRange === etag;
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    const asked =
      from === undefined || !isSame
        ? undefined
        : { from: Number(from), to: Math.min(Number(to), state.bytes.length - 1) };
    answer({ request, response, state, etag, asked });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { state, url: `http://127.0.0.1:${server.address().port}/rows.pkd` };
}

function ranged({ response, state, etag, asked }, headers = {}) {
  const { bytes } = state;
  if (asked === undefined) {
    response.writeHead(200, { etag, 'content-length': bytes.length, ...headers }).end(bytes);
    return;
  }
  const { from, to } = asked;
  const range = `bytes ${from}-${to}/${bytes.length}`;
  const part = bytes.subarray(from, to + 1);
  response.writeHead(206, { etag, 'content-range': range, 'content-length': part.length, ...headers }).end(part);
}

const whole = ({ response, state }, headers) =>
  response.writeHead(200, headers ?? { 'content-length': state.bytes.length }).end(state.bytes);

async function readUntilError(url, options) {
  const found = [];
  const reader = await ContainerReader.open(url, options);
  try {
    for await (const row of reader) found.push(row);
  } catch (error) {
    return { found, error };
  }
  return { found };
}

describe('a server that sends ranges', () => {
  it('is asked for the parts that are needed', async () => {
    const { state, url } = await serve(ranged);
    assert.deepEqual(await readAll(url), rows);
    assert.ok(state.requests.length < 12, `${state.requests.length} requests`);
    assert.ok(state.requests.every(({ range }) => range !== undefined));
    assert.ok(state.requests.slice(1).every(({ ifRange }) => ifRange === '"v1"'));

    state.requests = [];
    const where = [['id', '>=', 19_900]];
    const reader = await ContainerReader.open(new URL(url), { where });
    assert.deepEqual([reader.count, reader.size], [20_000, file.length]);
    const found = [];
    for await (const row of reader) found.push(row);
    assert.deepEqual(found, rows.slice(19_900));
    const bytes = state.requests.reduce((sum, { range }) => {
      const [from, to] = range.slice(6).split('-').map(Number);
      return sum + Math.min(to + 1, file.length) - from;
    }, 0);
    assert.ok(bytes < file.length / 3, `${bytes} of ${file.length} bytes`);
  });

  it('is read without an index, in splits, and by columns', async () => {
    const { url } = await serve(ranged);
    assert.deepEqual(await readAll(url, { index: false }), rows);
    const reader = await ContainerReader.open(url, { index: false });
    const parts = [];
    for (const split of reader.splits(3)) parts.push(...(await readAll(url, { split, index: false })));
    assert.deepEqual(parts, rows);
    let sum = 0;
    for await (const { columns } of reader.columns(['id'])) for (const id of columns.id) sum += id;
    assert.equal(sum, (19_999 * 20_000) / 2);
  });

  it('may send fewer bytes at once than were asked for', async () => {
    const { url } = await serve((context) => {
      if (context.asked !== undefined) {
        const { from, to } = context.asked;
        context.asked.to = Math.min(to, from + 99_999);
      }
      ranged(context);
    });
    assert.deepEqual(await readAll(url), rows);
  });

  it('may have neither ETag nor date', async () => {
    const { state, url } = await serve((context) => {
      context.response.removeHeader('etag');
      const { state, asked, response } = context;
      const { from, to } = asked;
      response
        .writeHead(206, { 'content-range': `bytes ${from}-${to}/${state.bytes.length}` })
        .end(state.bytes.subarray(from, to + 1));
    });
    assert.deepEqual(await readAll(url), rows);
    assert.ok(state.requests.every(({ ifRange }) => ifRange === undefined));
  });

  it('whose file changes is an error, and no garbage', async () => {
    const other = await fileOf(rowsOf(19_000), { codec: 'none', columns: false, blockRows: 500 });
    for (const change of [
      // With If-Range, the server sends the whole file.
      (state) => Object.assign(state, { version: 2, bytes: other }),
      (state) => Object.assign(state, { version: 2 }),
      // A server that does not know If-Range.
      (state) => Object.assign(state, { version: 2, bytes: other, ignores: true }),
      (state) => Object.assign(state, { bytes: other.subarray(0, 400_000) }),
    ]) {
      const { state, url } = await serve((context) => {
        if (context.state.ignores) {
          const [, from, to] = /(\d+)-(\d+)/.exec(context.request.headers.range);
          context.asked = { from: Number(from), to: Math.min(to, context.state.bytes.length - 1) };
        }
        ranged(context);
      });
      const reader = await ContainerReader.open(url);
      change(state);
      await assert.rejects(
        async () => {
          for await (const _ of reader);
        },
        (error) => error instanceof ContainerSourceError && /changed/.test(error.message),
      );
    }
  });

  it('that breaks off is an error', async () => {
    let breaks = false;
    const { url } = await serve((context) => {
      if (!breaks) return ranged(context);
      const { response, state, asked, etag } = context;
      const { from, to } = asked;
      response.writeHead(206, {
        etag,
        'content-range': `bytes ${from}-${to}/${state.bytes.length}`,
        'content-length': to - from + 1,
      });
      response.write(state.bytes.subarray(from, from + 1000), () => response.destroy());
    });
    const reader = await ContainerReader.open(url);
    breaks = true;
    await assert.rejects(async () => {
      for await (const _ of reader);
    });
  });

  it('that sends other ranges, or fewer bytes than it announces, is an error', async () => {
    for (const wrong of [
      ({ from, to, size }) => [`bytes ${from + 1}-${to}/${size}`, from + 1, to],
      ({ from, to, size }) => [`bytes ${from}-${to + 1}/${size}`, from, to + 1],
      ({ from, to, size }) => [`bytes ${from}-${to}/${size}`, from, to - 1],
      ({ from, to, size }) => [`bytes ${from}-${to}/${size}`, from, to + 1],
      ({ from, to }) => [`bytes ${from}-${to}/*`, from, to],
      ({ from, to }) => [`items ${from}-${to}/5`, from, to],
    ]) {
      let isWrong = false;
      const { url } = await serve((context) => {
        if (!isWrong) return ranged(context);
        const { response, state, asked, etag } = context;
        const [range, from, to] = wrong({ ...asked, size: state.bytes.length });
        response.writeHead(206, { etag, 'content-range': range }).end(state.bytes.subarray(from, to + 1));
      });
      const reader = await ContainerReader.open(url);
      isWrong = true;
      await assert.rejects(async () => {
        for await (const _ of reader);
      }, ContainerSourceError);
    }
  });

  it('that answers with an error, at once or later, is an error with its status', async () => {
    for (const status of [404, 403, 500]) {
      let isBroken = true;
      const { url } = await serve((context) =>
        isBroken ? context.response.writeHead(status).end('no') : ranged(context),
      );
      await assert.rejects(ContainerReader.open(url), { name: 'ContainerSourceError', status });
      isBroken = false;
      const reader = await ContainerReader.open(url);
      isBroken = true;
      await assert.rejects(
        async () => {
          for await (const _ of reader);
        },
        { name: 'ContainerSourceError', status },
      );
    }
  });
});

describe('a server without ranges', () => {
  it('is read as one stream', async () => {
    for (const headers of [undefined, {}, { 'transfer-encoding': 'chunked' }]) {
      const { state, url } = await serve((context) => whole(context, headers));
      const reader = await ContainerReader.open(url);
      assert.deepEqual([reader.count, reader.size, reader.index], [undefined, undefined, null]);
      const found = [];
      for await (const row of reader) found.push(row);
      assert.deepEqual(found, rows);
      assert.equal(state.requests.length, 1);
    }
  });

  it('or without the size of the file is read as one stream', async () => {
    const { url } = await serve((context) => {
      const { request, response, state } = context;
      if (request.headers.range === undefined) whole(context);
      else response.writeHead(206, { 'content-range': 'bytes 0-99/*' }).end(state.bytes.subarray(0, 100));
    });
    assert.deepEqual(await readAll(url), rows);
  });

  it('that breaks off is an error after the blocks before it', async () => {
    const { url } = await serve(({ response, state }) => {
      response.writeHead(200, { 'content-length': state.bytes.length });
      response.write(state.bytes.subarray(0, 500_000), () => setTimeout(() => response.destroy(), 50));
    });
    const { found, error } = await readUntilError(url);
    assert.ok(error instanceof TypeError);
    assert.ok(found.length >= 500 && found.length % 500 === 0);
    assert.deepEqual(found, rows.slice(0, found.length));
  });

  it('that sends a part of the file alone leads to eof', async () => {
    const { url } = await serve(({ response, state }) => {
      response.writeHead(200).end(state.bytes.subarray(0, 500_000));
    });
    const { found, error } = await readUntilError(url);
    assert.deepEqual([error.kind, error.offset], ['eof', 500_000]);
    assert.ok(found.length >= 500);
  });

  it('or with an empty file is eof', async () => {
    for (const answer of [
      ({ response }) => response.writeHead(200).end(),
      ({ request, response }) =>
        request.headers.range === undefined
          ? response.writeHead(200).end()
          : response.writeHead(416, { 'content-range': 'bytes */0' }).end(),
    ]) {
      const { url } = await serve(answer);
      await assert.rejects(ContainerReader.open(url), { kind: 'eof', offset: 0 });
    }
  });

  it('is no longer asked after a signal', async () => {
    const { url } = await serve(({ response, state }) => {
      response.writeHead(200);
      response.write(state.bytes.subarray(0, 200_000));
    });
    const controller = new AbortController();
    const reader = await ContainerReader.open(url, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await assert.rejects(
      async () => {
        for await (const _ of reader);
      },
      { message: 'enough' },
    );
  });
});
