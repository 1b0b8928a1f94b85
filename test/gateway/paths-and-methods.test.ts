import { connect } from 'node:net';
import { test } from 'tap';
import { gatewayFor, TEST_KEY } from './harness.js';
import { THING_ROUTES } from './routes.js';

test('a literal path segment wins over a parameter', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  t.strictSame((await ask('/api/things/search')).json, { found: 'by search' });
  t.strictSame((await ask('/api/things/123')).json['data'], { id: '123' });
});

test('path ids are service ids, external ids or digits', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  for (const id of ['BO-AAAA-1111', 'P2-9ZZZ-1AAA', 'ext-x', 'ext-', '42', `ext-${'x'.repeat(255)}`])
    t.equal((await ask(`/api/things/${id}`)).status, 200, id);
  t.strictSame((await ask('/api/things/ext-a%2Fb%20c')).json['data'], { id: 'ext-a/b c' });
  for (const id of ['nobody', 'bo-aaaa-1111', '-1', '%zz', `ext-${'x'.repeat(300)}`])
    t.equal((await ask(`/api/things/${id}`)).status, 400, id);
});

test('unknown paths are 404, known ones with another method 405 with the methods that they have', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  for (const path of ['/api/nothing', '/api/things/1/more', '/api/things/', '/api//things', '/api', '/', '/things', '/apithings']) {
    const answer = await ask(path);
    t.equal(answer.status, 404, path);
    t.equal(answer.json['errorType'], 'notFound');
  }
  const other = await ask('/api/things/1', { method: 'PUT', body: {} });
  t.equal(other.status, 405);
  t.equal(other.headers['allow'], 'GET, DELETE');
  t.equal((await ask('/api/things', { method: 'OPTIONS' })).status, 405);
  t.equal((await ask('/api/public/x')).headers['allow'], 'POST');
});

test('HEAD answers the head of GET', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const answer = await ask('/api/things/1', { method: 'HEAD' });
  t.equal(answer.status, 200);
  t.equal(answer.text, '');
  t.equal(answer.headers['content-length'], String((await ask('/api/things/1')).text.length));
});

test('an empty success has no body', async (t) => {
  const { ask } = await gatewayFor(t, { routes: THING_ROUTES });
  const answer = await ask('/api/things/1', { method: 'DELETE' });
  t.equal(answer.status, 204);
  t.equal(answer.text, '');
});

test('a success without a body has no Content-Length, and its connection serves the next request', async (t) => {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES });
  const request = (method: string): string => `${method} /api/things/1 HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${TEST_KEY}\r\n\r\n`;
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(request('DELETE')));
    let received = '';
    socket.on('data', (chunk) => {
      const isFirst = received === '';
      received += chunk.toString('latin1');
      if (isFirst) socket.write(request('GET'));
      if (received.includes('"id":"1"')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  const [emptied = '', next = ''] = text.split('\r\n\r\n');
  t.match(emptied, /^HTTP\/1.1 204 /);
  t.notMatch(emptied, /content-length/i);
  t.match(next, /^HTTP\/1.1 200 /);
});

test('requests of one connection that come at once are answered in their order', async (t) => {
  const { gateway } = await gatewayFor(t, { routes: THING_ROUTES });
  const request = (id: number): string => `GET /api/things/${id} HTTP/1.1\r\nHost: x\r\nX-API-KEY: ${TEST_KEY}\r\n\r\n`;
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(request(1) + request(2) + request(3)));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.includes('"id":"3"')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
  t.strictSame(
    [...text.matchAll(/"id":"(\d)"/g)].map(([, id]) => id),
    ['1', '2', '3'],
  );
});
