/** What the playground takes for what, what it reads of text for bytes, and how it says what is wrong. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { moduleOf } from '../support.mjs';

const { kindOf, programs } = await moduleOf('code');
const { recognise } = await moduleOf('input');
const { fromFragment, toFragment } = await moduleOf('share');
const { plainly } = await moduleOf('frames');

/** A message of 38 bytes with each kind of byte: letters, a line break and one that is not ASCII. */
const BYTES = Buffer.from('82a26964cd1234a46e616d65d91941 64610a227827205c5c e9 414243444546474849 4a4b4c4d4e'.replaceAll(' ', ''), 'hex');
const HEX = BYTES.toString('hex');
const taken = (text, name = '', chosen = 'auto') => recognise(new TextEncoder().encode(text), name, chosen);
const pairs = (at, end) => [...BYTES.subarray(at, end)].map((byte) => byte.toString(16).padStart(2, '0'));
const rows = [0, 16, 32].filter((at) => at < BYTES.length);
const hexOf = (number, width) => number.toString(16).padStart(width, '0');
const words = (at) =>
  Array.from({ length: Math.ceil(pairs(at, at + 16).length / 2) }, (_, word) => {
    const [low, high = '00'] = pairs(at + 2 * word, at + 2 * word + 2);
    return high + low;
  });

const WRITTEN = {
  hex: [HEX, HEX.toUpperCase(), pairs(0).join(' '), pairs(0).map((pair) => `0x${pair}`).join(', '), pairs(0).join(':\n')],
  base64: [BYTES.toString('base64'), BYTES.toString('base64url'), BYTES.toString('base64').replace(/.{20}/g, '$&\n')],
  literal: [
    `b'${pairs(0).map((pair) => `\\x${pair}`).join('')}'`,
    pairs(0).map((pair) => `\\x${pair}`).join(''),
    `b"\\x82\\xa2id\\xcd\\x124\\xa4name\\xd9\\x19Ada\\n\\"x' \\\\\\\\\\xe9ABCDEFGHIJKLMN"`,
  ],
  dump: [
    // xxd
    rows.map((at) => `${hexOf(at, 8)}: ${pairs(at, at + 16).join('').replace(/.{4}(?=.)/g, '$& ').padEnd(39)}  ${'.'.repeat(pairs(at, at + 16).length)}`).join('\n'),
    // hexdump -C
    [...rows.map((at) => `${hexOf(at, 8)}  ${pairs(at, at + 8).join(' ')}  ${pairs(at + 8, at + 16).join(' ')}  |${'.'.repeat(pairs(at, at + 16).length)}|`), hexOf(BYTES.length, 8)].join('\n'),
    // hexdump
    [...rows.map((at) => `${hexOf(at, 7)} ${words(at).join(' ')}`), hexOf(BYTES.length, 7)].join('\n'),
    // od -An is digits alone; od -tx1 counts in octal
    [...rows.map((at) => `${at.toString(8).padStart(7, '0')} ${pairs(at, at + 16).join(' ')}`), BYTES.length.toString(8).padStart(7, '0')].join('\n'),
  ],
};

describe('the playground', () => {
  for (const [format, texts] of Object.entries(WRITTEN))
    it(`reads bytes as ${format}, and says so`, () => {
      for (const text of texts) {
        const found = taken(text);
        assert.equal(found.format, format, text);
        assert.equal(Buffer.from(found.bytes).toString('hex'), HEX, text);
        assert.match(found.what, /^MessagePack in /);
      }
    });

  it('fills in the lines that a dump leaves out', () => {
    const zeros = ['00000000: c4 40 00 00 00 00 00 00 00 00 00 00 00 00 00 00', '00000010: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00', '*', '00000040: 00 00'];
    assert.equal(Buffer.from(taken(zeros.join('\n')).bytes).toString('hex'), `c440${'00'.repeat(64)}`);
  });

  it('takes numbers for JSON, and offers the rest', () => {
    for (const text of ['12', '123', '1234', '-1', '1e3', 'true', '"a"', '[1]', '{"a": 1}\n{"a": 2}']) assert.equal(taken(text).format, 'json', text);
    assert.ok(taken('1234').others.includes('hex'));
    assert.deepEqual(taken('[1]').others, []);
    assert.equal(taken('0012').format, 'hex');
    assert.equal(taken('a: 1\nb: 2').format, 'json');
    assert.equal(taken('hello').format, 'json');
  });

  it('takes files for what their name or their bytes say', () => {
    assert.equal(taken('{"a": 1}', 'data.msgpack').format, 'msgpack');
    assert.ok(taken('{"a": 1}', 'data.msgpack').others.includes('json'));
    assert.equal(taken(HEX, 'data.txt').format, 'hex');
    assert.equal(recognise(BYTES, 'data.bin', 'auto').format, 'msgpack');
    assert.equal(recognise(Uint8Array.from([0xd9, 0xd9, 0xf7, 1]), 'x', 'auto').format, 'cbor');
  });

  it('refuses what was chosen and is not there', () => {
    assert.equal(taken('82 a', '', 'hex'), 'These are not pairs of hexadecimal digits.');
    for (const format of ['base64', 'literal', 'dump']) assert.match(taken('{}', '', format), /^This is not /);
    assert.match(taken('00000000: 82\n00000020: 82', '', 'dump'), /^This is not /);
    for (const text of ["b'é'", "b'\\q'", 'b""x']) assert.notEqual(taken(text).content, 'msgpack', text);
  });

  it('keeps everything in a link', async () => {
    const shared = { read: 'dump', write: 'columns', view: 'sizes', name: 'ä & b.pkd', bytes: Uint8Array.from(BYTES) };
    const fragment = await toFragment(shared);
    assert.deepEqual(await fromFragment(fragment), shared);
    assert.equal(await fromFragment('#see-which-bytes'), undefined);
    const data = fragment.indexOf('data=') + 5;
    for (let at = data; at < fragment.length; at++) {
      assert.equal(typeof (await fromFragment(fragment.slice(0, at))), 'string');
      const other = fragment[at] === 'A' ? 'B' : 'A';
      const changed = await fromFragment(fragment.slice(0, at) + other + fragment.slice(at + 1));
      // The unused bits of the last digit may differ.
      assert.ok(typeof changed === 'string' || at === fragment.length - 1, `${at}`);
    }
  });

  it('says which features a program in Rust needs', () => {
    const page = (value) => `<script type="application/json" id="data">{"rows":{"values":["${value}"]}}</script>`;
    for (const [checked, value, features] of [
      ['1 message', 'map', []],
      ['1 message', 'type 92 columns, 9 rows', ['columns']],
      ['2 messages, 9 bytes', 'type 92 columns, 9 rows', ['columns']],
      ['9 rows in 1 block', 'map', ['container', 'container-zstd']],
    ]) {
      const [[language, code]] = programs(kindOf(checked, page(value)));
      assert.equal(language, 'Rust');
      const said = / {4}\/\/ With the features? (.*) of the crate\.\n/.exec(code)?.[1] ?? '';
      assert.deepEqual([...said.matchAll(/`([\w-]+)`/g)].map(([, name]) => name), features, code);
    }
  });

  it('leaves out the words of the command line', () => {
    const said = {
      'error: cannot read data.msgpack: it is not MessagePack but JSON (packord pack reads it); --as-is reads it all the same':
        'It is not MessagePack but JSON.',
      'error: data.msgpack: eof at byte 3 ($): input ends before the message does\n  expected: a marker':
        'eof at byte 3 ($): input ends before the message does\n  expected: a marker',
      'error: input.json: invalid JSON at line 1, column 8 ($.a): comma before a closing bracket':
        'invalid JSON at line 1, column 8 ($.a): comma before a closing bracket',
    };
    for (const [given, wanted] of Object.entries(said)) assert.equal(plainly(given), wanted);
  });
});
