import { ByteSink } from './ByteSink.ts';

/** Writes an integer from 0 up in its smallest format. */
function writeUnsigned(to: ByteSink, value: number | bigint): void {
  if (value < 0x80) to.byte(Number(value));
  else if (value <= 0xff) {
    to.byte(0xcc);
    to.byte(Number(value));
  } else if (value <= 0xffff) {
    to.byte(0xcd);
    const at = to.take(2);
    to.view.setUint16(at, Number(value));
  } else if (value <= 0xffffffff) {
    to.byte(0xce);
    const at = to.take(4);
    to.view.setUint32(at, Number(value));
  } else {
    to.byte(0xcf);
    const at = to.take(8);
    to.view.setBigUint64(at, BigInt(value));
  }
}

function writeNegative(to: ByteSink, value: number | bigint): void {
  if (value >= -32) to.byte(Number(value));
  else if (value >= -0x80) {
    to.byte(0xd0);
    to.byte(Number(value));
  } else if (value >= -0x8000) {
    to.byte(0xd1);
    const at = to.take(2);
    to.view.setInt16(at, Number(value));
  } else if (value >= -0x80000000) {
    to.byte(0xd2);
    const at = to.take(4);
    to.view.setInt32(at, Number(value));
  } else {
    to.byte(0xd3);
    const at = to.take(8);
    to.view.setBigInt64(at, BigInt(value));
  }
}

/** Writes an integer in its smallest format. */
export function writeInteger(to: ByteSink, value: number | bigint): void {
  if (value < 0) writeNegative(to, value);
  else writeUnsigned(to, value);
}

/** The sizes of the directory and the sections at some moment. */
export type Mark = readonly [directory: number, data: number];

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

  /** Number of bytes in both parts. */
  get size(): number {
    return this.directory.size + this.data.size;
  }

  /** Returns the place to which {@link back} returns. */
  mark(): Mark {
    return [this.directory.size, this.data.size];
  }

  /** Drops what was written after a mark. */
  back([directory, data]: Mark): void {
    this.directory.size = directory;
    this.data.size = data;
  }
}
