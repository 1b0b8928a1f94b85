import { test } from 'tap';
import { formatDay, addDays, isBusinessDay } from '../../../../engine/index.js';
import { dataOf, idOf, listOf, signedDocument } from '../http-lender.js';
import { SMALL } from '../loan-over-http.js';
import { ACCOUNT_OF_INVESTOR } from '../parties/settled-lender.js';
import { bai2, day, line, openStatements, OWN_ACCOUNT } from './statements-over-http.js';

for (const [booking, format] of [
  ['sums', 'bai2'],
  ['entries', 'xml'],
] as const) {
  test(`from autopay to the statement every line has a home, and a planted one is found the same day: ${booking}, ${format}`, async (t) => {
    const lender = await openStatements(
      t,
      { shares: new Map([['R01', 0.4]]), seed: 3, booking, repeating: booking === 'sums' ? 1 : 0 },
      { autopay: { maxConsecutiveFailures: 5 } },
    );
    const { ask, loan, pay, live, importDay, instrumentId, simulated, differences, matched, statement } = lender;
    const plan = await ask('POST', `${loan}/autopay`, {
      paymentInstrumentId: instrumentId,
      agreementDocumentId: await signedDocument(ask, loan),
    });
    t.equal(plan.status, 200, plan.text);
    for (const amount of [20, 30.5, 41, 20]) await pay(amount);
    let lines = 0;
    let returned = 0;
    for (let at = day('2026-03-02'); at <= day('2026-03-25'); at = addDays(at, 1)) {
      if (!isBusinessDay(at)) continue;
      const date = formatDay(at);
      if (date === '2026-03-10') await pay(55);
      await live(date);
      const made = await importDay(date, format);
      t.match(
        made,
        { status: 'matched', throughDate: date, unexpectedCount: 0, missingCount: 0, differenceAmount: 0, unexplainedAmount: 0 },
        date,
      );
      t.equal(made['closingAmount'], simulated.balanceCents / 100, `the balance of ${date}`);
      t.equal(made['expectedClosingAmount'], simulated.balanceCents / 100);
      lines += Number(made['entryCount']);
      const own = await lender.entries(String(made['id']));
      returned += own.filter(({ amount }) => Number(amount) < 0).length;
      for (const entry of own)
        t.match(entry, { status: 'matched', achFileId: /^AF-/, matchedBy: 'reference' }, `line ${String(entry['line'])} of ${date}`);
      if (booking === 'entries') for (const entry of own) t.match(entry, { transactionId: /^TX-/, loanId: /^LN-/ });
    }
    t.ok(lines >= (booking === 'sums' ? 4 : 7), `${lines} lines`);
    t.ok(returned >= 1, `${returned} returned`);
    t.same(await differences(), []);
    t.equal(listOf(await ask('GET', `/payment-processors/${lender.processorId}/funding-account-balances?limit=100`)).length, 18);

    simulated.book(day('2026-03-26'), { cents: 123_45, reference: 'DEPOSIT 77', text: 'CHECKS' });
    await live('2026-03-26');
    const odd = await importDay('2026-03-26', format);
    t.match(odd, { status: 'differences', unexpectedCount: 1, differenceAmount: 123.45, unexplainedAmount: 0 });
    t.match(await differences(), [{ date: '2026-03-26', kind: 'missingInLedger', actualAmount: 123.45, expectedAmount: null }]);

    // Somebody records the check that was paid in.
    const [made] = (
      await ask('POST', '/people/ext-ann-1/payment-instruments', {
        instrumentType: 'check',
        isExternal: true,
        payerName: 'Ann Example',
        checkNumber: '7',
      })
    ).json['data'] as readonly { readonly id: string }[];
    const check = await ask('POST', `${loan}/transactions`, {
      type: 'oneTime',
      amount: 123.45,
      isExternal: true,
      status: 'succeeded',
      effectiveDate: '2026-03-26',
      paymentInstrumentId: made?.id,
    });
    t.equal(check.status, 201, check.text);
    await matched();
    t.match(await statement(String(odd['id'])), { status: 'matched', unexpectedCount: 0, differenceAmount: 0 });
    t.match(await lender.entries(String(odd['id'])), [{ status: 'matched', matchedBy: 'amount', transactionId: idOf(check) }]);
    t.same(await differences(), [], 'the difference is resolved');
  });
}

test('another amount, money without a home, and money that does not come are differences, which operations resolve', async (t) => {
  const { ask, pay, live, upload, matched, entries, differences, statement, processorId } = await openStatements(t);
  await pay(100);
  await live('2026-03-02');
  const files = listOf(await ask('GET', '/ach-files?direction=outgoing'));
  t.equal(files.length, 1);
  const [fileId, fileName] = [String(files[0]?.['id']), String(files[0]?.['fileName'])];
  await pay(30);
  await live('2026-03-03');
  const booked = [
    line({ cents: 99_00, code: '165', customerReference: fileName.replace('.ach', ''), bankReference: 'B1' }),
    line({ cents: -12_00, code: '698', customerReference: 'FEE', bankReference: 'B2', text: 'MONTHLY FEE' }),
  ];
  const made = await upload(bai2('2026-03-03', 500_00, booked));
  t.equal(made.status, 201, made.text);
  t.match(dataOf(made), {
    status: 'received',
    entryCount: 2,
    openingAmount: 500,
    closingAmount: 587,
    format: 'bai2',
    paymentProcessorId: processorId,
  });
  await matched();
  const id = idOf(made);
  t.match(await statement(id), {
    status: 'differences',
    matchedCount: 0,
    differentAmountCount: 1,
    unexpectedCount: 1,
    expectedClosingAmount: 600,
    differenceAmount: -13,
    unexplainedAmount: 0,
  });
  t.match(await entries(id), [
    { id: '1', status: 'differentAmount', amount: 99, expectedAmount: 100, achFileId: fileId },
    { id: '2', status: 'unexpected', amount: -12, text: 'MONTHLY FEE', references: ['B2', 'FEE'] },
  ]);
  t.match(await entries(id, '&status=unexpected'), [{ id: '2' }]);
  t.match(await differences(), [
    { date: '2026-03-03', kind: 'amountMismatch', expectedAmount: 100, actualAmount: 99, achFileId: fileId },
    { kind: 'missingInLedger', actualAmount: -12 },
  ]);

  // The second file settles on 4 March; the bank is silent about it until the 5th.
  await live('2026-03-04');
  const silent = await upload(bai2('2026-03-04', 587_00, []));
  await matched();
  t.match(await statement(idOf(silent)), {
    status: 'matched',
    missingCount: 0,
    inTransitAmount: 30,
    expectedClosingAmount: 617,
    unexplainedAmount: 0,
  });
  await live('2026-03-05');
  const late = await upload(bai2('2026-03-05', 587_00, []));
  await matched();
  t.match(await statement(idOf(late)), { status: 'differences', missingCount: 1, inTransitAmount: 30 });
  t.match(
    (await differences()).filter(({ date }) => date === '2026-03-05'),
    [{ kind: 'missingAtBank', expectedAmount: 30, actualAmount: null }],
  );
  await live('2026-03-06');
  const came = await upload(
    bai2('2026-03-06', 587_00, [line({ day: day('2026-03-06'), cents: 30_00, customerReference: 'ACH', bankReference: 'B3' })]),
  );
  await matched();
  t.match(await statement(idOf(came)), { status: 'matched', matchedCount: 1, closingAmount: 617 });
  t.same(
    (await differences()).filter(({ kind }) => kind === 'missingAtBank'),
    [],
    'it has come',
  );

  const reconciliations = listOf(await ask('GET', '/reconciliations?status=differences'));
  for (const { id: each } of reconciliations)
    t.equal((await ask('POST', `/reconciliations/${String(each)}/resolve`, { resolution: 'Asked the bank' })).status, 200);
  await matched();
  t.same(await differences(), [], 'what was resolved is not found again');
});

test('the same file books once, and a statement that overlaps books each entry once', async (t) => {
  const { ask, upload, matched, entries, statement } = await openStatements(t);
  const two = [
    line({ cents: 5_00, bankReference: 'B1' }),
    line({ cents: 7_00, bankReference: '', customerReference: '', text: 'CASH' }),
    line({ cents: 7_00, bankReference: '', customerReference: '', text: 'CASH' }),
  ];
  const made = await upload(bai2('2026-03-03', 0, two));
  t.equal(made.status, 201, made.text);
  t.match(await upload(bai2('2026-03-03', 0, two)), { status: 200, json: { data: { id: idOf(made) } } });
  const keyed = {
    body: Buffer.from(bai2('2026-03-04', 19_00, [])),
    headers: { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': 'statement-1' },
  };
  const first = await ask('POST', '/bank-statements?fundingInstrumentId=ext-main', undefined, keyed);
  const retry = await ask('POST', '/bank-statements?fundingInstrumentId=ext-main', undefined, keyed);
  t.match([first, retry], [{ status: 201 }, { status: 201 }], 'a retry with a key gets its first reply');
  t.equal(idOf(first), idOf(retry));
  t.equal((await ask('DELETE', `/bank-statements/${idOf(first)}`)).status, 204);
  await matched();
  const more = [...two, line({ cents: 7_00, bankReference: '', customerReference: '', text: 'CASH' })];
  const later = await upload(bai2('2026-03-03', 0, more));
  t.equal(later.status, 201, later.text);
  await matched();
  t.match(await entries(idOf(later)), [
    { status: 'duplicate' },
    { status: 'duplicate' },
    { status: 'duplicate' },
    { status: 'unexpected' },
  ]);
  t.match(await statement(idOf(later)), { duplicateCount: 3, unexpectedCount: 1, unexplainedAmount: 0, closingAmount: 26 });
  t.equal((await ask('GET', '/bank-statements')).json['total'], 2);
  t.match((await ask('GET', '/bank-statements?status=differences&fromDate=2026-03-03&toDate=2026-03-03')).json, { total: 2 });
  t.match((await ask('GET', '/bank-statements?fromDate=2026-03-04')).json, { total: 0 });
  t.match((await ask('GET', '/events?eventType=bank.statement.received')).json, { data: [{}, {}] });
  t.match((await ask('GET', '/events?eventType=bank.statement.matched&order=asc')).json['data'], [
    { data: { status: 'differences', unexpected: 3 } },
    {},
  ]);
});

test('a statement that does not begin with the balance before is a difference, whatever its entries are', async (t) => {
  const { upload, matched, statement, differences } = await openStatements(t);
  await upload(bai2('2026-03-02', 100_00, []));
  await matched();
  const made = await upload(bai2('2026-03-03', 103_00, []));
  await matched();
  t.match(await statement(idOf(made)), { status: 'differences', unexplainedAmount: 3, expectedClosingAmount: 100, differenceAmount: 3 });
  t.match(await differences(), [{ kind: 'amountMismatch', expectedAmount: 100, actualAmount: 103 }]);
});

test('a person matches an entry, and takes the match back', async (t) => {
  const { ask, pay, live, upload, matched, entries, statement, differences, loan } = await openStatements(t);
  await pay(100);
  await live('2026-03-02');
  await live('2026-03-03');
  const fileId = String(listOf(await ask('GET', '/ach-files?direction=outgoing'))[0]?.['id']);
  const made = idOf(await upload(bai2('2026-03-03', 0, [line({ cents: 97_00, customerReference: 'NETTED' })])));
  await matched();
  t.equal((await differences()).length, 1);
  const entry = `/bank-statements/${made}/entries/1`;
  t.match(await ask('POST', `${entry}/match`, {}), { status: 400, json: { errors: [{ path: 'achFileId' }] } });
  t.match(await ask('POST', `${entry}/match`, { transactionId: 'TX-AAAA-AAAA' }), { status: 400, json: { errors: [{ path: 'loanId' }] } });
  t.match(await ask('POST', `${entry}/match`, { achFileId: 'AF-AAAA-AAAA' }), { status: 400, json: { errors: [{ path: 'achFileId' }] } });
  const unknown = { transactionId: 'TX-AAAA-AAAA', loanId: loan.split('/').at(-1) };
  t.match(await ask('POST', `${entry}/match`, unknown), { status: 404 });
  t.match(await ask('POST', `/bank-statements/${made}/entries/2/match`, { achFileId: fileId }), { status: 404 });
  t.match(await ask('POST', `${entry}/match`, { achFileId: fileId, note: 'Less the fee' }), { status: 200 });
  await matched();
  t.match(await entries(made), [{ status: 'matched', matchedBy: 'hand', achFileId: fileId, note: 'Less the fee', expectedAmount: 100 }]);
  t.match(await statement(made), { status: 'matched', differenceAmount: -3, inTransitAmount: 0 });
  t.same(await differences(), []);
  t.match(await ask('POST', `${entry}/unmatch`), { status: 200 });
  t.match(await ask('POST', `${entry}/unmatch`), { status: 409 });
  await matched();
  t.match(await entries(made), [{ status: 'unexpected', matchedBy: null, achFileId: null }]);
  t.match(await differences(), [{ kind: 'missingInLedger', actualAmount: 97 }]);
});

test('a person names one payment of a file, and it is not looked for any more', async (t) => {
  const { pay, live, ask, upload, matched, entries, statement, differences, loan } = await openStatements(t);
  const transactionId = await pay(100);
  await pay(30);
  await live('2026-03-02');
  await live('2026-03-03');
  const booked = [line({ cents: 97_00, customerReference: 'NETTED' }), line({ cents: 30_00, bankReference: 'B2' })];
  const made = idOf(await upload(bai2('2026-03-03', 0, booked)));
  await matched();
  t.match(await entries(made), [{ status: 'unexpected' }, { status: 'matched', matchedBy: 'amount' }]);
  const loanId = loan.split('/').at(-1);
  t.match(await ask('POST', `/bank-statements/${made}/entries/1/match`, { transactionId, loanId }), { status: 200 });
  await matched();
  t.match(await entries(made), [{ matchedBy: 'hand', transactionId, expectedAmount: 100 }, { status: 'matched' }]);
  await live('2026-03-04');
  const next = idOf(await upload(bai2('2026-03-04', 127_00, [])));
  await matched();
  t.match(await statement(next), { status: 'matched', missingCount: 0 });
  t.same(await differences(), []);
});

test('a withdrawn statement counts for nothing, and its file may be imported again', async (t) => {
  const { ask, upload, matched, entries, statement, differences } = await openStatements(t);
  const file = bai2('2026-03-03', 0, [line({ cents: 5_00 })]);
  const made = idOf(await upload(file));
  const later = idOf(await upload(bai2('2026-03-03', 0, [line({ cents: 5_00 }), line({ cents: 6_00, bankReference: 'B2' })])));
  await matched();
  t.match(await entries(later), [{ status: 'duplicate' }, { status: 'unexpected' }]);
  t.equal((await differences()).length, 2);
  t.equal((await ask('DELETE', `/bank-statements/${made}`)).status, 204);
  t.match(await ask('DELETE', `/bank-statements/${made}`), { status: 409 });
  t.match(await ask('POST', `/bank-statements/${made}/entries/1/unmatch`), { status: 409 });
  t.match(await statement(made), { deletedAt: /^2026/ });
  await matched();
  t.match((await ask('GET', '/bank-statements')).json, { total: 1, data: [{ id: later }] });
  t.match(await entries(later), [{ status: 'unexpected' }, { status: 'unexpected' }]);
  t.match(
    (await differences()).map(({ id }) => id),
    [`${later}/2`, `${later}/1`],
  );
  const again = await upload(file);
  t.equal(again.status, 201, again.text);
  t.not(idOf(again), made);
});

test('a statement that comes late explains what a later one could not, and a withdrawn one explains nothing', async (t) => {
  const { ask, upload, matched, statement, differences } = await openStatements(t);
  const wrong = idOf(await upload(bai2('2026-02-27', 900_00, [])));
  await matched();
  t.equal((await ask('DELETE', `/bank-statements/${wrong}`)).status, 204);
  await matched();
  const first = idOf(await upload(bai2('2026-03-02', 100_00, [])));
  await matched();
  t.match(await statement(first), { status: 'matched', unexplainedAmount: 0 }, 'nothing is known of a balance before');
  const last = idOf(await upload(bai2('2026-03-04', 150_00, [])));
  await matched();
  t.match(await statement(last), { status: 'differences', unexplainedAmount: 50 });
  t.match(await differences(), [{ id: `${last}/balance` }]);
  const between = idOf(await upload(bai2('2026-03-03', 100_00, [line({ cents: 50_00 })])));
  await matched();
  t.match(await statement(last), { status: 'matched', unexplainedAmount: 0 });
  t.match(
    (await differences()).map(({ id }) => id),
    [`${between}/1`],
    'the difference of the balance is resolved',
  );
});

test('a recorded balance is what the first statement is compared with', async (t) => {
  const { ask, upload, matched, statement, processorId } = await openStatements(t);
  const balance = { fundingInstrumentId: 'ext-main', balanceDate: '2026-03-01', currentAmount: 40 };
  t.equal((await ask('POST', `/payment-processors/${processorId}/funding-account-balances`, balance)).status, 201);
  const made = await upload(bai2('2026-03-02', 41_00, []));
  await matched();
  t.match(await statement(idOf(made)), { status: 'differences', expectedClosingAmount: 40, differenceAmount: 1, unexplainedAmount: 1 });
  t.match((await ask('GET', `/payment-processors/${processorId}/funding-account-balances`)).json['data'], [
    { source: 'bankFile', balanceDate: '2026-03-02', currentAmount: 41 },
    { source: 'manual' },
  ]);
});

test('a settlement with an investor is found by its file or its amount', async (t) => {
  const { ask, company, created, goTo, h, upload, matched, entries } = await openStatements(t);
  const investorId = idOf(await ask('POST', `/companies/${company}/investors`, { legalName: 'Alpha' }));
  await ask('POST', `/companies/${company}/investors/${investorId}/settlement-instruments`, { ...ACCOUNT_OF_INVESTOR, isExternal: true });
  const owned = await created({ externalId: 'owned', atOrigination: { ...SMALL, investors: [{ investorId, share: 1 }] } });
  await ask('POST', `${owned}/activate`, {});
  await ask('POST', `${owned}/transactions`, {
    type: 'oneTime',
    amount: 50,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2026-03-02',
  });
  await goTo('2026-03-20');
  const settlements = `/companies/${company}/settlements`;
  const settlement = idOf(await ask('POST', settlements, { investorId }));
  const advance = async (): Promise<void> => {
    await h.engine.settled();
    for (let step = 0; step < 3; step += 1) await h.campaigns.settlementsAdvanced();
  };
  await advance();
  await goTo('2026-03-24');
  await advance();
  const found = dataOf(await ask('GET', `${settlements}/${settlement}`));
  t.match(found, { netAmount: 50, settlementDate: '2026-03-23', status: /initiated|succeeded/ });
  const made = await upload(
    bai2('2026-03-23', 0, [line({ day: day('2026-03-23'), cents: -50_00, code: '495', customerReference: 'WIRE' })]),
  );
  await matched();
  t.match(await entries(idOf(made)), [{ status: 'matched', matchedBy: 'amount', settlementId: settlement }]);
});

test('a file that cannot be used is refused with every fault, and only callers with the permission import', async (t) => {
  const { ask, upload, askWith, h } = await openStatements(t);
  const good = bai2('2026-03-03', 0, [line({ cents: 5_00 })]);
  const broken = good.replace('49,1500', '49,1501').replace('16,195,500', '16,195,5x0');
  t.match(await upload(broken), {
    status: 400,
    json: { errors: [{ path: 'file:4', message: /line 4: the amount is not a number/ }, { message: /account-total/ }] },
  });
  t.match(await upload('Dear customer'), { status: 400, json: { errors: [{ path: 'file', message: /no statement/ }] } });
  t.match(await upload(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`), { status: 400, json: { errors: [{ message: /doctype/ }] } });
  t.match(await upload(good.replaceAll(OWN_ACCOUNT, '99')), { status: 400, json: { errors: [{ path: 'fundingInstrumentId' }] } });
  t.match(await upload(good.replaceAll('USD', 'EUR')), { status: 400, json: { message: /USD/ } });
  t.match(await upload(good, 'fundingInstrumentId=FI-AAAA-AAAA'), { status: 400, json: { errors: [{ path: 'fundingInstrumentId' }] } });
  t.match(await upload(good, 'fundingInstrumentId=ext-main&format=csv'), { status: 400, json: { errors: [{ path: 'mapping' }] } });
  t.match(await ask('GET', '/bank-statements/BS-AAAA-AAAA'), { status: 404 });
  t.match(await ask('GET', '/bank-statements/BS-AAAA-AAAA/entries'), { status: 404 });
  t.match(await askWith(['reconciliation:list'], 'POST', '/bank-statements?fundingInstrumentId=ext-main', {}), { status: 403 });
  t.match(await askWith(['ach.file:list'], 'GET', '/bank-statements'), { status: 403 });
  t.equal((await upload(good)).status, 201);
  t.match(await askWith(['reconciliation:list'], 'GET', '/bank-statements'), { status: 200, json: { total: 1 } });
  t.notMatch(h.written(), 'CUSTOMER-1', 'what the bank writes about people is encrypted');
});

test('a CSV file is read as its mapping says', async (t) => {
  const { upload, matched, entries, statement } = await openStatements(t);
  const mapping = {
    dateFormat: 'MM/DD/YYYY',
    columns: { bookingDate: 'Date', amount: 'Amount', references: ['Ref'], text: ['Memo'], balance: 'Balance' },
  };
  const query = (change: object = {}): string =>
    new URLSearchParams({ fundingInstrumentId: 'ext-main', mapping: JSON.stringify({ ...mapping, ...change }) }).toString();
  const csv = 'Date,Amount,Ref,Memo,Balance\n03/03/2026,"1,250.00",R1,"Deposit, two checks",1250.00\n03/04/2026,(50.00),R2,Fee,1200.00\n';
  const made = await upload(csv, query());
  t.equal(made.status, 201, made.text);
  await matched();
  t.match(await statement(idOf(made)), {
    format: 'csv',
    fromDate: '2026-03-03',
    throughDate: '2026-03-04',
    openingAmount: 0,
    closingAmount: 1200,
  });
  t.match(await entries(idOf(made)), [
    { amount: 1250, bookingDate: '2026-03-03', text: 'Deposit, two checks', references: ['R1'] },
    { amount: -50, bookingDate: '2026-03-04' },
  ]);
  t.match(await upload(csv.replace('03/04/2026', '13/04/2026').replace('1,250.00', '1.2.3'), query()), {
    status: 400,
    json: { errors: [{ path: 'file:2' }, { path: 'file:3' }] },
  });
  t.match(await upload(`${csv}\n`, query({ columns: { bookingDate: 'Day', amount: 'Sum' } })), { status: 400, json: { errors: [{}, {}] } });
  t.match(await upload(csv, query({ dateFormat: 'YYYY' })), { status: 400, json: { errors: [{ path: 'mapping.dateFormat' }] } });
  t.match(await upload(csv, query({ columns: { bookingDate: 'Date' } })), { status: 400, json: { errors: [{ path: 'mapping.columns' }] } });
  t.match(await upload(csv, 'fundingInstrumentId=ext-main&mapping=x'), { status: 400, json: { errors: [{ path: 'mapping' }] } });
});
