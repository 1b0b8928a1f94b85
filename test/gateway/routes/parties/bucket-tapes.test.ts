import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Test, test } from 'tap';
import { signed } from '../../../../actors/index.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openSettled } from './settled-lender.js';

const KEY = { id: 'key-of-tapes', secret: 'kept secret', region: 'eu-west-1' };

interface Store {
  readonly endpoint: string;
  readonly objects: Map<string, Buffer>;
  /** Answers of requests to come, before those of their own. */
  readonly refuses: number[];
}

/** A store on this machine that speaks S3: it takes an object whose request is signed with the key, and that has the named digest. */
async function openStore(t: Test): Promise<Store> {
  const objects = new Map<string, Buffer>();
  const refuses: number[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const url = new URL(request.url ?? '', `http://${request.headers.host ?? ''}`);
      const time = String(request.headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
      const { authorization } = signed({ method: request.method ?? '', url, body: { sha256 } }, KEY, new Date(time));
      const status = refuses.shift() ?? (request.headers.authorization === authorization ? 200 : 403);
      if (status === 200) objects.set(url.pathname, body);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, objects, refuses };
}

test('a tape goes into a bucket, whole and once, and again after a refusal', async (t) => {
  const { ask, company, h, goTo, failures } = await openSettled(t);
  const store = await openStore(t);
  await goTo('2026-03-20');
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanExternalId', 'status'] };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const tapes = `/companies/${company}/loan-tapes`;
  const s3Address = `s3://partner/in/loans?region=${KEY.region}&endpoint=${store.endpoint}`;
  const made = await ask('POST', tapes, { loanTapeTypeId, s3Address, s3KeyId: KEY.id, s3Secret: KEY.secret, status: 'paused' });
  t.match(dataOf(made), { s3Address, s3KeyId: KEY.id, s3Secret: '********', sftpHostname: null, sftpUsername: null, sftpPassword: null });
  const files = `${tapes}/${idOf(made)}/files`;
  store.refuses.push(503);
  await ask('POST', files, {});
  await h.campaigns.tapesSettled();
  t.match(listOf(await ask('GET', files)), [{ status: 'pending', failureDescription: /answers 503/ }]);
  t.equal(store.objects.size, 0);
  h.nowMs += 15 * 60_000;
  await h.campaigns.tapesSettled();
  const [file = {}] = listOf(await ask('GET', files));
  t.match(file, { status: 'succeeded', fileName: 'Loans_20260320.csv.gz' });
  t.strictSame([...store.objects.keys()], ['/partner/in/loans/Loans_20260320.csv.gz']);
  const [content = Buffer.alloc(0)] = store.objects.values();
  t.equal(createHash('sha256').update(content).digest('hex'), file['sha256']);

  t.match(await ask('PUT', `${tapes}/${idOf(made)}`, { s3Secret: 'another' }), { status: 200 });
  await ask('POST', files, {});
  await h.campaigns.tapesSettled();
  t.match(listOf(await ask('GET', files)), [{ status: 'pending', failureDescription: /answers 403/ }, {}]);
  t.same(failures, []);
});

test('a tape names one place, and all that it needs', async (t) => {
  const { ask, company } = await openSettled(t);
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanId'] };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const tapes = `/companies/${company}/loan-tapes`;
  const faultsOf = async (body: object): Promise<unknown> => {
    const { status, json } = await ask('POST', tapes, { loanTapeTypeId, ...body });
    return [status, (json['errors'] as readonly { readonly path: string }[]).map(({ path }) => path)];
  };
  t.strictSame(await faultsOf({}), [400, ['sftpHostname', 'sftpUsername', 'sftpPassword']]);
  t.strictSame(await faultsOf({ s3Address: 'https://partner' }), [400, ['s3Address', 's3KeyId', 's3Secret']]);
  const bucket = { s3Address: 's3://partner', s3KeyId: 'key', s3Secret: 'secret' };
  t.strictSame(await faultsOf({ ...bucket, sftpHostname: 'files.example.com' }), [400, ['sftpHostname']]);
  const tape = `${tapes}/${idOf(await ask('POST', tapes, { loanTapeTypeId, ...bucket }))}`;
  const server = { sftpHostname: 'files.example.com', sftpUsername: 'me', sftpPassword: 'secret' };
  t.match(await ask('PUT', tape, server), { status: 400 }, 'the bucket is still there');
  t.match(await ask('PUT', tape, { ...server, s3Address: null }), {
    json: { data: { sftpHostname: 'files.example.com', s3Address: null, s3KeyId: null, s3Secret: null } },
  });
});
