/** A parser for socket.io that sends each packet as one binary frame. */
import { EventEmitter } from 'node:events';
import { pack, unpack } from 'packord';

export const protocol = 5;

export class Encoder {
  encode(packet) {
    return [pack(packet)];
  }
}

export class Decoder extends EventEmitter {
  add(frame) {
    const packet = unpack(frame);
    const { type, nsp } = packet;
    if (!Number.isInteger(type) || type < 0 || type > 6 || typeof nsp !== 'string')
      throw new Error('invalid packet');
    this.emit('decoded', packet);
  }

  destroy() {}
}
