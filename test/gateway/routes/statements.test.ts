import { test } from 'tap';
import { EMAIL, HOME } from '../../actors/borrower/lender.js';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openLoanOverHttp, SMALL, withoutNames } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

const PAID = { type: 'oneTime', isExternal: true, status: 'succeeded' };

/** Amounts that raise the balance of a statement; those of `LOWERED` lower it. */
const RAISED = [
  'previousBalance',
  'totalAdvancesForThisPeriod',
  'totalPurchasesForThisPeriod',
  'totalInterestForThisPeriod',
  'totalFeesForThisPeriod',
  'totalPaymentReversalsForThisPeriod',
  'totalCreditReversalsForThisPeriod',
  'totalAdjustmentsForThisPeriod',
];
const LOWERED = ['totalPaymentsForThisPeriod', 'totalCreditsForThisPeriod', 'totalRefundsForThisPeriod'];

const cents = (details: Row, names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Math.round(Number(details[name]) * 100), 0);

test('each due date that passes has its statement, with figures that add up and lines that explain them', async (t) => {
  const { ask, loan, loanTypeId, goTo, emitted, failures } = await openLoanOverHttp(t);
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  await ask('POST', `/loan-types/${loanTypeId}/fee-types`, late);
  await goTo('2026-03-16');
  const bounced = await ask('POST', `${loan}/transactions`, { ...PAID, amount: 50 });
  await goTo('2026-04-20');
  await ask('POST', `${loan}/transactions`, { ...PAID, amount: 100 });
  t.match(await ask('PUT', `${loan}/transactions/${idOf(bounced)}`, { status: 'failed', failureReason: 'paymentStopped' }), {
    status: 200,
  });
  await goTo('2026-05-16');
  const list = listOf(await ask('GET', `${loan}/statements?sortBy=statementDate`));
  t.match(list, [
    {
      object: 'statement',
      id: /^SM-/,
      periodId: /^PE-/,
      version: 1,
      billingCycleStartDate: '2026-03-02',
      billingCycleEndDate: '2026-03-14',
      paymentDueDate: '2026-03-15',
      statementDate: '2026-03-15',
      documentDescriptorId: /^DD-/,
      overdueAmount: 0,
      fulfilledAmount: 0,
      overpaymentsAmount: 0,
      statementLogicVersion: 2,
      isExternal: false,
      isTest: false,
      deletedAt: null,
    },
    { paymentDueDate: '2026-04-15' },
    { paymentDueDate: '2026-05-15' },
  ]);
  t.match(
    await emitted('statement.created'),
    list.map(({ id, periodId, paymentDueDate }) => ({ statementId: id, periodId, dueDate: paymentDueDate })),
  );
  let before: Row = { newBalanceAmount: 0 };
  for (const { id } of list) {
    const details = dataOf(await ask('GET', `${loan}/statements/${String(id)}/details`));
    t.equal(details['previousBalance'], before['newBalanceAmount'], 'it begins with what the one before it said');
    t.equal(
      cents(details, RAISED) - cents(details, LOWERED),
      cents(details, ['newBalanceAmount']),
      `the identity of ${String(details['statementDate'])}`,
    );
    t.strictSame(listOf(await ask('GET', `${loan}/statements/${String(id)}/activities?limit=100`)), details['activities']);
    t.match(await ask('GET', `${loan}/statements/${String(id)}/draw-infos`), { json: { count: 0, data: [] } });
    before = details;
  }
  t.match(before, {
    daysInBillingCycle: 30,
    totalPaymentsForThisPeriod: 100,
    totalPaymentReversalsForThisPeriod: 50,
    totalFeesForThisPeriod: 25,
    totalCashAdvancesForThisPeriod: 0,
    isDisplayLatePaymentWarning: true,
    lateFeeUpToAmount: 25,
    year: '2026',
    nextStatementDate: '2026-06-15',
    minimumPaymentWarning: null,
    creditLimitAmount: null,
    aprDetails: [{ rateType: 'interestRate', rate: 0.18, days: 30 }],
    interestBreakdown: [{ rate: 0.18, days: 30, unroundedInterestAmount: /^\d+\.\d{10}$/ }],
    feeBreakdown: [{ description: 'Late fee', amount: 25 }],
    drawInfos: [],
    lastPeriodFeesPaid: 25,
  });
  const kinds = (before['activities'] as readonly Row[]).map(({ type }) => type);
  t.same([...kinds].sort(), ['fee', 'interest', 'payment', 'paymentReversal']);
  const page = await ask('GET', `${loan}/statements/${String(list[0]?.['id'])}/document?contentType=html`);
  t.match(page, { status: 200, headers: { 'content-type': /^text\/html/ }, text: /<h1>Statement of 2026-03-15/ });
  t.match(await ask('GET', `${loan}/statements?year=2025`), { json: { total: 0 } });
  t.match(await ask('GET', `${loan}/statements?limit=1`), { json: { count: 1, total: 3, data: [{ paymentDueDate: '2026-05-15' }] } });
  t.same(failures, []);
});

test('a new version of a statement uses what is known now; the older version stays', async (t) => {
  const { ask, loan, goTo, emitted } = await openLoanOverHttp(t);
  await goTo('2026-03-16');
  const [first] = listOf(await ask('GET', `${loan}/statements`));
  await ask('POST', `${loan}/transactions`, { ...PAID, amount: 20, effectiveDate: '2026-03-10', enablePrepayments: true });
  const generate = (body: object): Promise<HttpAnswer> =>
    ask('POST', `${loan}/periods/${String(first?.['periodId'])}/generate-statement?sync=true`, body);
  const shown = await generate({ previewMode: true });
  const again = await generate({ sendNotice: false, caseId: await newCase({ ask }) });
  t.strictSame(withoutNames(again.json), withoutNames(shown.json));
  t.match(again, { status: 200, json: { data: { version: 2, fulfilledAmount: 20 } } });
  t.match(await generate({ isTest: true }), { json: { data: { version: 1, isTest: true } } });
  t.match(await ask('GET', `${loan}/statements`), { json: { total: 1, data: [{ version: 2 }] } });
  const behind = await ask('GET', `${loan}/statements?startingAfter=${String(first?.['id'])}`);
  t.match(behind, { status: 200, json: { data: [] } }, 'the version that was listed before may begin a page');
  t.match(await ask('GET', `${loan}/statements?includeAllVersions=true`), { json: { total: 2 } });
  t.match(await ask('GET', `${loan}/statements?includeAllVersions=true&includeTestVersions=true`), { json: { total: 3 } });
  t.match(await ask('GET', `${loan}/statements/${String(first?.['id'])}`), { json: { data: first ?? {} } });
  t.equal((await emitted('statement.created')).length, 2, 'a test version sends none');
});

test('an external statement is recorded and corrected; a statement of the service is not', async (t) => {
  const { ask, loan, goTo, failures } = await openLoanOverHttp(t);
  await goTo('2026-03-16');
  const statements = `${loan}/statements`;
  const [own] = listOf(await ask('GET', statements));
  const periodId = String(own?.['periodId']);
  const outside = await ask('POST', statements, {
    periodId,
    minimumDueAmount: 110.01,
    newBalanceAmount: 1200,
    documentDescriptorId: 'DD-AAAA-AAAA',
    metaData: { code: 'x' },
  });
  t.match(outside, {
    status: 201,
    json: { data: { isExternal: true, version: 2, minimumDueAmount: 110.01, overdueAmount: null, documentDescriptorId: 'DD-AAAA-AAAA' } },
  });
  const path = `${statements}/${idOf(outside)}`;
  t.match(await ask('PUT', path, { overdueAmount: 3, metaData: null }), {
    json: { data: { overdueAmount: 3, minimumDueAmount: 110.01, metaData: null } },
  });
  const ours = `${statements}/${String(own?.['id'])}`;
  t.match(await ask('PUT', ours, { overdueAmount: 3 }), { status: 409, json: { errors: [{ path: 'overdueAmount' }] } });
  t.match(await ask('PUT', ours, { documentDescriptorId: 'DD-BBBB-BBBB' }), { json: { data: { documentDescriptorId: 'DD-BBBB-BBBB' } } });
  const periods = listOf(await ask('GET', `${loan}/periods`));
  for (const [method, asked, body, status, fault] of [
    ['POST', statements, {}, 400, 'periodId'],
    ['POST', statements, { periodId, statementDate: '2026-04-15' }, 422, 'statementDate'],
    ['POST', statements, { periodId, newBalanceAmount: 1.005 }, 400, 'newBalanceAmount'],
    ['POST', `${loan}/periods/${String(periods.at(-1)?.['id'])}/generate-statement`, {}, 409, 'periodId'],
    ['GET', `${ours}/document?contentType=png`, undefined, 400, 'contentType'],
    ['GET', `${statements}?sortBy=color`, undefined, 400, 'sortBy'],
  ] as const) {
    t.match(await ask(method, asked, body), { status, json: { errors: [{ path: fault }] } }, `${method} ${asked}`);
  }
  t.match(await ask('POST', `${loan}/periods/PE-ZZZZ-ZZZZ/generate-statement`, {}), { status: 404 });
  for (const part of ['', '/details', '/activities', '/draw-infos', '/document'])
    t.match(await ask('GET', `${statements}/SM-ZZZZ-ZZZZ${part}`), { status: 404 });
  t.same(failures, []);
});

test('a statement goes to a contact of the borrower that fits', async (t) => {
  const { ask, loan, goTo } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  await goTo('2026-03-16');
  const email = idOf(await ask('POST', '/people/ext-ann-1/contacts', EMAIL));
  const [statement] = listOf(await ask('GET', `${loan}/statements`));
  await ask('PUT', '/people/ext-ann-1/consents', [{ name: 'electronicComms', status: 'consented' }]);
  const sent = await ask('POST', `${loan}/statements/${String(statement?.['id'])}/send`, { channels: ['email'], contactId: email });
  const deliveries = [{ channel: 'email', contactId: email, interactionId: /^IN-/ }];
  t.match(sent, { status: 200, json: { data: { id: statement?.['id'], isSent: true, deliveries } } });
});

test('a borrower without a usable contact is refused for letters, statements and checks', async (t) => {
  const { ask, loan, goTo, created } = await openLoanOverHttp(t);
  await goTo('2026-03-16');
  const email = idOf(await ask('POST', '/people/ext-ann-1/contacts', EMAIL));
  const [statement] = listOf(await ask('GET', `${loan}/statements`));
  const letter = `${loan}/payoff-letter`;
  for (const path of [letter, `${loan}/statements/${String(statement?.['id'])}/send`]) {
    for (const body of [{ contactId: 'CT-ZZZZ-ZZZZ' }, { channels: ['mail'], contactId: email }]) {
      t.match(await ask('POST', path, body), { status: 422, json: { errors: [{ path: 'contactId' }] } });
    }
    t.match(await ask('POST', path, { channels: ['pigeon'] }), { status: 400 });
  }
  t.match(await ask('POST', letter, { payoffDate: '2026-03-15' }), { status: 400, json: { errors: [{ path: 'payoffDate' }] } });
  t.match(await ask('POST', letter, { payoffDate: '2026-04-16' }), { status: 400, json: { errors: [{ path: 'payoffDate' }] } });
  t.match(await ask('POST', `${await created()}/payoff-letter`, {}), { status: 409 });
  await ask('POST', `${loan}/transactions`, { ...PAID, amount: 1300 });
  const check = { reimbursementAmount: 1, isExternal: true, paymentInstrumentType: 'check' };
  t.match(await ask('POST', `${loan}/reimburse`, { ...check, contactId: email }), {
    status: 422,
    json: { errors: [{ path: 'contactId' }] },
  });
  const home = idOf(await ask('POST', '/people/ext-ann-1/contacts', HOME));
  t.match(await ask('POST', `${loan}/reimburse`, { ...check, contactId: home, previewMode: true }), { status: 200 });
});

test('each part of statements and pay-offs needs its own permission', async (t) => {
  const { ask, askWith, loan, goTo } = await openLoanOverHttp(t, {}, SMALL, { company: { withTemplates: true } });
  await ask('POST', '/people/ext-ann-1/contacts', HOME);
  await goTo('2026-03-16');
  const [statement] = listOf(await ask('GET', `${loan}/statements`));
  const path = `${loan}/statements/${String(statement?.['id'])}`;
  const periodId = String(statement?.['periodId']);
  for (const [permission, method, asked, body] of [
    ['statement:list', 'GET', `${loan}/statements`, undefined],
    ['statement:read', 'GET', path, undefined],
    ['statement:read', 'GET', `${path}/details`, undefined],
    ['statement:read', 'GET', `${path}/activities`, undefined],
    ['statement:read', 'GET', `${path}/draw-infos`, undefined],
    ['statement:read', 'GET', `${path}/document`, undefined],
    ['statement:update', 'PUT', path, {}],
    ['statement:update', 'POST', `${path}/send`, {}],
    ['statement:create', 'POST', `${loan}/statements`, { periodId }],
    ['statement:create', 'POST', `${loan}/periods/${periodId}/generate-statement`, {}],
    ['loan.payoff:read', 'GET', `${loan}/payoff`, undefined],
    ['loan.balance:read', 'GET', `${loan}/balances/history`, undefined],
  ] as const) {
    t.equal((await askWith(['loan:read'], method, asked, body)).status, 403, `${method} ${asked}`);
    t.ok((await askWith([permission], method, asked, body)).status < 300, permission);
  }
});
