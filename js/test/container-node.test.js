/** Container files of Node: appending, locks, killed writers, full disks, following. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MsgpackDecodeError } from 'packord';
import { ContainerLockError, ContainerReader, ContainerSourceError, ContainerWriter } from 'packord/container';
import { fileOf, readAll, rowsOf } from './container-files.js';

const rows = rowsOf(200);
const folder = mkdtempSync(join(tmpdir(), 'packord-container-'));
after(() => rmSync(folder, { recursive: true }));
let number = 0;
const newPath = () => join(folder, `file-${number++}.pkd`);

async function write(path, given, options) {
  const writer = await ContainerWriter.open(path, options);
  await writer.writeAll(given);
  await writer.finish();
}

async function append(path, given, options) {
  const writer = await ContainerWriter.append(path, options);
  await writer.writeAll(given);
  return writer.finish();
}

describe('appending', () => {
  it('adds blocks, and an index that has all of them', async () => {
    const path = newPath();
    await write(path, rows.slice(0, 50), { blockRows: 20, meta: { a: 1 }, codec: 'none' });
    const before = readFileSync(path);
    const { stats } = (await ContainerReader.open(before)).index.block(0);
    const summary = await append(path, rows.slice(50), { blockRows: 30 });
    const bytes = readFileSync(path);
    assert.deepEqual(summary, { count: 200, blocks: 8, size: bytes.length });
    assert.deepEqual(bytes.subarray(0, before.length), before);
    assert.deepEqual(await readAll(bytes), rows);
    assert.deepEqual(await readAll(bytes, { index: false }), rows);
    const { index, header } = await ContainerReader.open(bytes);
    assert.deepEqual(index.block(0).stats, stats);
    assert.deepEqual(header.meta, { a: 1 });
    for await (const { codec } of (await ContainerReader.open(bytes)).blocks()) assert.equal(codec, 'none');
  });

  it('nothing writes nothing, but an index where there is none', async () => {
    const path = newPath();
    await write(path, rows);
    const before = readFileSync(path);
    await append(path, []);
    assert.deepEqual(readFileSync(path), before);
    const { index } = await ContainerReader.open(before);
    truncateSync(path, index.offset);
    await append(path, []);
    const { index: second } = await ContainerReader.open(readFileSync(path));
    assert.deepEqual([second.count, second.block(0).stats, second.schema], [200, null, undefined]);
  });

  it('works with another codec and messages', async () => {
    const path = newPath();
    await write(path, rows, { codec: 'deflate' });
    await append(path, rows, { codec: 'none' });
    await append(path, rows, { messages: true });
    assert.deepEqual(await readAll(path), [...rows, ...rows, ...rows]);
    const reader = await ContainerReader.open(path);
    const found = [];
    for await (const { kind, codec } of reader.blocks()) found.push([kind, codec]);
    await reader.close();
    assert.deepEqual(found, [
      ['rows', 'deflate'],
      ['rows', 'none'],
      ['messages', 'deflate'],
    ]);
  });

  it('works with a FileHandle that is open for both', async () => {
    const path = newPath();
    await write(path, rows.slice(0, 100));
    const handle = await open(path, 'r+');
    const writer = await ContainerWriter.append(handle);
    await writer.writeAll(rows.slice(100));
    await writer.finish();
    await handle.close();
    assert.deepEqual(await readAll(path), rows);
  });

  it('refuses a file with a cut or damaged end, and leaves it as it is', async () => {
    const whole = await fileOf(rows, { blockRows: 50 });
    const { index } = await ContainerReader.open(whole);
    const flipped = Uint8Array.from(whole.subarray(0, index.offset));
    flipped[index.offset - 1] ^= 1;
    const bad = [
      whole.subarray(0, whole.length - 1),
      whole.subarray(0, index.offset - 1),
      flipped,
      whole.subarray(0, 30),
      Buffer.from('text'),
    ];
    for (const bytes of bad) {
      const path = newPath();
      writeFileSync(path, bytes);
      await assert.rejects(ContainerWriter.append(path), MsgpackDecodeError);
      assert.deepEqual(readFileSync(path), Buffer.from(bytes));
      assert.ok(!existsSync(`${path}.lock`));
    }
    await assert.rejects(ContainerWriter.append(newPath()), { code: 'ENOENT' });
  });

  it('refuses options that the header decides', async () => {
    const path = newPath();
    await write(path, rows);
    for (const options of [{ stats: ['id'] }, { meta: {} }, { sync: new Uint8Array(16) }])
      await assert.rejects(ContainerWriter.append(path, options), TypeError);
    assert.deepEqual(await readAll(path), rows);
  });
});

describe('a reader of a path', () => {
  /** Number of times that this process has a file open. */
  const timesOpen = (path) =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === realpathSync(path);
      } catch {
        return false;
      }
    }).length;

  it('has the file open as long as it reads, and opens it again', {
    skip: !existsSync('/proc/self/fd'),
  }, async () => {
    const path = newPath();
    await write(path, rows, { blockRows: 20 });
    const reader = await ContainerReader.open(path);
    for (let i = 0; i < 2; i++) {
      let count = 0;
      for await (const _ of reader) count++;
      assert.deepEqual([count, timesOpen(path)], [200, 0]);
    }
    for await (const _ of reader.blocks()) break;
    assert.equal(timesOpen(path), 0);
    const again = await ContainerReader.open(path);
    assert.equal(timesOpen(path), 1);
    await again[Symbol.asyncDispose]();
    assert.equal(timesOpen(path), 0);
    await assert.rejects(again.batches().next(), /was closed/);
  });

  it('does not go on with another file', async () => {
    const path = newPath();
    await write(path, rows, { blockRows: 20 });
    const reader = await ContainerReader.open(path);
    for await (const _ of reader);
    const other = newPath();
    await write(other, rows, { blockRows: 20 });
    renameSync(other, path);
    await assert.rejects(reader.batches().next(), ContainerSourceError);
    rmSync(path);
    await assert.rejects(reader.batches().next(), ContainerSourceError);
    await reader.close();
  });

  it('finds its file again in another folder', async () => {
    const path = newPath();
    await write(path, rows, { blockRows: 20 });
    const countOf = async (reader) => {
      let count = 0;
      for await (const _ of reader) count++;
      return count;
    };
    const before = process.cwd();
    process.chdir(folder);
    try {
      const reader = await ContainerReader.open(basename(path));
      assert.equal(await countOf(reader), 200);
      process.chdir(before);
      assert.equal(await countOf(reader), 200);
    } finally {
      process.chdir(before);
    }
  });
});

describe('the lock of a writer', () => {
  it('refuses a second writer, also by another name of the file', async () => {
    const path = newPath();
    const link = newPath();
    const writer = await ContainerWriter.open(path);
    symlinkSync(path, link);
    for (const other of [path, link]) {
      await assert.rejects(ContainerWriter.open(other), ContainerLockError);
      await assert.rejects(ContainerWriter.append(other), (error) => {
        assert.ok(error instanceof ContainerLockError);
        assert.equal(error.path, `${path}.lock`);
        assert.match(error.message, new RegExp(`process ${process.pid}`));
        return true;
      });
    }
    await writer.writeAll(rows);
    await writer.finish();
    assert.ok(!existsSync(`${path}.lock`));
    assert.deepEqual(await readAll(link), rows);
    await append(path, rows);
  });

  it('is given back by abort, and where a writer does not begin', async () => {
    const path = newPath();
    await (await ContainerWriter.open(path)).abort();
    await assert.rejects(ContainerWriter.open(join(folder, 'none', 'x.pkd')), { code: 'ENOENT' });
    await assert.rejects(ContainerWriter.open(path, { codec: 'none', level: 1, stats: 5 }), TypeError);
    assert.ok(!existsSync(`${path}.lock`));
    await write(path, rows);
  });

  it('of a process that is gone is taken over', async () => {
    const path = newPath();
    await write(path, rows);
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    for (const owner of [
      { host: hostname(), pid: child.pid, began: '', id: 'a' },
      { host: hostname(), pid: process.pid, began: '1', id: 'b' },
    ]) {
      if (owner.began !== '' && process.platform !== 'linux') continue;
      writeFileSync(`${path}.lock`, JSON.stringify(owner));
      await append(path, []);
      assert.ok(!existsSync(`${path}.lock`));
    }
  });

  it('of another machine, or without an owner, is not taken over', async () => {
    const path = newPath();
    await write(path, rows);
    for (const text of [JSON.stringify({ host: 'elsewhere', pid: 1, began: '', id: 'a' }), '', 'text', '{}']) {
      writeFileSync(`${path}.lock`, text);
      await assert.rejects(ContainerWriter.append(path), ContainerLockError);
      assert.equal(readFileSync(`${path}.lock`, 'utf8'), text);
    }
  });

  it('is taken by one of many writers that begin at once', async () => {
    const path = newPath();
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    for (let round = 0; round < 20; round++) {
      writeFileSync(`${path}.lock`, JSON.stringify({ host: hostname(), pid: child.pid, began: '', id: 'x' }));
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => ContainerWriter.open(path)));
      const writers = results.filter(({ status }) => status === 'fulfilled');
      assert.equal(writers.length, 1);
      for (const { reason } of results.filter(({ status }) => status === 'rejected'))
        assert.ok(reason instanceof ContainerLockError, reason);
      await writers[0].value.abort();
    }
  });
});

describe('a writer that is killed', { timeout: 300_000 }, () => {
  it('leaves a file whose whole blocks are read, at any moment', async () => {
    const child = fileURLToPath(new URL('container-child.js', import.meta.url));
    const moments = Number(process.env.KILLS ?? 24);
    let found = 0;
    for (let i = 0; i < moments; i++) {
      const path = newPath();
      const blockRows = 1 + 37 * (i % 8);
      const writer = spawn(process.execPath, [child, path, String(blockRows)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(writer.stdout, 'data');
      const begun = statSync(path).size;
      await wait(Math.random() * 40);
      // On a busy machine all of them may be killed before their first block: the first one is not.
      while (i === 0 && statSync(path).size === begun) await wait(1);
      const ended = once(writer, 'exit');
      writer.kill('SIGKILL');
      await ended;
      const reader = await ContainerReader.open(path);
      let id = 0;
      try {
        for await (const row of reader) {
          assert.deepEqual(row, { id, text: `row ${id}`, square: id * id });
          id++;
        }
      } catch (error) {
        assert.deepEqual([error.kind, error.offset], ['eof', statSync(path).size]);
      }
      await reader.close();
      assert.equal(id % blockRows, 0);
      found += id;
      // The lock of the process is taken over, and what is not whole is refused.
      await append(path, []).catch((error) => assert.equal(error.kind, 'eof'));
      assert.ok(!existsSync(`${path}.lock`));
    }
    assert.ok(found > 0);
  });
});

describe('a disk that is full', { skip: !existsSync('/dev/full') }, () => {
  it('is an error of opening, of writing or of the end', async () => {
    await assert.rejects(ContainerWriter.open('/dev/full'), { code: 'ENOSPC' });
  });

  it('leaves the blocks before it', async () => {
    const path = newPath();
    const handle = await open(path, 'w');
    let left = 3000;
    // As a disk with this many bytes left.
    const full = {
      fd: handle.fd,
      async write(bytes, at, length, position) {
        const count = Math.min(length, left);
        if (count === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        left -= count;
        return handle.write(bytes, at, count, position);
      },
      truncate: (size) => handle.truncate(size),
      close: () => handle.close(),
    };
    const writer = await ContainerWriter.open(full, { blockRows: 20, columns: false });
    await assert.rejects(
      async () => {
        await writer.writeAll(rows);
        await writer.finish();
      },
      { code: 'ENOSPC' },
    );
    await handle.close();
    const found = [];
    await assert.rejects(
      async () => {
        for await (const row of await ContainerReader.open(readFileSync(path))) found.push(row);
      },
      { kind: 'eof', offset: 3000 },
    );
    assert.ok(found.length > 0 && found.length % 20 === 0);
    assert.deepEqual(found, rows.slice(0, found.length));
  });
});

describe('following', () => {
  it('returns each block as soon as it is whole', async () => {
    const path = newPath();
    const bytes = await fileOf(rows, { blockRows: 25 });
    writeFileSync(path, '');
    const controller = new AbortController();
    const reading = (async () => {
      const found = [];
      const reader = await ContainerReader.open(path, { follow: true, signal: controller.signal });
      try {
        for await (const row of reader) {
          found.push(row);
          if (found.length === 200) break;
        }
      } finally {
        await reader.close();
      }
      return found;
    })();
    for (let at = 0; at < bytes.length; at += 700) {
      appendFileSync(path, bytes.subarray(at, at + 700));
      await wait(5);
    }
    assert.deepEqual(await reading, rows);
  });

  it('goes on after an index, with what is appended later', async () => {
    const path = newPath();
    await write(path, rows.slice(0, 100), { blockRows: 10 });
    const controller = new AbortController();
    const reader = await ContainerReader.open(path, { follow: true, signal: controller.signal });
    const iterator = reader[Symbol.asyncIterator]();
    for (let i = 0; i < 100; i++) assert.deepEqual((await iterator.next()).value, rows[i]);
    const next = iterator.next();
    await append(path, rows.slice(100));
    assert.deepEqual((await next).value, rows[100]);
    for (let i = 101; i < 200; i++) await iterator.next();
    const last = iterator.next();
    controller.abort(new Error('enough'));
    await assert.rejects(last, { message: 'enough' });
    await reader.close();
  });

  it('ends with faults that more bytes do not mend', async () => {
    const path = newPath();
    writeFileSync(path, Buffer.concat([await fileOf(rows), Buffer.from('text')]));
    const reader = await ContainerReader.open(path, { follow: true });
    await assert.rejects(
      async () => {
        for await (const _ of reader);
      },
      { kind: 'invalid_container' },
    );
    await reader.close();
    const skipping = await ContainerReader.open(path, { follow: true, onBadBlock: 'skip' });
    const iterator = skipping[Symbol.asyncIterator]();
    for (const row of rows) assert.deepEqual((await iterator.next()).value, row);
    const next = iterator.next();
    await wait(20);
    const whole = await fileOf([{ last: true }]);
    const { index } = await ContainerReader.open(whole);
    const { offset } = index.block(0);
    appendFileSync(path, whole.subarray(offset));
    assert.deepEqual((await next).value, { last: true });
    assert.equal(skipping.damaged.length, 1);
    await skipping.close();
  });

  it('ends where the file becomes smaller, or is closed', async () => {
    const path = newPath();
    await write(path, rows);
    const reader = await ContainerReader.open(path, { follow: true });
    const iterator = reader[Symbol.asyncIterator]();
    for (let i = 0; i < 200; i++) await iterator.next();
    const next = iterator.next();
    truncateSync(path, 100);
    await assert.rejects(next, ContainerSourceError);
    await reader.close();
    await write(path, rows);
    const closed = await ContainerReader.open(path, { follow: true });
    const waiting = closed[Symbol.asyncIterator]();
    for (let i = 0; i < 200; i++) await waiting.next();
    const never = waiting.next();
    await closed.close();
    await assert.rejects(never);
  });
});
