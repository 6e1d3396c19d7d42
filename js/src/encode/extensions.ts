import type { Extension } from '../ext/extension.ts';
import type { EncoderState } from './EncoderState.ts';
import { writeReplacement } from './instances.ts';

export function writeExtended(encoder: EncoderState, value: object): boolean {
  const extension = encoder.config.extensions.ofValue(value);
  if (extension === undefined) return false;
  if (extension.write === undefined) writePacked(encoder, extension, value);
  else writeTagged(encoder, extension, value);
  return true;
}

/** Writes the value that an extension makes of one, after the ext if it has a type. */
function writeTagged(encoder: EncoderState, extension: Extension, value: object): void {
  const replacement = encoder.call(() => extension.write?.(value, encoder.config.context));
  if (extension.type !== undefined) {
    encoder.reserve(3);
    encoder.extHeader(extension.type, 1);
    encoder.byte(0);
  }
  if (replacement !== value) writeReplacement(encoder, value, replacement);
  else if (Array.isArray(value)) encoder.array(value);
  else encoder.fieldsOf(value);
}

function writePacked(encoder: EncoderState, extension: Extension, value: object): void {
  const payload = encoder.payloadOf(extension, value);
  if (payload === undefined || payload === null) return;
  if (!(payload instanceof Uint8Array))
    throw encoder.fail('unsupported_type', 'pack of an extension must return a Uint8Array');
  encoder.ext(extension.type as number, payload);
}
