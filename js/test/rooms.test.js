/** The order of the folders of src/, their imports and their names. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** What the folders of containers may import in addition to their own. */
const BELOW_CONTAINER = [
  'api',
  'stream',
  'columns',
  'encode',
  'decode',
  'record',
  'ext',
  'wire',
  'errors',
];

/** What each folder may import, itself left out; `entry` has the entry points of the package. */
const BELOW = {
  entry: [
    'arrow',
    'compat/msgpack',
    'compat/msgpackr',
    'compat/host',
    'container/write',
    'container/read',
    'container/index',
    'container/target',
    'container/source',
    'container/codec',
    'api',
    'stream',
    'columns',
    'encode',
    'decode',
    'errors',
    'ext',
    'record',
    'wire',
  ],
  arrow: ['columns', 'ext', 'wire', 'errors'],
  'compat/msgpack': ['api', 'stream', 'encode', 'decode', 'ext', 'wire', 'errors'],
  'compat/msgpackr': ['api', 'encode', 'decode', 'record', 'ext', 'wire', 'errors'],
  'compat/host': ['api', 'stream', 'encode', 'decode', 'record', 'ext', 'wire', 'errors'],
  'container/write': [
    'container/read',
    'container/index',
    'container/target',
    'container/source',
    'container/codec',
    ...BELOW_CONTAINER,
  ],
  'container/read': [
    'container/index',
    'container/target',
    'container/source',
    'container/codec',
    ...BELOW_CONTAINER,
  ],
  'container/index': [
    'container/target',
    'container/source',
    'container/codec',
    ...BELOW_CONTAINER,
  ],
  'container/target': ['container/source', 'container/codec', ...BELOW_CONTAINER],
  'container/source': ['container/codec', ...BELOW_CONTAINER],
  'container/codec': [...BELOW_CONTAINER],
  api: ['stream', 'columns', 'encode', 'decode', 'record', 'ext', 'wire', 'errors'],
  stream: ['decode', 'record', 'wire', 'errors'],
  columns: ['encode', 'decode', 'record', 'ext', 'wire', 'errors'],
  encode: ['record', 'ext', 'wire', 'errors'],
  decode: ['record', 'ext', 'wire', 'errors'],
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
      return [
        name,
        { code, imports: imports.map(([, path]) => posix.join(posix.dirname(name), path)) },
      ];
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
  return [...code.matchAll(new RegExp(`^(?:export )?(?:${words}) (\\w+)`, 'gm'))].map(
    ([, name]) => name,
  );
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
      for (const other of below)
        assert.ok(order.indexOf(other) > order.indexOf(folder), `${folder} imports ${other}`);
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
      if (classes.length === 1 && !functions)
        assert.equal(classes[0].replace(/Class$/, ''), file, name);
      if (/^[A-Z]/.test(file))
        assert.ok(
          new RegExp(`^(?:export )?(?:class|const|interface) ${file}\\b`, 'm').test(code),
          name,
        );
    }
  });

  it('of files with fewer than 17 lines are those of entry points', () => {
    for (const [name, { code }] of files)
      assert.ok(dirname(name) === 'entry' || code.split('\n').length > 17, name);
  });
});
