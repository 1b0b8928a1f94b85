import { test } from 'tap';
import type { HttpAnswer } from '../harness.js';
import { dataOf, idOf, listOf } from './http-lender.js';
import { openLoanOverHttp, SMALL, withoutNames } from './loan-over-http.js';

type Row = Readonly<Record<string, unknown>>;

const rowsOf = (answer: HttpAnswer): readonly Row[] => dataOf(answer)['schedule'] as readonly Row[];
const DEFER = 'expected-payments/defer-due-date';
const PUSH = 'expected-payments/defer-schedule';
const PLAN = { paymentPlanType: 'fixedAmountAndFees', numberOfPeriods: 3, amount: 40 };
const FEE = { name: { displayName: 'Change fee', apiName: 'change' }, feeType: 'modificationFee', amountLogic: 'fixed', amount: 12.5 };

/** Every tool, with the event that it emits. */
const TOOLS = [
  { method: 'PUT', path: DEFER, body: { existingDueDate: '2026-04-15' }, event: 'loan.duedate.defer' },
  {
    method: 'PUT',
    path: DEFER,
    body: { existingDueDate: '2026-05-15', newDueDate: '2026-07-15', caseId: 'ext-hardship' },
    event: 'loan.duedate.defer',
  },
  { method: 'PUT', path: PUSH, body: { days: 10 }, event: 'loan.schedule.defer' },
  { method: 'PUT', path: PUSH, body: { days: 3, startDueDate: '2026-06-15', sendNotice: false }, event: 'loan.schedule.defer' },
  {
    method: 'PUT',
    path: 'expected-payments',
    body: { dueDatesFrequency: 'weekly', specificDays: ['friday'], agreementDocumentId: 'ext-agreement' },
    event: null,
  },
  { method: 'PUT', path: 'expected-payments', body: { dueDatesFrequency: 'twiceMonthly', specificDays: [1, 16] }, event: null },
  {
    method: 'POST',
    path: 'change-loan-terms',
    body: { selectedDueDate: '2026-04-15', isInterestOnly: true, numberOfPeriods: 2 },
    event: null,
  },
  {
    method: 'POST',
    path: 'change-loan-terms',
    body: { selectedDueDate: '2026-04-15', amount: 60, isExtendLoanDuration: true },
    event: null,
  },
  { method: 'POST', path: 'custom-payment-plans', body: PLAN, event: 'loan.paymentplan.setup' },
  {
    method: 'POST',
    path: 'custom-payment-plans',
    body: { paymentPlanType: 'interestOnlyAndFees', numberOfPeriods: 2, isExtendLoanDuration: true },
    event: 'loan.paymentplan.setup',
  },
] as const;

test('every tool previews exactly what it books, fee included, and only the booking emits an event', async (t) => {
  const { ask, active, company, h, loanTypeId, emitted, failures } = await openLoanOverHttp(t, {
    modification: {
      fees: { 'duedate.defer': 'change', 'schedule.defer': 'change', 'change.duedates': 'change', 'change.terms': 'change' },
    },
  });
  await h.data('feeType.create', company, FEE, { params: { loanTypeId } });
  const caseId = idOf(await ask('POST', '/people/ext-ann-1/cases', { caseType: 'generic', externalId: 'hardship' }));
  await ask('POST', '/people/ext-ann-1/documents', { type: 'other', externalId: 'agreement' });
  for (const { method, path, body, event } of TOOLS) {
    const loan = await active();
    const seen = async (): Promise<unknown> =>
      Promise.all(
        [
          '',
          '/expected-payments',
          '/balances',
          '/obligations',
          '/fees',
          '/schedule-modifications',
          '/custom-payment-plans',
          '/activity',
        ].map(async (part) => (await ask('GET', `${loan}${part}`)).text),
      );
    const before = await seen();
    const preview = await ask(method, `${loan}/${path}`, { ...body, previewMode: true });
    t.equal(preview.status, 200, `${path} ${preview.text}`);
    t.same(await seen(), before, `${path} leaves no trace`);
    t.equal(dataOf(preview)['operationId'], undefined);
    const booked = await ask(method, `${loan}/${path}?sync=true`, body);
    t.match(booked, { status: 200, json: { data: { operationId: /^[0-9a-f]{32}$/ } } }, path);
    t.strictSame(withoutNames(booked.json), withoutNames(preview.json), `${path} books what it has shown`);
    t.strictSame(rowsOf(booked), rowsOf(await ask('GET', `${loan}/expected-payments`)));
    const isPlan = path === 'custom-payment-plans';
    t.equal((await emitted('loan.modificationfee.booked', loan)).length, isPlan ? 0 : 1);
    if (!isPlan) t.match(booked.json, { count: rowsOf(booked).length, data: { feeAmount: 12.5, isLocked: false } });
    if (event !== null) t.equal((await emitted(event, loan)).length, 1, event);
    t.match(listOf(await ask('GET', `${loan}/schedule-modifications`)), [{ id: /^MO-/, caseId: 'caseId' in body ? caseId : null }]);
  }
  t.same(failures, []);
});

test('a deferral emits the dates, moves the amount, and cannot be done twice', async (t) => {
  const { ask, loan, emitted, goTo } = await openLoanOverHttp(t);
  const before = rowsOf(await ask('GET', `${loan}/expected-payments`));
  const rows = rowsOf(await ask('PUT', `${loan}/${DEFER}`, { existingDueDate: '2026-04-15' }));
  t.match(rows[1], { date: '2026-04-15', amount: 0, isDeferred: true, status: 'canceled', originalAmount: before[1]?.['amount'] });
  t.equal(rows.at(-1)?.['date'], '2027-03-15');
  t.match(await emitted('loan.duedate.defer'), [{ obligationId: /^OB-/, oldDate: '2026-04-15', newDate: '2027-03-15' }]);
  t.match(await ask('PUT', `${loan}/${DEFER}`, { existingDueDate: '2026-04-15' }), { status: 422 });
  await goTo('2026-05-20');
  t.match(await ask('GET', `${loan}/obligations`), {
    json: { data: { daysOverdue: 66, obligations: [{ dueDate: '2026-03-15' }, { dueDate: '2026-05-15' }, { dueDate: '2026-06-15' }] } },
  });
  t.match(await ask('PUT', `${loan}/${DEFER}`, { existingDueDate: '2026-03-15', newDueDate: '2026-06-15' }), { status: 200 });
  t.match(await ask('GET', `${loan}/obligations`), { json: { data: { daysOverdue: 5 } } }, 'a past due date is deferred by a replay');
});

test('due dates stay with their period, or change with the frequency', async (t) => {
  const { ask, loan, active } = await openLoanOverHttp(t);
  const monthly = rowsOf(await ask('PUT', `${loan}/expected-payments`, { dueDatesFrequency: 'monthly', specificDays: [20] }));
  t.same(
    monthly.slice(0, 3).map((row) => row['date']),
    ['2026-03-15', '2026-04-20', '2026-05-20'],
    'the current period is untouched',
  );
  t.match(await ask('GET', loan), { json: { data: { current: { specificDays: ['20'] } } } });
  const weekly = await active();
  const reply = await ask('PUT', `${weekly}/expected-payments`, { dueDatesFrequency: 'weekly', specificDays: [5] });
  t.match(reply, { json: { data: { paymentFrequency: 'weekly', specificDays: ['5'] } } });
  t.ok(Number(rowsOf(reply)[1]?.['amount']) < Number(rowsOf(reply)[0]?.['amount']) / 3, 'a lower recurring amount');
  t.match(await ask('GET', `${weekly}/schedule-modifications?types=changeDueDates`), {
    json: { count: 1, data: [{ dueDatesFrequency: 'weekly', specificDays: ['5'] }] },
  });
  t.match(await ask('GET', `${weekly}/schedule-modifications?types=deferDueDate`), { json: { count: 0 } });
  t.match(await ask('GET', `${weekly}/schedule-modifications?types=nothing`), { status: 400, json: { errors: [{ path: 'types' }] } });
});

test('a payment plan is listed, keeps every other tool away, is canceled, and gives the schedule back', async (t) => {
  const { ask, loan, emitted, goTo, failures } = await openLoanOverHttp(t);
  const before = rowsOf(await ask('GET', `${loan}/expected-payments`));
  const plans = `${loan}/custom-payment-plans`;
  const made = await ask('POST', plans, { ...PLAN, externalId: 'plan-1', selectedDueDate: '2026-04-15' });
  t.match(made, {
    json: { data: { id: /^PP-/, status: 'active', startDate: '2026-04-15', endDate: '2026-06-15', originalAmount: before[0]?.['amount'] } },
  });
  t.same(
    rowsOf(made)
      .slice(0, 5)
      .map((row) => row['amount']),
    [before[0]?.['amount'], 40, 40, 40, before[4]?.['amount']],
  );
  t.match(await emitted('paymentplan.created'), [
    { paymentPlanId: idOf(made), type: 'fixedAmountAndFees', numberOfPeriods: 3, amount: 40, startDate: '2026-04-15' },
  ]);
  for (const [method, path, body] of [
    ['POST', 'custom-payment-plans', PLAN],
    ['PUT', DEFER, { existingDueDate: '2026-04-15' }],
    ['PUT', PUSH, { days: 1 }],
    ['PUT', 'expected-payments', { dueDatesFrequency: 'weekly' }],
    ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-15' }],
    ['POST', 'reamortize', { effectiveDate: '2026-04-15' }],
  ] as const) {
    t.match(await ask(method, `${loan}/${path}`, body), { status: 409, json: { errorType: 'activePlanExists' } }, path);
  }
  t.match(await ask('GET', plans), { json: { total: 1, data: [{ id: idOf(made), externalId: 'plan-1' }] } });
  t.match(await ask('GET', `${plans}/ext-plan-1`), { json: { data: { id: idOf(made) } } });
  t.match(await ask('GET', `${plans}/PP-AAAA-AAAA`), { status: 404 });
  await goTo('2026-05-01');
  const preview = await ask('POST', `${plans}/${idOf(made)}/cancel`, { reasonDetails: 'found work', previewMode: true });
  const canceled = await ask('POST', `${plans}/${idOf(made)}/cancel`, { reasonDetails: 'found work' });
  t.strictSame(withoutNames(canceled.json), withoutNames(preview.json));
  t.match(canceled, {
    json: { data: { status: 'canceled', cancellationReason: 'canceledByUser', reasonDetails: 'found work', canceledAt: /^2026-05-01/ } },
  });
  t.same(
    rowsOf(canceled).map((row) => row['date']),
    before.map((row) => row['date']),
  );
  t.match(await emitted('paymentplan.statuschanged'), [{ oldStatus: 'active', newStatus: 'canceled' }]);
  t.match(await ask('POST', `${plans}/${idOf(made)}/cancel`, {}), { status: 409 });
  t.match(await ask('POST', plans, { ...PLAN, externalId: 'plan-1' }), { status: 409, json: { errorType: 'duplicate' } });
  t.match(await ask('PUT', `${loan}/${PUSH}`, { days: 1 }), { status: 200 }, 'other tools are free again');
  t.same(failures, []);
});

/** Bodies that are refused on an active loan of twelve monthly due dates: by their values alone, or by stored data. */
const REFUSED = [
  ['PUT', DEFER, {}, 400, 'existingDueDate'],
  ['PUT', DEFER, { existingDueDate: '2026-02-30' }, 400, 'existingDueDate'],
  ['PUT', DEFER, { existingDueDate: '2026-04-16' }, 422, 'existingDueDate'],
  ['PUT', DEFER, { existingDueDate: '2026-05-15', newDueDate: '2026-04-15' }, 422, 'newDueDate'],
  ['PUT', DEFER, { existingDueDate: '2026-05-15', newDueDate: '2026-06-16' }, 422, 'newDueDate'],
  ['PUT', PUSH, { days: 0 }, 400, 'days'],
  ['PUT', PUSH, { days: 1.5 }, 400, 'days'],
  ['PUT', PUSH, { days: 5, startDueDate: '2026-05-01' }, 422, 'startDueDate'],
  ['PUT', 'expected-payments', { specificDays: [5] }, 400, 'dueDatesFrequency'],
  ['PUT', 'expected-payments', { dueDatesFrequency: 'monthly', specificDays: ['friday'] }, 400, 'specificDays'],
  ['PUT', 'expected-payments', { dueDatesFrequency: 'singleTerm' }, 422, 'dueDatesFrequency'],
  ['POST', 'change-loan-terms', {}, 400, 'selectedDueDate'],
  ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-15', isInterestOnly: true }, 400, 'numberOfPeriods'],
  ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-15', isInterestOnly: true, numberOfPeriods: 2, amount: 5 }, 400, 'amount'],
  ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-16' }, 422, 'selectedDueDate'],
  ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-15', numberOfPeriods: 24 }, 422, 'numberOfPeriods'],
  ['POST', 'change-loan-terms', { selectedDueDate: '2026-04-15', amount: 1, isExtendLoanDuration: true }, 422, 'amount'],
  ['POST', 'custom-payment-plans', { ...PLAN, paymentPlanType: 'other' }, 400, 'paymentPlanType'],
  ['POST', 'custom-payment-plans', { ...PLAN, numberOfPeriods: 0 }, 400, 'numberOfPeriods'],
  ['POST', 'custom-payment-plans', { ...PLAN, amount: 0 }, 400, 'amount'],
  ['POST', 'custom-payment-plans', { ...PLAN, amount: null }, 400, 'amount'],
  ['POST', 'custom-payment-plans', { ...PLAN, amount: 1.005 }, 400, 'amount'],
  ['POST', 'custom-payment-plans', { ...PLAN, paymentPlanType: 'interestOnlyAndFees' }, 400, 'amount'],
  ['POST', 'custom-payment-plans', { ...PLAN, numberOfPeriods: 13 }, 422, 'numberOfPeriods'],
  ['POST', 'custom-payment-plans', { ...PLAN, selectedDueDate: '2026-03-01' }, 422, 'selectedDueDate'],
  ['POST', 'defer-remaining-balances', {}, 422, 'type'],
] as const;

test('malformed bodies are refused with 400, impossible days and amounts with 422', async (t) => {
  const { ask, loan, failures } = await openLoanOverHttp(t);
  for (const [method, path, body, status, at] of REFUSED) {
    const answer = await ask(method, `${loan}/${path}`, body);
    t.match(answer, { status, json: { statusCode: status, errors: [{ path: at }] } }, `${path} ${JSON.stringify(body)} ${answer.text}`);
  }
  t.same(failures, []);
});

test('only an active loan of several due dates, of this person, takes a tool; only its permission opens it', async (t) => {
  const { ask, askWith, loan, created, active } = await openLoanOverHttp(t);
  await ask('POST', '/people/ext-ann-1/documents', { type: 'other', externalId: 'agreement' });
  const pending = await created();
  const single = await active({ atOrigination: { ...SMALL, duration: 1, paymentFrequency: 'singleTerm' } });
  const stranger = loan.replace('ext-ann-1', 'BO-AAAA-AAAA');
  const permissions = ['loan:duedate.defer', 'loan:schedule.defer', 'loan:duedates.change', 'loan:paymentplan.create'];
  const needed: Readonly<Record<string, string>> = {
    [DEFER]: 'loan:duedate.defer',
    [PUSH]: 'loan:schedule.defer',
    'expected-payments': 'loan:duedates.change',
    'change-loan-terms': 'loan:paymentplan.create',
    'custom-payment-plans': 'loan:paymentplan.create',
  };
  const one = TOOLS.filter((tool, at) => TOOLS.findIndex(({ path }) => path === tool.path) === at);
  await ask('POST', `${loan}/freeze`, {});
  for (const { method, path, body } of one) {
    t.match(
      await ask(method, `${pending}/${path}`, body),
      { status: 409, json: { errorType: 'invalidState' } },
      `${path} of a pending loan`,
    );
    t.match(await ask(method, `${loan}/${path}`, body), { status: 409 }, `${path} of a frozen loan`);
    t.equal((await ask(method, `${stranger}/${path}`, body)).status, 404, `${path} of a stranger`);
    t.equal((await ask(method, `/people/ext-ann-1/loans/LO-AAAA-AAAA/${path}`, body)).status, 404);
    t.match(await ask(method, `${single}/${path}`, body), { status: 422 }, `${path} of a single due date`);
    const others = permissions.filter((permission) => permission !== needed[path]);
    t.match(await askWith(others, method, `${loan}/${path}`, body), { status: 403, json: { errorType: 'permissionDenied' } }, path);
  }
  t.equal(
    (await ask('PUT', `${single}/expected-payments`, { dueDatesFrequency: 'singleTerm', specificDays: [20] })).status,
    200,
    'its day may change',
  );
});

test('fees of tools are shown, charged, waived, and uses are limited within a year', async (t) => {
  const { ask, loan, company, h, loanTypeId, emitted } = await openLoanOverHttp(t, {
    modification: { fees: { 'schedule.defer': 'change' } },
    limits: { maxDeferralsPerYear: 2 },
  });
  const { id: feeTypeId } = await h.data('feeType.create', company, FEE, { params: { loanTypeId } });
  t.match(await ask('GET', `${loan}/modification-fees`), {
    json: { data: [{ tool: 'duedate.defer', feeAmount: 0 }, { tool: 'schedule.defer', feeTypeId, feeAmount: 12.5 }, {}, {}] },
  });
  t.match(await ask('PUT', `${loan}/${PUSH}`, { days: 1, waiveFee: true }), { json: { data: { feeAmount: 0 } } });
  t.match(await ask('PUT', `${loan}/${PUSH}`, { days: 1 }), { json: { data: { feeAmount: 12.5 } } });
  t.match(await emitted('loan.modificationfee.booked'), [{ amount: 12.5 }]);
  t.match(await ask('GET', `${loan}/balances`), { json: { data: { outstandingBalances: { outstandingModificationFeesAmount: 12.5 } } } });
  t.match(await ask('PUT', `${loan}/${PUSH}`, { days: 1 }), { status: 409, json: { errorType: 'invalidState' } });
});

test('a retry of a tool gets the first reply with its count', async (t) => {
  const { ask, loan } = await openLoanOverHttp(t);
  const asked = (): Promise<HttpAnswer> => ask('PUT', `${loan}/${PUSH}`, { days: 1 }, { headers: { 'Idempotency-Key': 'push' } });
  const first = await asked();
  t.equal(first.json['count'], rowsOf(first).length);
  const again = await asked();
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.equal(again.text, first.text);
});
