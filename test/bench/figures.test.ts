import { test } from 'tap';
import { generateLoad, latenciesOf, median, Random, textTable } from '../../bench/index.js';
import { createServer } from 'node:http';

test('percentiles and medians of small lists', async (t) => {
  t.equal(median([3, 1, 2]), 2);
  t.equal(median([4, 1, 2, 3]), 2.5);
  t.same(latenciesOf(Array.from({ length: 1000 }, (_, index) => index + 1)), { p50Ms: 500, p99Ms: 990, p999Ms: 999, worstMs: 1000 });
});

test('the same seed gives the same numbers', async (t) => {
  const draw = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.below(100));
  };
  t.same(draw(5), draw(5));
  t.notSame(draw(5), draw(6));
});

test('a table puts numbers to the right', async (t) => {
  t.equal(
    textTable(
      ['name', 'count'],
      [
        ['a', 1],
        ['bcdefg', 1200],
      ],
    ),
    ['  name    count', '  ------  -----', '  a           1', '  bcdefg  1,200'].join('\n'),
  );
});

test('the load generator sends at its rate, and reports what was refused', async (t) => {
  let seen = 0;
  const server = createServer((request, response) => {
    seen += 1;
    request.resume().on('end', () => response.writeHead(seen % 10 === 0 ? 503 : 200, { 'Content-Length': 2 }).end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const result = await generateLoad({
    port,
    connections: 4,
    ratePerSecond: 200,
    seconds: 0.5,
    requests: ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  });
  t.match(result, { sent: 100, answered: 100, failed: 10, firstFailure: /503/ });
  t.equal(seen, 100);
});

test('a connection that the service closes while it is idle is opened again', async (t) => {
  const server = createServer((_request, response) => response.writeHead(200, { 'Content-Length': 2 }).end('ok'));
  let opened = 0;
  server.on('connection', (socket) => {
    opened += 1;
    const end = setTimeout(() => socket.destroy(), 30); // each of the four is chosen every 80 ms
    socket.on('data', () => end.refresh());
    socket.on('close', () => clearTimeout(end));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const result = await generateLoad({
    port,
    connections: 4,
    ratePerSecond: 50,
    seconds: 1,
    requests: ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  });
  t.match(result, { sent: 50, answered: 50 }, 'none waits for an answer that cannot come');
  t.ok(opened > 4, `${opened} connections`);
});

test('connections are taken in turn, so that none is idle for long', async (t) => {
  const requestsOf = new Map<object, number>();
  const server = createServer((request, response) => {
    requestsOf.set(request.socket, (requestsOf.get(request.socket) ?? 0) + 1);
    response.writeHead(200, { 'Content-Length': 2 }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const requests = ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'];
  t.match(await generateLoad({ port, connections: 4, ratePerSecond: 50, seconds: 1, requests }), { answered: 50 });
  t.equal(requestsOf.size, 4);
});
