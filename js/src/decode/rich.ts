/** The ext types 83 to 89 (spec/extensions.md section 2). */
import { isStackEnd, MsgpackDecodeError } from '../errors/errors.ts';
import { isShortest, readBigInt } from '../ext/bigint.ts';
import * as R from '../ext/rich.ts';
import { NO_IDS } from '../record/structures.ts';
import { newHeader, readHeader } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { KeyIdentities } from './canonical.ts';
import { NO_LIMIT } from './DecodeConfig.ts';
import { type DecoderState, type ExtReader, UNKNOWN } from './DecoderState.ts';

/** Maximum size of the payload of a ratio or decimal, unless an option sets another. */
const MAX_NUMBER = 65_536;

/** What is thrown for a payload that is not as its type describes. */
const MALFORMED = /* @__PURE__ */ new Error('malformed');

/** What is known of the elements of the sets in the outermost ext: a set in sets is looked at once. */
let identities: KeyIdentities | null = null;

function need(isValid: boolean): void {
  if (!isValid) throw MALFORMED;
}

export function checkNumber(decoder: DecoderState, type: number, length: number, markerOffset: number): void {
  const isNumber = type === R.RATIO || type === R.DECIMAL;
  if (isNumber && length > MAX_NUMBER && decoder.config.maxExtLen === NO_LIMIT)
    throw decoder.fail('length_limit', markerOffset, `maxExtLen is ${MAX_NUMBER}`);
}

export const readRich: ExtReader = (decoder, type, start, length, markerOffset) => {
  if (type < R.RATIO || type > R.DURATION) return UNKNOWN;
  return outermost(decoder, markerOffset, () => {
    decoder.pos = start;
    decoder.end = start + length;
    decoder.pending = 0;
    const value = numberOrTime(decoder, type, length);
    need(value !== UNKNOWN && decoder.pos === decoder.end);
    return value;
  });
};

/** Reads the payload of a set in no other set, which was passed over. */
export function readSet(decoder: DecoderState, start: number, length: number, markerOffset: number): Set<unknown> {
  if (decoder.depth >= decoder.config.maxDepth) throw decoder.fail('depth_limit', markerOffset);
  return outermost(decoder, markerOffset, () => readInner(decoder, start, length, markerOffset));
}

/**
 * Reads from a payload. In the outermost, records are off, values do not count, and each fault is one of its
 * ext (spec/extensions.md section 2).
 */
function outermost<T>(decoder: DecoderState, markerOffset: number, read: () => T): T {
  const { pos, end, pending, fix, inline, depth, maxDepth, nodes, level } = decoder;
  const before = { pos, end, pending, fix, inline, depth, maxDepth, nodes, level };
  // In columns, the limit is that of the plain containers.
  decoder.maxDepth = decoder.config.maxDepth;
  decoder.fix = NO_IDS;
  if (inline > 0) decoder.inline = NO_IDS;
  decoder.nodes = Number.NEGATIVE_INFINITY;
  const others = identities;
  identities = null;
  try {
    return read();
  } catch (cause) {
    if (level > 0 || isStackEnd(cause)) throw cause;
    const detail = cause instanceof MsgpackDecodeError ? cause.message : undefined;
    throw decoder.fail('invalid_ext', markerOffset, detail, cause === MALFORMED ? undefined : cause);
  } finally {
    Object.assign(decoder, before);
    identities = others;
  }
}

/** Reads a set in another one: those take few frames of the stack. */
export function readInner(decoder: DecoderState, start: number, length: number, markerOffset: number): Set<unknown> {
  if (decoder.depth >= decoder.config.maxDepth) throw decoder.fail('depth_limit', markerOffset);
  const { pos, end, pending } = decoder;
  decoder.pos = start;
  decoder.end = start + length;
  decoder.pending = 0;
  decoder.depth++;
  decoder.level++;
  const elements = decoder.read();
  need(Array.isArray(elements) && decoder.pos === decoder.end);
  const set = new Set(elements as unknown[]);
  need(differ(decoder, elements as unknown[], set.size, start));
  decoder.level--;
  decoder.depth--;
  decoder.pos = pos;
  decoder.end = end;
  decoder.pending = pending;
  return decoder.config.freezeData ? Object.freeze(set) : set;
}

/**
 * Whether the elements of an array at a position differ. A Set tells that of primitives, but for numbers that
 * JavaScript has one of.
 */
function differ(decoder: DecoderState, elements: readonly unknown[], size: number, start: number): boolean {
  const isTold = elements.length < 2 || elements.every((element) => typeof element !== 'object' || element === null);
  if (isTold && size === elements.length) return true;
  identities ??= new KeyIdentities(decoder.view, decoder.config.bigInts, true);
  return identities.elementsDiffer(start);
}

function numberOrTime(decoder: DecoderState, type: number, length: number): unknown {
  const { pos, view, src } = decoder;
  if (type === R.RATIO) {
    const numerator = integer(decoder);
    const denominator = integer(decoder);
    need(denominator > 0n && R.isReduced(numerator, denominator));
    return new R.Ratio(numerator, denominator);
  }
  if (type === R.DECIMAL) {
    need(pos < decoder.end && M.isInteger(src[pos] as number));
    const scale = Number(decoder.read());
    const from = decoder.pos;
    need(scale >> 0 === scale);
    const unscaled = src.subarray(from, decoder.end);
    need(unscaled.length > 0 && isShortest(unscaled));
    decoder.pos = decoder.end;
    return new R.Decimal(readBigInt(unscaled), scale);
  }
  decoder.pos = decoder.end;
  switch (type) {
    case R.UUID:
      need(length === 16);
      return new R.Uuid(src.subarray(pos, decoder.end));
    case R.DATE:
      need(length === 4);
      return new R.LocalDate(view.getInt32(pos));
    case R.TIME: {
      need(length === 8 && view.getBigUint64(pos) < 86_400_000_000_000n);
      return new R.LocalTime(view.getBigUint64(pos));
    }
    case R.DURATION:
      need(length === 12 && view.getUint32(pos) < 1e9);
      return new R.Duration(view.getBigInt64(pos + 4), view.getUint32(pos));
    default:
      return UNKNOWN;
  }
}

/** Reads an integer in any of its formats, or a bigint. */
function integer(decoder: DecoderState): bigint {
  const { pos, src, view, end } = decoder;
  need(pos < end);
  const t = src[pos] as number;
  if (M.isInteger(t)) {
    const value = decoder.read();
    return BigInt(value as number | bigint | string);
  }
  const header = newHeader();
  need(readHeader(view, pos, end, header));
  const { kind, type, count, size } = header;
  need(kind === 'ext' && type === M.EXT_BIGINT && count > 0 && pos + size + count <= end);
  decoder.pos = pos + size + count;
  return readBigInt(src.subarray(pos + size, decoder.pos));
}
