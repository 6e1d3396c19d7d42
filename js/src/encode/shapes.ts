import { keyBytes } from '../wire/keys.ts';
import { compileFields, compileValues } from './compile.ts';
import type { Writer } from './writer.ts';

/** Uses before an encoder is generated; generating one costs about 15 microseconds. */
const COMPILE_AFTER = 8;
/** Most encoders that an instance generates. */
const COMPILE_MAX = 1000;
/** Most keys of an object whose encoder is generated. */
const MAX_FIELDS = 100;
/** Nodes of the tree of keys above which it is made anew before the next message. */
const MAX_NODES = 20_000;

/** Writes the values of an object, with or without its keys. */
export type ObjectWriter = (writer: Writer, object: object) => void;

/** The keys of objects that were met, in their order. */
export class Shape {
  readonly keys: readonly string[];
  /** Each key as it is written. */
  readonly keyBytes: readonly Uint8Array[];
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
  uses = 0;
  #definition: Uint8Array | undefined;

  constructor(keys: readonly string[]) {
    this.keys = keys;
    this.keyBytes = keys.map(keyBytes);
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
  #compiled = 0;
  #first: Shape = new Shape([]);
  #last: Shape = this.#first;

  /** Begins a message; true when the tree was too large and all shapes are new. */
  begin(): boolean {
    this.#last = this.#first;
    if (this.#nodes <= MAX_NODES) return false;
    this.#root = newNode();
    this.#nodes = 0;
    this.#first = this.#last = new Shape([]);
    return true;
  }

  /** The shape of a plain object. */
  ofPlain(object: object): Shape {
    const guess = this.#last.next;
    if (guess !== null && matches(object, guess.keys)) {
      this.#last = guess;
      return guess;
    }
    let node = this.#root;
    for (const key in object)
      node = node.key === key ? (node.child as Node) : this.#step(node, key);
    const shape = node.shape ?? this.#make(node, Object.keys(object));
    this.#last.next = shape;
    this.#last = shape;
    return shape;
  }

  /** The shape of a list of keys. */
  ofKeys(keys: readonly string[]): Shape {
    let node = this.#root;
    for (const key of keys) node = node.key === key ? (node.child as Node) : this.#step(node, key);
    return node.shape ?? this.#make(node, [...keys]);
  }

  #make(node: Node, keys: readonly string[]): Shape {
    node.shape = new Shape(keys);
    return node.shape;
  }

  #step(node: Node, key: string): Node {
    let next = node.others?.get(key);
    if (next === undefined) {
      next = newNode();
      this.#nodes++;
      if (node.key === null) {
        node.key = key;
        node.child = next;
      } else {
        node.others ??= new Map();
        node.others.set(key, next);
      }
    }
    return next;
  }

  /** Counts a use of a shape that has no generated encoder, and perhaps makes one. */
  used(shape: Shape, asRecord: boolean): void {
    if (++shape.uses % COMPILE_AFTER !== 0 || shape.keys.length > MAX_FIELDS) return;
    if (this.#compiled >= COMPILE_MAX) return;
    this.#compiled++;
    if (asRecord) shape.values = compileValues(shape.keys);
    else shape.fields = compileFields(shape.keys, shape.keyBytes);
  }
}
