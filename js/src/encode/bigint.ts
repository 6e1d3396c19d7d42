import * as M from '../wire/markers.ts';
import type { ScalarState } from './EncoderState.ts';

/**
 * Writes a bigint as any integer, in the smallest format. With 64 bits it is unsigned from 0 on (msgpackr:
 * signed where it fits).
 */
export function writeBigInt(encoder: ScalarState, value: bigint): void {
  const { config } = encoder;
  const signed = BigInt.asIntN(64, value) === value;
  if (!signed && BigInt.asUintN(64, value) !== value) {
    writeLarge(encoder, value);
    return;
  }
  if (!config.wideBigInts && value >= -0x80000000n && value <= 0xffffffffn) {
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
  else throw encoder.fail('out_of_range', 'a bigint of more than 64 bits; see bigint');
}
