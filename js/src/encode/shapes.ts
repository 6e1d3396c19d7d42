import { keyBytes, keyWords } from '../wire/keys.ts';
import { compileFields, compileValues } from './compile.ts';
import type { Writer } from './writer.ts';

/** Uses before an encoder is generated; generating one costs about 15 microseconds. */
const COMPILE_AFTER = 8;
/**
 * An encoder is generated only for shapes that one of so many objects has, counted anew
 * after some objects. Engines compile functions when they are warm, so hundreds that are
 * seldom called cost several times what they save.
 */
const COMPILE_SHARE = 200;
const WINDOW = 4096;
/** Most encoders that an instance generates. */
const COMPILE_MAX = 400;
/** Most keys of an object whose encoder is generated. */
const MAX_FIELDS = 100;
/** Nodes of the tree of keys above which it is made anew before the next message. */
const MAX_NODES = 20_000;
/**
 * Branches of a node beyond which objects are taken for dictionaries: their keys tell
 * nothing of the next one, and looking for their shape costs more than writing them.
 */
const MAX_BRANCHES = 32;
/** Keys without a branch that are remembered: one that comes again soon gets one after all. */
const MAX_REFUSED = 64;

/** Writes the values of an object, with or without its keys. */
export type ObjectWriter = (writer: Writer, object: object) => void;

/** The keys of objects that were met, in their order. */
export class Shape {
  readonly keys: readonly string[];
  /** Each key as it is written. */
  readonly keyBytes: readonly Uint8Array[];
  readonly lengths: readonly number[];
  /** The same bytes as integers of 32 bits, the last with zeros behind; none for long keys. */
  readonly words: readonly Int32Array[];
  /** Whether these keys can be a structure: at least one, and all differ when written. */
  readonly isRecord: boolean;
  /** The shape that came after this one the last time. */
  next: Shape | null = null;
  /** The index of its structure, and the message for which that holds. */
  index = 0;
  epoch = 0;
  /** The generated encoders of a plain map's fields and of a record's values. */
  fields: ObjectWriter | null = null;
  values: ObjectWriter | null = null;
  /** Uses without an encoder, in the window that was the current one. */
  uses = 0;
  window = 0;
  #definition: Uint8Array | undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.keyBytes = keys.map(keyBytes);
    this.lengths = this.keyBytes.map((bytes) => bytes.length);
    this.words = this.keyBytes.map(keyWords);
    this.isRecord = keys.length > 0 && this.#differ();
  }

  /** Keys with lone surrogates are the same when these are replaced. */
  #differ(): boolean {
    if (!this.keys.some((key) => /[\ud800-\udfff]/.test(key))) return true;
    return new Set(this.keyBytes.map(String)).size === this.keys.length;
  }

  /** The list of keys as a record definition has it. */
  definition(): Uint8Array {
    if (this.#definition === undefined) {
      const n = this.keys.length;
      const parts = [n < 16 ? [0x90 | n] : [0xdc, n >> 8, n & 0xff], ...this.keyBytes];
      const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
      }
      this.#definition = bytes;
    }
    return this.#definition;
  }
}

interface Node {
  shape: Shape | null;
  /** The key that was met first behind this node, and the others. */
  key: string | null;
  child: Node | null;
  others: Map<string, Node> | null;
}

function newNode(): Node {
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

/** Finds the shape of an object: by a guess first, then by walking a tree of keys. */
export class Shapes {
  #root: Node = newNode();
  #nodes = 0;
  readonly #refused = new Set<string>();
  #compiled = 0;
  /** Objects since the window began. */
  #objects = 0;
  #window = 0;
  #first: Shape = new Shape([]);
  #last: Shape = this.#first;

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
    this.#first = this.#last = new Shape([]);
    return true;
  }

  /** The shape of a plain object. */
  ofPlain(object: object): Shape {
    return this.#guess(object) ?? (this.#walk(object, Number.POSITIVE_INFINITY) as Shape);
  }

  /** The shape of a plain object, or null where one that is not known yet would be no help. */
  find(object: object): Shape | null {
    return this.#guess(object) ?? this.#walk(object, MAX_BRANCHES);
  }

  /** The shape that followed the last one before, when the object has it. */
  #guess(object: object): Shape | null {
    this.#objects++;
    const guess = this.#last.next;
    if (guess === null || !matches(object, guess.keys)) return null;
    this.#last = guess;
    return guess;
  }

  #walk(object: object, branches: number): Shape | null {
    let node: Node | null = this.#root;
    for (const key in object) {
      node = node.key === key ? node.child : this.#step(node, key, branches);
      if (node === null) return null;
    }
    const shape = node.shape ?? this.#make(node, Object.keys(object));
    this.#last.next = shape;
    this.#last = shape;
    return shape;
  }

  /** The shape of a list of keys. */
  ofKeys(keys: readonly string[]): Shape {
    let node = this.#root;
    for (const key of keys) node = (node.key === key ? node.child : this.#step(node, key)) as Node;
    return node.shape ?? this.#make(node, [...keys]);
  }

  #make(node: Node, keys: readonly string[]): Shape {
    node.shape = new Shape(keys);
    return node.shape;
  }

  /** The node behind a key that is not a node's first; null when it would be one too many. */
  #step(node: Node, key: string, branches = Number.POSITIVE_INFINITY): Node | null {
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

  /** Whether a key is one too many: dictionaries must not shut out objects that come often. */
  #refuse(key: string): boolean {
    if (this.#refused.delete(key)) return false;
    if (this.#refused.size === MAX_REFUSED) this.#refused.clear();
    this.#refused.add(key);
    return true;
  }

  /** Counts a use of a shape that has no generated encoder, and perhaps makes one. */
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
