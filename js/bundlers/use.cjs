/** Uses every entry point: returns what they do as text, the same in each program. */
module.exports = (packord) => {
  const { Packr, Unpackr, pack, unpack, Timestamp } = packord.index;
  const value = {
    id: 1,
    text: ['é', 'x'.repeat(20), 'a'.repeat(40)],
    large: 2 ** 40,
    exact: 2n ** 60n,
    at: new Date(1500),
    bytes: Uint8Array.of(1, 2),
  };
  const rows = Array.from({ length: 40 }, (_, id) => ({ id, name: `name ${id}` }));
  const caught = (run) => {
    try {
      return run();
    } catch ({ name, kind, offset, path }) {
      return [name, kind, offset, path];
    }
  };
  const int64 = { useBigInt64: true };
  const found = [];
  const shows = (...shown) =>
    found.push(
      JSON.stringify(shown, function show(key, inner) {
        // Before the toJSON of a Buffer.
        if (ArrayBuffer.isView(this[key])) return Array.from(this[key]);
        return typeof inner === 'bigint' ? `${inner}n` : inner;
      }),
    );
  for (let i = 0; i < 20; i++) shows(unpack(pack(value)));
  shows(unpack(pack([new Map([[1, 'one']]), new Timestamp(5, 7), undefined])));
  const packr = new Packr({ records: true, rich: true });
  shows(packr.unpack(packr.pack(rows)), [...packr.unpack(packr.pack(new Set([1])))]);
  shows(caught(() => unpack(Uint8Array.of(0x92, 1))));
  shows(caught(() => pack({ a: [Symbol('s')] })));
  shows(packord.unpack.unpack(packord.pack.pack(value)));
  const { columns } = packord.columns;
  shows(new Unpackr({ columns }).unpack(new Packr({ columns }).pack(rows)));
  shows(new packord.view.View(pack({ rows })).get('rows', 3, 'name'));
  const { integer, object } = packord.schema;
  shows(unpack(pack(value), object({ id: integer })));
  shows(packord.msgpack.decode(packord.msgpack.encode(value, int64), int64));
  shows(packord.msgpackr.unpack(packord.msgpackr.pack(value)));
  const noEval = packord['index-no-eval'];
  shows(noEval.unpack(noEval.pack(rows)));
  shows(packord['unpack-no-eval'].unpack(pack(rows)));
  const slow = { columns: packord['columns-no-eval'].columns };
  shows(new noEval.Unpackr(slow).unpack(new Packr({ columns }).pack(rows)));
  shows(new packord['view-no-eval'].View(pack({ rows })).get('rows', 4));
  const schemas = packord['schema-no-eval'];
  shows(noEval.unpack(pack(value), schemas.object({ id: schemas.integer })));
  shows(typeof packord.stream.decodeIter, typeof packord.container.ContainerReader.open);
  return found.join('\n');
};
