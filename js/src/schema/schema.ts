import type { Decoder } from '../decode/Decoder.ts';
import type { DecoderState } from '../decode/DecoderState.ts';
import { offsetOf } from '../decode/Locator.ts';
import { type ErrorKind, formatPath, MsgpackDecodeError } from '../errors/errors.ts';

/** What a validator returns: the value, perhaps converted, or what is wrong with it. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/** @internal What only the schemas of packord have: they read messages themselves. */
export interface ReadingSchema {
  /** Returns a decoder that reads with the schema; the one given if it has to read the whole. */
  decoderFor?(decoder: Decoder): Decoder;
}

/** A schema of any library that has the interface Standard Schema: zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
  };
}

export function isSchema(given: unknown): given is StandardSchema {
  const isObject = typeof given === 'object' || typeof given === 'function';
  return isObject && given !== null && '~standard' in given;
}

/** Returns a value that was read as its schema returns it. */
function validated<Output>(
  value: unknown,
  { '~standard': standard }: StandardSchema<Output>,
  bytes: Uint8Array,
  start: number,
  end: number,
  decoder: DecoderState,
): Output {
  const result = standard.validate(value);
  if (result instanceof Promise)
    throw new TypeError('The schema is asynchronous: validate what unpack returns with it');
  if (result.issues === undefined) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const steps = path.map((part) => (typeof part === 'object' ? part.key : part));
    return {
      message,
      path: formatPath(steps.map((step) => (typeof step === 'number' ? step : String(step)))),
      offset: offsetOf(steps, bytes, start, end, decoder),
    };
  });
  const [first = { message: 'the schema refused it', path: '$', offset: start }] = issues;
  const { path, offset, message: detail } = first;
  // The schemas of packord know whether it is a number that is out of range.
  const { errorKind = 'type_mismatch' } = (result.issues[0] ?? {}) as { errorKind?: ErrorKind };
  const error = new MsgpackDecodeError(errorKind, offset, { path, detail });
  error.issues = issues;
  throw error;
}

/** What validates the values that `unpack` reads with a schema. */
export interface SchemaFeature {
  readonly schemas?: { validated: typeof validated };
}

/** The argument `schema` of `unpack`. */
export const schemas: SchemaFeature = { schemas: { validated } };
