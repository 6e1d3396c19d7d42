/** The order of the folders of src/, their imports and their names. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** The folders below those that encode and decode, and below `api`. */
const BASE = ['record', 'ext', 'wire', 'errors'];
const BELOW_API = [
  'stream',
  'options',
  'schema',
  'columns/read',
  'columns/write',
  'columns',
  'encode',
  'decode',
  ...BASE,
];
const CONTAINER = ['index', 'target', 'source', 'codec'].map((name) => `container/${name}`);

/** What each folder may import, itself left out; `entry` has the entry points of the package. */
const BELOW = {
  entry: [
    'arrow',
    ...['compat/msgpack', 'compat/msgpackr', 'compat/host'],
    ...['container/write', 'container/read', ...CONTAINER],
    ...['api', ...BELOW_API],
  ],
  arrow: ['columns/read', 'columns', ...BASE],
  'compat/msgpack': ['api', 'stream', 'options', 'encode', 'decode', ...BASE],
  'compat/msgpackr': ['api', 'options', 'schema', 'encode', 'decode', ...BASE],
  'compat/host': ['api', 'stream', 'options', 'encode', 'decode', ...BASE],
  'container/write': ['container/read', ...CONTAINER, 'api', ...BELOW_API],
  'container/read': [...CONTAINER, 'api', ...BELOW_API],
  'container/index': [...CONTAINER.slice(1), 'api', ...BELOW_API],
  'container/target': [...CONTAINER.slice(2), 'api', ...BELOW_API],
  'container/source': ['container/codec', 'api', ...BELOW_API],
  'container/codec': ['api', ...BELOW_API],
  api: BELOW_API,
  stream: ['decode', ...BASE],
  options: ['schema', 'encode', 'decode', ...BASE],
  schema: ['decode', ...BASE],
  'columns/read': ['columns', 'decode', ...BASE],
  'columns/write': ['columns', 'encode', ...BASE],
  columns: ['decode', ...BASE],
  encode: BASE,
  decode: BASE,
  record: ['wire', 'errors'],
  ext: ['wire', 'errors'],
  wire: ['errors'],
  errors: [],
};

/** Each file with its code and the files that it imports, types included. */
const files = new Map(
  readdirSync(SRC, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const code = readFileSync(join(SRC, name), 'utf8');
      const imports = [...code.matchAll(/^(?:import|export)[^;']*?from '(\.[^']+)';/gms)];
      return [name, { code, imports: imports.map(([, path]) => posix.join(posix.dirname(name), path)) }];
    }),
);

/** The first circle of imports that is found; undefined without one. */
function circle() {
  const done = new Set();
  function visit(name, path) {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const next of files.get(name).imports) {
      const found = visit(next, [...path, name]);
      if (found !== undefined) return found;
    }
    done.add(name);
    return undefined;
  }
  for (const name of files.keys()) {
    const found = visit(name, []);
    if (found !== undefined) return found.join(' -> ');
  }
  return undefined;
}

function declared(code, words) {
  return [...code.matchAll(new RegExp(`^(?:export )?(?:${words}) (\\w+)`, 'gm'))].map(([, name]) => name);
}

describe('the folders of src', () => {
  it('import only folders below them', () => {
    for (const [name, { imports }] of files)
      for (const target of imports) {
        assert.ok(files.has(target), `${name} imports ${target}`);
        const [from, to] = [dirname(name), dirname(target)];
        assert.ok(from === to || BELOW[from]?.includes(to), `${name} imports ${target}`);
      }
  });

  it('are in an order without a circle', () => {
    const order = Object.keys(BELOW);
    for (const [folder, below] of Object.entries(BELOW))
      for (const other of below) assert.ok(order.indexOf(other) > order.indexOf(folder), `${folder} imports ${other}`);
  });

  it('have no circle of files, types included', () => {
    assert.equal(circle(), undefined);
  });
});

describe('the names of src', () => {
  it('belong to one type each, apart from the variants of the entry points', () => {
    const seen = new Map();
    for (const [name, { code }] of files) {
      if (dirname(name) === 'entry') continue;
      for (const type of new Set(declared(code, '(?:abstract )?class|interface|type'))) {
        assert.equal(seen.get(type), undefined, `${type} in ${seen.get(type)} and ${name}`);
        seen.set(type, name);
      }
    }
  });

  it('of a file and of the one class that it exports are the same', () => {
    for (const [name, { code }] of files) {
      const file = basename(name, '.ts');
      const classes = [...code.matchAll(/^export class (\w+)/gm)].map(([, type]) => type);
      const functions = /^export function/m.test(code);
      if (classes.length === 1 && !functions) assert.equal(classes[0].replace(/Class$/, ''), file, name);
      if (/^[A-Z]/.test(file))
        assert.ok(new RegExp(`^(?:export )?(?:class|const|interface) ${file}\\b`, 'm').test(code), name);
    }
  });

  it('of files with fewer than 17 lines are those of entry points', () => {
    for (const [name, { code }] of files) assert.ok(dirname(name) === 'entry' || code.split('\n').length > 17, name);
  });
});

/**
 * The files outside of `wire` that know markers, and how often they name one. The list may only become shorter, and
 * its numbers smaller. Figures are those of `bench/`: how many times as long it takes without.
 */
const KNOW_MARKERS = {
  // The main loop: 200 rows take 1.9 times as long where each header is read by `wire` before, 2,000 numbers 2.1.
  'decode/Decoder.ts': 31,
  // The elements of arrays: 2,000 numbers 2.9 times; the generated code of `decode/compile.ts`, 200 rows 2.5.
  'decode/arrays.ts': 28,
  // Passing over small containers: a View 1.2 times, objects of a schema 1.25.
  'decode/Walker.ts': 6,
  'decode/FieldReader.ts': 2,
  // The one writer, and headers of a size that is given: definitions of records, what msgpackr and its peers write.
  'encode/ScalarEncoder.ts': 29,
  'record/RecordIds.ts': 2,
  'encode/more-types.ts': 1,
  'compat/msgpack/CodecEncoder.ts': 1,
  'compat/msgpackr/BundleBuilder.ts': 3,
  'compat/msgpackr/PeerEncoder.ts': 2,
  'compat/msgpackr/References.ts': 1,
  // Types of columns and of statistics that divide a kind: by width, and by sign.
  'columns/write/Tape.ts': 1,
  'container/index/plain-values.ts': 1,
  // The bytes of the parts of a container file, which are searched for.
  'container/source/marks.ts': 4,
};

/** Returns how often a marker is named in code: by a constant of `wire`, or as a number. */
function markersIn(code) {
  const plain = code.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const names = /\bM\.(?!EXT_|HEADER_SIZE)[A-Z][A-Z0-9]+\b/g;
  // 80 is the end of ASCII too, and ff a mask.
  const numbers = /\b0x(?!80|ff)[89a-f][0-9a-f]\b/g;
  return [...plain.matchAll(names), ...plain.matchAll(numbers)].length;
}

describe('the depth of values', () => {
  it('is checked where containers are opened: in encode and decode, and where others count it', () => {
    const found = [...files].filter(([, { code }]) => /fa(?:il|ult)\('depth_limit'/.test(code)).map(([name]) => name);
    assert.deepEqual(
      found.filter((name) => !/^(?:en|de)code\//.test(name)),
      // The depth of values as @msgpack/msgpack counts it, of columns as a whole, and of values that are not read.
      ['columns/read/columns.ts', 'compat/msgpack/CodecEncoder.ts', 'container/source/pass.ts'],
    );
  });
});

describe('markers', () => {
  it('are known to wire, and to a list of files that shrinks', () => {
    const found = [...files]
      .filter(([name]) => !/^(?:wire|container\/codec)\//.test(name))
      .map(([name, { code }]) => [name, markersIn(code)])
      .filter(([, count]) => count > 0);
    assert.deepEqual(Object.fromEntries(found), KNOW_MARKERS);
  });

  it('are imported with their prefix alone, apart from types of ext', () => {
    for (const [name, { code }] of files)
      for (const [, names] of code.matchAll(/import \{([^}]*)\} from '[^']*wire\/markers\.ts'/g))
        assert.match(names, /^(?:\s*(?:EXT_\w+|HEADER_SIZE|is[A-Z]\w*),?)+\s*$/, name);
  });
});
