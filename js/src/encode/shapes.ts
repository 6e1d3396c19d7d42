import { MAX_KEYS, sameKeys } from '../record/structures.ts';
import { keyBytes, keyWords, writtenKeys } from '../wire/keys.ts';
import { compileFields, compileValues } from './compile.ts';
import type { Omission } from './EncodeConfig.ts';
import type { ObjectEncoder, ScalarState } from './EncoderState.ts';

/** Uses before an encoder is generated; generating one costs about 15 microseconds. */
const COMPILE_AFTER = 8;
/**
 * An encoder is generated only for shapes that at least one in this many objects has, counted
 * over windows of this many objects. Engines compile functions when they are warm, so hundreds
 * of functions that are seldom called cost several times what they save.
 */
const COMPILE_SHARE = 50;
const WINDOW = 4096;
/** Maximum number of encoders that an instance generates. */
const COMPILE_MAX = 400;
/** Maximum number of keys of an object whose encoder is generated. */
const MAX_FIELDS = 100;
/** Number of nodes above which the tree of keys is discarded before the next message. */
const MAX_NODES = 20_000;
/**
 * Number of branches of a node above which objects count as dictionaries: their keys don't
 * predict those of the next one, and looking for their shape costs more than writing them.
 */
const MAX_BRANCHES = 32;
/** Maximum number of shapes with more keys than objects mostly have, which are not in the tree. */
const MAX_WIDE = 8;
/** Number of keys without a branch that are remembered: one that repeats soon gets a branch. */
const MAX_REFUSED = 64;

const LONE = /[\ud800-\udfff]/u;

/** The keys that objects have in common, in their order. */
export class Shape {
  readonly keys: readonly string[];
  /** Each key as it is written; empty before {@link measure}. */
  keyBytes: readonly Uint8Array[] = [];
  lengths: readonly number[] = [];
  /** The same bytes as integers of 32 bits, filled up with zeros; none for long keys. */
  words: readonly Int32Array[] = [];
  /** Whether these keys can be a structure: every reader has the same keys. Lone surrogates are replaced. */
  readonly isRecord: boolean;
  /** The shape that followed this one last; {@link DICTIONARY} where it was none. */
  next: Shape | null = null;
  /** The index of its structure, and the epoch of the message for which it holds. */
  index = 0;
  epoch = 0;
  /** The generated encoders of a plain map's fields and of a record's values. */
  fields: ObjectEncoder | null = null;
  values: ObjectEncoder | null = null;
  /** Uses without a generated encoder, within the window of that number. */
  uses = 0;
  window = 0;
  #definition: Uint8Array | undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.isRecord = !keys.some((key) => LONE.test(key));
  }

  /** Prepares the keys for writing them one by one. */
  measure(): void {
    this.keyBytes = this.keys.map(keyBytes);
    this.lengths = this.keyBytes.map((bytes) => bytes.length);
    this.words = this.keyBytes.map(keyWords);
  }

  /** Writes the list of keys as in a record definition. */
  writeDefinition(encoder: ScalarState): void {
    const { keys } = this;
    encoder.arrayHeader(keys.length);
    if (encoder.bundle !== null || keys.length > MAX_KEYS) {
      for (const key of keys) encoder.string(key);
      return;
    }
    this.#definition ??= Uint8Array.from(keys.flatMap((key) => [...keyBytes(key)]));
    encoder.raw(this.#definition);
  }
}

/** Stands for the shape of a dictionary, which has none. */
const DICTIONARY: Shape = /* @__PURE__ */ new Shape([]);

interface KeyNode {
  shape: Shape | null;
  /** The key that was met first at this node, and the others. */
  key: string | null;
  child: KeyNode | null;
  others: Map<string, KeyNode> | null;
}

function newNode(): KeyNode {
  return { shape: null, key: null, child: null, others: null };
}

/** Whether an object's enumerable keys are these, in this order. */
function matches(object: object, keys: readonly string[]): boolean {
  let i = 0;
  for (const key in object) {
    if (keys[i] !== key) return false;
    i++;
  }
  return i === keys.length;
}

const NO_KEYS: readonly string[] = [];

/** Whether an object has no keys: this takes half the time of its shape. */
function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

/** Whether a property is undefined; in a loop of its own, which most programs do not enter. */
function lacksAny(object: object, keys: readonly string[]): boolean {
  return keys.some((key) => (object as Record<string, unknown>)[key] === undefined);
}

/** Finds the shape of an object: by a guess first, then by walking a tree of keys. */
export class Shapes {
  readonly #omission: Omission | null;
  #root: KeyNode = newNode();
  #nodes = 0;
  readonly #refused = new Set<string>();
  /** Shapes of more keys than {@link MAX_KEYS}. */
  #wide: Shape[] = [];
  #compiled = 0;
  #objects = 0;
  #window = 0;
  #first: Shape = new Shape([]);
  /** The shape of objects without keys: after one, others are likely to have none. */
  #empty: Shape | null = null;
  #last: Shape = this.#first;

  /** @param omission whether properties that are undefined have no part in a shape */
  constructor(omission: Omission | null) {
    this.#omission = omission;
  }

  get #omits(): boolean {
    return this.#omission?.met === true;
  }

  /** Begins a message; true when the tree was too large and all shapes are new. */
  begin(): boolean {
    this.#last = this.#first;
    if (this.#objects > WINDOW) {
      this.#objects = 0;
      this.#window++;
    }
    if (this.#nodes <= MAX_NODES) return false;
    this.#root = newNode();
    this.#nodes = 0;
    this.#wide = [];
    this.#first = this.#last = new Shape([]);
    return true;
  }

  ofPlain(object: object): Shape {
    this.#objects++;
    return this.#guess(object) ?? this.#follow(this.ofKeys(writtenKeys(object, this.#omits)));
  }

  /** Returns the shape of a plain object; for a dictionary its keys. */
  find(object: object): Shape | readonly string[] {
    this.#objects++;
    // V8 sorts the keys of a dictionary each time that it lists them, so this is done once.
    if (this.#last.next === DICTIONARY) return this.#findOf(writtenKeys(object, this.#omits));
    if (this.#last === this.#empty && isEmpty(object)) return NO_KEYS;
    return this.#guess(object) ?? this.#findOf(writtenKeys(object, this.#omits));
  }

  #findOf(keys: readonly string[]): Shape | readonly string[] {
    const shape = keys.length > MAX_KEYS ? null : this.#walk(keys, MAX_BRANCHES);
    if (shape !== null) return this.#follow(shape);
    this.#last.next = DICTIONARY;
    return keys;
  }

  /** Returns the shape that followed the last one before, if the object has it. */
  #guess(object: object): Shape | null {
    const guess = this.#last.next;
    if (guess === null || !matches(object, guess.keys)) return null;
    if (this.#omits && lacksAny(object, guess.keys)) return null;
    this.#last = guess;
    return guess;
  }

  #follow(shape: Shape): Shape {
    if (shape.keys.length === 0) this.#empty = shape;
    this.#last.next = shape;
    this.#last = shape;
    return shape;
  }

  #walk(keys: readonly string[], branches: number): Shape | null {
    let node: KeyNode | null = this.#root;
    for (const key of keys) {
      node = node.key === key ? node.child : this.#step(node, key, branches);
      if (node === null) return null;
    }
    node.shape ??= new Shape([...keys]);
    return node.shape;
  }

  ofKeys(keys: readonly string[]): Shape {
    if (keys.length > MAX_KEYS) return this.#wideOf(keys);
    return this.#walk(keys, Number.POSITIVE_INFINITY) as Shape;
  }

  /** Returns the shape of many keys: a tree of them would take more memory than they do. */
  #wideOf(keys: readonly string[]): Shape {
    const before = this.#wide.find((shape) => sameKeys(shape.keys, keys));
    if (before !== undefined) return before;
    const shape = new Shape([...keys]);
    if (this.#wide.push(shape) > MAX_WIDE) this.#wide.shift();
    return shape;
  }

  /** Returns the node after a key that is not a node's first; null if it would exceed the limit. */
  #step(node: KeyNode, key: string, branches: number): KeyNode | null {
    const known = node.others?.get(key);
    if (known !== undefined) return known;
    if (node.others !== null && node.others.size >= branches && this.#refuse(key)) return null;
    const next = newNode();
    this.#nodes++;
    if (node.key === null) {
      node.key = key;
      node.child = next;
    } else {
      node.others ??= new Map();
      node.others.set(key, next);
    }
    return next;
  }

  /** Whether a key gets no branch: the first time, so that frequent objects get one after all. */
  #refuse(key: string): boolean {
    if (this.#refused.delete(key)) return false;
    if (this.#refused.size === MAX_REFUSED) this.#refused.clear();
    this.#refused.add(key);
    return true;
  }

  /** Counts a use of a shape without a generated encoder, and generates one for frequent shapes. */
  used(shape: Shape, asRecord: boolean): void {
    if (shape.window !== this.#window) {
      shape.window = this.#window;
      shape.uses = 0;
    }
    if (++shape.uses % COMPILE_AFTER !== 0 || shape.keys.length > MAX_FIELDS) return;
    if (this.#compiled >= COMPILE_MAX || shape.uses * COMPILE_SHARE < this.#objects) return;
    this.#compiled++;
    if (asRecord) shape.values = compileValues(shape.keys);
    else shape.fields = compileFields(shape.keys, shape.keyBytes);
  }
}
