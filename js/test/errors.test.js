/** The messages and paths of errors, as spec/errors.md has them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { decodeIter, MsgpackDecodeError, MsgpackEncodeError, Packr, pack, Unpackr, unpack } from 'packord';
import * as compatible from 'packord/msgpackr';
import { casesOf, errorOf, expand, optionsOf } from './vectors.js';

const SPEC = readFileSync(new URL('../../spec/errors.md', import.meta.url), 'utf8');

/** The descriptions of the table in section 2, by kind. */
const DESCRIPTIONS = new Map(
  SPEC.split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && /^`\w+`$/.test(cells[1]))
    .map(([, kind, , , description]) => [kind.slice(1, -1), description]),
);

/** Asserts the form of a message, and that its parts are those of the error. */
function assertMessage(error, name) {
  const { kind, offset, path, detail } = error;
  const place = offset === undefined ? path : `byte ${offset}${path === undefined ? '' : ` (${path})`}`;
  const rest = detail === undefined ? '' : `: ${detail}`;
  assert.ok(DESCRIPTIONS.has(kind), `${name}: ${kind}`);
  assert.equal(error.message, `${kind} at ${place}: ${DESCRIPTIONS.get(kind)}${rest}`, name);
}

describe('the message of an error', () => {
  it('has the description of each kind of spec/errors.md', () => {
    assert.equal(DESCRIPTIONS.size, 18);
    for (const [kind, description] of DESCRIPTIONS) {
      assert.equal(new MsgpackDecodeError(kind, 3).message, `${kind} at byte 3: ${description}`);
      assert.equal(
        new MsgpackDecodeError(kind, 3, { path: '$[1]', detail: 'more' }).message,
        `${kind} at byte 3 ($[1]): ${description}: more`,
      );
      const encoding = new MsgpackEncodeError(kind, '$.a').message;
      const isOfWriting = /^(depth_limit|duplicate_key|out_of_range|unsupported_type|cycle|invalid_utf8)$/.test(kind);
      if (isOfWriting) assert.equal(encoding, `${kind} at $.a: ${description}`);
    }
  });

  it('has the description for every invalid vector, at once and in a stream', () => {
    const kinds = new Set();
    for (const entry of casesOf('invalid')) {
      const options = optionsOf(entry.options);
      if (options === undefined) continue;
      const bytes = expand(entry.bytes);
      for (const maps of ['map', 'auto']) {
        const unpackr = new Unpackr({ ...options, maps });
        const error = errorOf(() => unpackr.unpack(bytes));
        assertMessage(error, entry.name);
        kinds.add(error.kind);
      }
      const error = errorOf(() => [...decodeIter([bytes], options)]);
      if (error !== undefined) assertMessage(error, `${entry.name}, in a stream`);
    }
    assert.ok(kinds.size >= 10, [...kinds].join());
  });

  it('ends with further details', () => {
    const messages = [
      [
        () => new compatible.Unpackr({ useRecords: false }).unpack(pack(new Map([[[1], 2]]))),
        'type_mismatch at byte 1 ($): value has an unexpected type: expected a str as key of an object, found array; mapsAsObjects: false reads a Map',
      ],
      [
        () => new Unpackr({ maxStrLen: 2 }).unpack(pack('abc')),
        'length_limit at byte 0 ($): value exceeds a length limit: maxStrLen is 2',
      ],
      [
        () => new Unpackr({ maxNodes: 2 }).unpack(pack([1, 2])),
        'length_limit at byte 2 ($[1]): value exceeds a length limit: maxNodes is 2',
      ],
      [
        () => new Unpackr({ unknownExt: 'error' }).unpack(Uint8Array.of(0xd4, 5, 0)),
        'unknown_ext at byte 0 ($): ext type is not registered: type 5',
      ],
      [
        () => [...decodeIter([pack('abcdef')], { maxBuffer: 4 })],
        'length_limit at byte 0 ($): value exceeds a length limit: maxBuffer is 4',
      ],
      [() => pack({ a: [Symbol('x')] }), 'unsupported_type at $.a[0]: type has no encoding: symbol'],
      [() => pack({ at: new Date(Number.NaN) }), 'out_of_range at $.at: number is out of range: an invalid Date'],
    ];
    for (const [run, message] of messages) assert.equal(errorOf(run).message, message);
  });

  it('says the depth limit and a cycle in words when writing', () => {
    const cycle = {};
    cycle.self = [cycle];
    assert.equal(errorOf(() => pack(cycle)).message, 'cycle at $.self[0]: container contains itself');
    const packr = new Packr({ maxDepth: 1 });
    assert.equal(errorOf(() => packr.pack([[]])).message, 'depth_limit at $[0]: nesting exceeds the depth limit');
  });
});

describe('the path of an error', () => {
  const bytesOf = (path) => new TextEncoder().encode(path).length;

  it('is cut at 256 bytes for a key of a megabyte, when reading and when writing', () => {
    const key = 'k'.repeat(1_000_000);
    const packed = pack({ [key]: 'x' });
    packed[packed.length - 1] = 0xff;
    const cut = `$.${key.slice(0, 254)}…`;
    const decodeError = errorOf(() => unpack(packed));
    assert.equal(decodeError.path, cut);
    assert.equal(decodeError.message, `invalid_utf8 at byte ${packed.length - 1} (${cut}): str is not valid UTF-8`);
    const encodeError = errorOf(() => pack({ [key]: Symbol('x') }));
    assert.equal(encodeError.path, cut);
    assert.equal(encodeError.message, `unsupported_type at ${cut}: type has no encoding: symbol`);
  });

  it('is cut after a whole character', () => {
    for (const [character, size] of [
      ['é', 2],
      ['語', 3],
      ['😀', 4],
      ['"', 2],
    ])
      for (let shift = 0; shift < size; shift++) {
        const key = 'k'.repeat(shift) + character.repeat(400);
        const { path } = errorOf(() => pack({ [key]: Symbol('x') }));
        assert.ok(path.endsWith('…') && path.isWellFormed?.() !== false, path);
        const kept = bytesOf(path.slice(0, -1));
        assert.ok(kept <= 256 && kept > 256 - Math.max(size, 2), `${kept} bytes of ${character}`);
      }
  });

  it('is whole at 256 bytes and cut at 257', () => {
    const pathOf = (key) => errorOf(() => pack({ [key]: Symbol('x') })).path;
    assert.equal(pathOf('k'.repeat(254)), `$.${'k'.repeat(254)}`);
    assert.equal(pathOf('k'.repeat(255)), `$.${'k'.repeat(254)}…`);
  });

  it('is short for a key of many bytes or much depth', () => {
    const keys = [new Uint8Array(100_000), Array(100_000).fill(1), 'ÿ\u007f'.repeat(100_000)];
    for (const key of keys) {
      const { path, message } = errorOf(() => pack(new Map([[key, Symbol('x')]])));
      assert.ok(path.endsWith('…') && bytesOf(path) <= 256 + 3, path.slice(0, 300));
      assert.ok(message.includes(path));
    }
  });

  it('has keys that are not strings in diagnostic notation', () => {
    const unpackr = new Unpackr({ maps: 'map' });
    for (const [key, notation] of [
      ['93c0c305', '[nil, true, 5]'],
      ['82a16193a1220102ff80', '{"a": ["\\"", 1, 2], -1: {}}'],
      ['cb7e37e43c8800759c', '1e300'],
      ['cf8000000000000000', '9223372036854775808'],
      ['d50500ff', "ext(5, h'00ff')"],
      ['d40500', "ext(5, h'00')"],
      ['d6ff00000001', 'timestamp("1970-01-01T00:00:01Z")'],
      ['d7ff7735940000000001', 'timestamp("1970-01-01T00:00:01.5Z")'],
      ['c70cff000000057fffffffffffffff', 'timestamp(9223372036854775807, 5)'],
    ]) {
      const path = errorOf(() => unpackr.unpack(Buffer.from(`81${key}c1`, 'hex'))).path;
      assert.equal(path, `$[key ${notation}]`);
    }
    const keys = [
      [new Date(1500), 'timestamp("1970-01-01T00:00:01.5Z")'],
      [{ a: [1n] }, '{"a": [1]}'],
    ];
    for (const [key, notation] of keys)
      assert.equal(errorOf(() => pack(new Map([[key, Symbol('x')]]))).path, `$[key ${notation}]`);
  });

  it('has the digits and exponents of the notation in keys that are floats', () => {
    const unpackr = new Unpackr({ maps: 'map' });
    // A number does not say whether it was an integer, nor the bits of a NaN.
    const isInteger = (notation) => /^-?[0-9]{1,16}\.0$/.test(notation) && notation !== '-0.0';
    const cases = casesOf('valid').filter(
      ({ file, notation }) => file === 'floats.json' && !notation.includes('(') && !isInteger(notation),
    );
    assert.ok(cases.length >= 20, `${cases.length}`);
    for (const { bytes, notation } of cases) {
      const message = Buffer.concat([Buffer.of(0x81), expand(bytes), Buffer.of(0xc1)]);
      assert.equal(errorOf(() => unpackr.unpack(message)).path, `$[key ${notation}]`);
    }
  });

  it('ends at the container whose elements the input cannot hold', () => {
    for (const [hex, path] of [
      ['92920101', '$[0]'],
      ['82a16192c0a1', '$.a'],
      ['81a161929201c0', '$.a[0]'],
      ['939201029201', '$[1]'],
    ])
      assert.equal(errorOf(() => unpack(Buffer.from(hex, 'hex'))).path, path, hex);
  });

  it('of many steps is cut as well', () => {
    let value = Symbol('x');
    for (let i = 0; i < 500; i++) value = { name: value };
    assert.equal(errorOf(() => pack(value)).path, `$${'.name'.repeat(51)}…`);
  });
});
