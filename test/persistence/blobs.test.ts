import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test, type Test } from 'tap';
import { signed } from '../../actors/index.js';
import { BucketBlobs, bucketLocation, FolderBlobs, StreamBlobs } from '../../persistence/index.js';
import type { Blobs } from '../../persistence/ports.js';
import { natsServer } from '../nats.js';
import { scratchFolder } from '../temp-folder.js';

/** What every store of contents does. */
async function keepsContents(t: Test, blobs: Blobs): Promise<void> {
  const [one, other] = [randomUUID(), randomUUID()];
  const content = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  t.equal(await blobs.get(one), undefined);
  await blobs.delete(one);
  await blobs.put(one, content);
  await blobs.put(other, new Uint8Array([1]));
  t.same([...((await blobs.get(one)) ?? [])], [...content]);
  await blobs.delete(one);
  t.equal(await blobs.get(one), undefined);
  t.same([...((await blobs.get(other)) ?? [])], [1]);
  await t.rejects(blobs.put('../escape', content));
}

test('a folder keeps contents, and nothing half-written', async (t) => {
  const folder = join(scratchFolder(), 'documents');
  await keepsContents(t, new FolderBlobs(folder));
  t.same(
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith('.part')),
    [],
  );
});

test('the object store of a message server keeps contents, for every process of a cluster', async (t) => {
  const server = await natsServer(t);
  const blobs = await StreamBlobs.open(await server.connect(), 'papers');
  await keepsContents(t, blobs);
  const name = randomUUID();
  await blobs.put(name, new Uint8Array(2_000_000).fill(7));
  const ofAnother = await StreamBlobs.open(await server.connect(), 'papers');
  t.equal((await ofAnother.get(name))?.length, 2_000_000);
});

test('requests are signed as the published example is', async (t) => {
  // "Authenticating requests: using query parameters and headers", Amazon S3 API reference: GET Object.
  const key = { id: 'AKIAIOSFODNN7EXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  const headers = signed(
    { method: 'GET', url, body: new Uint8Array(), headers: { range: 'bytes=0-9' } },
    key,
    new Date('2013-05-24T00:00:00Z'),
  );
  t.match(headers['authorization'], /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/);
});

test('a bucket keeps contents, by signed requests alone', async (t) => {
  const kept = new Map<string, Buffer>();
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', (): void => {
      const path = request.url ?? '';
      seen.push(`${request.method ?? ''} ${path}`);
      const isSigned = /^AWS4-HMAC-SHA256 Credential=me\/\d{8}\/eu-west-1\/s3\/aws4_request,/.test(request.headers.authorization ?? '');
      if (isSigned && request.method === 'PUT') kept.set(path, Buffer.concat(chunks));
      if (isSigned && request.method === 'DELETE') kept.delete(path);
      const found = kept.get(path);
      const isMissing = request.method === 'GET' && found === undefined;
      response.writeHead(isSigned ? (isMissing ? 404 : 200) : 403).end(request.method === 'GET' ? found : undefined);
    });
  });
  const port = await listening(server);
  t.teardown(() => server.close());
  const location = bucketLocation(`s3://papers/tenor?region=eu-west-1&endpoint=http://127.0.0.1:${port}`, { id: 'me', secret: 'x' });
  if (!location) throw new Error('the address is one of a bucket');
  await keepsContents(t, new BucketBlobs(location));
  t.same(
    seen.filter((line) => !/^(GET|PUT|DELETE) \/papers\/tenor\/[0-9a-f-]{36}$/.test(line)),
    [],
  );
  const stranger = new BucketBlobs({ ...location, key: { ...location.key, id: 'you' } });
  await t.rejects(stranger.put(randomUUID(), new Uint8Array([1])), { message: /answers 403/ });
});

test('an address of a bucket says where it is', async (t) => {
  const key = { id: 'a', secret: 'b' };
  t.equal(bucketLocation('s3://papers', key)?.address, 'https://papers.s3.us-east-1.amazonaws.com/');
  t.equal(bucketLocation('s3://papers/a/b/?region=eu-west-1', key)?.address, 'https://papers.s3.eu-west-1.amazonaws.com/a/b/');
  for (const text of ['s3://', 's3://A', 'https://papers', 's3://papers/../x?endpoint=ftp://x', 's3://papers?endpoint=nowhere'])
    t.equal(bucketLocation(text, key), null, text);
});

const listening = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
