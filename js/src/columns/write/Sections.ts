import { setInteger } from '../../wire/integers.ts';
import { ByteSink } from './ByteSink.ts';

/** Writes an integer in its smallest format. */
export function writeInteger(to: ByteSink, value: number | bigint): void {
  const at = to.take(9);
  to.size = at + setInteger(to.view, at, value);
}

/** The parts of a payload while it is made: the directory, and the sections of its nodes. */
export class Sections {
  readonly directory: ByteSink = new ByteSink();
  readonly data: ByteSink = new ByteSink();

  clear(): void {
    this.directory.clear();
    this.data.clear();
  }

  /** Writes the first byte of a node. */
  node(kind: number, mode = 0): void {
    this.directory.byte(kind + 16 * mode);
  }

  uint(value: number): void {
    writeInteger(this.directory, value);
  }

  get size(): number {
    return this.directory.size + this.data.size;
  }
}
