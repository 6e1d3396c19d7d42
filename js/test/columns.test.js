/** Columns (spec/columns.md): payloads written by hand, and what damage to them leads to. */
import { deepEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExtData, MsgpackDecodeError, pack, Timestamp, Unpackr } from 'packord';
import { columns } from 'packord/columns';
import { Unpackr as NoEval } from 'packord/index-no-eval';
import { measured } from './measure.js';

Error.stackTraceLimit = 0;

const bytes = (hex) => Buffer.from(hex.replace(/\s/g, ''), 'hex');
const PLAIN = { columns };
const read = (message, options = {}) => new Unpackr({ ...PLAIN, ...options }).unpack(message);

/** Returns the shortest unsigned integer. */
function uint(value) {
  return [...pack(value)];
}

/** Returns an ext of columns. The sections are in the order of the directory. */
function ext({ plain, values, depth, directory, sections = '', filler = 0 }) {
  const dir = [...bytes(directory)];
  const payload = [
    1,
    ...[plain, values, depth, dir.length].flatMap(uint),
    ...dir,
    ...bytes(sections),
    ...new Array(filler).fill(0),
  ];
  return pack(new ExtData(0x5c, Uint8Array.from(payload)));
}

/** 24 rows, with the sections of each key in turn. */
const ROWS = ext({
  plain: 678,
  values: 217,
  depth: 2,
  directory: `0718 012018 0804 a26f6b a26174 a163 a174 01 0018 0132 09 cd03e8 4573
    0a020216 0101 0002 0302 0123 d1fea2`,
  sections: `c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2 c3c2
    0101010200 0101010101010101010101010101010101 01
    4f736c6f00 4772617a2100 4f736c6f00 426f6e6e00 506f00 526f6d6500
    00 4c696d6100 5769656e00 4d65747a00 4e69636500 4261726900 4c6f647a00
    436f726b00 4265726e00 42726e6f00 4b69656c00 4c796f6e00 5069736100
    596f726b00 4c696e7a00 426173656c00 556c6d00 5769656e00
    fbefff c0c0
    000007 03c201 58027102 9001b603 4c04e100 7e048a02 f401e204
    7701a901 ee022003 52038403 e8031a04 b004`,
});

/** A map of 16 maps with three shapes of keys. */
const SHAPES = ext({
  plain: 197,
  values: 125,
  depth: 3,
  directory: `0910 012010 4537 0802 a161 a162 03 0200 01 0201 00 0100 100f 0102
    0010 071e 012002 001e`,
  sections: [
    Buffer.from(Array.from({ length: 16 }, (_, i) => `r${i + 1}\0`).join('')),
    Buffer.from([0, 1, 2, ...new Array(13).fill(0)]),
    Buffer.from(Array.from({ length: 16 }, (_, i) => i + 1)),
    Buffer.from(Array.from({ length: 15 }, (_, i) => [i + 10, i + 20]).flat()),
  ]
    .map((part) => part.toString('hex'))
    .join(''),
});

/** Values of every kind and mode, each with the bytes that hold it. */
const KINDS = [
  ['DICT of one entry', bytes('c7115c0123 2101 0b 0720012020 0601010000 0107'), Array(32).fill(7)],
  [
    'INT with delta',
    bytes('c7185c011c0a010a 0709012009 0122cd03e8 000103040607090a0c'),
    [1000, 1001, 1003, 1004, 1006, 1007, 1009, 1010, 1012],
  ],
  [
    'SCALED',
    ext({
      plain: 28,
      values: 4,
      depth: 1,
      directory: '0703012003 0302 0123d1ff83',
      sections: '7d00 0000 fa00',
    }),
    [0, -1.25, 1.25],
  ],
  [
    'INT beyond 2^53, read as bigint',
    ext({
      plain: 19,
      values: 3,
      depth: 1,
      directory: '0702012002 0105',
      sections: 'ffffffffffffff7f 0000000000000080',
    }),
    [2n ** 63n - 1n, -(2n ** 63n)],
  ],
  [
    'INT with an unsigned result',
    ext({ plain: 19, values: 3, depth: 1, directory: '0702012002 0160 cfffffffffffffffff' }),
    [2n ** 64n - 1n, 2n ** 64n - 1n],
  ],
  [
    'INT that wraps around',
    ext({
      plain: 19,
      values: 3,
      depth: 1,
      directory: '0702012002 0132 02 cf7fffffffffffffff',
      sections: '01',
    }),
    [2n ** 63n - 1n, -(2n ** 63n) + 2n],
  ],
  [
    'FLOAT of 32 bits',
    ext({
      plain: 11,
      values: 3,
      depth: 1,
      directory: '0702012002 22',
      sections: '0000003f 0000a0bf',
    }),
    [0.5, -1.25],
  ],
  [
    'FLOAT of 64 bits',
    ext({
      plain: 19,
      values: 3,
      depth: 1,
      directory: '0702012002 02',
      sections: '0000000000000080 000000000000f07f',
    }),
    [-0, Number.POSITIVE_INFINITY],
  ],
  [
    'DICT of strings',
    ext({
      plain: 9,
      values: 5,
      depth: 1,
      directory: '0704012004 0602 0101 4504',
      sections: '06 6100 6200',
    }),
    ['a', 'b', 'b', 'a'],
  ],
  [
    'TIME',
    ext({
      plain: 21,
      values: 3,
      depth: 1,
      directory: '0702012002 0403 0130 d1f830 cd03e8',
    }),
    [new Date(1000), new Date(-1000)],
  ],
  [
    'BYTES, str',
    ext({
      plain: 8,
      values: 3,
      depth: 1,
      directory: '0702012002 0505 0102',
      sections: 'c3a4616263 0203',
    }),
    ['ä', 'abc'],
  ],
  [
    'BYTES, bin',
    ext({
      plain: 8,
      values: 3,
      depth: 1,
      directory: '0702012002 1503 0102',
      sections: '010203 0201',
    }),
    [Buffer.of(1, 2), Buffer.of(3)],
  ],
  [
    'BYTES, ext',
    ext({
      plain: 8,
      values: 3,
      depth: 1,
      directory: '0702012002 250503 0102',
      sections: '010203 0201',
    }),
    [new ExtData(5, Buffer.of(1, 2)), new ExtData(5, Buffer.of(3))],
  ],
  [
    'BYTES, terminated',
    ext({
      plain: 8,
      values: 3,
      depth: 1,
      directory: '0702012002 4507',
      sections: 'e697a500 616200',
    }),
    ['日', 'ab'],
  ],
  [
    'UNION',
    ext({
      plain: 5,
      values: 4,
      depth: 1,
      directory: '0703012003 0a020201 0101 0002 0001',
      sections: '02 c0c0 07',
    }),
    [null, 7, null],
  ],
  [
    'MAP in LIST',
    ext({
      plain: 9,
      values: 7,
      depth: 2,
      directory: '0702012002 0902012001 4504 0002',
      sections: '61006200 0102',
    }),
    [{ a: 1 }, { b: 2 }],
  ],
  ['PLAIN', ext({ plain: 4, values: 4, depth: 2, directory: '0004', sections: '92019102' }), [1, [2]]],
  ['STRUCT without keys', ext({ plain: 3, values: 3, depth: 2, directory: '0702012002 080001' }), [{}, {}]],
];

/** Kinds and forms that there were in drafts, and those that are none. */
const REFUSED = [
  ['kind 11', { plain: 3, values: 3, depth: 1, directory: '0702012002 0b0202 0002', sections: '0102' }],
  ['signed elements', { plain: 3, values: 3, depth: 1, directory: '0702012002 0106', sections: '0102' }],
  ['k above 15', { plain: 19, values: 3, depth: 1, directory: '0702012002 0310 0102', sections: '0102' }],
  [
    'a DICT whose entries are not a leaf',
    {
      plain: 5,
      values: 5,
      depth: 2,
      directory: '0702012002 060101000701012001 0001',
      sections: '07',
    },
  ],
];

describe('columns are read:', () => {
  for (const [name, message, value] of KINDS)
    it(name, () => {
      assert.deepEqual(read(message), value);
      // Loosely: the class ExtData is another one there.
      deepEqual(new NoEval(PLAIN).unpack(message), value);
      assert.deepEqual(read(message, { maxNodes: Number.MAX_VALUE }), value, 'in checked mode');
    });

  for (const [name, payload] of REFUSED)
    it(`but not ${name}`, () => assert.throws(() => read(ext(payload)), { kind: 'invalid_ext', offset: 0 }));

  it('rows, of which the generated code makes one object each', () => {
    const rows = read(ROWS);
    assert.equal(rows.length, 24);
    assert.deepEqual(rows[1], { ok: false, at: 1010, c: 'Graz!', t: 4.25 });
    assert.deepEqual(rows[12], { ok: true, at: 1120, c: 'Lodz', t: null });
    assert.deepEqual(new NoEval(PLAIN).unpack(ROWS), rows);
  });

  it('rows with keys in another order, or missing', () => {
    const value = read(SHAPES);
    assert.deepEqual(Object.keys(value.r2), ['b', 'a']);
    assert.deepEqual(value.r3, { a: 3 });
    assert.deepEqual(value.r16, { a: 16, b: [24, 34] });
    assert.deepEqual(
      [...read(SHAPES, { maps: 'map' }).get('r2')],
      [
        ['b', [11, 21]],
        ['a', 2],
      ],
    );
  });

  it('with records, whose ids are integers in them', () => {
    const message = ext({
      plain: 2,
      values: 2,
      depth: 1,
      directory: '0002',
      sections: '9140',
    });
    const record = Buffer.from('d4724091a161', 'hex');
    const both = Buffer.concat([Buffer.of(0x93), record, Buffer.of(1), message, Buffer.of(0x40, 2)]);
    const unpackr = new Unpackr({ columns, records: true });
    assert.deepEqual(unpackr.unpack(both), [{ a: 1 }, [0x40], { a: 2 }]);
  });

  it('and kept as an ext without the option, and in canonical reading', () => {
    for (const options of [{ columns: false }, { canonical: true }]) {
      const value = read(ROWS, options);
      assert.ok(value instanceof ExtData);
      assert.equal(value.type, 0x5c);
      assert.deepEqual(pack(value), ROWS);
    }
    const later = Buffer.from(ROWS);
    later[ROWS.indexOf(0x5c) + 1] = 2;
    assert.ok(read(later) instanceof ExtData, 'another version');
    assert.throws(() => read(later, { unknownExt: 'error' }), { kind: 'unknown_ext', offset: 0 });
  });

  it('with the options for their values', () => {
    const bigints = read(KINDS[3][1], { int64: 'string' });
    assert.deepEqual(bigints, ['9223372036854775807', '-9223372036854775808']);
    const times = KINDS.find(([name]) => name === 'TIME')[1];
    assert.deepEqual(read(times, { timestamps: 'timestamp' }), [new Timestamp(1n), new Timestamp(-1n)]);
    const seen = [];
    const extensions = [{ type: -1, unpack: (payload) => seen.push(Buffer.from(payload).toString('hex')) }];
    read(times, { extensions });
    assert.deepEqual(seen, ['00000001', '00000000ffffffffffffffff']);
    assert.ok(Object.isFrozen(read(ROWS, { freezeData: true })[3]));
    assert.deepEqual(read(KINDS[13][1], { sliceStrings: false }), ['日', 'ab']);
  });

  it('so that no two rows share an array or an object', () => {
    const message = ext({
      plain: 7,
      values: 7,
      depth: 2,
      directory: '0702012002 060101 0000 03',
      sections: '9201 02',
    });
    const rows = read(message);
    assert.deepEqual(rows, [
      [1, 2],
      [1, 2],
    ]);
    rows[0].push(3);
    assert.deepEqual(rows[1], [1, 2]);
  });
});

describe('faults in columns', () => {
  const fails = (message, kind, options) =>
    assert.throws(() => read(message, options), { name: 'MsgpackDecodeError', kind, offset: 0 });

  it('are one error at the marker of the ext, whatever byte is damaged', () => {
    for (const [, message] of [...KINDS, ['rows', ROWS], ['shapes', SHAPES]])
      for (let at = 2; at < message.length; at++)
        for (let bit = 0; bit < 8; bit++) {
          const damaged = Buffer.from(message);
          damaged[at] ^= 1 << bit;
          const outcome = (options) => {
            try {
              return { value: read(damaged, options) };
            } catch (error) {
              assert.ok(error instanceof MsgpackDecodeError, `${damaged.toString('hex')}: ${error}`);
              return { kind: error.kind, offset: error.offset };
            }
          };
          const found = outcome();
          if (at > 4 && 'kind' in found) assert.equal(found.offset, 0);
          assert.deepEqual(outcome({ maxNodes: Number.MAX_VALUE }), found, damaged.toString('hex'));
        }
  });

  it('are found in a payload that is cut at any byte', () => {
    const payload = read(ROWS, { columns: false }).data;
    for (let size = 0; size < payload.length; size++)
      fails(pack(new ExtData(0x5c, payload.subarray(0, size))), 'invalid_ext');
  });

  it('are limits where the header asks for too much', () => {
    const expands = (plain) => ext({ plain, values: 1, depth: 0, directory: '0001', sections: 'c0' });
    fails(expands(5000), 'length_limit');
    assert.equal(read(expands(1)), null);
    fails(expands(4200), 'length_limit', { maxExpansion: 1 });
    fails(ROWS, 'length_limit', { maxNodes: 216 });
    assert.equal(read(ROWS, { maxNodes: 217 }).length, 24);
    fails(ROWS, 'depth_limit', { maxDepth: 1 });
    fails(SHAPES, 'depth_limit', { maxDepth: 2 });
    assert.equal(read(SHAPES, { maxDepth: 3 }).r3.a, 3);
  });

  it('are limits on lengths inside as well', () => {
    fails(ROWS, 'invalid_ext', { maxStrLen: 4 });
    fails(ROWS, 'invalid_ext', { maxArrayLen: 23 });
    fails(ROWS, 'invalid_ext', { maxMapLen: 3 });
    assert.equal(read(ROWS, { maxStrLen: 5, maxArrayLen: 24, maxMapLen: 4 }).length, 24);
  });

  it('are limits on lengths of entries that rows have, and of no others', () => {
    const uses = (indexes, plain) =>
      ext({
        plain,
        values: 5,
        depth: 1,
        directory: '0704012004 0602 0101 4507',
        sections: `${indexes} 6100 6262626200`,
      });
    assert.deepEqual(read(uses('00', 9), { maxStrLen: 1 }), ['a', 'a', 'a', 'a']);
    fails(uses('01', 12), 'invalid_ext', { maxStrLen: 1 });
    assert.deepEqual(read(uses('01', 12), { maxStrLen: 4 }), ['bbbb', 'a', 'a', 'a']);
  });

  it('are keys that occur twice, with duplicateKey', () => {
    const twice = ext({
      plain: 7,
      values: 5,
      depth: 1,
      directory: '0902012002 4504 0002',
      sections: '61006100 0102',
    });
    assert.deepEqual(read(twice), { a: 2 });
    fails(twice, 'invalid_ext', { duplicateKey: 'error' });
    const mixed = (keys) =>
      ext({
        plain: 5 + keys.length / 2,
        values: 5,
        depth: 2,
        directory: `0902012002 00${(keys.length / 2).toString(16).padStart(2, '0')} 0002`,
        sections: `${keys}0102`,
      });
    const options = { duplicateKey: 'error', maps: 'map' };
    fails(mixed('01cc01'), 'invalid_ext', options);
    fails(mixed('9101dc000101'), 'invalid_ext', options);
    assert.equal(read(mixed('01cb3ff0000000000000'), options).size, 1, 'an integer and a float');
  });

  it('are found at once in counts', () => {
    const bombs = ['07ceffffffff 0120ceffffffff 0601010000 01', '0101 07ceffffff 0120ceffffff 0001'];
    const { milliseconds } = measured(() => {
      for (const directory of bombs)
        fails(ext({ plain: 4100, values: 4000, depth: 2, directory, sections: '07' }), 'invalid_ext');
    });
    assert.ok(milliseconds < 1000, `${milliseconds} ms`);
  });
});
