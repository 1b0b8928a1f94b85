import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { decrypt, readMessage, readPrivateKey } from 'openpgp';
import { type Test, test } from 'tap';
import { TAPE_FIELDS } from '../../../../actors/company/tapes/fields.js';
import { sftpServerFor } from '../../../persistence/sftp-server.js';
import { tempFolder } from '../../../temp-folder.js';
import { receiverPair } from '../../pgp/keys.js';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { type Data, openSettled, type SettledLender } from './settled-lender.js';

interface Tapes extends SettledLender {
  readonly types: string;
  readonly tapes: string;
  tape(type: object, more?: object): Promise<string>;
  order(tapeId: string, body?: object): Promise<Data>;
  /** Makes a file; its record and what the server has got. */
  made(tapeId: string, body?: object): Promise<{ readonly file: Data; readonly content: Buffer }>;
  newest(tapeId: string): Promise<Data>;
  received(file: Data): Buffer;
}

async function openTapes(t: Test): Promise<Tapes> {
  const lender = await openSettled(t);
  const { ask, company, h } = lender;
  const folder = t.testdir({});
  const server = await sftpServerFor(t, folder);
  const address = { sftpHostname: `127.0.0.1:${server.port}`, sftpUsername: server.username, sftpPassword: server.password };
  const types = `/companies/${company}/loan-tape-types`;
  const tapes = `/companies/${company}/loan-tapes`;
  const newest = async (tapeId: string): Promise<Data> => listOf(await ask('GET', `${tapes}/${tapeId}/files`))[0] ?? {};
  const received = (file: Data): Buffer => readFileSync(join(folder, String(file['fileName'])));
  const order = async (tapeId: string, body: object = {}): Promise<Data> => {
    const ordered = await ask('POST', `${tapes}/${tapeId}/files`, body);
    if (ordered.status !== 201) throw new Error(ordered.text);
    return dataOf(ordered);
  };
  return {
    ...lender,
    types,
    tapes,
    newest,
    received,
    order,
    async tape(type, more = {}) {
      const made = await ask('POST', types, { tapeName: 'Loans', tapeType: 'loans', compressionType: 'noCompression', ...type });
      if (made.status !== 200) throw new Error(made.text);
      return idOf(await ask('POST', tapes, { loanTapeTypeId: idOf(made), ...address, status: 'paused', ...more }));
    },
    async made(tapeId, body = {}) {
      await order(tapeId, body);
      await h.campaigns.tapesSettled();
      const file = await newest(tapeId);
      if (file['status'] !== 'succeeded') throw new Error(JSON.stringify(file));
      return { file, content: received(file) };
    },
  };
}

const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
const linesOf = (content: Buffer): readonly string[] => content.toString('utf8').trimEnd().split('\r\n');

/** All fields but those that are shown as of now. */
const fieldsOf = (tapeType: 'loans' | 'payments'): readonly string[] =>
  Object.keys(TAPE_FIELDS[tapeType]).filter((field) => !['loanMetaData', 'labels', 'mainBorrowerIdentityValue'].includes(field));

test('a file of a past day and moment has the bytes of the file that was made then', async (t) => {
  const { ask, loan, goTo, pay, tape, made, h, created, failures } = await openTapes(t);
  const loans = await tape({ fields: fieldsOf('loans'), shouldReportDrawsSeparately: true, moneyUnit: 'fullUnit' });
  const payments = await tape({
    tapeType: 'payments',
    tapeName: 'Payments',
    fields: fieldsOf('payments'),
    schedule: 'monthly',
    specificDays: [1],
  });
  await goTo('2026-03-20');
  const paid = await pay(100.01, '2026-03-16');
  await pay(7, '2026-03-18', { status: 'pending' });
  h.nowMs += 1_000;
  const recordedAsOf = new Date(h.nowMs).toISOString();
  const then = await made(loans);
  const paidThen = await made(payments);
  t.match(then.file, { reportDate: '2026-03-20', recordedAsOf, rowCount: 2 });
  t.match(paidThen.file, { rowCount: 2 });
  h.nowMs += 1_000;

  await ask('POST', `${loan}/transactions/${paid}/reverse`, {});
  await pay(55, '2026-03-17');
  await created({ externalId: 'later' });
  await goTo('2026-04-20');
  await ask('POST', `${loan}/charge-off`, { chargedOffReason: 'legal' });
  const past = { reportDate: '2026-03-20', recordedAsOf };
  const now = await made(loans);
  t.not(digestOf(now.content), digestOf(then.content));
  t.match(now.file, { reportDate: '2026-04-20', rowCount: 3 });
  const again = await made(loans, past);
  t.match(again.file, { ...past, rowCount: 2 });
  t.equal(again.content.toString(), then.content.toString());
  t.equal((await made(payments, past)).content.toString(), paidThen.content.toString());
  t.equal((await made(loans, { recordedAsOf })).file['reportDate'], '2026-03-20', 'the day of the moment');
  t.same(failures, []);
});

test('a file of a past day shows what is known now of it, as the balances of the loan do', async (t) => {
  const { ask, loan, goTo, pay, tape, made } = await openTapes(t);
  const fields = [
    'loanExternalId',
    'reportDate',
    'outstandingTotalAmount',
    'currentPrincipalAmount',
    'daysOverdue',
    'status',
    'lastPaymentDate',
  ];
  const tapeId = await tape({ fields, moneyUnit: 'fullUnit' });
  await goTo('2026-03-20');
  const then = await made(tapeId);
  await goTo('2026-04-25');
  await pay(60, '2026-03-18');
  await pay(10, '2026-04-24');
  const { content } = await made(tapeId, { reportDate: '2026-03-20' });
  const [, row = ''] = linesOf(content).filter((line) => /^(loanExternalId|owned)/.test(line));
  const { json } = await ask('GET', `${loan}/balances?toEffectiveDate=2026-03-20`);
  const { outstandingBalances: outstanding } = json['data'] as { readonly outstandingBalances: Readonly<Record<string, number>> };
  const two = (amount = 0): string => amount.toFixed(2);
  t.match(row.split(','), [
    'owned',
    '2026-03-20',
    two(outstanding['outstandingTotalAmount']),
    two(outstanding['outstandingPrincipalAmount']),
    /^\d+$/,
    'active',
    '2026-03-18',
  ]);
  t.not(content.toString(), then.content.toString(), 'the late payment is in it');
});

test('a file of several sections has each loan once, in each format, whenever its making was interrupted', async (t) => {
  const { goTo, tape, made, order, received, active, h } = await openTapes(t);
  for (const externalId of ['b', 'c', 'd', 'e']) await active({ externalId });
  await goTo('2026-03-20');
  h.sectionLoans = 2;
  const fields = ['loanExternalId', 'currentPrincipalAmount'];
  const rows = ['', 'b', 'c', 'd', 'e', 'owned'].map((name) => `${name},120000`);
  const whole = (content: Buffer): void => {
    const [head, ...lines] = linesOf(content);
    t.equal(head, fields.join(','));
    t.strictSame([...lines].sort(), rows);
  };
  const plain = await made(await tape({ fields }));
  t.match(plain.file, { rowCount: 6, bytes: plain.content.length, sha256: digestOf(plain.content) });
  whole(plain.content);
  const packed = await made(await tape({ fields, compressionType: 'gzip' }));
  whole(gunzipSync(packed.content));
  const { publicKey, privateKey } = await receiverPair();
  const sealed = await made(await tape({ fields, compressionType: 'gzip' }, { encryptionMethod: 'GPG', publicKey }));
  t.equal(sealed.file['sha256'], digestOf(sealed.content));
  const message = await readMessage({ binaryMessage: Uint8Array.from(sealed.content) });
  const { data } = await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: privateKey }), format: 'binary' });
  whole(gunzipSync(Buffer.from(data)));
  const parquet = await made(await tape({ fields, tapeOutputFormat: 'Parquet' }));
  t.match(parquet.file, { rowCount: 6, sha256: digestOf(parquet.content) });
  t.strictSame(
    await rowsOfParquet(t, parquet.content),
    rows.map((row) => row.split(',')[0] ?? ''),
  );
  h.sectionLoans = 1;
  const tapeId = await tape({ fields });
  const { id } = await order(tapeId);
  const making = h.campaigns.tapesSettled();
  // For the runner: no answer of the interface.
  const asked = { company: h.company, mode: 'test', type: 'loanTapeFile.work', target: String(id), params: {}, query: {} } as const;
  const sections = async (): Promise<number> => {
    const { state } = (await h.engine.query({ ...asked, permissions: new Set() })) as {
      readonly state: { readonly sections: readonly unknown[] };
    };
    return state.sections.length;
  };
  while ((await sections()) === 0) await new Promise((resolve) => setImmediate(resolve));
  await h.restart();
  await making;
  const before = await sections();
  t.ok(before > 0 && before < 6, `it was interrupted behind ${before} of 6 sections`);
  h.deliver();
  await h.campaigns.tapesSettled();
  const { items } = (await h.query('loanTapeFile.list', null, {}, { params: { loanTapeId: tapeId } })) as unknown as {
    readonly items: readonly Data[];
  };
  const [file = {}] = items;
  t.match(file, { id, status: 'succeeded', rowCount: 6 });
  whole(received(file));
  t.equal(file['sha256'], digestOf(received(file)));
});

async function rowsOfParquet(t: Test, content: Buffer): Promise<readonly unknown[]> {
  const path = join(tempFolder(t), 'tape.parquet');
  writeFileSync(path, content);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = await connection.runAndReadAll(`SELECT coalesce("loanExternalId", '') AS name FROM '${path}' ORDER BY name`);
  return read.getRowsJson().map(([name]) => name);
}

test('a file follows the settings of its order, and is as known at its order, whatever is changed while it is made', async (t) => {
  const { ask, goTo, pay, tape, order, newest, received, h, types, tapes } = await openTapes(t);
  await goTo('2026-03-20');
  const tapeId = await tape({ fields: ['loanExternalId', 'lastPaymentAmount'] });
  await order(tapeId);
  h.nowMs += 1_000;
  await pay(12, '2026-03-19');
  const { loanTapeTypeId } = dataOf(await ask('GET', `${tapes}/${tapeId}`));
  t.match(await ask('PUT', `${types}/${String(loanTapeTypeId)}`, { fields: ['status'] }), { status: 200 });
  await h.campaigns.tapesSettled();
  t.strictSame([...linesOf(received(await newest(tapeId)))].sort(), [',', 'loanExternalId,lastPaymentAmount', 'owned,']);
});

test('a day or moment that is to come is refused, and a day behind the moment', async (t) => {
  const { ask, goTo, tape, tapes } = await openTapes(t);
  await goTo('2026-03-20');
  const path = `${tapes}/${await tape({ fields: ['loanId'] })}/files`;
  for (const [body, fault] of [
    [{ reportDate: '2026-03-21' }, 'reportDate'],
    [{ recordedAsOf: '2026-03-21T00:00:00Z' }, 'recordedAsOf'],
    [{ reportDate: '2026-03-19', recordedAsOf: '2026-03-18T12:00:00Z' }, 'reportDate'],
  ] as const)
    t.match(await ask('POST', path, body), { status: 400, json: { errors: [{ path: fault }] } }, JSON.stringify(body));
});
