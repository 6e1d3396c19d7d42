/** Express, Fastify and socket.io with MessagePack bodies, as their users would set them up. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import { MsgpackDecodeError, pack, unpack } from 'packord';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';

const TYPE = 'application/msgpack';
const VALUE = { id: 5, tags: ['a', 'é'], at: new Date(1500), bytes: Buffer.from([1, 2]) };

async function post(url, body) {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': TYPE }, body });
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}

async function exchange(url) {
  const { status, type, bytes } = await post(url, pack(VALUE));
  assert.equal(status, 200);
  assert.match(type, /^application\/msgpack/);
  assert.deepEqual(unpack(bytes), { got: VALUE });
  assert.equal((await post(url, Buffer.from([0xc1]))).status, 400);
}

describe('frameworks', () => {
  it('exchange messages by a body parser and a reply of Express', async () => {
    const app = express();
    app.use(express.raw({ type: TYPE, limit: '1mb' }));
    app.use((request, _response, next) => {
      if (Buffer.isBuffer(request.body)) request.body = unpack(request.body);
      next();
    });
    app.post('/', (request, response) => {
      response.type(TYPE).send(pack({ got: request.body }));
    });
    app.use((error, _request, response, _next) => {
      response.status(error instanceof MsgpackDecodeError ? 400 : 500).send(error.message);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      await exchange(`http://127.0.0.1:${server.address().port}/`);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('exchange messages by a content type parser and a serializer of Fastify', async () => {
    const app = fastify();
    app.addContentTypeParser(TYPE, { parseAs: 'buffer' }, (_request, body, done) => {
      try {
        done(null, unpack(body));
      } catch (error) {
        done(Object.assign(error, { statusCode: 400 }));
      }
    });
    app.post('/', (request, reply) => reply.type(TYPE).send(pack({ got: request.body })));
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      await exchange(url);
    } finally {
      await app.close();
    }
  });

  it('exchange messages by a parser of socket.io', async () => {
    const parser = await import('./socket-parser.js');
    const http = createServer();
    const server = new Server(http, { parser });
    server.on('connection', (socket) => {
      socket.on('question', (value, answer) => answer({ got: value }));
      socket.emit('hello', { list: [1, 2] });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const client = io(`http://127.0.0.1:${http.address().port}`, {
      parser,
      transports: ['websocket'],
    });
    try {
      const [hello] = await new Promise((resolve) =>
        client.on('hello', (...args) => resolve(args)),
      );
      assert.deepEqual(hello, { list: [1, 2] });
      assert.deepEqual(await client.emitWithAck('question', VALUE), { got: VALUE });
    } finally {
      client.close();
      await server.close();
    }
  });
});
