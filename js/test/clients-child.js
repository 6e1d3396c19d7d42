/** Writes objects of keys that the parent has not seen, then reads those of the parent. */
import { once } from 'node:events';
import { openStore, record } from './clients-store.js';

const db = openStore(process.argv[2]);
for (let i = 0; i < 30; i++) await db.put(`child${i}`, record('child', i, i));
process.send('written');
await once(process, 'message');
db.resetReadTxn();
const read = [];
for (let i = 0; i < 10; i++) read.push(db.get(`parent${i}`));
for (let i = 0; i < 5; i++) await db.put(`later${i}`, record('later', i, i));
await db.close();
process.send(read);
process.disconnect();
