/** What packord does, as text that has to be the same in every runtime. */

const RECORDS = Array.from({ length: 40 }, (_, id) => ({
  id,
  name: `name ${id}`,
  ok: id % 2 === 0,
}));

const VALUES = [
  [null, true, false, 0, 127, 128, -1, -33, 65_536, 2 ** 40, -(2 ** 53 - 1), 1.5, -0, 2n ** 63n],
  ['', 'a', 'é', '日本語', '😀'.repeat(50), 'x'.repeat(300), `${'y'.repeat(70_000)}é`],
  { at: new Date(1500), bytes: Uint8Array.of(1, 2, 3), list: [[], {}, [{ deep: [1] }]] },
  Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key${i}`, i])),
  RECORDS,
];

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function text(value) {
  return JSON.stringify(value, (_, inner) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    if (inner instanceof Uint8Array || inner?.type === 'Buffer') return `bytes ${inner.length ?? inner.data.length}`;
    return inner;
  });
}

function caught(run) {
  try {
    return text(run());
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

export async function lines({ packord, View, msgpack }) {
  const { Packr, Unpackr, decodeAsync, decodeMultiStream, pack, packResponse, unpack, unpackBody } = packord;
  const out = [];
  // Often, so that generated code takes part where it is allowed.
  for (const value of VALUES)
    for (let i = 0; i < 30; i++) {
      const bytes = pack(value);
      const back = text(unpack(bytes));
      if (i === 0 || i === 29) out.push(hex(bytes), back, hex(msgpack.encode([back, new Date(i)])));
    }
  const packr = new Packr({ structures: [], rich: true });
  for (let i = 0; i < 30; i++) out.push(text(packr.unpack(packr.pack([...RECORDS, i]))));
  out.push(hex(new Packr({ records: true }).pack(RECORDS)), text(new View(pack({ a: [1, 2] })).get('a', 1)));
  for (const bytes of [[0xc1], [0x92, 1], [0x81, 0xa1, 0xff, 1], [0xdd, 0xff, 0xff, 0xff, 0xff]]) {
    out.push(caught(() => unpack(Uint8Array.from(bytes))));
    out.push(caught(() => msgpack.decode(Uint8Array.from(bytes))));
  }
  out.push(caught(() => pack({ a: [Symbol('s')] })));
  const cut = (bytes, size) =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(Uint8Array.from(bytes.subarray(at, at + size)));
        controller.close();
      },
    });
  for (const size of [1, 7, 1000]) {
    out.push(text(await decodeAsync(cut(pack(VALUES[2]), size))));
    for await (const value of decodeMultiStream(cut(pack(VALUES[4]), size))) out.push(text(value));
  }
  out.push(text(await unpackBody(packResponse({ body: [1, 2] }))));
  out.push(text(new Unpackr().unpack(pack({ last: 1 }))));
  return out;
}
