/** Clients of Redis, on a server of their own: `redis-server` is looked for in PATH. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import Redis from 'ioredis';
import { makeFolder, recipe } from './recipes.js';

const VALUE = { id: 5, tags: ['a', 'é'], at: new Date(1500), bytes: Buffer.from([1, 2]) };
const missing = spawnSync('redis-server', ['--version']).status !== 0;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function startRedis(folder) {
  const port = await freePort();
  const options = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn('redis-server', options.map(String), { stdio: 'ignore' });
  for (let tries = 0; tries < 1200; tries++) {
    const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    redis.on('error', () => {});
    const answer = await redis.connect().then(
      () => redis.ping(),
      () => undefined,
    );
    redis.disconnect();
    if (answer === 'PONG') return { port, server };
    await delay(50);
  }
  throw new Error('redis-server does not answer');
}

/** A queue and a worker, with msgpackr replaced as npm's overrides do. */
const BULLMQ = `
import assert from 'node:assert';
import { createRequire } from 'node:module';
import { Queue, QueueEvents, Worker } from 'bullmq';

const require = createRequire(import.meta.url);
assert.ok('MsgpackDecodeError' in createRequire(require.resolve('bullmq'))('msgpackr'));
const connection = { host: '127.0.0.1', port: Number(process.argv[2]), maxRetriesPerRequest: null };
const queue = new Queue('test', { connection });
const events = new QueueEvents('test', { connection });
await events.waitUntilReady();
const done = [];
const worker = new Worker(
  'test',
  async (job) => {
    if (job.name === 'fails') throw new Error('as it should');
    done.push(job.name);
    return { got: job.data };
  },
  { connection, concurrency: 3 },
);
const data = { text: 'é', list: [1, 2.5, -3, 2 ** 40], nested: { none: null } };
const jobs = await queue.addBulk(
  Array.from({ length: 30 }, (_, i) => ({ name: 'job' + i, data: { ...data, i } })),
);
for (const [i, job] of jobs.entries())
  assert.deepEqual(await job.waitUntilFinished(events), { got: { ...data, i } });
assert.equal(new Set(done).size, 30);
const delayed = await queue.add('delayed', data, { delay: 50, priority: 2, removeOnComplete: true });
assert.deepEqual(await delayed.waitUntilFinished(events), { got: data });
const failing = await queue.add('fails', data, { attempts: 2, backoff: { type: 'fixed', delay: 10 } });
await assert.rejects(failing.waitUntilFinished(events), /as it should/);
assert.equal((await queue.getJob(failing.id)).attemptsMade, 2);
assert.deepEqual((await queue.getJob(jobs[3].id)).returnvalue, { got: { ...data, i: 3 } });
await Promise.all([worker.close(), events.close(), queue.close()]);
console.log('done');
`;

describe('Redis', {
  skip: missing ? 'no redis-server in PATH; `apt-get install redis-server`' : false,
}, () => {
  let running;
  const folder = mkdtempSync(join(tmpdir(), 'packord-redis-'));
  before(async () => {
    running = await startRedis(folder);
  });
  after(() => {
    running?.server.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  it('keeps and publishes values of ioredis and redis', async () => {
    const { withIoredis, withRedis, published } = await recipe('Redis');
    for (const run of [withIoredis, withRedis, published])
      assert.deepEqual(await run(running.port, VALUE), VALUE, run.name);
  });

  it('runs jobs of BullMQ with packord in place of msgpackr', async () => {
    const program = makeFolder(['msgpackr']);
    try {
      writeFileSync(join(program, 'main.js'), BULLMQ);
      const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
      const child = spawn(process.execPath, [...flags, 'main.js', running.port], {
        cwd: program,
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 60_000,
      });
      const output = [];
      child.stdout.on('data', (chunk) => output.push(chunk));
      const [status] = await once(child, 'close');
      assert.equal(Buffer.concat(output).toString(), 'done\n');
      assert.equal(status, 0);
    } finally {
      rmSync(program, { recursive: true, force: true });
    }
  });
});
