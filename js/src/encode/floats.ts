import { decimalScale, isWhole, NAN } from '../wire/floats.ts';
import type { ScalarState } from './EncoderState.ts';

export function writeFloat(encoder: ScalarState, value: number): boolean {
  const { canonical } = encoder.config;
  if (canonical && isWhole(value)) encoder.anyInteger(BigInt(value));
  else if (canonical && Number.isNaN(value)) encoder.raw(NAN);
  else if (fits32(encoder, value)) encoder.float32(value);
  else return false;
  return true;
}

/** Whether a float is written with 32 bits, by the options. */
function fits32(encoder: ScalarState, value: number): boolean {
  const { config, view, pos } = encoder;
  if (config.lossless32) {
    if (!Number.isNaN(value)) return Object.is(Math.fround(value), value);
    // A float 32 has no room for the low 29 bits of a NaN.
    view.setFloat64(pos + 1, value);
    return (view.getUint32(pos + 5) & 0x1fffffff) === 0;
  }
  if (config.float32 === 0) return false;
  if (!(value < 0x100000000 && value >= -0x80000000)) return false;
  if (config.float32 < 4) return true;
  const scaled = value * decimalScale(value);
  return scaled >> 0 === scaled;
}
