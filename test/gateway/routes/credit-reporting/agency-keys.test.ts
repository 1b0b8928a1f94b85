import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Test, test } from 'tap';
import { ask as askGateway } from '../../harness.js';
import { type SftpServer, sftpServerFor } from '../../../persistence/sftp-server.js';
import { assertNeverShown, privateKeyOf, rememberingAnswers } from '../key-access.js';
import { dataOf, idOf, listOf, servePortfolio } from '../http-lender.js';
import { EQUIFAX, openCredit } from './credit-over-http.js';

/** A server of an agency that knows no key yet, and how the service logs in there. */
async function openServer(t: Test): Promise<{ readonly server: SftpServer; readonly byKeys: object; names(): readonly string[] }> {
  const folder = t.testdir({});
  mkdirSync(join(folder, 'in'));
  const server = await sftpServerFor(t, folder);
  const byKeys = { sftpHostname: `127.0.0.1:${server.port}`, sftpUsername: server.username, sftpCdDir: '/in', sftpAccessMethod: 'keys' };
  return { server, byKeys, names: () => readdirSync(join(folder, 'in')) };
}

test('a file goes to an agency with the pair that the service has made, and not while the agency knows another', async (t) => {
  const { server, byKeys, names } = await openServer(t);
  const { goTo, madeFile, h, company, agencyId, files, ...lender } = await openCredit(t, byKeys);
  const { ask, answers } = rememberingAnswers(lender.ask);
  const agencies = `/companies/${company}/credit-agencies`;
  const one = `${agencies}/${agencyId}`;
  const publicKey = String(dataOf(await ask('GET', one))['sftpSSHServicePublicKey']);
  t.match(publicKey, /^ssh-rsa [A-Za-z0-9+/=]+ tenor$/);
  const other = dataOf(await ask('POST', agencies, { ...EQUIFAX, agencyName: 'transUnion', ...byKeys }));
  t.not(other['sftpSSHServicePublicKey'], publicKey, 'each agency has a pair of its own');
  server.authorizedKeys = [String(other['sftpSSHServicePublicKey'])];
  await goTo('2026-04-01');
  const refused = await madeFile();
  t.match(refused, { status: 'failed', failureDescription: /SFTP/ });
  const privateKey = await privateKeyOf(h, 'creditFile.work', refused['id']);
  t.strictSame(names(), []);

  server.authorizedKeys = [publicKey];
  for (const change of [{ useLoanExternalId: true }, { sftpAccessMethod: 'keys' }, { sftpPassword: '********' }])
    t.match(await ask('PUT', one, change), { status: 200, json: { data: { sftpSSHServicePublicKey: publicKey, sftpPassword: null } } });
  await goTo('2026-05-01');
  const sent = await madeFile();
  t.match(sent, { status: 'succeeded' });
  t.strictSame(names(), [sent['fileName']]);

  for (const path of [agencies, one, files, `${files}/${String(sent['id'])}`, '/events?limit=100']) await ask('GET', path);
  assertNeverShown(t, privateKey, [...answers(), ...h.reports, h.written()]);
});

test('the pair of an agency stays over a restart, and is gone with the method or the server', async (t) => {
  const { server, byKeys } = await openServer(t);
  const { goTo, h, company, agencyId, files, keys, ...lender } = await openCredit(t, byKeys);
  const one = `/companies/${company}/credit-agencies/${agencyId}`;
  const publicKey = String(dataOf(await lender.ask('GET', one))['sftpSSHServicePublicKey']);
  h.forgetSnapshots();
  await h.restart();
  h.deliver();
  const { gateway } = await servePortfolio(t, h);
  const { ask, answers } = rememberingAnswers((method, path, body) =>
    askGateway(gateway.port, `/api${path}`, { method, key: keys.test, ...(body === undefined ? {} : { body }) }),
  );
  const newest = async (): Promise<unknown> => {
    await h.campaigns.settled();
    return listOf(await ask('GET', files))[0];
  };
  server.authorizedKeys = [publicKey];
  await goTo('2026-04-01');
  t.match(await newest(), { status: 'succeeded' });

  const password = { sftpAccessMethod: 'usernamePassword' };
  t.match(await ask('PUT', one, password), { status: 400, json: { errors: [{ path: 'sftpPassword' }] } });
  t.match(dataOf(await ask('PUT', one, { ...password, sftpPassword: server.password })), {
    sftpAccessMethod: 'usernamePassword',
    sftpPassword: '********',
    sftpSSHServicePublicKey: null,
  });
  const second = dataOf(await ask('PUT', one, { sftpAccessMethod: 'keys' }));
  t.match(second, { sftpAccessMethod: 'keys', sftpPassword: null, sftpSSHServicePublicKey: /^ssh-rsa / });
  t.not(second['sftpSSHServicePublicKey'], publicKey);
  t.match(dataOf(await ask('PUT', one, { sftpHostname: null })), {
    sftpHostname: null,
    sftpAccessMethod: 'usernamePassword',
    sftpSSHServicePublicKey: null,
  });
  t.notMatch([...answers(), ...h.reports, h.written()].join(''), /PRIVATE KEY|a password of tests/);
});

test('an agency may have the pair of another one, which stays when the other changes', async (t) => {
  const { server, byKeys, names } = await openServer(t);
  const { goTo, madeFile, h, company, agencyId, loanTypeId, ...lender } = await openCredit(t, byKeys);
  const { ask, answers } = rememberingAnswers(lender.ask);
  const agencies = `/companies/${company}/credit-agencies`;
  const publicKey = String(dataOf(await ask('GET', `${agencies}/${agencyId}`))['sftpSSHServicePublicKey']);
  const body = { ...EQUIFAX, agencyName: 'transUnion', ...byKeys, copyKeysFrom: agencyId };
  const made = await ask('POST', agencies, body);
  t.match(made, { status: 200, json: { data: { sftpAccessMethod: 'keys', sftpSSHServicePublicKey: publicKey } } });
  t.notMatch(dataOf(made), { copyKeysFrom: agencyId });
  t.match(await ask('PUT', `${agencies}/${idOf(made)}`, { copyKeysFrom: agencyId }), { status: 400 }, 'of a new agency alone');
  t.match(await ask('PUT', `${agencies}/${agencyId}`, { sftpHostname: null }), { status: 200 });
  const numbers = { metro2TransUnionProgramIdentifier: 'TU12345678', metro2TransUnionIdentificationNumber: '90210' };
  const reported = await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { creditAgencyIds: [idOf(made)], ...numbers });
  t.equal(reported.status, 200, reported.text);
  server.authorizedKeys = [publicKey];
  await ask('POST', `/companies/${company}/credit-reporting/files`, { creditAgencyId: idOf(made) });
  await goTo('2026-04-01');
  const file = await madeFile();
  t.match(file, { creditAgencyIds: [idOf(made)], status: 'succeeded' });
  t.match(names(), [/TRANSUNION/]);
  assertNeverShown(t, await privateKeyOf(h, 'creditFile.work', file['id']), [...answers(), ...h.reports, h.written()]);
});
