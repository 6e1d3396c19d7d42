// The command-line tool and msgpackr read each other's plain MessagePack and records, on real documents.
// Needs the tool and the documents of bench/data.lock (`make test-interop` builds both).
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Packr, pack, Unpackr, unpack } from 'msgpackr'

const root = join(import.meta.dirname, '../..')
const tool = process.env.PACKORD ?? join(root, 'rust/target/debug/packord')
const documents = readFileSync(join(root, 'bench/data.lock'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split(' '))
  .map(([name, , file]) => ({ name, path: join(root, 'bench/data/node_modules', name, file) }))
const scratch = mkdtempSync(join(tmpdir(), 'packord-interop-'))
after(() => rmSync(scratch, { recursive: true }))

const packord = (args, input) => execFileSync(tool, args, { input, maxBuffer: 1 << 30 })
const packordUnpack = (bytes, ...args) => JSON.parse(packord(['unpack', ...args], bytes).toString())

// msgpackr returns a `Map` for plain maps by default, so every object has to be a record.
const reader = new Unpackr()
// msgpackr writes an object of any size as a record; the limit of packord is 1024 keys by default.
const anyKeys = ['--max-record-keys', '100000']

assert.ok(documents.length > 0, 'bench/data.lock names no document')

for (const { name, path } of documents) {
  const value = JSON.parse(readFileSync(path, 'utf8'))

  describe(name, () => {
    test('msgpackr reads what the tool packs', () => {
      assert.deepEqual(unpack(packord(['pack', path])), value)
    })

    test('msgpackr reads the records that the tool packs', () => {
      assert.deepEqual(reader.unpack(packord(['pack', '--records', ...anyKeys, path])), value)
    })

    test('the tool reads what msgpackr packs', () => {
      assert.deepEqual(packordUnpack(pack(value)), value)
    })

    test('the tool reads the records that msgpackr packs', () => {
      assert.deepEqual(packordUnpack(new Packr().pack(value), '--records', ...anyKeys), value)
    })

    test('structures that the tool shares are read by msgpackr', () => {
      const list = join(scratch, `${name}.json`)
      const bytes = packord(['pack', '--records', '--shared', list, ...anyKeys, path])
      const structures = JSON.parse(readFileSync(list, 'utf8'))
      assert.ok(structures.length > 0)
      const shared = new Unpackr({ getStructures: () => structures })
      assert.deepEqual(shared.unpack(bytes), value)
    })

    test('structures that msgpackr shares are read by the tool', () => {
      const structures = []
      const bytes = new Packr({ structures }).pack(value)
      const list = join(scratch, `${name}.theirs.json`)
      writeFileSync(list, JSON.stringify(structures))
      assert.deepEqual(packordUnpack(bytes, '--records', '--shared', list, ...anyKeys), value)
    })
  })
}

describe('ids', () => {
  // 300 structures need two-byte ids, and more than 64 own structures begin again at the first id.
  const many = Array.from({ length: 900 }, (_, i) => ({ [`key${(i * 7) % 300}`]: i, id: i }))

  test('more structures than there are one-byte ids', () => {
    const path = join(scratch, 'many.json')
    writeFileSync(path, JSON.stringify(many))
    assert.deepEqual(new Unpackr().unpack(packord(['pack', '--records', path])), many)
    assert.deepEqual(packordUnpack(new Packr().pack(many), '--records'), many)
    assert.equal(Buffer.compare(packord(['pack', '--records', path]), new Packr().pack(many)), 0)
  })

  test('airports: the same records, byte for byte', () => {
    const { path } = documents.find(({ name }) => name === 'airports')
    const theirs = new Packr().pack(JSON.parse(readFileSync(path, 'utf8')))
    assert.equal(Buffer.compare(packord(['pack', '--records', path]), theirs), 0)
  })

  test('two-byte ids that msgpackr writes', () => {
    assert.deepEqual(packordUnpack(new Packr({ maxOwnStructures: 1000 }).pack(many), '--records'), many)
  })

  test('a sequential stream of messages', () => {
    const packr = new Packr({ sequential: true })
    const stream = Buffer.concat(many.map((value) => Buffer.from(packr.pack(value))))
    const lines = packord(['unpack', '--records', '--sequential'], stream).toString().trim().split('\n')
    assert.deepEqual(lines.map((line) => JSON.parse(line)), many)
  })
})

describe('empty objects', () => {
  const value = { a: {}, b: [{}, { a: 1 }, {}] }

  test('msgpackr reads those of the tool as objects', () => {
    assert.deepEqual(reader.unpack(packord(['pack', '--records'], JSON.stringify(value))), value)
  })

  test('the tool writes the bytes of msgpackr', () => {
    assert.deepEqual(packord(['pack', '--records'], JSON.stringify(value)), new Packr().pack(value))
  })
})
