import * as M from '../wire/markers.ts';
import type { ScalarState } from './EncoderState.ts';

/** Writes a bigint of 64 bits with all of them. */
export function write64(encoder: ScalarState, value: bigint, isSigned: boolean): void {
  const { pos, view, buf } = encoder;
  buf[pos] = isSigned ? M.INT64 : M.UINT64;
  view.setBigUint64(pos + 1, BigInt.asUintN(64, value));
  encoder.pos = pos + 9;
}

/** Writes a bigint as any integer, in the smallest format: with 64 bits it is unsigned from 0 on. */
export function writeBigInt(encoder: ScalarState, value: bigint): void {
  if (value >= -0x80000000n && value <= 0xffffffffn) encoder.integer(Number(value));
  else if (value < 0n && BigInt.asIntN(64, value) === value) write64(encoder, value, true);
  else if (BigInt.asUintN(64, value) === value) write64(encoder, value, false);
  else if (encoder.config.bigInts) encoder.moreTypes?.writeLargeBigInt(encoder, value);
  else throw encoder.fail('out_of_range', 'a bigint of more than 64 bits; see bigint');
}
