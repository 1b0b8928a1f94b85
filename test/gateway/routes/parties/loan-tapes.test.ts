import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Test, test } from 'tap';
import { openSftpServer, type TestSftpServer } from '../campaigns/sftp-server.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { tempFolder } from '../../../temp-folder.js';
import { TAPE_FIELDS } from '../../../../actors/company/tapes/fields.js';
import { type Data, openSettled, type SettledLender } from './settled-lender.js';

const LOGIN = { username: 'tapes', password: 'kept secret' };

interface Tapes extends SettledLender {
  readonly server: TestSftpServer;
  readonly types: string;
  readonly tapes: string;
  tape(type: object, more?: object): Promise<string>;
  /** Makes a file now; its record when nothing is left to do at this time. */
  made(tapeId: string, body?: object): Promise<Data>;
  files(tapeId: string, query?: string): Promise<readonly Data[]>;
}

const LOANS = { tapeName: 'Loans', tapeType: 'loans', fields: ['loanExternalId', 'dataStatus'], compressionType: 'noCompression' };

/** A loan that two investors own, another of the lender alone, and a server for files. */
async function openTapes(t: Test): Promise<Tapes> {
  const lender = await openSettled(t);
  const { ask, company, h } = lender;
  const server = await openSftpServer(t, LOGIN);
  const types = `/companies/${company}/loan-tape-types`;
  const tapes = `/companies/${company}/loan-tapes`;
  const files = async (tapeId: string, query = ''): Promise<readonly Data[]> =>
    listOf(await ask('GET', `${tapes}/${tapeId}/files${query}`));
  return {
    ...lender,
    server,
    types,
    tapes,
    files,
    async tape(type, more = {}) {
      const made = await ask('POST', types, { ...LOANS, ...type });
      if (made.status !== 200) throw new Error(made.text);
      return idOf(await ask('POST', tapes, { loanTapeTypeId: idOf(made), ...ADDRESS, sftpHostname: server.host, ...more }));
    },
    async made(tapeId, body = {}) {
      const ordered = await ask('POST', `${tapes}/${tapeId}/files`, body);
      if (ordered.status !== 201) throw new Error(ordered.text);
      await h.campaigns.tapesSettled();
      const [newest = {}] = await files(tapeId);
      return newest;
    },
  };
}

const ADDRESS = { sftpUsername: LOGIN.username, sftpPassword: LOGIN.password };

test('a loans tape shows the shares of one investor, and is sent under the name and with the digest that are recorded', async (t) => {
  const { ask, tapes, types, investors, goTo, pay, tape, made, server } = await openTapes(t);
  await goTo('2026-03-20');
  await pay(100.01, '2026-03-16');
  const fields = ['reportDate', 'loanExternalId', 'investorId', 'investorShare', 'status', 'currentPrincipalAmount', 'interestRate'];
  const tapeId = await tape(
    {
      tapeName: 'All loans',
      fields: [...fields, 'lastPaymentDate'],
      fieldNameMappings: { loanExternalId: 'loan', currentPrincipalAmount: 'principal, cents' },
    },
    { investorId: 'ext-alpha', sftpCdDir: 'in' },
  );
  t.match(await ask('GET', `${tapes}/${tapeId}`), {
    json: { data: { investorId: investors[0], sftpPassword: '********', status: 'active' } },
  });
  const file = await made(tapeId);
  const text =
    'reportDate,loan,investorId,investorShare,status,"principal, cents",interestRate,lastPaymentDate\r\n' +
    `2026-03-20,owned,${String(investors[0])},0.60000000,active,110768,0.18000000,2026-03-16\r\n`;
  t.equal(server.files.get('in/All_loans_20260320.csv'), text);
  t.match(file, {
    status: 'succeeded',
    trigger: 'manual',
    rowCount: 1,
    reportDate: '2026-03-20',
    fileName: 'All_loans_20260320.csv',
    sha256: createHash('sha256').update(text).digest('hex'),
    uploadedAt: /^2026-03-20/,
  });
  const [type] = listOf(await ask('GET', types));
  t.match(await ask('DELETE', `${types}/${String(type?.['id'])}`), { status: 409 }, 'a tape uses the type');
  t.match(await ask('GET', `${tapes}?investorId=ext-beta`), { json: { total: 0 } });
  t.match(await ask('GET', `${tapes}?investorId=ext-alpha`), { json: { total: 1 } });
  t.equal((await ask('DELETE', `${tapes}/${tapeId}`)).status, 204);
  t.equal((await ask('GET', `${tapes}/${tapeId}/files`)).status, 404);
  t.equal((await ask('DELETE', `${types}/${String(type?.['id'])}`)).status, 204);
});

test('a charged-off loan stays on the tape for the days of its type', async (t) => {
  const { ask, loan, goTo, pay, tape, made, server } = await openTapes(t);
  await goTo('2026-03-20');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'legal' });
  const fields = ['loanExternalId', 'isChargedOff', 'chargedOffDate', 'chargedOffReason', 'recoveredAmount'];
  const tapeId = await tape({ fields, reportDaysWhenChargedOff: 10, moneyUnit: 'fullUnit' }, { investorId: 'ext-beta', status: 'paused' });
  await goTo('2026-03-30');
  await pay(25.5, '2026-03-28');
  t.match(await made(tapeId), { rowCount: 1 });
  t.match(server.files.get('Loans_20260330.csv'), /\r\nowned,true,2026-03-20,legal,25\.50\r\n$/);
  await goTo('2026-03-31');
  t.match(await made(tapeId), { rowCount: 0 });
});

test('a loan that was paid off has data for the days of its loan type, and then only its ids, or no row', async (t) => {
  const { ask, loan, loanTypeId, company, goTo, pay, tape, made, server, failures } = await openTapes(t);
  const product = `/companies/${company}/loan-types/${loanTypeId}`;
  await goTo('2026-03-20');
  t.match(await ask('PUT', product, { snapshotDaysAfterPayoff: 12 }), { json: { data: { snapshotDaysAfterPayoff: 12 } } });
  const payoff = Number(dataOf(await ask('GET', `${loan}/payoff`))['payoffAmount']);
  await pay(payoff, '2026-03-20');
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  const fields = ['reportDate', 'loanExternalId', 'status', 'outstandingTotalAmount', 'dataStatus'];
  const only = { investorId: 'ext-alpha', status: 'paused' };
  const listing = await tape({ tapeName: 'Listing', fields, reportDaysWhenPaidOff: 20 }, only);
  const leaving = await tape({ fields, reportDaysWhenPaidOff: 20, actionOnMissingData: 'excludeFromTape' }, only);
  const shown = async (date: string): Promise<readonly unknown[]> => {
    await goTo(date);
    await made(listing);
    const [, row = ''] = (server.files.get(`Listing_${date.replaceAll('-', '')}.csv`) ?? '').trimEnd().split('\r\n');
    return [row, (await made(leaving))['rowCount']];
  };
  t.strictSame(await shown('2026-04-01'), ['2026-04-01,owned,paidOff,0,complete', 1], 'the twelfth day');
  t.strictSame(await shown('2026-04-02'), ['2026-04-02,owned,,,missing', 0]);
  await ask('PUT', product, { snapshotDaysAfterPayoff: 30 });
  t.strictSame(await shown('2026-04-03'), ['2026-04-03,owned,paidOff,0,complete', 1], 'the settings of the report date count');
  t.strictSame(await shown('2026-04-10'), ['', 0], 'the days of the tape are over');
  t.same(failures, []);
});

/** The files of a tape after a restart of the engine, which the gateway does not follow. */
const filesAfter = (h: Tapes['h'], loanTapeId: string): Promise<unknown> =>
  h.query('loanTapeFile.list', null, {}, { params: { loanTapeId } });

test('every field has a column, as CSV in gzip and as Parquet with its type', async (t) => {
  const { ask, tapes, goTo, pay, tape, made, created, failures } = await openTapes(t);
  await created({ externalId: 'pending', metaData: { branch: 'north' } });
  await goTo('2026-03-20');
  await pay(100.01, '2026-03-19');
  for (const tapeType of ['loans', 'payments'] as const) {
    // The number of a borrower is for encrypted tapes: `tape-fields.test.ts`.
    const fields = Object.keys(TAPE_FIELDS[tapeType]).filter((field) => field !== 'mainBorrowerIdentityValue');
    const whole = {
      tapeType,
      fields,
      shouldReportDrawsSeparately: tapeType === 'loans',
      loanMetaDataFields: ['branch'],
      moneyUnit: 'fullUnit',
    };
    const columns = fields.map((field) => (field === 'loanMetaData' ? 'branch' : field));
    const csv = await tape({ ...whole, compressionType: 'gzip' }, { customFileName: '{{loanTapeId}}-%y-%m-%d-%j.csv' });
    const file = await made(csv);
    t.match(file, { status: 'succeeded', fileName: `${csv}-26-03-20-079.csv.gz`, rowCount: tapeType === 'loans' ? 3 : 1 });
    const content = await ask('GET', `${tapes}/${csv}/files/${String(file['id'])}/content`);
    t.equal(createHash('sha256').update(content.bytes).digest('hex'), file['sha256']);
    const [head = '', ...lines] = gunzipSync(content.bytes).toString('utf8').trimEnd().split('\r\n');
    t.strictSame(head.split(','), columns);
    if (tapeType === 'loans') {
      const pending = lines.find((line) => line.includes('pending'))?.split(',') ?? [];
      t.match(
        pending.filter((cell) => cell !== ''),
        ['2026-03-20', /^LN-/, 'pending', /^BO-/, 'ann-1', 'missing'],
      );
    } else t.match(lines, [/,100\.01,/]);
    const parquet = await tape({ ...whole, tapeOutputFormat: 'Parquet', compressionType: 'noCompression' });
    const typed = await made(parquet);
    t.match(typed, { status: 'succeeded', fileName: 'Loans_20260320.parquet', rowCount: file['rowCount'] });
    const { bytes } = await ask('GET', `${tapes}/${parquet}/files/${String(typed['id'])}/content`);
    const amount = tapeType === 'loans' ? 'paidInterestTotalAmount' : 'amount';
    t.strictSame(await typesOfParquet(t, bytes, ['reportDate', amount]), ['DATE', 'DECIMAL(18,2)']);
  }
  const without = await tape({ actionOnMissingData: 'excludeFromTape' });
  t.match(await made(without), { rowCount: 2 });
  t.same(failures, []);
});

async function typesOfParquet(t: Test, content: Buffer, columns: readonly string[]): Promise<readonly unknown[]> {
  const path = join(tempFolder(t), 'tape.parquet');
  writeFileSync(path, content);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const typesOf = columns.map((column) => `typeof("${column}")`).join(', ');
  return (await connection.runAndReadAll(`SELECT ${typesOf} FROM '${path}' LIMIT 1`)).getRowsJson()[0] ?? [];
}

test('files follow the schedule of their type, each once, and a paused tape has none', async (t) => {
  const { ask, tapes, goTo, pay, tape, files, h, server } = await openTapes(t);
  await goTo('2026-03-20');
  await pay(100, '2026-03-18');
  const daily = await tape({ tapeType: 'payments', tapeName: 'Daily', fields: ['effectiveDate', 'amount'] });
  const monthly = await tape({ schedule: 'monthly', specificDays: [31] });
  const paused = await tape({}, { status: 'paused' });
  await h.campaigns.tapesSettled();
  t.strictSame(await files(daily), [], 'the moment of the day has passed before the tape was made');
  await goTo('2026-03-21');
  for (let round = 0; round < 3; round += 1) await h.campaigns.tapesSettled();
  t.match(await files(daily), [{ trigger: 'schedule', reportDate: '2026-03-21', status: 'succeeded', rowCount: 1 }]);
  t.equal(server.files.get('Daily_20260321.csv'), 'effectiveDate,amount\r\n2026-03-18,10000\r\n', 'it was recorded on the 20th');
  await goTo('2026-04-02');
  for (let round = 0; round < 3; round += 1) await h.campaigns.tapesSettled();
  t.match(await files(daily), { length: 2 });
  t.match(await files(daily, '?fromDate=2026-04-01&toDate=2026-04-30'), [{ reportDate: '2026-04-02', rowCount: 0 }]);
  t.match(await files(monthly), [{ trigger: 'schedule', reportDate: '2026-04-02' }], 'late, as the loans are then');
  t.match(await files(monthly), { length: 1 });
  t.strictSame(await files(paused), []);
  t.match(await ask('PUT', `${tapes}/${paused}`, { status: 'active', sftpPassword: '********' }), { json: { data: { status: 'active' } } });
  await h.restart();
  h.deliver();
  await h.campaigns.tapesSettled();
  t.match(await filesAfter(h, daily), { total: 2 }, 'a stop makes no second file');
});

test('a file that cannot be put is put again a quarter of an hour later, three times, and stays the same file', async (t) => {
  const { goTo, tape, made, files, h, server, ask, tapes } = await openTapes(t);
  const later = async (): Promise<void> => {
    h.nowMs += 15 * 60_000;
    await h.campaigns.tapesSettled();
  };
  await goTo('2026-03-20');
  server.refuses = 3;
  const lost = await tape({ tapeName: 'Lost' });
  t.match(await made(lost), { status: 'pending', failureDescription: /SFTP/ });
  await later();
  await later();
  t.match(await files(lost), [{ status: 'failed', failureDescription: /SFTP/, uploadedAt: null }]);
  await later();
  t.equal(server.connections, 3);
  server.refuses = 5;
  const tapeId = await tape({});
  const first = await made(tapeId);
  t.match(first, { status: 'pending', failureDescription: /SFTP/, rowCount: 2, sha256: /^[0-9a-f]{64}$/ });
  t.match(await ask('POST', `${tapes}/${tapeId}/files`, {}), { status: 409 }, 'the file is not sent yet');
  await h.campaigns.tapesSettled();
  t.equal(server.connections, 4, 'not before its time');
  await later();
  t.equal(server.connections, 5);
  await h.restart();
  h.deliver();
  await h.campaigns.tapesSettled();
  t.equal(server.connections, 5, 'a stop does not shorten the wait');
  await later();
  const sent = { id: first['id'], status: 'succeeded', failureDescription: null, sha256: first['sha256'] };
  t.match(await filesAfter(h, tapeId), { total: 1, items: [sent] });
  t.equal(
    createHash('sha256')
      .update(server.files.get('Loans_20260320.csv') ?? '')
      .digest('hex'),
    first['sha256'],
  );
});

test('what a tape cannot show or do is refused with the names of all faults', async (t) => {
  const { ask, askWith, types, tapes, tape, goTo, server } = await openTapes(t);
  await goTo('2026-03-20');
  const refused = async (body: object): Promise<unknown> => {
    const { status, json } = await ask('POST', types, { ...LOANS, ...body });
    return { status, errors: json['errors'] };
  };
  const fields = ['loanId', 'amount', 'drawId', 'nothing'];
  t.match(await refused({ fields }), {
    status: 400,
    errors: [
      { path: 'fields[1]', message: 'amount is a field of the other tape type' },
      { path: 'fields[3]', message: 'There is no field nothing' },
      { path: 'fields[2]', message: /rows of draws/ },
    ],
  });
  for (const [body, path] of [
    [{ fields: ['loanMetaData'] }, 'loanMetaDataFields'],
    [{ loanMetaDataFields: ['branch'] }, 'loanMetaDataFields'],
    [{ fieldNameMappings: { status: 'x' } }, 'fieldNameMappings.status'],
    [{ fieldNameMappings: { loanExternalId: 'dataStatus' } }, 'fieldNameMappings'],
    [{ specificDays: [1] }, 'specificDays'],
    [{ schedule: 'weekly', specificDays: [8] }, 'specificDays'],
    [{ reportDaysWhenPaidOff: 9 }, 'reportDaysWhenPaidOff'],
  ] as const)
    t.match(await refused(body), { status: 400, errors: [{ path }] }, path);
  const tapeId = await tape({});
  const body = { loanTapeTypeId: 'TY-0000-0000', investorId: 'ext-none', sftpHostname: server.host };
  t.match(await ask('POST', tapes, { ...body, encryptionMethod: 'GPG', publicKey: 'x' }), {
    status: 400,
    json: { errors: ['publicKey', 'loanTapeTypeId', 'investorId', 'sftpUsername', 'sftpPassword'].map((path) => ({ path })) },
  });
  for (const customFileName of ['../%Y.csv', '%Y/%m.csv', '%H.csv', '{{company}}.csv'])
    t.match(await ask('PUT', `${tapes}/${tapeId}`, { customFileName }), { status: 400, json: { errors: [{ path: 'customFileName' }] } });
  const toCome = { reportDate: '2026-03-21' };
  t.match(await ask('POST', `${tapes}/${tapeId}/files`, toCome), { status: 400, json: { errors: [{ path: 'reportDate' }] } });
  t.equal((await askWith(['loan.tape:list'], 'GET', `${tapes}/${tapeId}`)).status, 403);
  t.equal((await askWith(['loan.tape:read'], 'POST', `${tapes}/${tapeId}/files`, {})).status, 403);
  t.equal((await askWith(['loan.tape:create'], 'DELETE', `${tapes}/${tapeId}`)).status, 403);
  t.equal((await askWith(['loan.tape.type:create'], 'GET', types)).status, 403);
});
