// The programs that read the file that was made, by language.

/** How the file is written. */
export type Form = 'plain' | 'records' | 'columns';

/** What each language says to read such a file. */
const OPTIONS = {
  plain: { rust: '', python: '', javascript: '', clojure: '' },
  records: {
    rust: '.records(true)',
    python: ', records=True',
    javascript: ', { records: true }',
    clojure: ' {:records true}',
  },
  columns: {
    rust: '.columns(true)',
    python: ', columns=True',
    javascript: ', { columns }',
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
  return [
    [
      'Rust',
      `use packord::Value;\n\nfn main() -> Result<(), Box<dyn std::error::Error>> {\n    let bytes = std::fs::read("data.msgpack")?;\n    let value: Value = ${rust};\n    println!("{value}");\n    Ok(())\n}`,
    ],
    [
      'Python',
      `import packord\n\nwith open("data.msgpack", "rb") as file:\n    value = packord.unpackb(file.read()${of.python})\nprint(value)`,
    ],
    [
      'JavaScript',
      `import { readFileSync } from 'node:fs';\nimport { unpack } from 'packord';\n${form === 'columns' ? "import { columns } from 'packord/columns';\n" : ''}\nconst value = unpack(readFileSync('data.msgpack')${of.javascript});\nconsole.log(value);`,
    ],
    [
      'Clojure',
      `(require '[clojure.java.io :as io] '[packord.core :refer [unpack]])\n\n(with-open [in (io/input-stream "data.msgpack")]\n  (println (unpack (.readAllBytes in)${of.clojure})))`,
    ],
    ['command line', 'packord unpack data.msgpack'],
  ];
}
