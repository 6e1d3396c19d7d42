/**
 * Documents that are kept aside: nothing is tuned on them, and no threshold is chosen by
 * what they measure. Their rows tell what to expect of documents of one's own.
 */
import { tools } from './documents.js';

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
        geometry:
          i % 3 === 0
            ? { type: 'Point', coordinates: point() }
            : { type: 'Polygon', coordinates: [ring] },
        properties,
      };
    }),
  };
}

/** A conversation: short texts in several scripts, reactions by name, times. */
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

/** Documents by name. */
export const heldOut = {
  'places (held out)': { value: places(), kind: 'held out' },
  'chat (held out)': { value: chat(), kind: 'held out' },
  'lock file (held out)': { value: lockFile(), kind: 'held out' },
};
