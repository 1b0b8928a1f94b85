import { test } from 'tap';
import { SftpFolder } from '../../../../bench/bank/sftp-folder.js';
import { openBank, processorBody } from '../ach/ach-over-http.js';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { openSettled } from './settled-lender.js';

const LOGIN = { username: 'tapes', password: 'kept secret' };
const OTHER = `SHA256:${'A'.repeat(43)}`;
const TAPE_TYPE = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanExternalId'], compressionType: 'noCompression' };

test('a file goes to the server with the configured key alone, and another one hears no password', async (t) => {
  const { ask, company, h } = await openSettled(t);
  const server = await openSftpServer(t, LOGIN);
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, TAPE_TYPE));
  const tapes = `/companies/${company}/loan-tapes`;
  const body = { loanTapeTypeId, sftpHostname: server.host, sftpUsername: LOGIN.username, sftpPassword: LOGIN.password };
  const made = await ask('POST', tapes, { ...body, sftpHostKey: OTHER });
  t.match(made, { status: 200, json: { data: { sftpHostKey: 'A'.repeat(43) } } });
  const one = `${tapes}/${idOf(made)}`;
  const files = async (): Promise<string> => {
    await h.campaigns.tapesSettled();
    return (await ask('GET', `${one}/files`)).text;
  };
  t.match(await ask('POST', `${one}/files`, {}), { status: 201 });
  t.match(await files(), /the server has another key than the configured one/);
  t.equal(server.files.size, 0);
  t.equal(server.logins, 0);
  t.match(await ask('PUT', one, { sftpHostKey: server.hostKey }), { status: 200, json: { data: { sftpHostname: server.host } } });
  h.nowMs += 3_600_000;
  t.match(await files(), /"succeeded"/);
  t.equal(server.files.size, 1);
  t.match(
    dataOf(await ask('PUT', one, { sftpUsername: LOGIN.username })),
    { sftpHostKey: server.hostKey.slice('SHA256:'.length) },
    'it stays',
  );
  t.match(dataOf(await ask('PUT', one, { sftpHostKey: null })), { sftpHostKey: null });
});

test('a bank is believed by the key of its server', async (t) => {
  const { ask } = await openHttpLender(t);
  const server = await openBank(t).server;
  t.match(await ask('POST', '/payment-processors', processorBody(server, { sftpHostKey: OTHER })), {
    status: 400,
    json: { errors: [{ path: 'sftpHostname', message: /another key than the configured one/ }] },
  });
  const made = await ask('POST', '/payment-processors', processorBody(server, { sftpHostKey: `SHA256:${server.hostKey}` }));
  t.match(made, { status: 201, json: { data: { sftpHostKey: server.hostKey } } });
  const one = `/payment-processors/${idOf(made)}`;
  t.match(await ask('POST', `${one}/test-connection`), { status: 200, json: { data: { isConnected: true } } });
  t.match(await ask('PUT', `${one}?skipConnectionTest=true`, { sftpHostKey: OTHER }), { status: 200 });
  t.match(await ask('POST', `${one}/test-connection`), { status: 400, json: { errors: [{ message: /another key/ }] } });
});

test('without a setting the first key is believed; a server with another one hears no user name, and operators are alerted', async (t) => {
  const { ask, company, h } = await openSettled(t);
  const first = await openSftpServer(t, LOGIN);
  const port = Number(first.host.split(':')[1]);
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, TAPE_TYPE));
  const tapes = `/companies/${company}/loan-tapes`;
  const body = { loanTapeTypeId, sftpHostname: first.host, sftpUsername: LOGIN.username, sftpPassword: LOGIN.password };
  const one = `${tapes}/${idOf(await ask('POST', tapes, body))}`;
  const newest = async (): Promise<unknown> => {
    await h.campaigns.tapesSettled();
    return listOf(await ask('GET', `${one}/files`))[0];
  };
  const refused = async (): Promise<number> => {
    const text = await h.metrics.registry.getSingleMetricAsString('tenor_server_keys_refused_total');
    return Number(/^tenor_server_keys_refused_total\{mode="test"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  for (let files = 1; files <= 2; files += 1) {
    t.match(await ask('POST', `${one}/files`, {}), { status: 201 });
    t.match(await newest(), { status: 'succeeded' });
  }
  t.equal(await refused(), 0);
  await first.close();
  const other = await openSftpServer(t, LOGIN, port);
  t.match(await ask('POST', `${one}/files`, {}), { status: 201 });
  const { text } = await ask('GET', `${one}/files`);
  t.notMatch(text, other.hostKey);
  t.match(JSON.stringify(await newest()), `the server has another key, ${other.hostKey}, than before`);
  t.strictSame({ logins: other.logins, files: other.files.size }, { logins: 0, files: 0 });
  t.equal(await refused(), 1);
  t.match(h.reports, [new RegExp(`^a server of files has another key than before .*"host":"${other.host}"`)]);
  t.equal((await ask('PUT', one, { sftpHostKey: other.hostKey })).status, 200);
  h.nowMs += 3_600_000;
  t.match(await newest(), { status: 'succeeded' });
  t.equal((await ask('PUT', one, { sftpHostKey: null })).status, 200);
  t.match(await ask('POST', `${one}/files`, {}), { status: 201 });
  t.match(await newest(), { status: 'succeeded' }, 'the key that was configured is the recorded one now');
});

test('the key with which a bank has let the service in is recorded, and another one ends a connection', async (t) => {
  const { ask } = await openHttpLender(t);
  const login = { username: 'tenor', password: 'a password of tests' };
  const folder = t.testdir({ out: {}, in: {} });
  const first = await SftpFolder.open(folder, login);
  const { port } = first;
  const made = await ask('POST', '/payment-processors', processorBody({ port, ...login }));
  t.match(made, { status: 201, json: { data: { sftpHostKey: null } } });
  const test = `/payment-processors/${idOf(made)}/test-connection`;
  t.equal((await ask('POST', test)).status, 200);
  first.close();
  const other = await SftpFolder.open(folder, login, port);
  t.teardown(other.close);
  t.match(await ask('POST', test), {
    status: 400,
    json: { errors: [{ path: 'sftpHostname', message: `another key, SHA256:${other.hostKey}, than before` }] },
  });
  t.equal((await ask('PUT', `/payment-processors/${idOf(made)}`, { sftpHostKey: other.hostKey })).status, 200);
  t.equal((await ask('PUT', `/payment-processors/${idOf(made)}`, { sftpHostKey: null })).status, 200);
  t.equal((await ask('POST', test)).status, 200);
});

test('what is no fingerprint of a key is refused with 422, wherever files go by SFTP', async (t) => {
  const { ask, company } = await openHttpLender(t);
  const sftpSettings = { host: 'files.example.com', username: 'tenor', password: 'kept secret', hostKey: 'ssh-rsa AAAA' };
  const flat = { sftpHostname: 'files.example.com', sftpUsername: 'tenor', sftpPassword: 'kept secret', sftpHostKey: 'SHA256:short' };
  const loanTapeTypeId = idOf(await ask('POST', `/companies/${company}/loan-tape-types`, TAPE_TYPE));
  const agency = { agencyName: 'equifax', country: 'US', dataFormat: 'metro2', uploadFrequency: 'monthly' };
  const columns = { columnSettings: [{ field: 'person.id' }] };
  const rows: readonly (readonly [string, object, string])[] = [
    [`/companies/${company}/investors`, { legalName: 'Birch Loan Trust', sftpSettings }, 'sftpSettings.hostKey'],
    ['/campaign-workers/contact-exporters', { ...columns, sftpSettings }, 'sftpSettings.hostKey'],
    [`/companies/${company}/loan-tapes`, { loanTapeTypeId, ...flat }, 'sftpHostKey'],
    [`/companies/${company}/credit-agencies`, { ...agency, ...flat }, 'sftpHostKey'],
    [
      '/payment-processors?skipConnectionTest=true',
      { paymentTypes: ['ach'], processorType: 'achDirectUS', processorName: 'Bank', status: 'draft', ...flat },
      'sftpHostKey',
    ],
  ];
  for (const [path, body, field] of rows)
    t.match(await ask('POST', path, body), { status: 422, json: { errorType: 'businessValidation', errors: [{ path: field }] } }, path);
});
