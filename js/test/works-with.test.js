/** The recipes of docs/works-with.md, with the real packages. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { serve } from '@hono/node-server';
import { pack, unpack } from 'packord';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import peerParser from 'socket.io-msgpack-parser';
import { makeFolder, recipe } from './recipes.js';

const VALUE = { id: 5, tags: ['a', 'é'], at: new Date(1500), bytes: Buffer.from([1, 2]) };

async function post(url, type, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function exchange(url) {
  for (const contentType of ['application/vnd.msgpack', 'application/msgpack']) {
    const { status, type, bytes } = await post(url, contentType, pack(VALUE));
    assert.equal(status, 200);
    assert.match(type, /^application\/vnd\.msgpack/);
    assert.deepEqual(unpack(bytes), { got: VALUE });
    assert.equal((await post(url, contentType, Buffer.from([0xc1]))).status, 400);
  }
}

async function withServer(server, run) {
  if (!server.listening) await once(server, 'listening');
  try {
    await run(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

describe('recipes for frameworks', () => {
  it('exchange messages by a body parser and a reply of Express', async () => {
    const { app } = await recipe('Express');
    await withServer(app.listen(0, '127.0.0.1'), async (url) => {
      await exchange(url);
      const large = pack(Buffer.alloc(1_100_000));
      assert.equal((await post(url, 'application/vnd.msgpack', large)).status, 413);
    });
  });

  it('exchange messages by a content type parser and a reply of Fastify', async () => {
    const { app } = await recipe('Fastify');
    await app.listen({ port: 0, host: '127.0.0.1' });
    await withServer(app.server, exchange);
  });

  it('exchange messages by a Request and a Response of Hono', async () => {
    const { app } = await recipe('Hono');
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await withServer(server, async (url) => {
      await exchange(url);
      assert.equal((await post(url, 'application/json', '{}')).status, 415);
    });
  });
});

describe('the recipe for socket.io', () => {
  for (const [name, theirs] of [
    ['both ends', []],
    ['a client with socket.io-msgpack-parser', ['client']],
    ['a server with socket.io-msgpack-parser', ['server']],
  ])
    it(`exchanges events and acknowledgements: ${name}`, async () => {
      const parser = await recipe('socket.io');
      const parserOf = (end) => (theirs.includes(end) ? peerParser : parser);
      const http = createServer();
      const server = new Server(http, { parser: parserOf('server') });
      server.on('connection', (socket) => {
        socket.on('question', (value, answer) => answer({ got: value }));
        socket.emit('hello', { list: [1, 2] }, undefined);
      });
      server.of('/other').on('connection', (socket) => socket.emit('hello', 'other'));
      http.listen(0, '127.0.0.1');
      await once(http, 'listening');
      const url = `http://127.0.0.1:${http.address().port}`;
      const options = { parser: parserOf('client'), transports: ['websocket'] };
      const client = io(url, options);
      const other = io(`${url}/other`, options);
      const received = (socket) => new Promise((resolve) => socket.on('hello', (...args) => resolve(args)));
      try {
        const hellos = await Promise.all([received(client), received(other)]);
        assert.deepEqual(hellos, [[{ list: [1, 2] }, undefined], ['other']]);
        assert.deepEqual(await client.emitWithAck('question', VALUE), { got: VALUE });
      } finally {
        client.close();
        other.close();
        await server.close();
      }
    });

  it('refuses frames without a packet', async () => {
    const { Decoder } = await recipe('socket.io');
    for (const value of [null, 5, {}, { type: 9, nsp: '/' }, { type: 2 }])
      assert.throws(() => new Decoder().add(pack(value)), /invalid packet/);
    assert.throws(() => new Decoder().add(Buffer.of(0xc1)), { kind: 'reserved_marker' });
  });
});

describe('other recipes', () => {
  it('send values through the record batches of kafkajs', async () => {
    const { toMessage, fromMessage } = await recipe('Kafka');
    const require = createRequire(import.meta.url);
    const { RecordBatch } = require('kafkajs/src/protocol/recordBatch/v0');
    const Record = require('kafkajs/src/protocol/recordBatch/record/v0');
    const decodeBatch = require('kafkajs/src/protocol/recordBatch/v0/decoder');
    const Decoder = require('kafkajs/src/protocol/decoder');
    const values = [VALUE, undefined, { text: 'x'.repeat(5000) }, null, []];
    const records = values.map((value, i) => Record({ ...toMessage(`${i}`, value), headers: {} }));
    const batch = await RecordBatch({ records });
    const decoder = new Decoder(batch.buffer);
    const { records: read } = await decodeBatch(decoder);
    assert.deepEqual(read.map(fromMessage), values);
  });

  it('put packord in place of msgpackr and its two halves', () => {
    const folder = makeFolder(['msgpackr']);
    try {
      const require = createRequire(join(folder, 'main.js'));
      const modules = ['msgpackr', 'msgpackr/pack', 'msgpackr/unpack'].map((name) => require(name));
      for (const { Packr, Unpackr } of modules)
        assert.deepEqual(new Unpackr().unpack(new Packr().pack([{ a: 1 }])), [{ a: 1 }]);
      assert.equal(new Set(modules.map(({ Packr }) => Packr)).size, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('transfer messages to a worker and back', async () => {
    const { exchange: exchangeWith } = await recipe('Workers');
    const values = Array.from({ length: 50 }, (_, i) => ({ i, text: 'x'.repeat(i * 100) }));
    assert.deepEqual(
      await exchangeWith(values),
      values.map((got) => ({ got })),
    );
  });
});

describe('the page', () => {
  it('names the versions of the bundlers, test runners and tools that are run', () => {
    const root = new URL('..', import.meta.url);
    const page = readFileSync(new URL('../docs/works-with.md', root), 'utf8');
    const { dependencies } = JSON.parse(readFileSync(new URL('bundlers/package.json', root), 'utf8'));
    const named = ['rollup', 'webpack', 'vite', 'jest', 'vitest', 'metro', 'hermes-engine-cli'];
    for (const name of [...named, '@react-native/babel-preset']) assert.ok(page.includes(dependencies[name]), name);
  });
});
