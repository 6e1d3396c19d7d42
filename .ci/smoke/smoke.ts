/** Records, a container file, and an error with its byte. As JavaScript without its types, it runs as it is. */
import { MsgpackDecodeError, Packr, unpack } from 'packord';
import { ContainerReader, ContainerWriter } from 'packord/container';

interface Row {
  id: number;
  size: number;
}

const packr = new Packr({ records: true });
const rows: Row[] = [0, 1, 2].map((id) => ({ id, size: 9 }));
const bytes = packr.pack(rows);
const back = packr.unpack(bytes) as Row[];
if (back.length !== 3 || back[2]?.id !== 2) throw new Error('the records differ');
console.log('records', bytes.length);

const writer = await ContainerWriter.open('smoke-js.pkd');
for (let id = 0; id < 1000; id++) await writer.write({ id });
await writer.finish();
const reader = await ContainerReader.open('smoke-js.pkd');
const ids: number[] = [];
for await (const row of reader) ids.push((row as Row).id);
await reader.close();
console.log('container', ids.length, ids.at(-1));

try {
  unpack(Uint8Array.of(0x92, 0x01, 0xa3, 0x41));
} catch (error) {
  if (!(error instanceof MsgpackDecodeError)) throw error;
  console.log(`${error.kind} at byte ${error.offset} (${error.path})`);
}
