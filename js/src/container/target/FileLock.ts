import { randomBytes } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** How often, and after how many milliseconds, a writer looks whether another has taken a lock over. */
const TRIES = 100;
const INTERVAL = 10;

/**
 * Another writer has the file open.
 *
 * @example
 * try {
 *   await ContainerWriter.append('events.pkd');
 * } catch (error) {
 *   error.name; // 'ContainerLockError'
 * }
 */
export class ContainerLockError extends Error {
  override readonly name = 'ContainerLockError';
  /** The path of the lock. */
  readonly path: string;

  constructor(path: string, owner: string) {
    super(`Another writer has the container file open: ${owner} has the lock ${path}`);
    this.path = path;
  }
}

interface Owner {
  readonly host: string;
  readonly pid: number;
  /** When the process began, where the platform tells: a number is given to another process later. */
  readonly began: string;
  /** Tells the locks of one process apart. */
  readonly id: string;
}

const code = (error: unknown): string | undefined => (error as NodeJS.ErrnoException)?.code;

/** Returns when a process began; '' where the platform does not tell. */
async function beginOf(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // After the name of the program, which may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function ownerOf(text: string): Owner | undefined {
  try {
    const owner: Owner = JSON.parse(text);
    return typeof owner.pid === 'number' && typeof owner.host === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

async function isGone({ host, pid, began }: Owner): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return code(error) === 'ESRCH';
  }
  const now = await beginOf(pid);
  return began !== '' && now !== '' && began !== now;
}

/**
 * The lock of a writer: a file next to the container file, `NAME.lock`, with the process that has it. A
 * lock whose process is gone is taken over. Only writers of this library in JavaScript look at it.
 */
export class FileLock {
  readonly #path: string;
  readonly #text: string;

  private constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
  }

  /** Takes the lock of a file; throws a ContainerLockError where another writer has it. */
  static async take(file: string): Promise<FileLock> {
    const path = `${file}.lock`;
    const id = randomBytes(8).toString('hex');
    const { pid } = process;
    const text = JSON.stringify({ host: hostname(), pid, began: await beginOf(pid), id });
    const own = `${path}.${id}`;
    await writeFile(own, text, { flag: 'wx' });
    try {
      // A link is made with its content or not at all.
      while (!(await linked(own, path))) await removeGone(path, own);
    } finally {
      await unlink(own);
    }
    return new FileLock(path, text);
  }

  async release(): Promise<void> {
    if ((await textOf(this.#path)) === this.#text) await unlink(this.#path);
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (code(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (code(error) === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a lock whose process is gone; any other is an error. Only the owner of `PATH.takeover` removes the
 * lock of another process, so that of several that see it gone, none removes the lock of the next.
 */
async function removeGone(path: string, own: string): Promise<void> {
  const text = await textOf(path);
  // It was given back in between.
  if (text === undefined) return;
  const owner = ownerOf(text);
  if (owner === undefined || !(await isGone(owner)))
    throw new ContainerLockError(path, owner === undefined ? 'a writer' : `process ${owner.pid}`);
  const takeover = `${path}.takeover`;
  for (let tries = 0; !(await linked(own, takeover)); tries++) {
    if (tries === TRIES) throw new ContainerLockError(takeover, 'another writer');
    await wait(INTERVAL);
  }
  try {
    if ((await textOf(path)) === text) await unlink(path);
  } finally {
    await unlink(takeover);
  }
}
