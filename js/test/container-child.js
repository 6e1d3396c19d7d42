/**
 * Writes rows into a container file until it is killed: `node container-child.js PATH ROWS-A-BLOCK`. It says
 * when it has begun, and how many rows are in each block.
 */
import { ContainerWriter } from 'packord/container';

const [path, blockRows] = process.argv.slice(2);
const writer = await ContainerWriter.open(path, { blockRows: Number(blockRows), codec: 'none' });
process.stdout.write('ready\n');
for (let id = 0; ; id++) await writer.write({ id, text: `row ${id}`, square: id * id });
