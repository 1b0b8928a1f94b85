import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { type LoanOverHttp, openLoanOverHttp, SMALL, withoutNames } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

const type = (apiName: string, body: object): object => ({
  name: { displayName: apiName, apiName },
  feeType: 'adHoc',
  amountLogic: 'fixed',
  amount: 30,
  ...body,
});

const made = async ({ ask, loanTypeId }: LoanOverHttp, apiName: string, body: object = {}): Promise<string> =>
  idOf(await ask('POST', `/loan-types/${loanTypeId}/fee-types`, type(apiName, body)));

/** The fee in the answer to a charge. */
const charged = (answer: HttpAnswer): Row => listOf(answer)[0] ?? {};

const detailsOf = (fee: Row | undefined): Row => (fee?.['dynamicFeeDetails'] ?? {}) as Row;

const owed = (amount: number): object => ({ json: { data: { outstandingBalances: { outstandingFeesAmount: amount } } } });

test('a fee is charged, changed and waived, each as its preview has shown', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, emitted } = s;
  const feeTypeId = await made(s, 'paper');
  const fees = `${loan}/fees`;
  const caseId = await newCase(s);
  const body = { apiName: 'paper', externalId: 'fee-1', customDisplayName: 'Copies', caseId, chargeDate: '2026-03-02' };
  const shown = await ask('POST', fees, { ...body, previewMode: true });
  t.match(await ask('GET', fees), { json: { total: 0 } }, 'a preview books nothing');
  const answer = await ask('POST', `${fees}?sync=true`, body);
  t.strictSame(withoutNames([charged(shown)['amount'], charged(shown)['dueDate'], charged(shown)['status']]), [30, '2026-03-02', 'booked']);
  const feeId = String(charged(answer)['id']);
  t.match(charged(answer), {
    id: /^LF-/,
    type: 'dynamicFee',
    amount: 30,
    originalAmount: 30,
    remainingAmount: 30,
    status: 'booked',
    createdDate: '2026-03-02',
    scheduledDate: '2026-03-02',
    feeTypeId,
    drawId: null,
    dynamicFeeDetails: {
      loanFeeId: feeId,
      loanFeeExternalId: 'fee-1',
      apiName: 'paper',
      displayName: 'Copies',
      caseId,
      chargeDate: '2026-03-02',
      canceledDate: null,
      canceledBy: null,
      transactionId: null,
      purchaseId: null,
      capitalizedAmount: 0,
      creditedAmount: 0,
    },
  });
  t.match(await emitted('loan.fee.booked'), [{ feeId, feeTypeId, amount: 30, effectiveDate: '2026-03-02', drawId: null }]);
  t.match(await ask('PUT', `${fees}/ext-fee-1`, { feeAmount: 12.5, previewMode: true }), { json: { data: { amount: 12.5 } } });
  t.match(await ask('GET', `${loan}/balances`), owed(30));
  t.match(await ask('PUT', `${fees}/ext-fee-1`, { feeAmount: 12.5 }), {
    json: { data: { id: feeId, amount: 12.5, originalAmount: 30, remainingAmount: 12.5 } },
  });
  t.match(await emitted('loan.fee.changed'), [{ feeId, amount: 12.5, changes: [{ field: 'amount', oldValue: 30, newValue: 12.5 }] }]);
  t.match(await ask('PUT', `${fees}/${feeId}/cancel`, { reason: 'courtesy', previewMode: true }), {
    json: { data: { status: 'canceled' } },
  });
  t.match(await ask('GET', `${fees}/${feeId}`), { json: { data: { status: 'booked' } } });
  t.match(await ask('PUT', `${fees}/${feeId}/cancel`, { reason: 'courtesy' }), {
    json: {
      data: {
        status: 'canceled',
        amount: 0,
        remainingAmount: 0,
        dynamicFeeDetails: { canceledDate: '2026-03-02', canceledBy: { userType: 'api' } },
      },
    },
  });
  t.match(await emitted('loan.fee.canceled'), [{ feeId, amount: 12.5 }]);
  t.match(await ask('GET', `${loan}/balances`), owed(0));
});

test('a fee with a future date waits for it; a fee with a past date is replayed on the loan as it was', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, goTo } = s;
  await made(s, 'flat');
  await made(s, 'share', { amountLogic: 'percentage', amount: null, percentage: 0.01, percentageBase: 'principal' });
  await goTo('2026-04-20');
  await ask('POST', `${loan}/transactions`, {
    type: 'oneTime',
    amount: 600,
    isExternal: true,
    status: 'succeeded',
    enablePrepayments: true,
  });
  const now = charged(await ask('POST', `${loan}/fees`, { apiName: 'share', previewMode: true }));
  const then = charged(
    await ask('POST', `${loan}/fees`, { apiName: 'share', chargeDate: '2026-03-10', chargeTimeOfDay: { hour: 9, minute: 0, second: 0 } }),
  );
  t.match(then, { amount: 12, scheduledDate: '2026-03-10' }, 'of the principal of that day');
  t.ok(Number(now['amount']) < 8, 'not of today’s');
  const waiting = charged(await ask('POST', `${loan}/fees`, { apiName: 'flat', amount: 7, chargeDate: '2026-05-01' }));
  t.match(waiting, { status: 'scheduled', amount: 7, scheduledDate: '2026-05-01' });
  await goTo('2026-05-02');
  t.match(await ask('GET', `${loan}/fees/${String(waiting['id'])}`), { json: { data: { status: 'booked' } } });
  t.match(await ask('GET', `${loan}/fees?statuses=booked&apiName=flat`), { json: { total: 1 } });
  t.match(await ask('GET', `${loan}/fees?types=originationFee`), { json: { total: 0 } });
  const first = await ask('GET', `${loan}/fees?limit=1`);
  t.match(first, { json: { count: 1, total: 2 } });
  t.match(await ask('GET', `${loan}/fees?limit=1&startingAfter=${String(listOf(first)[0]?.['id'])}`), { json: { count: 1 } });
});

test('caps limit amounts per loan and counts per period, and a fee that they reduce to zero is not charged', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, goTo } = s;
  await made(s, 'capped', { amount: 30, maxAmount: 20, capPerLoanAmount: 35 });
  await made(s, 'counted', { capPerPeriodCount: 1 });
  const charge = (body: object): Promise<HttpAnswer> => ask('POST', `${loan}/fees`, body);
  t.match(charged(await charge({ apiName: 'capped' })), { amount: 20 });
  t.match(charged(await charge({ apiName: 'capped', chargeDate: '2026-03-20' })), { amount: 15, status: 'scheduled' });
  t.match(await charge({ apiName: 'capped' }), { status: 409, json: { errorType: 'feeNotCharged' } }, 'what waits counts, too');
  await goTo('2026-04-20');
  const periods = listOf(await ask('GET', `${loan}/periods`));
  const [april] = periods.filter(({ startDate }) => startDate === '2026-03-15');
  t.match(await charge({ apiName: 'counted', chargeDate: '2026-03-20' }), { status: 200 });
  t.match(await charge({ apiName: 'counted', chargeDate: '2026-04-14' }), { status: 409 }, 'the same period');
  t.match(
    await charge({ apiName: 'counted', triggerPeriodId: april?.['id'] }),
    { status: 409 },
    'charged in another one, but for this one',
  );
  t.match(await charge({ apiName: 'counted' }), { status: 200 });
  t.match(await charge({ apiName: 'counted', chargeDate: '2026-06-01' }), { status: 200 });
  t.match(await charge({ apiName: 'counted', chargeDate: '2026-06-02' }), { status: 409 }, 'one that waits counts in its period');
  t.match(await charge({ apiName: 'counted', triggerPeriodId: 'PE-ZZZZ-ZZZZ' }), {
    status: 422,
    json: { errors: [{ path: 'triggerPeriodId' }] },
  });
});

test('automatic fees are booked under their own type: returned payments, periods, years', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, goTo, emitted } = s;
  await made(s, 'nsf', { feeType: 'nsfFee', amountLogic: 'lesserOf', amount: 15, percentage: 0.5, percentageBase: 'paymentAmount' });
  await made(s, 'service', { feeType: 'serviceFee', amount: 5, capPerLoanAmount: 9 });
  await made(s, 'member', { feeType: 'membershipFee', amount: 45 });
  await goTo('2026-03-16');
  const check = await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 20, isExternal: true });
  await ask('PUT', `${loan}/transactions/${idOf(check)}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.match(await emitted('loan.nsffee.booked'), [{ amount: 10 }]);
  const [nsf] = listOf(await ask('GET', `${loan}/fees?apiName=nsf`));
  t.equal(detailsOf(nsf)['transactionId'], idOf(check), 'the fee names the payment that came back');
  await goTo('2027-03-03');
  t.match(
    await emitted('loan.servicefee.booked'),
    [
      { amount: 5, effectiveDate: '2026-03-15' },
      { amount: 4, effectiveDate: '2026-04-15' },
    ],
    'clipped by the cap of the loan',
  );
  t.match(await emitted('loan.membershipfee.booked'), [{ amount: 45, effectiveDate: '2027-03-02' }]);
  const ofService = await ask('GET', `${loan}/fees?types=serviceFee`);
  t.match(ofService, {
    json: {
      total: 2,
      data: [
        { type: 'serviceFee', amount: 4, dynamicFeeDetails: { apiName: 'service' } },
        { type: 'serviceFee', amount: 5 },
      ],
    },
  });
  t.match(await ask('GET', `${loan}/fees?types=dynamicFee`), {
    json: { total: 2, data: [{ type: 'dynamicFee' }, { type: 'dynamicFee' }] },
  });
});

test('a late fee shows who waived it and its amount before a change; a replay keeps both', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, goTo, emitted } = s;
  await made(s, 'late', { feeType: 'lateFee', amount: 25, trigger: 'overdueDays', triggerDays: 10 });
  await goTo('2026-04-28');
  const fees = async (): Promise<readonly Row[]> => listOf(await ask('GET', `${loan}/fees?apiName=late`));
  const [second, first] = await fees();
  t.match(await emitted('loan.latefee.booked'), [{ amount: 25 }, { amount: 25 }]);
  t.match(await ask('PUT', `${loan}/fees/${String(first?.['id'])}`, { feeAmount: 8 }), {
    json: { data: { amount: 8, originalAmount: 25 } },
  });
  const caseId = await newCase(s);
  const waived = await ask('PUT', `${loan}/fees/${String(second?.['id'])}/cancel`, { caseId });
  t.match(waived, {
    json: { data: { status: 'canceled', dynamicFeeDetails: { canceledDate: '2026-04-28', canceledBy: { userType: 'api' }, caseId } } },
  });
  await ask('POST', `${loan}/replay`, { fromDate: '2026-03-02' });
  t.match(await fees(), [{ status: 'canceled' }, { amount: 8, remainingAmount: 8, originalAmount: 25 }]);
  const paidBefore = { type: 'oneTime', amount: 110.01, isExternal: true, status: 'succeeded', effectiveDate: '2026-03-15' };
  t.match(await ask('POST', `${loan}/transactions`, paidBefore), { status: 201 });
  t.match(
    await emitted('loan.fee.canceled'),
    [{ feeId: second?.['id'] }, { feeId: first?.['id'] }],
    'a payment in time cancels the late fee',
  );
});

test('a paid fee that is waived after the loan is paid off is owed to the borrower', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan } = s;
  await made(s, 'paper');
  const fee = charged(await ask('POST', `${loan}/fees`, { apiName: 'paper' }));
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 1230, isExternal: true, status: 'succeeded' });
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(await ask('GET', `${loan}/fees/${String(fee['id'])}`), { json: { data: { status: 'paid', remainingAmount: 0 } } });
  t.match(await ask('PUT', `${loan}/fees/${String(fee['id'])}/cancel`, {}), { status: 200 });
  t.match(await ask('GET', `${loan}/reimbursements`), { json: { owedAmount: 30 } });
});

test('the origination fee is lowered with an empty answer, and never raised above its original amount', async (t) => {
  const { ask, active } = await openLoanOverHttp(t, {}, { ...SMALL, fees: { originationFeeAmount: 60 } });
  const loan = await active();
  t.match(await ask('PUT', `${loan}/fees/origination`, { feeAmount: 60.01 }), { status: 422, json: { errors: [{ path: 'feeAmount' }] } });
  const answer = await ask('PUT', `${loan}/fees/origination?sync=true`, { feeAmount: 24, caseId: await newCase({ ask }) });
  t.strictSame([answer.status, answer.text], [204, '']);
  t.match(await ask('GET', `${loan}/fees`), { json: { data: [{ type: 'originationFee', amount: 24, originalAmount: 60 }] } });
  t.equal((await ask('PUT', `${loan}/fees/origination`, {})).status, 204, 'no amount is no fee');
  t.match(await ask('GET', `${loan}/balances`), owed(0));
});

test('each invalid fee is refused with its status code', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, created, failures } = s;
  await made(s, 'paper', { amount: 0, maxAmount: 50 });
  const fees = `${loan}/fees`;
  for (const [wrong, status, path] of [
    [{}, 400, 'apiName'],
    [{ apiName: 'paper', feeAmount: -1 }, 400, 'feeAmount'],
    [{ apiName: 'paper', feeAmount: 1.005 }, 400, 'feeAmount'],
    [{ apiName: 'paper', chargeDate: 'soon' }, 400, 'chargeDate'],
    [{ apiName: 'nothing' }, 422, 'apiName'],
    [{ feeTypeId: 'FT-ZZZZ-ZZZZ' }, 422, 'feeTypeId'],
    [{ apiName: 'paper', feeAmount: 5, chargeDate: '2026-03-01' }, 422, 'chargeDate'],
  ] as const) {
    t.match(await ask('POST', fees, wrong), { status, json: { errors: [{ path }] } }, `${status} ${path}`);
  }
  t.match(await ask('GET', `${fees}?statuses=open&types=tip`), {
    status: 400,
    json: { errors: [{ path: 'types' }, { path: 'statuses' }] },
  });
  t.match(await ask('POST', fees, { apiName: 'paper' }), { status: 409, json: { errorType: 'feeNotCharged' } });
  const fee = charged(await ask('POST', fees, { apiName: 'paper', feeAmount: 5, externalId: 'fee-1' }));
  t.match(await ask('POST', fees, { apiName: 'paper', feeAmount: 5, externalId: 'fee-1' }), {
    status: 409,
    json: { errors: [{ path: 'externalId' }] },
  });
  const path = `${fees}/${String(fee['id'])}`;
  t.match(await ask('PUT', path, {}), { status: 400, json: { errors: [{ path: 'feeAmount' }] } });
  t.match(await ask('PUT', path, { feeAmount: 0 }), { status: 409, json: { errorType: 'feeNotCharged' } });
  t.match(await ask('PUT', path, { feeAmount: 99 }), { json: { data: { amount: 50 } } }, 'clipped, not refused');
  await ask('PUT', `${path}/cancel`, {});
  t.match(await ask('PUT', `${path}/cancel`, {}), { status: 409 });
  t.match(await ask('PUT', path, { feeAmount: 3 }), { status: 409 });
  for (const method of ['GET', 'PUT'])
    t.match(await ask(method, `${fees}/LF-ZZZZ-ZZZZ`, method === 'PUT' ? { feeAmount: 1 } : undefined), { status: 404 });
  t.match(
    await ask('POST', `${await created()}/fees`, { apiName: 'paper', feeAmount: 5 }),
    { status: 409 },
    'a loan that is not active yet',
  );
  t.match(await ask('PUT', `${await created()}/fees/origination`, {}), { status: 409 });
  t.same(failures, []);
});

test('each part needs its own permission, and a retry under its key charges once', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, askWith, loan } = s;
  await made(s, 'paper');
  const key = { headers: { 'Idempotency-Key': 'fee-1' } };
  const first = await ask('POST', `${loan}/fees`, { apiName: 'paper' }, key);
  const again = await ask('POST', `${loan}/fees`, { apiName: 'paper' }, key);
  t.strictSame(again.json, first.json);
  t.equal(again.text, first.text);
  const { operationId } = first.json;
  t.match(await ask('GET', `/operations/${String(operationId)}`), { status: 200, json: { data: { operationId, kind: 'loanFee.charge' } } });
  t.equal(again.headers['idempotent-replayed'], 'true');
  const path = `${loan}/fees/${String(charged(first)['id'])}`;
  for (const [permission, method, asked, body] of [
    ['loan.fee:list', 'GET', `${loan}/fees`, undefined],
    ['loan.fee:list', 'GET', path, undefined],
    ['loan.fee:create', 'POST', `${loan}/fees`, { apiName: 'paper' }],
    ['loan.fee:update', 'PUT', path, { feeAmount: 3 }],
    ['loan.fee:update', 'PUT', `${loan}/fees/origination`, {}],
    ['loan.fee:cancel', 'PUT', `${path}/cancel`, {}],
  ] as const) {
    t.equal((await askWith(['loan:read'], method, asked, body)).status, 403, `${method} ${asked}`);
    t.ok((await askWith([permission], method, asked, body)).status < 300, permission);
  }
  t.equal(dataOf(await ask('GET', path))['status'], 'canceled');
});

test('each fee that falls due with a row is its own row, and agreed amounts stay', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan, goTo } = s;
  const next = await made(s, 'next', { chargeLogic: 'nextDueDate' });
  const last = await made(s, 'last', { chargeLogic: 'lastDueDate', amount: 7 });
  const late = await made(s, 'late', {
    feeType: 'lateFee',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 3,
    chargeLogic: 'nextDueDate',
  });
  const rows = async (): Promise<readonly Row[]> => dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly Row[];
  const fees = async (): Promise<readonly unknown[]> =>
    (await rows())
      .filter(({ paymentType }) => paymentType === 'dynamicFee')
      .map(({ date, status, amount, dynamicFeeDetails: details }) => [date, status, amount, (details as Row)['apiName']]);
  const agreed = await rows();
  const paper = charged(await ask('POST', `${loan}/fees`, { apiName: 'next', customDisplayName: 'Copies' }));
  await ask('POST', `${loan}/fees`, { apiName: 'last' });
  const shown = await rows();
  t.same(
    shown.filter(({ paymentType }) => paymentType === 'periodicPayment'),
    agreed,
    'a fee changes no payment',
  );
  t.match(shown[1], {
    date: '2026-03-15',
    periodId: shown[0]?.['periodId'],
    paymentType: 'dynamicFee',
    status: 'booked',
    amount: 30,
    originalAmount: 30,
    principalAmount: 0,
    interestAmount: 0,
    unroundedInterestAmount: '0.0000000000',
    dynamicFeeDetails: { loanFeeId: paper['id'], dynamicFeeTypeId: next, apiName: 'next', displayName: 'Copies', transactionId: null },
  });
  t.match(shown.at(-1), { date: '2027-02-15', status: 'projected', amount: 7, dynamicFeeDetails: { dynamicFeeTypeId: last } });
  t.match(await ask('GET', `${loan}/expected-payments`), { json: { count: 14 } });
  await goTo('2026-03-20');
  t.match(
    await ask('GET', `${loan}/obligations?dueDate=2026-03-15`),
    { json: { data: { obligations: [{ obligationAmount: Number(agreed[0]?.['amount']) + 30 }] } } },
    'an obligation asks for both',
  );
  const [fee] = listOf(await ask('GET', `${loan}/fees?apiName=late`));
  t.match(
    (await rows()).find(({ dynamicFeeDetails: details }) => (details as Row)['apiName'] === 'late'),
    { date: '2026-04-15', dynamicFeeDetails: { loanFeeId: fee?.['id'], dynamicFeeTypeId: late } },
  );
  t.same(await fees(), [
    ['2026-03-15', 'booked', 30, 'next'],
    ['2026-04-15', 'booked', 25, 'late'],
    ['2027-02-15', 'projected', 7, 'last'],
  ]);
  await ask('POST', `${loan}/transactions`, {
    type: 'oneTime',
    amount: Number(agreed[0]?.['amount']) + 30,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2026-03-15',
  });
  t.same(
    await fees(),
    [
      ['2026-03-15', 'completed', 30, 'next'],
      ['2027-02-15', 'projected', 7, 'last'],
    ],
    'paid in time, the late fee never was',
  );
});

test('a fee waits for a due date that was not deferred', async (t) => {
  const s = await openLoanOverHttp(t);
  const { ask, loan } = s;
  await made(s, 'next', { chargeLogic: 'nextDueDate' });
  await ask('PUT', `${loan}/expected-payments/defer-due-date`, { existingDueDate: '2026-03-15', newDueDate: null });
  const { dueDate } = charged(await ask('POST', `${loan}/fees`, { apiName: 'next' }));
  t.equal(dueDate, '2026-04-15');
});
