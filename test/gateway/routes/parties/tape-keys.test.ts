import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { ask as askGateway } from '../../harness.js';
import { assertNeverShown, privateKeyOf, rememberingAnswers } from '../key-access.js';
import { dataOf, idOf, listOf, servePortfolio } from '../http-lender.js';
import { openSentTapes } from './sent-tapes.js';

const TYPE = { fields: ['loanExternalId'] };
const BY_KEYS = { sftpAccessMethod: 'keys', sftpPassword: null };
const QUARTER_HOUR_MS = 15 * 60_000;

test('a tape by keys is sent with the pair that the service has made, and not to a server that knows another', async (t) => {
  const { tape, order, tapes, newest, received, server, h, goTo, ...lender } = await openSentTapes(t);
  const { ask, answers } = rememberingAnswers(lender.ask);
  await goTo('2026-03-20');
  const tapeId = await tape(TYPE, BY_KEYS);
  const other = await tape(TYPE, BY_KEYS);
  const keyOf = async (id: string): Promise<string> => String(dataOf(await ask('GET', `${tapes}/${id}`))['sftpSSHServicePublicKey']);
  const publicKey = await keyOf(tapeId);
  t.match(publicKey, /^ssh-rsa [A-Za-z0-9+/=]+ tenor$/);
  t.not(await keyOf(other), publicKey, 'each tape has a pair of its own');
  t.match(dataOf(await ask('GET', `${tapes}/${tapeId}`)), { sftpAccessMethod: 'keys', sftpPassword: null });

  const { id } = await order(tapeId);
  await h.campaigns.tapesSettled();
  t.match(await newest(tapeId), { status: 'pending', failureDescription: /SFTP/ }, 'the server does not know the key yet');
  const privateKey = await privateKeyOf(h, 'loanTapeFile.work', id);
  server.authorizedKeys = [await keyOf(other)];
  h.nowMs += QUARTER_HOUR_MS;
  await h.campaigns.tapesSettled();
  t.match(await newest(tapeId), { status: 'pending', failureDescription: /SFTP/ });
  server.authorizedKeys = [await keyOf(other), publicKey];
  h.nowMs += QUARTER_HOUR_MS;
  await h.campaigns.tapesSettled();
  t.match(await newest(tapeId), { id, status: 'succeeded' });
  t.match(received(await newest(tapeId)).toString(), /^loanExternalId\r\n/);

  for (const path of [tapes, `${tapes}/${tapeId}`, `${tapes}/${tapeId}/files`, '/events?limit=100']) await ask('GET', path);
  assertNeverShown(t, privateKey, [...answers(), ...h.reports, h.written()]);
  t.same(lender.failures, []);
});

test('the pair of a tape stays over updates and restarts, and is gone with the method', async (t) => {
  const { tape, tapes, order, newest, server, h, goTo, keys, ...lender } = await openSentTapes(t);
  const before = rememberingAnswers(lender.ask);
  await goTo('2026-03-20');
  const one = `${tapes}/${await tape(TYPE, BY_KEYS)}`;
  const made = dataOf(await before.ask('GET', one));
  const publicKey = must(made['sftpSSHServicePublicKey'], 'a public key');
  const first = await privateKeyOf(h, 'loanTapeFile.work', (await order(String(made['id'])))['id']);
  server.authorizedKeys = [String(publicKey)];
  await h.campaigns.tapesSettled();
  t.match(await newest(String(made['id'])), { status: 'succeeded' });
  const kept = { sftpAccessMethod: 'keys', sftpPassword: null, sftpSSHServicePublicKey: publicKey };
  for (const change of [{ sftpCdDir: '/' }, { sftpAccessMethod: 'keys' }, { sftpPassword: '********' }, { sftpUsername: server.username }])
    t.match(await before.ask('PUT', one, change), { status: 200, json: { data: kept } });
  await h.restart();
  h.deliver();
  const { gateway } = await servePortfolio(t, h);
  const after = rememberingAnswers((method, path, body) =>
    askGateway(gateway.port, `/api${path}`, { method, key: keys.test, ...(body === undefined ? {} : { body }) }),
  );
  const { ask } = after;
  const sent = async (): Promise<unknown> => {
    h.nowMs += 1_000;
    t.match(await ask('POST', `${one}/files`, {}), { status: 201 });
    await h.campaigns.tapesSettled();
    const [file] = listOf(await ask('GET', `${one}/files`));
    return file?.['status'];
  };
  t.match(dataOf(await ask('GET', one)), { sftpSSHServicePublicKey: publicKey });
  t.equal(await sent(), 'succeeded');

  const password = { sftpAccessMethod: 'usernamePassword' };
  t.match(await ask('PUT', one, password), { status: 400, json: { errors: [{ path: 'sftpPassword' }] } });
  t.match(await ask('PUT', one, { ...password, sftpPassword: server.password }), {
    status: 200,
    json: { data: { sftpAccessMethod: 'usernamePassword', sftpPassword: '********', sftpSSHServicePublicKey: null } },
  });
  server.authorizedKeys = [];
  t.equal(await sent(), 'succeeded');
  const again = await ask('PUT', one, { sftpAccessMethod: 'keys' });
  t.match(again, { status: 200, json: { data: { sftpAccessMethod: 'keys', sftpPassword: null, sftpSSHServicePublicKey: /^ssh-rsa / } } });
  t.not(dataOf(again)['sftpSSHServicePublicKey'], publicKey, 'the first pair is gone');
  server.authorizedKeys = [String(publicKey)];
  t.equal(await sent(), 'pending', 'the server knows the first pair alone, and the password is gone, too');
  const [{ id } = {}] = listOf(await ask('GET', `${one}/files`));
  const second = await privateKeyOf(h, 'loanTapeFile.work', id);
  await ask('GET', '/events?limit=100');
  const shown = [...before.answers(), ...after.answers(), ...h.reports, h.written()];
  for (const privateKey of [first, second]) assertNeverShown(t, privateKey, shown);
  t.notMatch(shown.join(''), server.password);
});

test('two requests at once make one pair', async (t) => {
  const { ask, tape, tapes } = await openSentTapes(t);
  const one = `${tapes}/${await tape(TYPE)}`;
  const made = await Promise.all([1, 2].map(() => ask('PUT', one, { sftpAccessMethod: 'keys' })));
  const shown = [...made, await ask('GET', one)].map((answer) => dataOf(answer)['sftpSSHServicePublicKey']);
  t.match(shown[0], /^ssh-rsa /);
  t.equal(new Set(shown).size, 1);
});

test('keys need a server and a user, and no password', async (t) => {
  const { ask, tape, tapes, types, address } = await openSentTapes(t);
  const loanTapeTypeId = idOf(await ask('POST', types, { ...TYPE, tapeName: 'Loans', tapeType: 'loans' }));
  const bucket = { s3Address: 's3://partner/in', s3KeyId: 'key', s3Secret: 'kept secret' };
  for (const [body, path] of [
    [{ ...address, sftpAccessMethod: 'keys' }, 'sftpPassword'],
    [{ ...address, ...BY_KEYS, sftpUsername: null }, 'sftpUsername'],
    [{ ...bucket, sftpAccessMethod: 'keys' }, 'sftpAccessMethod'],
  ] as const)
    t.match(await ask('POST', tapes, { loanTapeTypeId, ...body }), { status: 400, json: { errors: [{ path }] } }, path);
  const one = `${tapes}/${await tape(TYPE, BY_KEYS)}`;
  t.match(await ask('PUT', one, { sftpPassword: 'another' }), { status: 400, json: { errors: [{ path: 'sftpPassword' }] } });
  t.match(await ask('PUT', one, { ...bucket, sftpHostname: null }), {
    status: 200,
    json: { data: { sftpAccessMethod: 'usernamePassword', sftpSSHServicePublicKey: null, s3Secret: '********' } },
  });
});
