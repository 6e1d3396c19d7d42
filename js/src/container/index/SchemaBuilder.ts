import { type Header, newHeader, readHeader, WHOLE_SIZE } from '../../wire/header.ts';
import { sameBytes } from '../../wire/platform.ts';
import { type ContainerSchema, SCHEMA_TYPES, type SchemaEntry } from './ContainerIndex.ts';
import { bodyAt, typeAt } from './plain-values.ts';

/** Maximum number of paths in a schema, and maximum size of one in bytes. */
const MAX_PATHS = 1000;
const MAX_PATH = 256;

/** What was met at a path. */
class SchemaNode {
  /** The path, and its size in bytes. */
  readonly path: string;
  readonly size: number;
  readonly name: Uint8Array;
  /** Number of values that are not nil. */
  there = 0;
  /** A bit for each type. */
  types = 0;
  elements: SchemaNode | null = null;
  elementCount = 0;
  readonly keys: SchemaNode[] = [];
  byName: Map<string, SchemaNode> | null = null;

  constructor(path: string, size: number, name: Uint8Array) {
    this.path = path;
    this.size = size;
    this.name = name;
  }
}

const NONE = Symbol('no schema');

const NO_NAME = /* @__PURE__ */ new Uint8Array(0);

/** Finds the schema of a table from its rows (spec/container.md sections 3 and 7.1). */
export class SchemaBuilder {
  #root: SchemaNode | null = new SchemaNode('', 0, NO_NAME);
  #rows = 0;
  #paths = 0;
  #bytes: Uint8Array = NO_NAME;
  #view: DataView = new DataView(NO_NAME.buffer);
  readonly #header: Header = newHeader();

  /** Whether there are rows, so that the table has a schema or cannot have one. */
  get hasRows(): boolean {
    return this.#rows > 0;
  }

  /** Adds rows that lie one after another in plain bytes. */
  add(bytes: Uint8Array, start: number, count: number): void {
    this.#rows += count;
    if (this.#root === null) return;
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    try {
      for (let p = start, row = 0; row < count; row++) {
        if (SCHEMA_TYPES[typeAt(bytes, p)] !== 'map') throw NONE;
        p = this.#visit(this.#root, p);
      }
    } catch (error) {
      if (error !== NONE) throw error;
      this.#root = null;
    }
    this.#bytes = NO_NAME;
  }

  /** Looks at the value at a position; returns where it ends. */
  #visit(node: SchemaNode, p: number): number {
    const bytes = this.#bytes;
    const type = typeAt(bytes, p);
    if (type < 0) return p + 1;
    node.there++;
    node.types |= 1 << type;
    const whole = WHOLE_SIZE[bytes[p] as number] as number;
    if (whole > 0) return p + whole;
    readHeader(this.#view, p, bytes.length, this.#header);
    const { kind, size, count } = this.#header;
    if (kind === 'map') return this.#entries(node, p + size, count);
    if (kind !== 'array') return p + size + count;
    let at = p + size;
    if (count > 0) {
      node.elements ??= this.#newNode(`${node.path}[]`, node.size + 2, NO_NAME);
      node.elementCount += count;
      for (let i = 0; i < count; i++) at = this.#visit(node.elements, at);
    }
    return at;
  }

  #entries(node: SchemaNode, start: number, count: number): number {
    const bytes = this.#bytes;
    let p = start;
    for (let i = 0; i < count; i++) {
      if (SCHEMA_TYPES[typeAt(bytes, p)] !== 'str') throw NONE;
      const name = bodyAt(bytes, p);
      readHeader(this.#view, p, bytes.length, this.#header);
      const end = name + this.#header.count;
      // Rows mostly have their keys in the same order.
      const guess = node.keys[i];
      const child = guess !== undefined && sameBytes(guess.name, bytes, name, end) ? guess : this.#key(node, name, end);
      p = this.#visit(child, end);
    }
    return p;
  }

  #key(node: SchemaNode, start: number, end: number): SchemaNode {
    if (end - start > MAX_PATH) throw NONE;
    const name = new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes.subarray(start, end));
    node.byName ??= new Map();
    let child = node.byName.get(name);
    if (child === undefined) {
      if (name === '' || name.includes('.') || name.includes('[]')) throw NONE;
      const path = node.path === '' ? name : `${node.path}.${name}`;
      const size = node.size + (node.path === '' ? 0 : 1) + end - start;
      child = this.#newNode(path, size, this.#bytes.slice(start, end));
      node.byName.set(name, child);
      node.keys.push(child);
    }
    return child;
  }

  #newNode(path: string, size: number, name: Uint8Array): SchemaNode {
    if (++this.#paths > MAX_PATHS || size > MAX_PATH) throw NONE;
    return new SchemaNode(path, size, name);
  }

  /** Returns the schema of the rows; undefined where there are none, or where they cannot have one. */
  schema(): ContainerSchema | undefined {
    if (this.#root === null || this.#rows === 0) return undefined;
    const schema = new Map<string, SchemaEntry>();
    list(this.#root, this.#rows, schema);
    return schema;
  }
}

/** Lists what is below a node; `rows` is the number of rows, or of elements, that there are. */
function list(node: SchemaNode, rows: number, to: Map<string, SchemaEntry>): void {
  const types = SCHEMA_TYPES.filter((_, type) => (node.types & (1 << type)) !== 0);
  if (node.path !== '') to.set(node.path, { types, nullable: node.there < rows });
  if (node.elements !== null) list(node.elements, node.elementCount, to);
  for (const key of node.keys) list(key, rows, to);
}

/** Puts the schemas of two parts of a table together; undefined where the result would have too many paths. */
export function mergedSchema(one: ContainerSchema, other: ContainerSchema): ContainerSchema | undefined {
  const merged = new Map<string, SchemaEntry>();
  for (const path of inOrder([...one.keys(), ...other.keys()])) {
    const [a, b] = [one.get(path), other.get(path)];
    const types = SCHEMA_TYPES.filter((type) => a?.types.includes(type) || b?.types.includes(type));
    let nullable = (a?.nullable ?? false) || (b?.nullable ?? false);
    if (a === undefined || b === undefined) {
      const lacking = a === undefined ? one : other;
      const at = path.lastIndexOf('[]');
      nullable ||= at < 0 || lacking.has(path.slice(0, at + 2));
    }
    merged.set(path, { types, nullable });
  }
  return merged.size > MAX_PATHS ? undefined : merged;
}

type PathParts = Map<string, PathParts>;

/** Returns paths in order: each after what it is in, elements first, else as they come. */
function inOrder(paths: readonly string[]): string[] {
  const root: PathParts = new Map();
  for (const path of paths) {
    let node = root;
    for (const [part] of path.matchAll(/\[\]|(?:(?!\[\])[^.])+/g)) {
      let next = node.get(part);
      if (next === undefined) {
        next = new Map();
        node.set(part, next);
      }
      node = next;
    }
  }
  const ordered: string[] = [];
  const walk = (node: PathParts, path: string): void => {
    const parts = [...node].sort(([a], [b]) => Number(b === '[]') - Number(a === '[]'));
    for (const [part, inner] of parts) {
      const name = part === '[]' || path === '' ? path + part : `${path}.${part}`;
      ordered.push(name);
      walk(inner, name);
    }
  };
  walk(root, '');
  return ordered;
}
