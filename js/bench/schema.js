/**
 * Typed decoding: a few fields and all fields of the orders, as maps and as records. Prints the time
 * of `unpack` alone as a multiple of that with a schema of packord and of zod.
 */
import { Packr, pack, unpack } from 'packord';
import * as s from 'packord/schema';
import { z } from 'zod';
import { documents } from './documents.js';
import { measure } from './measure.js';

const { value: orders } = documents.orders;
const FEW = {
  packord: s.array(s.object({ orderNumber: s.string, total: s.number })),
  zod: z.array(z.object({ orderNumber: z.string(), total: z.number() })),
};
const ALL = {
  packord: s.array(
    s.object({
      orderNumber: s.string,
      placed: s.number,
      customer: s.object({ given: s.string, family: s.string, mail: s.string, vip: s.boolean }),
      lines: s.array(s.object({ sku: s.string, title: s.string, quantity: s.number, price: s.number })),
      total: s.number,
      comment: s.optional(s.string),
      discount: s.optional(s.object({ code: s.string, percent: s.number })),
    }),
  ),
  zod: z.array(
    z.object({
      orderNumber: z.string(),
      placed: z.number(),
      customer: z.object({
        given: z.string(),
        family: z.string(),
        mail: z.string(),
        vip: z.boolean(),
      }),
      lines: z.array(z.object({ sku: z.string(), title: z.string(), quantity: z.number(), price: z.number() })),
      total: z.number(),
      comment: z.string().optional(),
      discount: z.object({ code: z.string(), percent: z.number() }).optional(),
    }),
  ),
};

const packr = new Packr({ records: true });
const bytes = { maps: pack(orders), records: Uint8Array.from(packr.pack(orders)) };
const read = { maps: unpack, records: packr.unpack };
const runs = {};
for (const way of ['maps', 'records']) {
  runs[`${way} whole`] = () => read[way](bytes[way]);
  for (const [fields, schemas] of Object.entries({ 'two fields': FEW, 'all fields': ALL }))
    for (const [library, schema] of Object.entries(schemas))
      runs[`${way} ${fields} ${library}`] = () => read[way](bytes[way], schema);
}
const times = measure(runs);
for (const [name, { median }] of Object.entries(times)) {
  const whole = times[`${name.split(' ')[0]} whole`].median;
  console.log(`${name.padEnd(28)} ${median.toFixed(0).padStart(5)} us ${(whole / median).toFixed(2)}`);
}
