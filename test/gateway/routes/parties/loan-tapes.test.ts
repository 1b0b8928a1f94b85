import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { openSftpServer } from '../campaigns/sftp-server.js';
import { idOf, listOf } from '../http-lender.js';
import { openSettled } from './settled-lender.js';

const LOGIN = { username: 'tapes', password: 'kept secret' };

test('a loans tape shows the shares of one investor, and is sent once under the name that is recorded', async (t) => {
  const lender = await openSettled(t);
  const { ask, company, investors, loan, goTo, h, pay } = lender;
  const server = await openSftpServer(t, LOGIN);
  await goTo('2026-03-20');
  await pay(100.01, '2026-03-16');
  const loanTapeTypeId = idOf(
    await ask('POST', `/companies/${company}/loan-tape-types`, {
      tapeName: 'Monthly loans',
      tapeType: 'loans',
      fields: [
        'reportDate',
        'loanExternalId',
        'investorId',
        'investorShare',
        'status',
        'currentPrincipalAmount',
        'interestRate',
        'lastPaymentDate',
      ],
      fieldNameMappings: { loanExternalId: 'loan', currentPrincipalAmount: 'principal, cents' },
      compressionType: 'noCompression',
    }),
  );
  const tape = await ask('POST', `/companies/${company}/loan-tapes`, {
    loanTapeTypeId,
    investorId: 'ext-alpha',
    sftpHostname: server.host,
    sftpUsername: LOGIN.username,
    sftpPassword: LOGIN.password,
    sftpCdDir: 'in',
  });
  t.match(tape, { status: 200, json: { data: { id: /^TA-/, investorId: investors[0], sftpPassword: '********', status: 'active' } } });
  const files = `/companies/${company}/loan-tapes/${idOf(tape)}/files`;
  t.match(await ask('POST', files, {}), { status: 201, json: { data: { status: 'pending', fileName: null } } });
  await h.campaigns.tapesSettled();
  const principal = Math.round((1200 - 92.32) * 100);
  const text =
    'reportDate,loan,investorId,investorShare,status,"principal, cents",interestRate,lastPaymentDate\r\n' +
    `2026-03-20,owned,${String(investors[0])},0.60000000,active,${principal},0.18000000,2026-03-16\r\n`;
  t.equal(server.files.get('in/Monthly_loans_20260320.csv'), text);
  const [file] = listOf(await ask('GET', files));
  t.match(file, {
    status: 'succeeded',
    rowCount: 1,
    reportDate: '2026-03-20',
    fileName: 'Monthly_loans_20260320.csv',
    sha256: createHash('sha256').update(text).digest('hex'),
    uploadedAt: /^2026-03-20/,
  });
  t.ok(loan);
  void gunzipSync;
});
