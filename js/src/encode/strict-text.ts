import type { StringCollector } from './EncoderState.ts';

/** A surrogate without the other one of its pair. */
const LONE = /\p{Surrogate}/u;
/** Older browsers lack it. */
const { isWellFormed } = String.prototype as { isWellFormed?: () => boolean };

/** Refuses strings with lone surrogates, and leaves all others in their place. */
export const strictText: StringCollector = {
  add(encoder, value) {
    const isLone = isWellFormed === undefined ? LONE.test(value) : !isWellFormed.call(value);
    if (isLone) throw encoder.fail('invalid_utf8', 'lone surrogate');
    return false;
  },
};
