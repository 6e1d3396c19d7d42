// The programs that read the file that was made or given, by language.

/** How the data is written, as the choice of the page says it. */
export type Form = 'plain' | 'records' | 'columns';

/** What a program has to know about a file. */
export interface Kind {
  /** One message, several one after another, or rows in a container file. */
  layout: 'message' | 'stream' | 'container';
  records: boolean;
  columns: boolean;
}

/** Returns the kind of a file: from what the check of it says, and from the page of its bytes. */
export function kindOf(checked: string, page: string): Kind {
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? '{}';
  const { formats = [], rows = { values: [] } } = JSON.parse(data) as { formats?: string[]; rows?: { values: string[] } };
  return {
    layout: / rows? in /.test(checked) ? 'container' : / messages,/.test(checked) ? 'stream' : 'message',
    records: formats.some((format) => format.startsWith('record')),
    columns: rows.values.some((value) => value.startsWith('type 92 columns')),
  };
}

const lines = (...given: (string | false)[]) => given.filter((line) => line !== false).join('\n');

function rust({ layout, records, columns }: Kind): string {
  const options = `packord::DecodeOptions::new()${records ? '.records(true)' : ''}${columns ? '.columns(true)' : ''}`;
  const isPlain = !records && !columns;
  const needs = layout === 'container' ? 'features `container` and `container-zstd`' : columns && 'feature `columns`';
  const body = {
    message: isPlain
      ? ['    let value: Value = packord::from_slice(&std::fs::read("data.msgpack")?)?;', '    println!("{value}");']
      : [
          '    let bytes = std::fs::read("data.msgpack")?;',
          `    let value: Value = ${options}.decode(&bytes)?;`,
          '    println!("{value}");',
        ],
    stream: [
      '    let file = std::fs::File::open("data.msgpack")?;',
      isPlain
        ? '    for value in packord::io::UnpackReader::new(file).values() {'
        : `    let options = ${options};\n    for value in packord::io::UnpackReader::with_options(file, &options).values() {`,
      '        println!("{}", value?);',
      '    }',
    ],
    container: [
      '    let mut reader = packord::container::Reader::open("data.pkd")?;',
      '    for row in reader.values() {',
      '        println!("{}", row?);',
      '    }',
    ],
  }[layout];
  return lines(
    layout === 'message' && 'use packord::Value;\n',
    'fn main() -> Result<(), Box<dyn std::error::Error>> {',
    needs && `    // With the ${needs} of the crate.`,
    ...body,
    '    Ok(())',
    '}',
  );
}

function python({ layout, records, columns }: Kind): string {
  const options = `${records ? ', records=True' : ''}${columns ? ', columns=True' : ''}`;
  return {
    message: `import packord\n\nwith open("data.msgpack", "rb") as file:\n    print(packord.unpackb(file.read()${options}))`,
    stream: `import packord\n\nwith open("data.msgpack", "rb") as file:\n    for value in packord.Unpacker(file${options}):\n        print(value)`,
    container: 'from packord.container import Reader\n\nfor row in Reader("data.pkd"):\n    print(row)',
  }[layout];
}

function javascript({ layout, records, columns }: Kind): string {
  const chosen = [records && 'records: true', columns && 'columns'].filter(Boolean).join(', ');
  const options = chosen && `{ ${chosen} }`;
  const read = records ? `new Unpackr(${options}).unpack(` : 'unpack(';
  const fromColumns = columns && layout !== 'container' && "import { columns } from 'packord/columns';";
  return {
    message: lines(
      "import { readFileSync } from 'node:fs';",
      `import { ${records ? 'Unpackr' : 'unpack'} } from 'packord';`,
      fromColumns,
      `\nconsole.log(${read}readFileSync('data.msgpack')${options && !records ? `, ${options}` : ''}));`,
    ),
    stream: lines(
      "import { createReadStream } from 'node:fs';",
      "import { UnpackrStream } from 'packord';",
      fromColumns,
      `\nconst values = createReadStream('data.msgpack').pipe(new UnpackrStream(${options}));`,
      'for await (const value of values) console.log(value);',
    ),
    container: lines(
      "import { ContainerReader } from 'packord/container';",
      "\nfor await (const row of await ContainerReader.open('data.pkd')) console.log(row);",
    ),
  }[layout];
}

function clojure({ layout, records, columns }: Kind): string {
  const chosen = [records && ':records true', columns && ':columns true'].filter(Boolean).join(' ');
  const options = chosen && ` {${chosen}}`;
  return {
    message: lines(
      "(require '[clojure.java.io :as io] '[packord.core :refer [unpack]])",
      `\n(println (unpack (io/file "data.msgpack")${options}))`,
    ),
    stream: lines(
      "(require '[clojure.java.io :as io] '[packord.core :refer [unpack-stream]])",
      `\n(run! println (unpack-stream (io/file "data.msgpack")${options}))`,
    ),
    container: lines(
      "(require '[clojure.java.io :as io] '[packord.container :as container])",
      '\n(with-open [rows (container/reader (io/file "data.pkd"))]',
      '  (run! println rows))',
    ),
  }[layout];
}

/** Returns the name of the file that the programs read. */
export const fileName = ({ layout }: Kind): string => (layout === 'container' ? 'data.pkd' : 'data.msgpack');

/** Returns a program that reads a file of this kind, for each language by its name. */
export function programs(kind: Kind): [language: string, code: string][] {
  return [
    ['Rust', rust(kind)],
    ['Python', python(kind)],
    ['JavaScript', javascript(kind)],
    ['Clojure', clojure(kind)],
    ['Command line', `packord unpack ${fileName(kind)}`],
  ];
}
