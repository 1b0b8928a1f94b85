import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { type Test, test } from 'tap';
import { readFile } from '../../../../engine/metro2/index.js';
import { must } from '../../../../engine/index.js';
import { type SftpServer, sftpServerFor } from '../../../persistence/sftp-server.js';
import { decrypted, receiverPair } from '../../pgp/keys.js';
import { openCredit } from '../credit-reporting/credit-over-http.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type Data, openSettled } from './settled-lender.js';

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

interface Receiver {
  readonly folder: string;
  readonly server: SftpServer;
  readonly address: object;
}

async function receiver(t: Test): Promise<Receiver> {
  const folder = t.testdir({ in: {} });
  const server = await sftpServerFor(t, folder);
  const address = {
    sftpHostname: `127.0.0.1:${server.port}`,
    sftpUsername: server.username,
    sftpPassword: server.password,
    sftpCdDir: '/in',
  };
  return { folder, server, address };
}

test('a loan tape is encrypted for its receiver once, and put again as the same bytes', async (t) => {
  const { ask, company, h, goTo } = await openSettled(t);
  const { folder, server, address } = await receiver(t);
  const { publicKey, privateKey } = await receiverPair();
  await goTo('2026-03-20');
  const type = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanExternalId', 'status'], compressionType: 'gzip' };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, type));
  const tapes = `/companies/${company}/loan-tapes`;
  const made = await ask('POST', tapes, { loanTapeTypeId, ...address, encryptionMethod: 'GPG', publicKey });
  t.match(dataOf(made), { encryptionMethod: 'GPG', publicKey });
  const files = `${tapes}/${idOf(made)}/files`;
  const newest = async (): Promise<Data> => must(listOf(await ask('GET', files))[0], 'a file');
  server.onRequest = () => true; // the receiver is away
  await ask('POST', files, {});
  await h.campaigns.tapesSettled();
  const before = await newest();
  t.match(before, { status: 'pending', fileName: 'Loans_20260320.csv.gz', rowCount: 2 });
  server.onRequest = null;
  h.nowMs += 15 * 60_000;
  await h.campaigns.tapesSettled();
  t.match(await newest(), { status: 'succeeded', sha256: before['sha256'] });
  const sent = readFileSync(join(folder, 'in', 'Loans_20260320.csv.gz'));
  t.equal(digestOf(sent), before['sha256']);
  t.equal(sent.length, before['bytes']);
  t.match(gunzipSync(await decrypted(sent, privateKey)).toString(), /^loanExternalId,status\r\n(.*\r\n)?owned,active\r\n/);

  const short = await receiverPair(5);
  const until = Date.now() + 6_000;
  t.match(await ask('PUT', `${tapes}/${idOf(made)}`, { publicKey: short.publicKey }), { status: 200 });
  await pause(Math.max(0, until - Date.now()));
  await ask('POST', files, {});
  await h.campaigns.tapesSettled();
  t.match(await newest(), { status: 'failed', failureDescription: /key has expired/, fileName: null });
  t.match(await ask('PUT', `${tapes}/${idOf(made)}`, { encryptionMethod: null }), {
    json: { data: { encryptionMethod: null, publicKey: null } },
  });
});

test('a file for a credit agency is encrypted for it; the download is what left', async (t) => {
  const { folder, address } = await receiver(t);
  const { publicKey, privateKey } = await receiverPair();
  const { goTo, madeFile, h, ask, files, company, agencyId } = await openCredit(t, { ...address, encryptionMethod: 'GPG', publicKey });
  t.match(dataOf(await ask('GET', `/companies/${company}/credit-agencies/${agencyId}`)), { encryptionMethod: 'GPG', publicKey });
  await goTo('2026-04-01');
  const file = await madeFile();
  t.match(file, { status: 'succeeded', recordCount: 1, failureDescription: null });
  t.match(file['fileName'], /EQUIFAX20260331\.txt$/);
  t.strictSame(readdirSync(join(folder, 'in')), [file['fileName']]);
  const sent = readFileSync(join(folder, 'in', String(file['fileName'])));
  t.equal(digestOf(sent), file['sha256']);
  t.equal(sent.length, file['bytes']);
  const { accounts, faults } = readFile((await decrypted(sent, privateKey)).toString('latin1'));
  t.strictSame(faults, []);
  t.match(accounts[0]?.base, { ssn: '900112233', accountStatus: '11' });
  t.notMatch(sent.toString('latin1'), '900112233');
  const content = await ask('GET', `${files}/${String(file['id'])}/content`);
  t.notMatch(content.text, '900112233');

  const short = await receiverPair(5);
  const until = Date.now() + 6_000;
  t.match(await ask('PUT', `/companies/${company}/credit-agencies/${agencyId}`, { publicKey: short.publicKey }), { status: 200 });
  await pause(Math.max(0, until - Date.now()));
  await goTo('2026-05-01');
  t.match(await madeFile(), { status: 'failed', failureDescription: /key has expired/ });
  t.equal(readdirSync(join(folder, 'in')).length, 1, 'nothing has left');
  t.notMatch(JSON.stringify(h.reports) + h.written(), '900112233');
});
