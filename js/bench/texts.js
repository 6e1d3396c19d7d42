/** The strings of the survey: in several scripts and lengths, as values and as keys. */
import { tools } from './documents.js';

const LENGTHS = [3, 10, 50, 300, 1000, 4000, 20_000];
/** Number of characters of one row, where not more than MOST or fewer than LEAST strings hold them. */
const CHARACTERS = 40_000;
const MOST = 300;
const LEAST = 4;

const ENGLISH =
  'The river ran past the old stone bridge and the morning paper was read in the garden by the window, where the wind was still. ';
const GERMAN =
  'Für die größten Gärten im Süden wäre ein kühler Frühling schön, und über den Dächern hört man früh die Vögel. ';
const CHINESE =
  '\u6cb3\u6c34\u6d41\u8fc7\u53e4\u8001\u7684\u77f3\u6865\uff0c\u65e9\u62a5\u653e\u5728\u7a97\u8fb9\u7684\u82b1\u56ed\u91cc\uff0c\u6ca1\u6709\u4eba\u8bfb\u8fc7\u5b83\u3002';
const EMOJI = ['\u{1f600}', '\u{1f44d}', '\u{1f389}', '\u{1f680}', '\u{1f30d}', '\u{1f64f}', '\u{1f525}'];

/** Replaces the character in the middle. */
function withMiddle(text, character) {
  const at = text.length >> 1;
  return text.slice(0, at) + character + text.slice(at + 1);
}

/** Makes a string of a length by script; each begins elsewhere in its sentence. */
const scripts = {
  English: (length, from) => cut(ENGLISH, length, from),
  'English with a quote': (length, from) => withMiddle(cut(ENGLISH, length, from), '\u2019'),
  German: (length, from) => {
    const text = cut(GERMAN, length, from);
    return /[^\0-\x7f]/.test(text) ? text : withMiddle(text, '\u00fc');
  },
  Chinese: (length, from) => cut(CHINESE, length, from),
  // A character that is not an emoji where half of one would be left.
  emoji: (length, from) =>
    Array.from({ length: length >> 1 }, (_, i) => EMOJI[(from + i * i) % EMOJI.length]).join('') +
    (length % 2 === 0 ? '' : '!'),
};

function cut(sentence, length, from) {
  const start = from % sentence.length;
  return sentence.repeat(1 + Math.ceil(length / sentence.length)).slice(start, start + length);
}

/** Returns a string as parsers make it, in one piece. */
const flat = (text) => JSON.parse(JSON.stringify(text));

function texts(script, length, seed) {
  const { int } = tools(seed);
  const count = Math.min(MOST, Math.max(LEAST, Math.floor(CHARACTERS / length)));
  return Array.from({ length: count }, () => flat(scripts[script](length, int(1000))));
}

/** Makes keys differ: the number of each is written over its end. */
const distinct = (list) =>
  list.map((text, i) => {
    const digits = i.toString(36);
    return flat(text.slice(0, text.length - digits.length) + digits);
  });

/** An answer of a news service in several languages, with typographic quotes. */
function articles() {
  const { int, hex } = tools(31);
  const kinds = Object.keys(scripts);
  return {
    status: 'ok',
    articles: Array.from({ length: 80 }, (_, i) => {
      const write = (length) => flat(scripts[kinds[i % kinds.length]](length, int(1000)));
      return {
        id: hex(12),
        title: write(40 + int(40)),
        author: i % 4 === 0 ? null : write(8 + int(12)),
        section: write(10),
        description: write(120 + int(200)),
        content: write(600 + int(1500)),
        published: `2026-03-0${1 + int(9)}T04:05:06Z`,
        words: int(2000),
      };
    }),
  };
}

/** Rows of the survey by name. */
export const textRows = { 'articles in five scripts': articles() };
for (const script of Object.keys(scripts))
  for (const length of LENGTHS) {
    const list = texts(script, length, length);
    textRows[`${script}, ${length}`] = list;
    textRows[`${script}, ${length}, keys`] = Object.fromEntries(distinct(list).map((key, i) => [key, i]));
  }
