import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createMessage, encrypt, readKey } from 'openpgp';
import { type Test, test } from 'tap';
import { AchRunner, type CommandRequest } from '../../../../actors/index.js';
import { must, readAch } from '../../../../engine/index.js';
import { ContentStore } from '../../../../gateway/documents/content-store.js';
import type { PgpPair } from '../../../../gateway/pgp/jobs.js';
import { FILE_PGP } from '../../../../gateway/pgp/pgp.js';
import { FolderBlobs } from '../../../../persistence/index.js';
import { Gnupg, NO_GNUPG } from '../../pgp/gnupg.js';
import { decrypted, receiverPair } from '../../pgp/keys.js';
import { dataOf, listOf } from '../http-lender.js';
import { type AchOverHttp, bankFile, bankSftpOf, type Data, openAch } from './ach-over-http.js';

const AFTER_CUTOFF = Date.parse('2026-03-02T21:00:01Z');
const ENCRYPTED_RETURNS = { sftpAchReturnFileNameRegex: '^RET_.*\\.ach$', encryptionMethodIncoming: 'GPG' };

const leaving = ({ bank, names }: AchOverHttp): Buffer => readFileSync(join(bank, 'out', must(names()[0], 'a file')));
const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const processorOf = async ({ ask, processorId }: AchOverHttp): Promise<Data> =>
  dataOf(await ask('GET', `/payment-processors/${processorId}`));
const filesOf = async ({ ask }: AchOverHttp, query = ''): Promise<readonly Data[]> => listOf(await ask('GET', `/ach-files${query}`));

const opened = async (content: Uint8Array, { privateKey }: PgpPair): Promise<string> =>
  (await decrypted(content, privateKey)).toString('latin1');

async function sealedFor(armoredKey: string, text: string): Promise<Uint8Array> {
  return encrypt({ message: await createMessage({ text }), encryptionKeys: await readKey({ armoredKey }), format: 'binary' });
}

test('a file is encrypted for the bank once: its digest is that of what leaves, and a later try puts the same bytes', async (t) => {
  const bank = await receiverPair();
  const ach = await openAch(t, { encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: bank.publicKey });
  const { h, server, pay, settled, names, ask, processorId } = ach;
  t.match(await processorOf(ach), { encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: bank.publicKey, gpgServicePublicKey: null });
  const id = await pay(100);
  server.onRequest = () => true; // the bank is away
  h.nowMs = AFTER_CUTOFF;
  await settled();
  const [before = {}] = await filesOf(ach);
  t.match(before, { status: 'created', failureDescription: /SFTP/ });
  t.strictSame(names(), []);
  // Another key from now on: the file is what it was.
  const later = await receiverPair();
  await ask('PUT', `/payment-processors/${processorId}?skipConnectionTest=true`, { thirdPartyPublicKey: later.publicKey });
  await h.restart();
  h.deliver();
  server.onRequest = null;
  h.nowMs += 16 * 60_000;
  await h.ach.settled();
  t.strictSame(names(), [`ACH_${processorId}_20260302_A.ach`], 'the name has no other ending');
  const content = leaving(ach);
  t.equal(digestOf(content), before['sha256'], 'the bytes that were encrypted before the restart');
  t.notMatch(content.toString('latin1'), /ANNABEL|7700112233/);
  const file = readAch(await opened(content, bank));
  t.same(file.errors, []);
  t.match(file.batches[0]?.entries[0], { amountCents: 10_000, individualId: id });
  t.notMatch(JSON.stringify(h.reports) + h.written(), 'ANNABEL QUIMBY');
});

/** A process that dies when it is about to record a step. */
function dyingRunner({ h }: AchOverHttp, step: string | null): AchRunner {
  let isDead = false;
  return new AchRunner({
    engine: h.engine,
    asked: {
      async execute(command: CommandRequest) {
        isDead ||= command.type === step;
        if (isDead) throw new Error('the process has died');
        return h.engine.execute(command);
      },
      query: (request) => h.engine.query(request),
    },
    contents: new ContentStore(new FolderBlobs(join(h.folder, 'documents'))),
    banks: bankSftpOf(h),
    pgp: FILE_PGP,
    report: () => undefined,
  });
}

test('a process that dies between encryption and upload leaves its bytes to the next one', async (t) => {
  const bank = await receiverPair();
  const ach = await openAch(t, { encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: bank.publicKey });
  const { h, pay, names } = ach;
  await h.ach.close(); // the runners of this test are the only ones
  const runs = async (dyingAt: string | null): Promise<unknown> => {
    const runner = dyingRunner(ach, dyingAt).start();
    await runner.settled();
    await runner.close();
    return (await filesOf(ach))[0]?.['sha256'];
  };
  const id = await pay(100);
  h.nowMs = AFTER_CUTOFF;
  const clear = await runs('achFile.sealed');
  t.strictSame(names(), [], 'what is not recorded has not left');
  const sealed = await runs('achFile.beginUpload');
  t.not(sealed, clear);
  t.strictSame(names(), []);
  t.equal(await runs(null), sealed);
  t.equal(digestOf(leaving(ach)), sealed);
  t.match(readAch(await opened(leaving(ach), bank)).batches[0]?.entries[0], { individualId: id });
  t.match(await filesOf(ach), { length: 1 });
});

test('a key that has expired since fails the file and nothing leaves; with another key it is sent again', async (t) => {
  const ach = await openAch(t);
  const { ask, h, processorId, pay, settled, names, transaction } = ach;
  const id = await pay(100);
  const until = Date.now() + 6_000;
  const short = await receiverPair(5);
  const body = { encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: short.publicKey };
  t.match(await ask('PUT', `/payment-processors/${processorId}`, body), { status: 200 });
  await pause(Math.max(0, until - Date.now()));
  h.nowMs = AFTER_CUTOFF;
  await settled();
  await settled();
  t.strictSame(names(), []);
  const [file = {}] = await filesOf(ach);
  t.match(file, { status: 'failed', failureDescription: /^The file cannot be encrypted: the receiver's key has expired/ });
  t.match(await transaction(id), { status: 'initiated' });
  t.match(await ask('PUT', `/payment-processors/${processorId}`, { ...body }), {
    status: 400,
    json: { errors: [{ path: 'thirdPartyPublicKey' }] },
  });
  const fresh = await receiverPair();
  await ask('PUT', `/payment-processors/${processorId}`, { thirdPartyPublicKey: fresh.publicKey });
  t.match(await ask('POST', `/ach-files/${String(file['id'])}/resend`), { status: 200 });
  await settled();
  t.match(readAch(await opened(leaving(ach), fresh)).batches[0]?.entries[0], { individualId: id });
  t.match(await transaction(id), { status: 'pending' });
});

test('keys are refused with their faults, and without a method nothing keeps one', async (t) => {
  const ach = await openAch(t);
  const { ask, processorId } = ach;
  const one = `/payment-processors/${processorId}`;
  const bank = await receiverPair();
  const refused = async (body: object, message: RegExp): Promise<void> => {
    const answer = await ask('PUT', one, body);
    t.match(answer, { status: 400, json: { errors: [{ path: 'thirdPartyPublicKey', message }] } });
  };
  await refused({ encryptionMethodOutgoing: 'GPG' }, /missing/);
  await refused({ encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: bank.privateKey }, /private/);
  await refused({ thirdPartyPublicKey: bank.publicKey }, /no file is encrypted/);
  await ask('PUT', one, { encryptionMethodOutgoing: 'GPG', thirdPartyPublicKey: bank.publicKey });
  await refused({ thirdPartyPublicKey: null }, /missing/);
  t.match(await ask('PUT', one, { encryptionMethodOutgoing: null }), {
    json: { data: { encryptionMethodOutgoing: null, thirdPartyPublicKey: null } },
  });
});

test('files of a bank are decrypted; one that cannot be is refused once and named, and the others are taken', async (t) => {
  const ach = await openAch(t, ENCRYPTED_RETURNS);
  const { ask, h, pay, settled, transaction, names, read, bank, goTo, server } = ach;
  const { gpgServicePublicKey } = await processorOf(ach);
  const own = String(gpgServicePublicKey);
  t.match(own, /^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
  const other = await receiverPair();
  const id = await pay(100);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file in clear'));
  const returned = bankFile(file, [{ entry: must(file.batches[0]?.entries[0], 'an entry'), code: 'R01' }]);
  const give = (name: string, content: Uint8Array | string): void => writeFileSync(join(bank, 'in', name), content);
  give('RET_1.ach', await sealedFor(other.publicKey, returned));
  give('RET_2.ach', returned);
  give('RET_3.ach', await sealedFor(own, returned));
  give('RET_4.ach', await sealedFor(own, returned));
  await settled();
  await settled();
  t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01' });
  const came = await filesOf(ach, '?direction=return');
  t.equal(came.length, 4, 'each was taken once');
  t.match(Object.fromEntries(came.map(({ fileName, status, failureDescription }) => [fileName, [status, failureDescription]])), {
    'RET_1.ach': ['failed', /^The file could not be decrypted with the key of the processor/],
    'RET_2.ach': ['failed', /^The file is not encrypted/],
    'RET_3.ach': ['confirmed', null],
    'RET_4.ach': ['confirmed', null],
  });
  const differences = listOf(await ask('GET', '/reconciliations?status=differences'));
  t.match(JSON.stringify(differences), /could not be decrypted/);
  for (const secret of ['PRIVATE KEY', server.password]) t.notMatch(JSON.stringify(h.reports) + h.written(), secret);
  t.notMatch(JSON.stringify(await processorOf(ach)), 'PRIVATE KEY');
});

test('GnuPG at the bank reads what is sent, knows its signature, and sends what is read', { skip: NO_GNUPG }, async (t: Test) => {
  const gnupg = new Gnupg(t);
  const bankKey = gnupg.newKey('bank@example.com');
  const ach = await openAch(t, {
    ...ENCRYPTED_RETURNS,
    signOutgoing: true,
    encryptionMethodOutgoing: 'GPG',
    thirdPartyPublicKey: bankKey,
  });
  const { pay, settled, transaction, bank, goTo } = ach;
  gnupg.import(String((await processorOf(ach))['gpgServicePublicKey']));
  const id = await pay(100);
  await goTo('2026-03-03');
  await settled();
  const { text, status } = gnupg.read(leaving(ach));
  t.match(status, /GOODSIG/);
  const file = readAch(text);
  t.same(file.errors, []);
  const returned = bankFile(file, [{ entry: must(file.batches[0]?.entries[0], 'an entry'), code: 'R01' }]);
  writeFileSync(join(bank, 'in', 'RET_1.ach'), gnupg.encrypt(returned, 'Tenor', { signer: 'bank@example.com' }));
  await settled();
  t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01' });
});
