/** Columns (spec/columns.md): payloads written by hand, and what damage to them leads to. */
import { deepEqual } from 'node:assert';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExtData, MsgpackDecodeError, pack, Timestamp, Unpackr } from 'packord';
import { Unpackr as NoEval } from 'packord/index-no-eval';
import { measured } from './measure.js';

Error.stackTraceLimit = 0;

const bytes = (hex) => Buffer.from(hex.replace(/\s/g, ''), 'hex');
const PLAIN = { columns: true, useRecords: false };
const read = (message, options = {}) => new Unpackr({ ...PLAIN, ...options }).unpack(message);

/** Returns the shortest unsigned integer. */
function uint(value) {
  return [...pack(value)];
}

/** Returns an ext of columns. `zones` are the sections of 8, 4, 2 and 1 bytes per element. */
function ext({ plain, values, depth, directory, zones = [], align = 0, filler = 0 }) {
  const dir = [...bytes(directory)];
  const payload = [
    1,
    ...[plain, values, depth, dir.length, align].flatMap(uint),
    ...dir,
    ...new Array(align).fill(0),
    ...zones.flatMap((zone) => [...bytes(zone)]),
    ...new Array(filler).fill(0),
  ];
  return pack(new ExtData(0x5c, Uint8Array.from(payload)));
}

/** The worked example of section 9, 24 rows. */
const ROWS = bytes(`
c7 f8 5c 01 cd 02 a6 cc d9 02 2f 00 07 18 01 20 18 09 04 a2 6f 6b a2 61 74 a1 63 a1 74 01 06 02
01 01 00 02 01 32 09 cd 03 e8 45 73 0b 02 02 16 01 01 00 02 03 02 01 23 d1 fe a2 00 00 07 03 c2
01 58 02 71 02 90 01 b6 03 4c 04 e1 00 7e 04 8a 02 f4 01 e2 04 77 01 a9 01 ee 02 20 03 52 03 84
03 e8 03 1a 04 b0 04 f5 7d fe c2 c3 01 01 01 02 00 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01
01 01 01 4f 73 6c 6f 00 47 72 61 7a 21 00 4f 73 6c 6f 00 42 6f 6e 6e 00 50 6f 00 52 6f 6d 65 00
00 4c 69 6d 61 00 57 69 65 6e 00 4d 65 74 7a 00 4e 69 63 65 00 42 61 72 69 00 4c 6f 64 7a 00 43
6f 72 6b 00 42 65 72 6e 00 42 72 6e 6f 00 4b 69 65 6c 00 4c 79 6f 6e 00 50 69 73 61 00 59 6f 72
6b 00 4c 69 6e 7a 00 42 61 73 65 6c 00 55 6c 6d 00 57 69 65 6e 00 fb ef ff c0 c0`);

/** The worked example with three shapes of keys. */
const SHAPES = Buffer.concat([
  bytes(`c7 9e 5c 01 cc c5 7d 03 22 00 0a 10 01 20 10 45 37 09 02 a1 61 a1 62 03 02 00 01 02 01 00
    01 00 10 0f 01 02 00 10 08 02 00 0f 00 0f`),
  Buffer.from(Array.from({ length: 16 }, (_, i) => `r${i + 1}\0`).join('')),
  Buffer.from([0, 1, 2, ...new Array(13).fill(0)]),
  Buffer.from(Array.from({ length: 16 }, (_, i) => i + 1)),
  Buffer.from(Array.from({ length: 15 }, (_, i) => i + 10)),
  Buffer.from(Array.from({ length: 15 }, (_, i) => i + 20)),
]);

/** Values of every kind and mode, each beside the bytes that hold it. */
const KINDS = [
  [
    'DICT of one entry',
    bytes('c7125c0123 2101 0b00 0720012020 0601010000 0107'),
    Array(32).fill(7),
  ],
  [
    'INT with delta',
    bytes('c7195c011c0a010a00 0709012009 0122cd03e8 000103040607090a0c'),
    [1000, 1001, 1003, 1004, 1006, 1007, 1009, 1010, 1012],
  ],
  [
    'TUPLE',
    bytes(`c72b5c0159 19020d00 0708012008 0802 03020103 0008
      32007d00c800fa007701c2010d025802 0a0b0c0d0e0f1011`),
    [0.5, 1.25, 2, 2.5, 3.75, 4.5, 5.25, 6].map((x, i) => [x, 10 + i]),
  ],
  [
    'INT beyond 2^53, read as bigint',
    ext({
      plain: 19,
      values: 3,
      depth: 1,
      directory: '0702012002 0109',
      zones: ['ffffffffffffff7f 0000000000000080'],
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
      zones: ['', '', '', '01'],
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
      zones: ['', '0000003f 0000a0bf'],
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
      zones: ['0000000000000080 000000000000f07f'],
    }),
    [-0, Number.POSITIVE_INFINITY],
  ],
  [
    'SCALED with a rest',
    ext({
      plain: 19,
      values: 3,
      depth: 1,
      directory: '0702012002 0381 0102 0106',
      zones: ['', '', '', '0303 01ff'],
    }),
    [0.30000000000000004, 0.29999999999999993],
  ],
  [
    'TIME',
    ext({
      plain: 21,
      values: 3,
      depth: 1,
      directory: '0702012002 0403 0107',
      zones: ['', '', 'e803 18fc'],
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
      zones: ['', '', '', 'c3a4616263 0203'],
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
      zones: ['', '', '', '010203 0201'],
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
      zones: ['', '', '', '010203 0201'],
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
      zones: ['', '', '', 'e697a500 616200'],
    }),
    ['日', 'ab'],
  ],
  [
    'UNION',
    ext({
      plain: 5,
      values: 4,
      depth: 1,
      directory: '0703012003 0b020201 0101 0002 0001',
      zones: ['', '', '', '02 c0c0 07'],
    }),
    [null, 7, null],
  ],
  [
    'MAP in LIST',
    ext({
      plain: 9,
      values: 7,
      depth: 2,
      directory: '0702012002 0a02012001 4504 0002',
      zones: ['', '', '', '61006200 0102'],
    }),
    [{ a: 1 }, { b: 2 }],
  ],
  [
    'PLAIN',
    ext({ plain: 4, values: 4, depth: 2, directory: '0004', zones: ['', '', '', '92019102'] }),
    [1, [2]],
  ],
  [
    'STRUCT without keys',
    ext({ plain: 3, values: 3, depth: 2, directory: '0702012002 090001' }),
    [{}, {}],
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

  it('the rows of the worked example, of which the generated code makes one object each', () => {
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
      [...read(SHAPES, { mapsAsObjects: false }).get('r2')],
      [
        ['b', [11, 21]],
        ['a', 2],
      ],
    );
  });

  it('beside records, whose ids are integers in them', () => {
    const message = ext({
      plain: 2,
      values: 2,
      depth: 1,
      directory: '0002',
      zones: ['', '', '', '9140'],
    });
    const record = Buffer.from('d4724091a161', 'hex');
    const both = Buffer.concat([
      Buffer.of(0x93),
      record,
      Buffer.of(1),
      message,
      Buffer.of(0x40, 2),
    ]);
    const unpackr = new Unpackr({ columns: true });
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
    later[3] = 2;
    assert.ok(read(later) instanceof ExtData, 'another version');
    assert.throws(() => read(later, { unknownExt: 'error' }), { kind: 'unknown_ext', offset: 0 });
  });

  it('with the options for their values', () => {
    const bigints = read(KINDS[3][1], { int64AsType: 'string' });
    assert.deepEqual(bigints, ['9223372036854775807', '-9223372036854775808']);
    assert.deepEqual(read(KINDS[1][1], { integersAsBigInt: true })[1], 1001n);
    const times = KINDS.find(([name]) => name === 'TIME')[1];
    assert.deepEqual(read(times, { timestamps: 'timestamp' }), [
      new Timestamp(1n),
      new Timestamp(-1n),
    ]);
    const seen = [];
    const extensions = [
      { type: -1, unpack: (payload) => seen.push(Buffer.from(payload).toString('hex')) },
    ];
    read(times, { extensions });
    assert.deepEqual(seen, ['00000001', '00000000ffffffffffffffff']);
    assert.ok(Object.isFrozen(read(ROWS, { freezeData: true })[3]));
    assert.deepEqual(read(KINDS[10][1], { rawStrings: true }), [
      Buffer.from('ä'),
      Buffer.from('abc'),
    ]);
    assert.deepEqual(read(KINDS[13][1], { rawStrings: true }), [
      Buffer.from('日'),
      Buffer.from('ab'),
    ]);
    assert.deepEqual(read(KINDS[13][1], { sliceStrings: false }), ['日', 'ab']);
  });

  it('so that no two rows share an array or an object', () => {
    const message = ext({
      plain: 7,
      values: 7,
      depth: 2,
      directory: '0702012002 060101 0000 03',
      zones: ['', '', '', '9201 02'],
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
              assert.ok(
                error instanceof MsgpackDecodeError,
                `${damaged.toString('hex')}: ${error}`,
              );
              return { kind: error.kind, offset: error.offset };
            }
          };
          const found = outcome();
          if (at > 3 && 'kind' in found) assert.equal(found.offset, 0);
          assert.deepEqual(outcome({ maxNodes: Number.MAX_VALUE }), found, damaged.toString('hex'));
        }
  });

  it('are found in a payload that is cut at any byte', () => {
    const payload = ROWS.subarray(3);
    for (let size = 0; size < payload.length; size++)
      fails(pack(new ExtData(0x5c, payload.subarray(0, size))), 'invalid_ext');
  });

  it('are limits where the header asks for too much', () => {
    const expands = (plain) =>
      ext({ plain, values: 1, depth: 0, directory: '0001', zones: ['', '', '', 'c0'] });
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

  it('are keys that occur twice, with duplicateKey', () => {
    const twice = ext({
      plain: 7,
      values: 5,
      depth: 1,
      directory: '0a02012002 4504 0002',
      zones: ['', '', '', '61006100 0102'],
    });
    assert.deepEqual(read(twice), { a: 2 });
    fails(twice, 'invalid_ext', { duplicateKey: 'error' });
    const mixed = (keys) =>
      ext({
        plain: 5 + keys.length / 2,
        values: 5,
        depth: 2,
        directory: `0a02012002 00${(keys.length / 2).toString(16).padStart(2, '0')} 0002`,
        zones: ['', '', '', `${keys}0102`],
      });
    const options = { duplicateKey: 'error', mapsAsObjects: false };
    fails(mixed('01cc01'), 'invalid_ext', options);
    fails(mixed('9101dc000101'), 'invalid_ext', options);
    assert.equal(read(mixed('01cb3ff0000000000000'), options).size, 1, 'an integer and a float');
  });

  it('are found at once in dictionaries of dictionaries, and in counts', () => {
    // Each level has two rows of the level below, 40 times.
    const level = '0702012002 060201 0100'.replaceAll(' ', '');
    const directory = `${level.repeat(40)}0001`;
    const bombs = [
      ext({ plain: 4000, values: 3000, depth: 60, directory, zones: ['', '', '', '07'] }),
      ext({
        plain: 4100,
        values: 4000,
        depth: 2,
        directory: '07ceffffffff 0120ceffffffff 0601010000 01',
        zones: ['', '', '', '07'],
      }),
    ];
    const { milliseconds } = measured(() => {
      for (const bomb of bombs) fails(bomb, 'invalid_ext');
    });
    assert.ok(milliseconds < 1000, `${milliseconds} ms`);
  });
});
