import { test } from 'tap';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { openAch, openBank, processorBody } from './ach-over-http.js';

const ACCOUNT = {
  instrumentType: 'bankAccount',
  accountNumber: '9900887766',
  routingNumber: '021000021',
  accountType: 'checking',
  accountHolderType: 'business',
  accountHolderName: 'Northwind Lending',
};

test('a processor is stored when its bank lets the service in, and its password is never shown', async (t) => {
  const { ask, h } = await openHttpLender(t);
  const server = await openBank(t).server;
  const body = processorBody(server);
  const wrong = await ask('POST', '/payment-processors', { ...body, sftpPassword: 'another word' });
  t.match(wrong, { status: 400, json: { errors: [{ path: 'sftpHostname', message: /SFTP/ }] } });
  t.notMatch(wrong.text, 'another word');
  t.equal((await ask('GET', '/payment-processors')).json['total'], 0, 'nothing was stored');
  const made = await ask('POST', '/payment-processors', body);
  t.match(made, { status: 201, json: { data: { id: /^PX-/, sftpPassword: '********', achCutoff: '16:00:00Z', fundingInstruments: [] } } });
  const one = `/payment-processors/${idOf(made)}`;
  t.match(await ask('POST', `${one}/test-connection`), { status: 200, json: { data: { isConnected: true, inboxFileCount: 0 } } });
  t.match(await ask('PUT', one, { sftpPassword: '********', processorName: 'Second Bank' }), {
    status: 200,
    json: { data: { processorName: 'Second Bank' } },
  });
  t.match(await ask('PUT', one, { sftpPassword: 'another' }), { status: 400 });
  t.match(await ask('PUT', `${one}?skipConnectionTest=true`, { sftpPassword: 'another' }), { status: 200 });
  t.match(await ask('POST', `${one}/test-connection`), { status: 400 });
  for (const secret of [server.password, 'another']) t.notMatch(JSON.stringify(h.reports) + h.written(), secret);
  t.match(await ask('POST', '/payment-processors', { ...body, sftpHostname: '10.0.0.1' }), { status: 400 }, 'a private address');
});

test('what an active processor needs is required with every fault, and what the service does not do yet is refused', async (t) => {
  const { ask } = await openHttpLender(t);
  const server = await openBank(t).server;
  const few = { paymentTypes: ['ach'], processorType: 'achDirectUS', processorName: 'Bank', status: 'active' };
  const refused = await ask('POST', '/payment-processors', few);
  t.equal(refused.status, 400);
  t.equal((refused.json['errors'] as readonly unknown[]).length, 10);
  const unsupported = {
    paymentTypes: ['ach', 'debitCard'],
    isFileNameDefaultConvention: false,
    encryptionMethodOutgoing: 'GPG',
    thirdPartyPublicKey: 'key',
  };
  const all = await ask('POST', '/payment-processors?skipConnectionTest=true', processorBody(server, unsupported));
  t.equal(all.status, 400);
  t.match(
    (all.json['errors'] as readonly { readonly path: string }[]).map(({ path }) => path),
    ['paymentTypes', 'isFileNameDefaultConvention', 'thirdPartyPublicKey'],
  );
  for (const changes of [
    { timezone: 'Mars/Olympus' },
    { sftpAchReturnFileNameRegex: '(' },
    { sftpAchReturnFileNameRegex: '^(a+)+$' },
    { achCutoff: '25:00:00' },
    { achBatchHeaderOriginatingDFIId: '1' },
    { status: 'draft', isDefault: true },
  ])
    t.match(await ask('POST', '/payment-processors', processorBody(server, changes)), { status: 400 }, JSON.stringify(changes));
});

test('only a draft is deleted; there is one default, and a processor with keys shows the public one', async (t) => {
  const { ask } = await openHttpLender(t);
  const server = await openBank(t).server;
  const first = idOf(await ask('POST', '/payment-processors', processorBody(server)));
  const second = idOf(await ask('POST', '/payment-processors', processorBody(server)));
  const defaults = listOf(await ask('GET', '/payment-processors')).filter((each) => each['isDefault'] === true);
  t.match(defaults, [{ id: second }], 'the newer default has replaced the other');
  t.match(await ask('DELETE', `/payment-processors/${first}`), { status: 409 });
  t.match(await ask('PUT', `/payment-processors/${first}`, { status: 'draft' }), { status: 409 });
  t.match(await ask('PUT', `/payment-processors/${first}`, { status: 'deprecated' }), { status: 200 });
  const keys = await ask(
    'POST',
    '/payment-processors',
    processorBody(server, { status: 'draft', isDefault: false, sftpAccessMethod: 'keys', sftpPassword: undefined }),
  );
  t.equal(keys.status, 201);
  const publicKey = String(dataOf(keys)['sftpSSHServicePublicKey']);
  t.match(publicKey, /^ssh-rsa [A-Za-z0-9+/=]+ tenor$/);
  t.notMatch(keys.text, 'PRIVATE');
  const again = await ask('PUT', `/payment-processors/${idOf(keys)}?skipConnectionTest=true`, { sftpAccessMethod: 'keys' });
  t.equal(dataOf(again)['sftpSSHServicePublicKey'], publicKey, 'the keys stay');
  t.equal((await ask('DELETE', `/payment-processors/${idOf(keys)}`)).status, 204);
  t.match(await ask('GET', `/payment-processors/${idOf(keys)}`), { status: 404 });
});

test('a bank that knows the public key of the service gets its files; the pair is gone with the method', async (t) => {
  const ach = await openAch(t, { sftpAccessMethod: 'keys', sftpPassword: null });
  const { ask, h, server, settled, pay, names, processorId } = ach;
  const one = `/payment-processors/${processorId}`;
  const publicKey = String(dataOf(await ask('GET', one))['sftpSSHServicePublicKey']);
  t.match(await ask('POST', `${one}/test-connection`), { status: 400 }, 'the bank does not know the key');
  server.authorizedKeys = [publicKey];
  t.match(await ask('POST', `${one}/test-connection`), { status: 200 });
  await pay(100);
  h.nowMs = Date.parse('2026-03-02T21:00:01Z'); // the cut-off has passed
  await settled();
  t.strictSame(names(), [`ACH_${processorId}_20260302_A.ach`]);

  t.match(await ask('PUT', one, { sftpPassword: 'another' }), { status: 400, json: { errors: [{ path: 'sftpPassword' }] } });
  const password = { sftpAccessMethod: 'usernamePassword', sftpPassword: server.password };
  t.match(await ask('PUT', one, { sftpAccessMethod: 'usernamePassword' }), { status: 400 });
  t.match(dataOf(await ask('PUT', one, password)), { sftpSSHServicePublicKey: null, sftpPassword: '********' });
  const again = dataOf(await ask('PUT', one, { sftpAccessMethod: 'keys' }));
  t.match(again, { sftpSSHServicePublicKey: /^ssh-rsa /, sftpPassword: null });
  t.not(again['sftpSSHServicePublicKey'], publicKey);
  t.match(await ask('POST', `${one}/test-connection`), { status: 400 }, 'the bank knows the first pair alone');
  t.notMatch(JSON.stringify([again, h.reports]) + h.written(), /PRIVATE KEY|a password of tests/);
});

test('an account of the lender belongs to a processor: one is active for each purpose, and its number is write only', async (t) => {
  const { ask, h } = await openHttpLender(t);
  const server = await openBank(t).server;
  const processor = `/payment-processors/${idOf(await ask('POST', '/payment-processors', processorBody(server)))}`;
  const accounts = `${processor}/funding-instruments`;
  const made = await ask('POST', accounts, { ...ACCOUNT, purpose: 'collection' });
  t.match(made, { status: 201, json: { data: { id: /^FI-/, accountNumberLastFour: '7766', status: 'active', purpose: 'collection' } } });
  t.notMatch(made.text, ACCOUNT.accountNumber);
  t.notMatch(h.written(), ACCOUNT.accountNumber);
  t.match(await ask('POST', accounts, { ...ACCOUNT, purpose: 'both' }), { status: 409 });
  t.match(await ask('POST', accounts, { ...ACCOUNT, routingNumber: '123456789' }), { status: 400 });
  t.match(await ask('POST', accounts, { ...ACCOUNT, accountHolderName: 'A & B' }), { status: 400 });
  t.match(await ask('POST', accounts, { ...ACCOUNT, purpose: 'disbursement', isExternal: true }), {
    status: 400,
    json: { errors: [{ path: 'isExternal', expected: 'false' }] },
  });
  t.match(await ask('POST', accounts, { ...ACCOUNT, purpose: 'disbursement', loanTypeIds: ['LT-AAAA-AAAA'] }), {
    status: 400,
    json: { errors: [{ path: 'loanTypeIds[0]' }] },
  });
  t.match(await ask('PUT', `${accounts}/${idOf(made)}`, { loanTypeIds: ['LT-AAAA-AAAA'] }), { status: 400 });
  const out = idOf(await ask('POST', accounts, { ...ACCOUNT, purpose: 'disbursement', accountNumber: '5500' }));
  t.match(dataOf(await ask('GET', processor))['fundingInstruments'], [{ id: idOf(made) }, { id: out, status: 'active' }]);
  t.match(await ask('PUT', `${accounts}/${out}`, { status: 'inactive', nickname: 'old' }), {
    status: 200,
    json: { data: { status: 'inactive', inactiveReason: 'other', nickname: 'old', inactiveAt: /^2026/ } },
  });
  const balances = `${processor}/funding-account-balances`;
  const balance = { fundingInstrumentId: idOf(made), balanceDate: '2026-03-02', currentAmount: -12.5 };
  t.match(await ask('POST', balances, balance), { status: 201, json: { data: { id: /^FB-/, currentAmount: -12.5, source: 'manual' } } });
  t.match(await ask('POST', balances, { ...balance, fundingInstrumentId: 'FI-NONE-NONE' }), { status: 400 });
  t.match(await ask('POST', balances, { ...balance, balanceDate: '2026-03-03' }), {
    status: 400,
    json: { errors: [{ path: 'balanceDate' }] },
  });
  t.match((await ask('GET', `${balances}?fromDate=2026-03-03`)).json, { total: 0 });
  t.match((await ask('GET', balances)).json, { total: 1 });
  t.equal((await ask('DELETE', `${accounts}/${out}`)).status, 204);
  t.match(await ask('PUT', `${accounts}/${out}`, { nickname: 'x' }), { status: 409 });
  t.match((await ask('GET', accounts)).json, { total: 1 });
});
