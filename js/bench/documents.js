/**
 * The documents of the benchmark with which the code was tuned. Those of held-out.js tell whether a
 * gain holds for other documents.
 */

/** Makes a generator of the same numbers in every run (mulberry32). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS = 'river stone morning paper light garden number window future market simple travel silver bridge'.split(
  ' ',
);

/** Makes functions for random choices, the same for the same seed. */
export function tools(seed) {
  const random = generator(seed);
  const int = (max) => Math.floor(random() * max);
  const pick = (list) => list[int(list.length)];
  const words = (count) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const hex = (length) => Array.from({ length }, () => int(16).toString(16)).join('');
  return { random, int, pick, words, hex };
}

/** One object of a few nested lists and objects, about 8 kB: a record of a clinical study. */
function study() {
  const { random, int, pick, words, hex } = tools(1);
  return {
    id: hex(24),
    title: words(9),
    summary: words(120),
    year: 2019,
    enrolled: 1284,
    completed: true,
    sponsor: {
      name: words(3),
      country: 'NO',
      contact: { phone: '+47 555 0100', mail: 'a@b.example' },
    },
    keywords: Array.from({ length: 12 }, () => pick(WORDS)),
    arms: Array.from({ length: 6 }, (_, i) => ({
      index: i,
      label: words(2),
      size: int(400),
      mean: random() * 100,
      deviation: random() * 10,
      blinded: i % 2 === 0,
    })),
    outcomes: Array.from({ length: 24 }, (_, i) => ({
      id: i,
      name: words(4),
      type: pick(['primary', 'secondary', 'other']),
      value: random() * 50,
      low: random() * 10,
      high: random() * 90,
      significant: random() > 0.5,
      note: random() > 0.7 ? words(8) : null,
    })),
    visits: Array.from({ length: 20 }, (_, i) => ({
      week: i * 2,
      done: int(1284),
      missed: int(50),
    })),
  };
}

/** About 100 bytes. */
function small() {
  return {
    id: 184467,
    name: 'morning paper',
    active: true,
    score: 71.5,
    tags: ['a', 'bc'],
    parent: null,
  };
}

/** 1000 events of a log, two kinds of them. */
function events() {
  const { random, int, pick, words, hex } = tools(2);
  return Array.from({ length: 1000 }, (_, i) => ({
    id: 1_700_000_000_000 + i * 37,
    type: pick(['push', 'pull', 'open', 'close']),
    user: { id: int(1e6), name: pick(WORDS) + int(1000), admin: random() > 0.95 },
    payload: i % 3 === 0 ? { ref: hex(40), size: int(5000) } : { text: words(6), likes: int(300), lang: 'en' },
    ok: random() > 0.1,
    ms: int(2000),
  }));
}

/** Integers and floats of all sizes. */
function numbers() {
  const { random, int } = tools(3);
  return Array.from({ length: 5000 }, (_, i) =>
    i % 4 === 0 ? random() * 1000 : i % 4 === 1 ? int(100) : i % 4 === 2 ? int(70000) : -int(1e9),
  );
}

/** Strings of all lengths, one in four of them not ASCII. */
function strings() {
  const { int, words } = tools(4);
  return Array.from({ length: 2000 }, (_, i) =>
    i % 4 === 0 ? '\u3053\u3093\u306b\u3061\u306f '.repeat(1 + int(6)) : words(1 + int(12)),
  );
}

/** Orders of a shop, with optional fields and a map keyed by number. */
function orders() {
  const { random, int, pick, words, hex } = tools(5);
  return Array.from({ length: 150 }, (_, i) => {
    const order = {
      orderNumber: `A-${100000 + i}`,
      placed: 1_690_000_000 + i * 911,
      customer: {
        given: pick(WORDS),
        family: pick(WORDS),
        mail: `${hex(6)}@b.example`,
        vip: random() > 0.9,
      },
      lines: Array.from({ length: 1 + int(5) }, () => ({
        sku: hex(10),
        title: words(3),
        quantity: 1 + int(4),
        price: int(9999) / 100,
      })),
      total: int(99999) / 100,
    };
    if (random() > 0.6) order.comment = words(10);
    if (random() > 0.8) order.discount = { code: hex(6).toUpperCase(), percent: int(40) };
    return order;
  });
}

/** A tree of directories and files. */
function tree() {
  const { int, pick, hex } = tools(6);
  const build = (depth) => ({
    name: `${pick(WORDS)}-${int(100)}`,
    kind: depth === 0 ? 'file' : 'directory',
    size: int(1e7),
    hash: hex(32),
    mode: 0o644,
    children: depth === 0 ? [] : Array.from({ length: 2 + int(4) }, () => build(depth - 1)),
  });
  return build(5);
}

/** A response of an interface in a language that is not English. */
function articles() {
  const { int, hex } = tools(7);
  const text = '\u6771\u4eac\u90fd\u306e\u65b0\u3057\u3044\u5e02\u5834\u304c\u958b\u304b\u308c\u307e\u3057\u305f\u3002';
  return {
    status: 'ok',
    totalResults: 60,
    articles: Array.from({ length: 60 }, (_, i) => ({
      source: { id: i, name: '\u671d\u306e\u65b0\u805e' },
      author: i % 3 === 0 ? null : '\u7530\u4e2d\u0020\u82b1\u5b50',
      title: text.slice(0, 8 + int(10)),
      description: text.repeat(1 + int(4)),
      url: `https://news.example/${hex(12)}`,
      publishedAt: '2026-01-02T03:04:05Z',
      content: text.repeat(4 + int(8)),
    })),
  };
}

/** Features of a map: coordinates in nested arrays, with sparse properties. */
function places() {
  const { random, int, pick, words } = tools(101);
  const point = () => [random() * 360 - 180, random() * 180 - 90];
  return {
    type: 'FeatureCollection',
    bbox: [-180, -90, 180, 90],
    features: Array.from({ length: 120 }, (_, i) => {
      const ring = Array.from({ length: 4 + int(20) }, point);
      const properties = { name: words(2), class: pick(['park', 'lake', 'road', 'house']) };
      if (random() > 0.5) properties.height = int(400) / 10;
      if (random() > 0.7) properties.levels = int(30);
      if (random() > 0.8) properties['name:ja'] = '\u516c\u5712';
      return {
        type: 'Feature',
        id: `way/${1e9 + i * 7919}`,
        geometry: i % 3 === 0 ? { type: 'Point', coordinates: point() } : { type: 'Polygon', coordinates: [ring] },
        properties,
      };
    }),
  };
}

/** A lock file: objects as dictionaries, whose keys are nearly all different. */
function lockFile() {
  const { random, int, pick, words, hex } = tools(103);
  const name = () => `${pick(words(8).split(' '))}-${hex(3)}`;
  const version = () => `${int(9)}.${int(30)}.${int(20)}`;
  const some = (count, make) => Object.fromEntries(Array.from({ length: int(count) }, make));
  const packages = Array.from({ length: 250 }, () => {
    const entry = { version: version(), integrity: `sha512-${hex(88)}`, dev: random() > 0.6 };
    if (random() > 0.3) entry.dependencies = some(7, () => [name(), `^${version()}`]);
    if (random() > 0.6) entry.engines = { node: `>=${int(20)}` };
    return [`modules/${name()}`, entry];
  });
  return { name: 'example', lockfileVersion: 3, packages: Object.fromEntries(packages) };
}

/** A conversation: short strings in several scripts, reactions by name, times. */
function chat() {
  const { random, int, pick, words, hex } = tools(102);
  const texts = ['ok', '\u{1f44d}', 'gr\u00fc\u00dfe', '\u0434\u0430', '\u597d\u7684'];
  return {
    channel: hex(18),
    members: Array.from({ length: 30 }, () => ({ id: hex(18), nick: pick(words(6).split(' ')) })),
    messages: Array.from({ length: 400 }, (_, i) => ({
      id: hex(18),
      at: 1_720_000_000_000 + i * 4321,
      from: int(30),
      text: random() > 0.4 ? words(1 + int(25)) : pick(texts),
      edited: random() > 0.9,
      reactions: random() > 0.8 ? { [pick(texts)]: int(9), [pick(['heart', 'smile'])]: 1 } : {},
      replyTo: random() > 0.7 ? int(400) : null,
    })),
  };
}

/** Documents by name; `kind` says which targets count for them. */
export const documents = {
  'study 8 kB': { value: study(), kind: 'objects' },
  '100 bytes': { value: small(), kind: 'small' },
  '1000 events': { value: events(), kind: 'objects' },
  numbers: { value: numbers(), kind: 'plain' },
  strings: { value: strings(), kind: 'plain' },
  orders: { value: orders(), kind: 'objects' },
  tree: { value: tree(), kind: 'objects' },
  articles: { value: articles(), kind: 'strings' },
  chat: { value: chat(), kind: 'objects' },
  places: { value: places(), kind: 'objects' },
  'lock file': { value: lockFile(), kind: 'objects' },
};
