import * as M from '../wire/markers.ts';
import type { ScalarState } from './EncoderState.ts';

/**
 * Writes a bigint with 64 bits, so that it can come back as a bigint: unsigned from 0 on, as
 * other languages write the integers from 2^53 on (msgpackr: signed where it fits). Canonically
 * in the smallest format (spec/format.md section 7).
 */
export function writeBigInt(encoder: ScalarState, value: bigint): void {
  const { config } = encoder;
  const signed = BigInt.asIntN(64, value) === value;
  if (!signed && BigInt.asUintN(64, value) !== value) {
    writeLarge(encoder, value);
    return;
  }
  if (config.canonical && value >= -0x80000000n && value <= 0xffffffffn) {
    encoder.integer(Number(value));
    return;
  }
  const { pos, view, buf } = encoder;
  const asSigned = config.msgpackrBytes ? signed : value < 0n;
  buf[pos] = asSigned ? M.INT64 : M.UINT64;
  view.setBigUint64(pos + 1, BigInt.asUintN(64, value));
  encoder.pos = pos + 9;
}

function writeLarge(encoder: ScalarState, value: bigint): void {
  const { config } = encoder;
  if (config.largeBigIntToFloat) encoder.float(Number(value));
  else if (config.largeBigIntToString) encoder.string(value.toString());
  else if (config.bigInts) encoder.moreTypes?.writeLargeBigInt(encoder, value);
  else
    throw encoder.fail(
      'out_of_range',
      'a bigint of more than 64 bits; see useBigIntExtension, largeBigIntToFloat, largeBigIntToString',
    );
}
