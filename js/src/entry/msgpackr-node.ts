/** `packord/msgpackr` in Node: with Node's streams. */
import { type Callable, callable } from '../api/callable.ts';
import {
  PackrStream as CommonPackrStream,
  UnpackrStream as CommonUnpackrStream,
  type StreamOptions,
} from '../api/node-streams.ts';
import { internal } from '../compat/msgpackr/dialect.ts';

export * from './msgpackr.ts';
export type { StreamOptions };

class CompatiblePackrStream extends CommonPackrStream {
  constructor(options: StreamOptions = {}) {
    super(internal(options as object) as StreamOptions);
  }
}

class CompatibleUnpackrStream extends CommonUnpackrStream {
  constructor(options: StreamOptions = {}) {
    super(internal(options as object) as StreamOptions);
  }
}

/** Packs values as msgpackr's PackrStream does. May be called without `new`. */
export type PackrStream = CompatiblePackrStream;
export const PackrStream: Callable<typeof CompatiblePackrStream> = /* @__PURE__ */ callable(
  CompatiblePackrStream,
  'PackrStream',
);

/** Unpacks values as msgpackr's UnpackrStream does. May be called without `new`. */
export type UnpackrStream = CompatibleUnpackrStream;
export const UnpackrStream: Callable<typeof CompatibleUnpackrStream> = /* @__PURE__ */ callable(
  CompatibleUnpackrStream,
  'UnpackrStream',
);

export { PackrStream as EncoderStream, UnpackrStream as DecoderStream };
