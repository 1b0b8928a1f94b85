import { test } from 'tap';
import { openBank, processorBody } from '../ach/ach-over-http.js';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { dataOf, idOf, openHttpLender } from '../http-lender.js';
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
