/** Passing over values of a file: they are checked, and need not be in memory as a whole. */
import { KINDS, newHeader, readHeader } from '../../wire/header.ts';
import * as M from '../../wire/markers.ts';
import { readTime } from '../../wire/timestamps.ts';
import { invalidAt } from '../../wire/utf8.ts';
import type { FileWindow } from './FileWindow.ts';
import { endOf, fault } from './fail.ts';

/** Size of the largest header, the number of a scalar included. */
export const MAX_HEADER = 9;
const MAX_DEPTH = 1024;
/** Bytes of a str that are checked at once. */
const PIECE = 1 << 16;
/** Number of bytes that a stream is read ahead to see whether it has what was announced. */
const MAX_WAIT = 1 << 26;

export interface PassLimits {
  /** Offset after which no value may end; the error is at `limitAt`. */
  readonly limit?: number;
  readonly limitAt?: number;
  /** How many containers the values are in. */
  readonly depth?: number;
  /** Counts the bytes that are passed; {@link TOO_LONG} is thrown when none is left. */
  readonly budget?: { left: number };
}

export const TOO_LONG: unique symbol = Symbol('too long');

export function charge(limits: PassLimits | undefined, size: number): void {
  const budget = limits?.budget;
  if (budget === undefined) return;
  budget.left -= size;
  if (budget.left < 0) throw TOO_LONG;
}

const NO_LIMITS: PassLimits = {};

/** Passes over `count` values from an offset on, and returns the offset after them. Records and columns are off. */
export async function passValues(
  window: FileWindow,
  offset: number,
  count: number,
  limits: PassLimits = NO_LIMITS,
): Promise<number> {
  const { limit = Number.POSITIVE_INFINITY, limitAt = offset, depth = 0 } = limits;
  const header = newHeader();
  /** Elements that are left in each open container, the values themselves first. */
  const open: number[] = [count];
  let pending = count;
  let p = offset;
  const within = (end: number): void => {
    if (end > limit) throw fault('length_limit', limitAt);
  };
  while (open.length > 0) {
    const left = open[open.length - 1] as number;
    if (left === 0) {
      open.pop();
      continue;
    }
    open[open.length - 1] = left - 1;
    pending--;
    const markerOffset = p;
    if (!window.has(p, MAX_HEADER)) await window.load(p, MAX_HEADER);
    const at = p - window.start;
    const marker = window.bytes[at];
    if (marker === undefined) throw endOf(window);
    if (KINDS[marker] === 'reserved') throw fault('reserved_marker', p);
    within(p + (M.HEADER_SIZE[marker] as number));
    if (!readHeader(window.view, at, window.bytes.length, header)) throw endOf(window);
    const { kind, size, count: n } = header;
    p += size;
    if (kind === 'array' || kind === 'map') {
      if (open.length + depth > MAX_DEPTH) throw fault('depth_limit', markerOffset);
      const inside = kind === 'array' ? n : 2 * n;
      open.push(inside);
      pending += inside;
      within(p + pending);
      if (p + pending > window.end && !(await reaches(window, p, p + pending))) throw endOf(window);
    } else if (n > 0 || kind === 'ext') {
      within(p + n);
      const type = kind === 'ext' ? header.type : kind;
      // Most payloads are in memory: a promise for each would take most of the time.
      if (p + n > window.end || !passInMemory(window, p, n, type)) await passPayload(window, markerOffset, p, n, type);
      p += n;
    }
    charge(limits, p - markerOffset);
  }
  return p;
}

/** Whether the file goes on to an offset. Of a stream, not more than {@link MAX_WAIT} is read ahead. */
async function reaches(window: FileWindow, from: number, to: number): Promise<boolean> {
  if (window.source.kind === 'random') return to <= window.source.size;
  const size = to - from;
  if (to <= window.end || size > Math.min(MAX_WAIT, window.maxHeld)) return true;
  return (await window.load(from, size)) >= size;
}

/** Passes over a payload that is in memory; returns false for one that {@link passPayload} has to look at. */
function passInMemory({ bytes, start }: FileWindow, offset: number, length: number, type: string | number): boolean {
  const at = offset - start;
  return type === 'str' ? invalidAt(bytes, at, at + length) < 0 : type !== M.EXT_TIMESTAMP;
}

/** Passes over the payload of a str, a bin, or an ext of a type. */
async function passPayload(
  window: FileWindow,
  markerOffset: number,
  start: number,
  length: number,
  kind: string | number,
): Promise<void> {
  const isChecked = kind === 'str' || kind === M.EXT_TIMESTAMP;
  const isWhole = isChecked ? await reaches(window, start, start + length) : await window.reaches(start + length);
  if (!isWhole) throw endOf(window);
  if (kind === 'str') await checkText(window, start, start + length);
  else if (isChecked && !(await isTimestamp(window, start, length))) throw fault('invalid_timestamp', markerOffset);
}

async function isTimestamp(window: FileWindow, start: number, length: number): Promise<boolean> {
  if (length > 12) return false;
  await window.load(start, length);
  return readTime(window.view, start - window.start, length) !== undefined;
}

async function checkText(window: FileWindow, start: number, end: number): Promise<void> {
  for (let p = start; p < end; ) {
    const length = Math.min(end - p, PIECE);
    if (!window.has(p, length)) await window.load(p, length);
    const at = p - window.start;
    if (at + length > window.bytes.length) throw endOf(window);
    const bad = invalidAt(window.bytes, at, at + length);
    if (bad < 0) p += length;
    // A character may be cut off by the end of the piece.
    else if (p + length < end && at + length - bad < 4) p += bad - at;
    else throw fault('invalid_utf8', p + bad - at);
  }
}
