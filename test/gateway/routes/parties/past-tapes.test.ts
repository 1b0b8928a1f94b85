import { gunzipSync } from 'node:zlib';
import { test } from 'tap';
import { TAPE_FIELDS } from '../../../../actors/company/tapes/fields.js';
import { decrypted, receiverPair } from '../../pgp/keys.js';
import { dataOf } from '../http-lender.js';
import { digestOf, linesOf, openSentTapes, rowsOfParquet } from './sent-tapes.js';
import type { Data } from './settled-lender.js';

/** All fields but those that are shown as of now. */
const fieldsOf = (tapeType: 'loans' | 'payments'): readonly string[] =>
  Object.keys(TAPE_FIELDS[tapeType]).filter((field) => !['loanMetaData', 'labels', 'mainBorrowerIdentityValue'].includes(field));

test('a file of a past day and moment has the bytes of the file that was made then', async (t) => {
  const { ask, loan, goTo, pay, tape, made, h, created, failures } = await openSentTapes(t);
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
  const { ask, loan, goTo, pay, tape, made } = await openSentTapes(t);
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
  const { goTo, tape, made, order, received, active, sections, h } = await openSentTapes(t);
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
  whole(gunzipSync(await decrypted(sealed.content, privateKey)));
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
  while ((await sections(id)) === 0) await new Promise((resolve) => setImmediate(resolve));
  await h.restart();
  await making;
  const before = await sections(id);
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

test('a file follows the settings of its order, and is as known at its order, whatever is changed while it is made', async (t) => {
  const { ask, goTo, pay, tape, order, newest, received, h, types, tapes } = await openSentTapes(t);
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
  const { ask, goTo, tape, tapes } = await openSentTapes(t);
  await goTo('2026-03-20');
  const path = `${tapes}/${await tape({ fields: ['loanId'] })}/files`;
  for (const [body, fault] of [
    [{ reportDate: '2026-03-21' }, 'reportDate'],
    [{ recordedAsOf: '2026-03-21T00:00:00Z' }, 'recordedAsOf'],
    [{ reportDate: '2026-03-19', recordedAsOf: '2026-03-18T12:00:00Z' }, 'reportDate'],
  ] as const)
    t.match(await ask('POST', path, body), { status: 400, json: { errors: [{ path: fault }] } }, JSON.stringify(body));
});
