/** Random tables: rows whose columns each have similar values, some of them with faults in their order. */
import * as packord from 'packord';
import { randomOf } from './random.js';

const WORDS = ['', 'a', 'é', '汉字', 'a longer string that occurs again', '\0', 'yes', 'no'];
const FLOATS = [-0, 0, Number.NaN, Number.POSITIVE_INFINITY, 5e-324, 1e300, 1 / 3, 0.1 + 0.2];
const EDGES = [0, 1, 127, 128, 255, 256, 65535, 65536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];

/** Returns a function that makes random tables, which `seed` repeats, with the classes of an entry point. */
export function tablesOf(seed, { ExtData, Timestamp } = packord) {
  const random = randomOf(seed);
  const pick = (list) => list[random(list.length)];
  const bytes = (size) => Buffer.from(Array.from({ length: size }, () => random(256)));
  const wide = () => ((BigInt(random(2 ** 32)) << 32n) | BigInt(random(2 ** 32))) & (2n ** 63n - 1n);
  const repeat = (count, make) => Array.from({ length: random(count) }, (_, i) => make(i));

  /** What a column has in each of its rows. */
  const columns = {
    count: () => (i) => i,
    step: () => (i) => 1_700_000_000_000 + i * 60_000 + random(3),
    near: () => {
      const base = pick(EDGES) * (random(2) === 0 ? 1 : -1);
      const spread = pick([2, 100, 1000, 100_000]);
      return () => Math.min(base + random(spread), Number.MAX_SAFE_INTEGER);
    },
    edges: () => () => pick(EDGES) * (random(2) === 0 ? 1 : -1),
    wide: () => {
      const unsigned = random(2) === 0;
      return () => (unsigned ? wide() | (1n << 63n) : random(2) === 0 ? wide() : -wide());
    },
    top: () => () => 2n ** 64n - 1n - BigInt(random(300)),
    steps: () => (i) => 2n ** 60n + BigInt(i) * 1_000_000_007n,
    money: () => () => random(99_999) / 100,
    tenths: () => () => (random(20) === 0 ? -0 : random(999) / 10),
    near65: () => () => 65 + random(1000) / 1e6 + random(3) * 1.4e-14,
    rough: () => () => (random(30) === 0 ? pick(FLOATS) : random(1e6) / 997),
    strange: () => () => pick(FLOATS),
    single: () => () => Math.fround(random(77) / 3),
    choice: () => () => `v${random(7)}`,
    id: () => () => `${random(100_000).toString(16)}é`,
    words: () => () => pick(WORDS).repeat(random(3)),
    fixed: () => () => random(1e6).toString().padStart(8, '0'),
    flag: () => () => random(3) === 0,
    pair: () => (i) => [i / 4, 3],
    list: () => () => repeat(5, () => random(300)),
    nothing: () => () => null,
    maybe: () => () => (random(4) === 0 ? null : random(500)),
    time: () => (i) => new Date(1_700_000_000_000 + i * 60_000 + random(2) * 5),
    fine: () => (i) => new Timestamp(BigInt(i) - 20n, random(1e9)),
    bin: () => () => bytes(random(12)),
    ext: () => () => new ExtData(5, bytes(4)),
    nested: () => () => ({ x: random(10), y: { z: pick(WORDS) } }),
    other: () => () => anything(0),
  };
  const kinds = Object.values(columns);

  function anything(depth) {
    const kind = random(depth === 0 ? 6 : 9);
    if (kind < 6) return pick(kinds.filter((make) => make !== columns.other))()(random(90));
    if (kind === 6) return repeat(6, () => anything(depth - 1));
    if (kind === 7) return Object.fromEntries(repeat(5, (i) => [`k${i + random(3)}`, anything(depth - 1)]));
    return table(depth - 1);
  }

  function table(depth = 2) {
    const n = random(random(8) === 0 ? 700 : 90);
    const family = repeat(6, () => pick(kinds)()).concat(pick(kinds)());
    const noise = random(3);
    const rows = Array.from({ length: n }, (_, i) => {
      const cells = [];
      family.forEach((make, j) => {
        if (noise > 0 && random(17) === 0) return;
        cells.push([`c${j}`, noise === 2 && depth > 0 && random(13) === 0 ? anything(depth - 1) : make(i)]);
      });
      if (noise > 0 && random(11) === 0) cells.reverse();
      return cells;
    });
    const shape = random(6);
    if (shape === 0) return rows.map((cells) => cells.map(([, value]) => value));
    const objects = rows.map((cells) => Object.fromEntries(cells));
    if (shape === 1) return Object.fromEntries(objects.map((row, i) => [`row${i}`, row]));
    if (shape === 2) return Object.fromEntries(family.map((make, j) => [`c${j}`, rows.map((_, i) => make(i))]));
    if (shape === 3) return { total: n, page: { rows: objects, words: rows.map(() => pick(WORDS)) } };
    return objects;
  }

  return table;
}
