import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { dataOf, idOf, listOf, signedDocument } from '../http-lender.js';
import { bankFile, openAch } from './ach-over-http.js';

test('a payment is in the file of its cut-off, pending from the upload on, and succeeds when its return window is over', async (t) => {
  const { ask, h, pay, settled, transaction, names, read, goTo, instrumentId, processorId, emitted, give } = await openAch(t);
  const id = await pay(100);
  t.match(await transaction(id), { status: 'initiated', processorTransactionId: null });
  await settled();
  t.strictSame(names(), [], 'before the cut-off nothing leaves');
  h.nowMs = Date.parse('2026-03-02T21:00:01Z'); // 16:00:01 in New York
  await settled();
  t.strictSame(names(), [`ACH_${processorId}_20260302_A.ach`]);
  const name = must(names()[0], 'a file');
  const file = read(name);
  t.same(file.errors, []);
  t.same(file.warnings, []);
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  t.match(file.batches[0]?.header, { sec: 'WEB', serviceClass: '225', entryDescription: 'LOAN PMT', companyName: 'NORTHWIND' });
  t.match(entry, {
    transactionCode: '27',
    routingNumber: '021000021',
    accountNumber: '7700112233',
    amountCents: 10_000,
    individualId: id,
    receiverName: 'ANNABEL QUIMBY',
    trace: '021000020000001',
    discretionaryData: 'S',
  });
  t.match(await transaction(id), { status: 'pending', processorTransactionId: '021000020000001', achConfirmed: false });
  await settled();
  await settled();
  t.equal(names().length, 1, 'nothing is sent twice');
  const list = await ask('GET', '/ach-files');
  t.match(list.json, {
    total: 1,
    data: [{ direction: 'outgoing', status: 'uploaded', fileName: name, fileDate: '2026-03-02', entryCount: 1, debitTotalAmount: 100 }],
  });
  const fileId = String(listOf(list)[0]?.['id']);
  t.match((await ask('GET', `/ach-files/${fileId}/transactions`)).json, {
    total: 1,
    data: [{ transactionId: id, traceNumber: '021000020000001', amount: 100, paymentInstrumentId: instrumentId, achCode: null }],
  });
  t.match(await ask('POST', `/ach-files/${fileId}/resend`), { status: 409 });

  await goTo('2026-03-03');
  give('CONF_1.txt', `${name} ACCEPTED\n`);
  await settled();
  t.match(dataOf(await ask('GET', `/ach-files/${fileId}`)), { status: 'confirmed', confirmedAt: /^2026-03-03/ });
  t.match(await transaction(id), { achConfirmed: true });
  // Settlement on 3 March, and three banking days for returns.
  await goTo('2026-03-05');
  t.match(await transaction(id), { status: 'pending' });
  await goTo('2026-03-06');
  t.match(await transaction(id), { status: 'succeeded' });
  t.equal((await emitted('payment.pending')).length, 1);
  t.equal((await emitted('payment.succeeded')).length, 1);
  t.match((await ask('GET', '/reconciliations')).json, { data: [{ status: 'matched', items: [] }] });
});

test('a return takes the payment out of the ledger as of its own day, twice the same file or not', async (t) => {
  const { ask, pay, settled, transaction, names, read, goTo, give, loan, emitted, instrumentId } = await openAch(t);
  const id = await pay(100);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  t.match(await transaction(id), { status: 'pending' });
  await goTo('2026-03-05');
  const returned = bankFile(file, [{ entry, code: 'R01' }]);
  give('RET_1.ach', returned);
  give('RET_2.ach', returned);
  await settled();
  give('RET_1.ach', returned);
  await settled();
  t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01', failureReason: 'insufficientFunds', paidPrincipalAmount: 0 });
  t.equal((await emitted('payment.failed')).length, 1);
  t.match(
    dataOf(await ask('GET', `${loan}/balances`))['outstandingBalances'],
    { outstandingPrincipalAmount: 1200 },
    'the ledger is as if the payment had never been',
  );
  t.match((await ask('GET', '/ach-files?direction=return')).json, {
    data: [{ status: 'confirmed', entryCount: 1, debitTotalAmount: 100 }],
  });
  t.match((await ask('GET', '/reconciliations?status=differences')).json, { total: 0 });
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`)), { status: 'active' });
});

for (const encoding of ['latin1', 'utf8'] as const)
  test(`a name that is no ASCII moves no column of a return, in ${encoding}`, async (t) => {
    const { pay, settled, transaction, names, read, goTo, give, ask } = await openAch(t);
    const id = await pay(100);
    await goTo('2026-03-03');
    await settled();
    const file = read(must(names()[0], 'a file'));
    const returned = bankFile(file, [{ entry: must(file.batches[0]?.entries[0], 'an entry'), code: 'R01' }]);
    const bytes = Buffer.from(returned, 'latin1');
    const at = bytes.indexOf('ANNABEL QUIMBY');
    bytes.fill(' ', at, at + 'ANNABEL QUIMBY'.length);
    bytes.write('JOS\u00c9 QUIMBY', at, encoding);
    await goTo('2026-03-05');
    give('RET_1.ach', bytes);
    await settled();
    t.match((await ask('GET', '/ach-files?direction=return')).json, {
      data: [{ status: 'confirmed', entryCount: 1, debitTotalAmount: 100 }],
    });
    t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01' });
  });

test('a return that nothing matches, another amount, and a late return are differences of the day', async (t) => {
  const { ask, pay, settled, transaction, names, read, goTo, give, instrumentId } = await openAch(t, {
    sftpAchConfirmationFileNameRegex: null, // a bank that confirms nothing
  });
  const [first, second] = [await pay(20), await pay(30)];
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const [one, two] = must(file.batches[0]?.entries, 'entries');
  const entryOf = (id: string): NonNullable<typeof one> =>
    must(
      [one, two].find((each) => each?.individualId === id),
      id,
    );
  await goTo('2026-05-20');
  t.match(await transaction(first), { status: 'succeeded' });
  give(
    'RET_1.ach',
    bankFile(file, [
      { entry: entryOf(first), code: 'R10' },
      { entry: entryOf(second), code: 'R01', amountCents: 3001 },
      { entry: { ...entryOf(second), trace: '021000020000099' }, code: 'R03' },
    ]),
  );
  await settled();
  t.match(await transaction(first), { status: 'failed', achReturnCode: 'R10', failureReason: 'unauthorizedDebit' });
  t.match(await transaction(second), { status: 'succeeded' }, 'another amount is for a person to look at');
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`)), {
    status: 'inactive',
    inactiveReason: 'unauthorized',
  });
  const found = await ask('GET', '/reconciliations?status=differences');
  const [day] = listOf(found);
  t.match(day, {
    date: '2026-05-20',
    items: [
      { kind: 'lateReturn', transactionId: first, expectedAmount: 20, actualAmount: 20 },
      { kind: 'amountMismatch', transactionId: second, expectedAmount: 30, actualAmount: 30.01 },
      { kind: 'missingInLedger', transactionId: null, actualAmount: 30 },
    ],
  });
  t.match((await ask('GET', '/events?eventType=reconciliation.payment.failed&order=asc')).json['data'], [
    { data: { transactionId: first, settlementFileId: /^AF-/ } },
    { data: { transactionId: second } },
  ]);
  const path = `/reconciliations/${String(day?.['id'])}`;
  const [item] = must(day, 'a day')['items'] as readonly { readonly id: string }[];
  t.match(await ask('POST', `${path}/resolve`, { itemId: item?.id, resolution: 'Asked the bank' }), {
    status: 200,
    json: { data: { status: 'differences' } },
  });
  t.match(await ask('POST', `${path}/resolve`, { resolution: 'Corrected by hand' }), { json: { data: { status: 'resolved' } } });
  t.match(await ask('POST', `${path}/resolve`, { resolution: 'Again' }), { status: 409 });
});

test('a notification of change corrects the account, and the next entry uses it', async (t) => {
  const { ask, pay, settled, transaction, names, read, goTo, give, instrumentId, h } = await openAch(t);
  const id = await pay(20);
  await goTo('2026-03-03');
  await settled();
  const file = read(must(names()[0], 'a file'));
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  await goTo('2026-03-04');
  give('RET_N.ach', bankFile(file, [{ entry, code: 'C07', data: '0764012518800119922       37' }]));
  await settled();
  t.match(await transaction(id), { status: 'pending' }, 'the entry has settled');
  t.match(dataOf(await ask('GET', `/people/ext-ann-1/payment-instruments/${instrumentId}`)), {
    routingNumber: '076401251',
    accountNumberLastFour: '9922',
    accountType: 'savings',
    status: 'active',
  });
  t.notMatch(h.written(), '8800119922');
  await pay(21);
  await goTo('2026-03-05');
  await settled();
  const next = read(must(names()[1], 'a second file'));
  t.match(next.batches[0]?.entries[0], {
    transactionCode: '37',
    routingNumber: '076401251',
    accountNumber: '8800119922',
    amountCents: 2100,
  });
  t.equal(next.batches[0]?.entries[0]?.trace, '021000020000002', 'trace numbers go on');
});

test('a bank that cannot be reached gets the file later, once; what a bank rejects or does not confirm is reported', async (t) => {
  const { ask, pay, settled, transaction, names, goTo, give, server, bank } = await openAch(t);
  const id = await pay(20);
  await goTo('2026-03-03');
  server.cutAfter = 0;
  await settled(); // at most two tries
  t.match(await transaction(id), { status: 'initiated' });
  server.cutAfter = null;
  await settled();
  t.equal(names().length, 1);
  t.match(await transaction(id), { status: 'pending' });
  await goTo('2026-03-05');
  await settled();
  const [file] = listOf(await ask('GET', '/ach-files'));
  t.match(file, { status: 'failed', failureDescription: /not confirmed/ });
  t.match((await ask('GET', '/reconciliations?status=differences')).json, {
    data: [{ date: '2026-03-05', items: [{ kind: 'missingAtBank', transactionId: id, expectedAmount: 20 }] }],
  });
  t.match(await ask('POST', `/ach-files/${String(file?.['id'])}/resend`), { status: 200, json: { data: { status: 'created' } } });
  rmSync(join(bank, 'out', String(file?.['fileName'])));
  await settled();
  t.strictSame(names(), [String(file?.['fileName'])], 'the same file under the same name');
  give('CONF_1.txt', `${String(file?.['fileName'])}: REJECTED`);
  await settled();
  t.match(dataOf(await ask('GET', `/ach-files/${String(file?.['id'])}`)), { status: 'failed', failureDescription: /rejected/ });
});

test('a return of an entry shows that the bank has the file, even if its upload has seemed to fail', async (t) => {
  const { ask, pay, settled, transaction, names, read, goTo, give, server, bank } = await openAch(t);
  const id = await pay(20);
  await goTo('2026-03-03');
  server.onRequest = ({ name, isDone }) => name === 'RENAME' && isDone; // the file has its name, and nobody knows
  await settled();
  server.onRequest = null;
  const name = must(names()[0], 'a file');
  const file = read(name);
  rmSync(join(bank, 'out', name)); // the bank takes it
  await settled();
  t.match(listOf(await ask('GET', '/ach-files')), [{ status: 'failed', failureDescription: /interrupted/ }]);
  t.match(await transaction(id), { status: 'initiated' });
  await goTo('2026-03-05');
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  give('RET_1.ach', bankFile(file, [{ entry, code: 'R01' }]));
  await settled();
  t.match(await transaction(id), { status: 'failed', achReturnCode: 'R01', processorTransactionId: entry.trace });
  t.match(listOf(await ask('GET', '/ach-files?direction=outgoing')), [{ status: 'confirmed' }], 'it must not be sent again');
  t.match((await ask('GET', '/reconciliations?status=differences')).json, { total: 0 });
});

/** Longest wait for the rounds of the service, in milliseconds: there is one each second. */
const ROUNDS_MS = 20_000;

async function inTime(holds: () => Promise<boolean>): Promise<boolean> {
  for (const end = performance.now() + ROUNDS_MS; performance.now() < end; await new Promise((done) => setTimeout(done, 50)))
    if (await holds()) return true;
  return false;
}

test('a file is put again, and the inbox read, when a test clock has moved by the time between two tries', async (t) => {
  const { ask, pay, transaction, names, read, give, server } = await openAch(t);
  const clock = idOf(await ask('POST', '/test-clocks', {}));
  const moveTo = (to: string): Promise<unknown> => ask('POST', `/test-clocks/${clock}/advance?sync=true`, { to });
  const id = await pay(20);
  server.cutAfter = 0;
  await moveTo('2026-03-02T21:30:00Z');
  const hasFailed = async (): Promise<boolean> => listOf(await ask('GET', '/ach-files'))[0]?.['failureDescription'] != null;
  t.ok(await inTime(hasFailed), 'the connection was cut');
  server.cutAfter = null;
  await moveTo('2026-03-02T21:50:00Z');
  t.ok(await inTime(async () => (await transaction(id))['status'] === 'pending'), 'a quarter of an hour later');
  const file = read(must(names()[0], 'a file'));
  give('RET_1.ach', bankFile(file, [{ entry: must(file.batches[0]?.entries[0], 'an entry'), code: 'R01' }]));
  await moveTo('2026-03-04T18:00:00Z');
  t.ok(await inTime(async () => (await transaction(id))['status'] === 'failed'), 'the return is read');
});

test('an account that was disabled meanwhile is not debited: its payment fails', async (t) => {
  const { ask, pay, settled, transaction, names, goTo, instrumentId } = await openAch(t);
  const id = await pay(20);
  const path = `/people/ext-ann-1/payment-instruments/${instrumentId}`;
  t.equal((await ask('PUT', path, { status: 'inactive', inactiveReason: 'accountClosed' })).status, 200);
  await goTo('2026-03-03');
  await settled();
  t.strictSame(names(), []);
  t.match(await transaction(id), { status: 'failed', failureReason: 'invalidAccount', achReturnCode: null });
});

test('what is initiated before the same-day cut-off settles on the same day', async (t) => {
  const { h, pay, settled, transaction, names, read } = await openAch(t, { achSameDayCutoff: '12:00:00Z', achSameDayFeeAmount: 0.25 });
  const [id] = [await pay(20)];
  h.nowMs = Date.parse('2026-03-02T17:30:00Z'); // 12:30 in New York
  const late = await pay(30);
  await settled();
  const file = read(must(names()[0], 'a file'));
  t.match(file.batches[0]?.entries, [{ individualId: id }]);
  t.equal(file.batches[0]?.entries.length, 1);
  t.match(await transaction(id), { status: 'pending', achSameDay: true, achProcessedSameDay: true, processingFeeAmount: 0.25 });
  t.match(await transaction(late), { status: 'initiated', achSameDay: false });
  h.nowMs = Date.parse('2026-03-02T21:30:00Z');
  await settled();
  t.match(read(must(names()[1], 'a second file')).batches[0]?.entries, [{ individualId: late }]);
  t.match(await transaction(late), { status: 'pending', achSameDay: false });
});

test('deposits that verify an account go out with the file, and a returned one ends the verification', async (t) => {
  const { ask, settled, names, read, goTo, give } = await openAch(t);
  const [made] = (
    await ask('POST', '/people/ext-ann-1/payment-instruments', {
      instrumentType: 'bankAccount',
      accountNumber: '660055',
      routingNumber: '076401251',
      accountType: 'savings',
      accountHolderType: 'personal',
      accountHolderName: 'Annabel Quimby',
    })
  ).json['data'] as readonly { readonly id: string }[];
  const path = `/people/ext-ann-1/payment-instruments/${made?.id ?? ''}`;
  await goTo('2026-03-03');
  await settled();
  await settled();
  t.equal(names().length, 1);
  const file = read(must(names()[0], 'a file'));
  t.same(file.errors, []);
  t.same(
    file.batches.flatMap(({ header, entries }) =>
      entries.map(({ transactionCode, amountCents, individualId }) => [
        header.entryDescription,
        header.sec,
        transactionCode,
        amountCents,
        individualId,
      ]),
    ),
    [
      ['ACCTVERIFY', 'PPD', '32', 32, made?.id],
      ['ACCTVERIFY', 'PPD', '32', 45, made?.id],
      ['ACCTVERIFY', 'PPD', '37', 77, made?.id],
    ],
  );
  const entry = must(file.batches[0]?.entries[0], 'an entry');
  give('RET_D.ach', bankFile(file, [{ entry, code: 'R03' }]));
  await settled();
  t.match(dataOf(await ask('GET', path)), {
    status: 'inactive',
    inactiveReason: 'verificationFailed',
    failureReason: 'microdepositsFailed',
  });
});

test('an automatic payment that came back for lack of funds is presented again, twice at most', async (t) => {
  const { ask, loan, settled, names, read, goTo, give, instrumentId, transaction } = await openAch(
    t,
    {},
    { autopay: { retry: { maxAttempts: 2, daysBetween: 1 }, maxConsecutiveFailures: 5 } },
  );
  const plan = await ask('POST', `${loan}/autopay`, {
    paymentInstrumentId: instrumentId,
    agreementDocumentId: await signedDocument(ask, loan),
  });
  t.equal(plan.status, 200, plan.text);
  const descriptions: (string | undefined)[] = [];
  const amounts: (number | undefined)[] = [];
  const returned = new Set<string>();
  for (const date of [
    '03-16',
    '03-17',
    '03-18',
    '03-19',
    '03-20',
    '03-23',
    '03-24',
    '03-25',
    '03-26',
    '03-27',
    '03-30',
    '03-31',
    '04-01',
  ]) {
    await goTo(`2026-${date}`);
    await settled();
    for (const name of names().filter((each) => !returned.has(each))) {
      returned.add(name);
      const file = read(name);
      const entry = must(file.batches[0]?.entries[0], 'an entry');
      descriptions.push(file.batches[0]?.header.entryDescription);
      amounts.push(entry.amountCents);
      t.equal(entry.discretionaryData, 'R', 'a recurring debit');
      give(`RET_${date}.ach`, bankFile(file, [{ entry, code: 'R01' }]));
    }
    await settled();
  }
  t.same(descriptions, ['LOAN PMT', 'RETRY PYMT', 'RETRY PYMT']);
  t.same(new Set(amounts).size, 1, 'the same amount each time');
  const all = listOf(await ask('GET', `${loan}/transactions`));
  t.equal(all.length, 3);
  for (const { id } of all) t.match(await transaction(String(id)), { status: 'failed', achReturnCode: 'R01' });
});

test('a deprecated processor sends what was initiated before, and takes nothing new', async (t) => {
  const { ask, pay, settled, transaction, names, read, goTo, processorId } = await openAch(t);
  const before = await pay(20);
  t.equal((await ask('PUT', `/payment-processors/${processorId}`, { status: 'deprecated', isDefault: false })).status, 200);
  const after = await pay(30);
  await goTo('2026-03-03');
  await settled();
  t.match(read(must(names()[0], 'a file')).batches[0]?.entries, [{ individualId: before }]);
  t.match(await transaction(before), { status: 'pending', processorTransactionId: /^02100002/ });
  t.match(await transaction(after), { status: 'pending', processorTransactionId: null }, 'moved as if there were no processor');
});
