// The programs that read the file that was made, by language.

/** How the file is written. */
export type Form = 'plain' | 'records' | 'columns';

/** What each language says to read such a file. */
const OPTIONS = {
  plain: { rust: '', python: '', javascript: '', clojure: '' },
  records: {
    rust: '.records(true)',
    python: ', option=packord.OPT_RECORDS',
    javascript: '',
    clojure: ' {:records true}',
  },
  columns: {
    rust: '.columns(true)',
    python: ', option=packord.OPT_COLUMNS',
    javascript: '{ columns: true }',
    clojure: ' {:columns true}',
  },
};

/** Returns a program that reads `data.msgpack`, for each language by its name. */
export function programs(form: Form): [language: string, code: string][] {
  const of = OPTIONS[form];
  const rust =
    form === 'plain'
      ? 'packord::from_slice::<Value>(&bytes)?'
      : `packord::DecodeOptions::new()${of.rust}.decode(&bytes)?`;
  const javascript =
    form === 'plain'
      ? "import { unpack } from 'packord';\n\nconst value = unpack(readFileSync('data.msgpack'));"
      : `import { Unpackr } from 'packord';\n\nconst value = new Unpackr(${of.javascript}).unpack(readFileSync('data.msgpack'));`;
  return [
    [
      'Rust',
      `use packord::Value;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n    let bytes = std::fs::read("data.msgpack")?;\n    let value: Value = ${rust};\n    println!("{value}");\n    Ok(())\n}`,
    ],
    [
      'Python',
      `import packord\n\nwith open("data.msgpack", "rb") as file:\n    value = packord.unpackb(file.read()${of.python})\nprint(value)`,
    ],
    ['JavaScript', `import { readFileSync } from 'node:fs';\n${javascript}\nconsole.log(value);`],
    [
      'Clojure',
      `(require '[clojure.java.io :as io] '[packord.core :refer [unpack]])\n\n(with-open [in (io/input-stream "data.msgpack")]\n  (println (unpack (.readAllBytes in)${of.clojure})))`,
    ],
    ['command line', 'packord unpack data.msgpack'],
  ];
}
