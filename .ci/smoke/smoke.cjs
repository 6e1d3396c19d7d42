/** Records, a container file, and an error with its byte, in CommonJS. */
const { Packr, unpack } = require('packord');
const { ContainerReader, ContainerWriter } = require('packord/container');

async function main() {
  const packr = new Packr({ records: true });
  const bytes = packr.pack([0, 1, 2].map((id) => ({ id, size: 9 })));
  if (packr.unpack(bytes)[2].id !== 2) throw new Error('the records differ');
  console.log('records', bytes.length);

  const writer = await ContainerWriter.open('smoke-cjs.pkd');
  for (let id = 0; id < 1000; id++) await writer.write({ id });
  await writer.finish();
  const reader = await ContainerReader.open('smoke-cjs.pkd');
  const ids = [];
  for await (const { id } of reader) ids.push(id);
  await reader.close();
  console.log('container', ids.length, ids.at(-1));

  try {
    unpack(Uint8Array.of(0x92, 0x01, 0xa3, 0x41));
  } catch ({ kind, offset, path }) {
    console.log(`${kind} at byte ${offset} (${path})`);
  }
}

main();
