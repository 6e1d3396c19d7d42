import { formatPath, type MsgpackDecodeError, type PathPart } from '../errors/errors.ts';
import type { DecodeConfig } from './DecodeConfig.ts';
import type { DecodeFeatures, DecoderState } from './DecoderState.ts';
import { type Container, Walker } from './Walker.ts';

/** A container on the way to the place of a fault. */
interface Frame {
  readonly container: Container;
  /** Number of its elements; keys and values of a map each count. */
  readonly count: number;
  readonly start: number;
  /** Number of the element, or of the key or value of a map. */
  index: number;
  /** Position of the last key of a map. */
  keyStart: number;
}

/** Returns the path of a fault in a message that a decoder failed to read, with its number in a stream. */
export const pathOf: NonNullable<DecodeFeatures['paths']>['pathOf'] = (decoder, bytes, start, end, fault, message) =>
  formatPath(new Locator(bytes, start, end, decoder).pathTo(fault), message);

/** Makes a walker over a message that a decoder has read, or failed to read. The walk does not count depth. */
function walkerOver(bytes: Uint8Array, start: number, end: number, decoder: DecoderState): Walker {
  const config: DecodeConfig = {
    ...decoder.config,
    timestamps: 'timestamp',
    int64: 'auto',
    loadShared: null,
    maps: 'map',
    rawStrings: false,
    // Keys are shown as they were read.
    utf8: decoder.config.utf8 === 'raw' ? 'raw' : 'replace',
  };
  const walker = new Walker(config, decoder.features, decoder.structures);
  walker.open(bytes, start, end);
  walker.maxDepth = Number.POSITIVE_INFINITY;
  return walker;
}

function skip(walker: Walker): void {
  for (let left = 1; left > 0; left--) {
    const container = walker.enter();
    if (container === null) left += walker.skipPayload() ? 1 : 0;
    else left += container.kind === 'map' ? container.count * 2 : container.count;
  }
}

/** Returns the offset of the value at a path, or of the last container on the way to it. */
export function offsetOf(
  path: readonly PropertyKey[],
  bytes: Uint8Array,
  start: number,
  end: number,
  decoder: DecoderState,
): number {
  const walker = walkerOver(bytes, start, end, decoder);
  const first = walker.pos;
  let found = first;
  try {
    for (const step of path) {
      const container = walker.enter();
      const child = container === null ? undefined : findChild(walker, container, String(step));
      if (child === undefined) break;
      walker.goTo(child);
      found = child;
    }
  } catch {
    // What the walker can't follow, such as strings in a bundle.
  }
  walker.goTo(first);
  return found - walker.base;
}

/** Returns the position of a child of the container that was entered; of equal keys the last one. */
function findChild(walker: Walker, container: Container, step: string): number | undefined {
  const { kind, count, keys } = container;
  let found: number | undefined;
  for (let i = 0; i < count; i++) {
    const key = kind === 'map' ? String(walker.read()) : kind === 'record' ? keys[i] : String(i);
    if (key === step) found = walker.pos;
    if (found !== undefined && kind === 'array') break;
    skip(walker);
  }
  return found;
}

/**
 * Finds the path of an offset: it walks over the message once more up to there. The path ends
 * at what can't be walked over.
 */
class Locator {
  readonly #walker: Walker;
  readonly #frames: Frame[] = [];

  constructor(bytes: Uint8Array, start: number, end: number, decoder: DecoderState) {
    this.#walker = walkerOver(bytes, start, end, decoder);
  }

  pathTo({ kind, offset }: MsgpackDecodeError): PathPart[] {
    const walker = this.#walker;
    const start = walker.pos;
    // Of a stream, what is announced may not have arrived.
    if (kind !== 'eof') walker.pending = Number.NEGATIVE_INFINITY;
    try {
      while (this.#step(walker.base + offset));
    } catch {
      // The fault itself, or what it made unreadable.
    }
    walker.maxDepth = walker.config.maxDepth;
    walker.depth = 0;
    walker.pending = 0;
    // A fault within a key has the path of the map.
    const key = this.#frames.findIndex(isKey);
    const frames = key < 0 ? this.#frames : this.#frames.slice(0, key);
    const path = frames.map((frame) => this.#part(frame));
    // Undoes the definitions that were walked over.
    walker.goTo(start);
    return path;
  }

  /** Walks over one header; returns false when the walk is at its end. */
  #step(target: number): boolean {
    const walker = this.#walker;
    const start = walker.pos;
    if (start >= target) return false;
    const container = walker.enter();
    if (container === null) {
      const isFollowed = walker.skipPayload();
      if (walker.pos > target) return false;
      if (isFollowed) return true;
      this.#done(start);
    } else {
      // The keys of a definition are not elements.
      if (walker.pos > target) return false;
      const count = container.kind === 'map' ? container.count * 2 : container.count;
      if (count === 0) this.#done(start);
      else {
        this.#frames.push({ container, count, start, index: 0, keyStart: start });
        walker.pending += count - 1;
      }
    }
    return this.#frames.length > 0;
  }

  /** Ends a value, and with it the containers of which it is the last element. */
  #done(start: number): void {
    let from = start;
    const frames = this.#frames;
    for (; frames.length > 0; frames.pop()) {
      const frame = frames[frames.length - 1] as Frame;
      if (isKey(frame)) frame.keyStart = from;
      if (++frame.index < frame.count) {
        this.#walker.pending--;
        return;
      }
      from = frame.start;
    }
  }

  #part({ container, index, keyStart }: Frame): PathPart {
    if (container.kind === 'array') return index;
    if (container.kind === 'record') return container.keys[index] as string;
    try {
      this.#walker.goTo(keyStart);
      return { key: this.#walker.read() };
    } catch {
      return { key: undefined };
    }
  }
}

function isKey({ container, index }: Frame): boolean {
  return container.kind === 'map' && index % 2 === 0;
}
