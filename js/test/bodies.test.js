/** Values as Blob, Request and Response, and back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MEDIA_TYPE, Packr, pack, packBlob, packRequest, packResponse, unpackBody } from 'packord/index-no-eval';

const VALUE = { id: 5, tags: ['a', 'é'], at: new Date(1500) };

describe('bodies', () => {
  it('hold a value with its media type', async () => {
    const request = packRequest('http://localhost/', VALUE);
    assert.equal(request.method, 'POST');
    for (const body of [packBlob(VALUE), request, packResponse(VALUE)]) {
      assert.equal(body.type?.startsWith('app') ? body.type : body.headers.get('content-type'), MEDIA_TYPE);
      assert.deepEqual(await unpackBody(body), VALUE);
    }
  });

  it('keep the status, the method and the headers that are given', async () => {
    const response = packResponse(VALUE, { status: 201, headers: { 'x-a': 'b' } });
    assert.deepEqual([response.status, response.headers.get('x-a')], [201, 'b']);
    const headers = new Headers({ 'content-type': 'application/x-msgpack; charset=binary' });
    const request = packRequest('http://localhost/', VALUE, { method: 'PUT', headers });
    assert.equal(request.method, 'PUT');
    assert.equal(request.headers.get('content-type'), headers.get('content-type'));
    assert.deepEqual(await unpackBody(request), VALUE);
  });

  it('contain nothing but the message', async () => {
    pack('a secret before it');
    const buffer = await packResponse(VALUE).arrayBuffer();
    assert.equal(buffer.byteLength, pack(VALUE).length);
  });

  it('may be packed and unpacked with options', async () => {
    const packr = new Packr({ records: true });
    const rows = Array.from({ length: 10 }, (_, id) => ({ id, name: 'x' }));
    const blob = packBlob(rows, packr);
    assert.ok(blob.size < packBlob(rows).size);
    assert.deepEqual(await unpackBody(blob, { records: true }), rows);
    await assert.rejects(unpackBody(packBlob(rows), { maxBuffer: 10 }), { kind: 'length_limit' });
  });

  it('are refused when they are declared to be something else, or have no message', async () => {
    const page = new Response('<html>', { headers: { 'content-type': 'text/html' } });
    await assert.rejects(unpackBody(page), { name: 'TypeError', message: /text\/html/ });
    await assert.rejects(unpackBody(new Blob(['[]'], { type: 'application/json' })), TypeError);
    await assert.rejects(unpackBody(new Response(null)), { kind: 'eof', offset: 0 });
    await assert.rejects(unpackBody(new Response(pack([1, 2]).subarray(0, 2))), { kind: 'eof' });
  });
});
