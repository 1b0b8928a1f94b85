import { test } from 'tap';
import { dataOf, idOf, listOf, newCase } from './http-lender.js';
import { openLoanOverHttp, SMALL, withoutNames } from './loan-over-http.js';

const WITH_FEE = { ...SMALL, fees: { originationFeeAmount: 60 } };
const PAID = { type: 'oneTime', isExternal: true, status: 'succeeded' };

test('a refund by each at-fault party lowers principal from its time and leaves the recurring amount', async (t) => {
  const { ask, active, goTo, emitted, failures } = await openLoanOverHttp(t);
  const caseId = await newCase({ ask });
  for (const [at, atFaultParty] of (['loanOwner', 'loanServicer', 'merchant'] as const).entries()) {
    const loan = await active();
    const activated = `2026-0${3 + at}-02`;
    const later = `2026-0${3 + at}-12`;
    await goTo(later);
    const refunds = `${loan}/refunds`;
    const level = dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly { readonly amount: number }[];
    const body = {
      refundAmount: 300,
      atFaultParty,
      refundDate: activated,
      refundTimeOfDay: { hour: 18, minute: 0, second: 0 },
      sendNotice: false,
      caseId,
      refundDetails: { description: 'returned', pointOfSaleType: 'online', merchantName: 'Shop' },
    };
    const before = (await ask('GET', `${loan}/balances`)).text;
    const preview = await ask('POST', refunds, { ...body, previewMode: true });
    t.equal((await ask('GET', `${loan}/balances`)).text, before);
    t.match(await ask('GET', refunds), { json: { data: { eligibleRefundAmount: 1200, refunds: [] } } });
    const made = await ask('POST', `${refunds}?sync=true`, body);
    t.strictSame(withoutNames(made.json), withoutNames(preview.json));
    t.match(made, {
      status: 200,
      json: {
        data: {
          id: /^RF-/,
          status: 'applied',
          refundAmount: 300,
          originalAmount: 300,
          isFullRefund: false,
          atFaultParty,
          refundDate: activated,
          refundTimeOfDay: { hour: 18 },
          refundDetails: { merchantName: 'Shop' },
          caseId,
          operationId: /./,
        },
      },
    });
    t.match(await ask('GET', `${loan}/balances`), { json: { data: { outstandingBalances: { outstandingPrincipalAmount: 900 } } } });
    const rows = dataOf(await ask('GET', `${loan}/expected-payments`))['schedule'] as readonly { readonly amount: number }[];
    t.equal(rows[1]?.amount, level[1]?.amount, 'the recurring amount stays');
    t.ok(rows.length < level.length, 'payments at the end are gone');
    t.match(await emitted('loan.refunded', loan), [{ refundId: idOf(made), transactionIds: [], amount: 300 }]);
    const changed = await ask('PUT', `${refunds}/${idOf(made)}`, { refundAmount: 100, refundDate: later });
    t.match(changed, { status: 200, json: { data: { refundAmount: 100, originalAmount: 300, refundDate: later, atFaultParty } } });
    t.match(await ask('GET', `${refunds}/${idOf(made)}`), { status: 200, json: { data: { refundAmount: 100 } } });
    t.match(await ask('POST', `${refunds}/${idOf(made)}/cancel`, {}), {
      json: { data: { status: 'canceled', timestamps: { canceledAt: /^2026/ } } },
    });
    t.equal((await ask('GET', `${loan}/balances`)).text, before, 'no trace in the balances');
    t.match(await ask('POST', `${refunds}/${idOf(made)}/cancel`, {}), { status: 409 });
    t.match(await ask('PUT', `${refunds}/${idOf(made)}`, { refundAmount: 1 }), { status: 409 });
    await goTo(`2026-0${4 + at}-02`);
  }
  t.same(failures, []);
});

test('a full refund cancels interest and fees, pays the loan off, and owes the borrower what was paid', async (t) => {
  const { ask, loan, goTo, emitted } = await openLoanOverHttp(t, {}, WITH_FEE);
  await goTo('2026-03-15');
  t.match(await ask('POST', `${loan}/transactions`, { ...PAID, amount: 120 }), { status: 201 });
  await goTo('2026-03-25');
  const half = await ask('POST', `${loan}/refunds`, { refundAmount: 700, atFaultParty: 'merchant' });
  t.match(half, { json: { data: { isFullRefund: false } } });
  t.match(await ask('POST', `${loan}/refunds`, { refundAmount: 500.01, atFaultParty: 'merchant' }), {
    status: 422,
    json: { errorType: 'amountExceedsEligible', errors: [{ path: 'refundAmount' }] },
  });
  const preview = await ask('POST', `${loan}/refunds`, { refundAmount: 500, atFaultParty: 'loanOwner', previewMode: true });
  const rest = await ask('POST', `${loan}/refunds`, { refundAmount: 500, atFaultParty: 'loanOwner' });
  t.strictSame(withoutNames(rest.json), withoutNames(preview.json));
  t.match(rest, { json: { data: { isFullRefund: true } } });
  t.match(await ask('GET', `${loan}/refunds`), {
    json: { data: { eligibleRefundAmount: 0, refunds: [{ id: idOf(rest) }, { id: idOf(half) }] } },
  });
  t.match(await ask('GET', loan), { json: { data: { status: 'paidOff' } } });
  t.match(
    await ask('GET', `${loan}/balances`),
    { json: { data: { outstandingBalances: { outstandingTotalAmount: 0 }, reimbursementAmount: 120 } } },
    'all that was paid is owed back',
  );
  t.match((await emitted('loan.statuschanged')).at(-1), { newStatus: 'paidOff' });
  t.match(await ask('POST', `${loan}/refunds/${idOf(rest)}/cancel`, {}), { status: 200 });
  t.match(await ask('GET', loan), { json: { data: { status: 'active' } } });
  t.match((await emitted('loan.statuschanged')).at(-1), { newStatus: 'active' });
});

test('the origination fee is refunded only on the day of activation; late and other fees after a past date', async (t) => {
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  const other = {
    name: { displayName: 'Paper', apiName: 'paper' },
    feeType: 'serviceFee',
    amountLogic: 'fixed',
    amount: 5,
    trigger: 'manual',
  };
  const { ask, loan, goTo, company, h, loanTypeId, emitted } = await openLoanOverHttp(t, {}, WITH_FEE);
  for (const body of [late, other]) await h.command('feeType.create', company, body, { params: { loanTypeId } });
  const body = { refundAmount: 200, atFaultParty: 'loanServicer' };
  t.match(await ask('POST', `${loan}/refunds`, { ...body, isRefundOriginationFee: true, previewMode: true }), { status: 200 });
  await goTo('2026-04-01');
  await ask('POST', `${loan}/fees`, { apiName: 'paper' });
  const fees = async (): Promise<unknown> =>
    (dataOf(await ask('GET', `${loan}/balances`))['outstandingBalances'] as Record<string, unknown>)['outstandingFeesAmount'];
  t.equal(await fees(), 90);
  t.match(await ask('POST', `${loan}/refunds`, { ...body, isRefundOriginationFee: true }), {
    status: 422,
    json: { errors: [{ path: 'isRefundOriginationFee' }] },
  });
  const past = { ...body, refundDate: '2026-03-02', isRefundOriginationFee: true };
  for (const [parts, left] of [
    [{ isRefundLateFees: true }, 5],
    [{ isRefundOtherFees: true }, 25],
    [{ isRefundLateFees: true, isRefundOtherFees: true }, 0],
  ] as const) {
    const made = await ask('POST', `${loan}/refunds`, { ...past, ...parts });
    t.match(made, { json: { data: { isRefundOriginationFee: true, ...parts } } });
    t.equal(await fees(), left);
    await ask('POST', `${loan}/refunds/${idOf(made)}/cancel`, {});
    t.equal(await fees(), 90);
  }
  t.ok((await emitted('loan.fee.canceled')).length > 0);
});

test('each invalid refund is refused with its status code', async (t) => {
  const { ask, askWith, loan, created, failures } = await openLoanOverHttp(t);
  const refunds = `${loan}/refunds`;
  const body = { refundAmount: 10, atFaultParty: 'merchant' };
  for (const [wrong, status, path] of [
    [{ refundAmount: 0 }, 400, 'refundAmount'],
    [{ refundAmount: 1.005 }, 400, 'refundAmount'],
    [{ atFaultParty: 'nobody' }, 400, 'atFaultParty'],
    [{ refundDate: 'soon' }, 400, 'refundDate'],
    [{ refundTimeOfDay: { hour: 1, minute: 0, second: 0 } }, 400, 'refundTimeOfDay'],
    [{ refundDate: '2026-03-01' }, 422, undefined],
    [{ refundDate: '2026-03-03' }, 422, undefined],
    [{ refundAmount: 1200.01 }, 422, 'refundAmount'],
  ] as const) {
    const answer = await ask('POST', refunds, { ...body, ...wrong });
    t.match(answer, { status, json: { errors: [path === undefined ? {} : { path }] } }, JSON.stringify(wrong));
  }
  t.match(await ask('POST', refunds, {}), { status: 400, json: { errors: [{}, {}] } }, 'all faults at once');
  const made = await ask('POST', refunds, body);
  t.match(await ask('PUT', `${refunds}/${idOf(made)}`, { refundAmount: 1200.01 }), { status: 422 });
  t.match(await ask('GET', `${refunds}/RF-AAAA-AAAA`), { status: 404 });
  const pending = await created();
  t.match(await ask('POST', `${pending}/refunds`, body), { status: 409 });
  const all = ['loan.refund:create', 'loan.refund:list', 'loan.refund:cancel'];
  for (const [permission, method, path, sent] of [
    ['loan.refund:create', 'POST', refunds, body],
    ['loan.refund:list', 'GET', refunds, undefined],
    ['loan.refund:list', 'GET', `${refunds}/${idOf(made)}`, undefined],
    ['loan.refund:create', 'PUT', `${refunds}/${idOf(made)}`, {}],
    ['loan.refund:cancel', 'POST', `${refunds}/${idOf(made)}/cancel`, {}],
  ] as const) {
    t.equal(
      (
        await askWith(
          all.filter((other) => other !== permission),
          method,
          path,
          sent,
        )
      ).status,
      403,
      `${method} ${path}`,
    );
    t.equal((await askWith([permission], method, path, sent)).status, 200, `${method} ${path} with ${permission}`);
  }
  await ask('POST', `${loan}/accelerate`, {});
  t.match(
    await ask('POST', refunds, body),
    { status: 409, json: { errorType: 'invalidState' } },
    'an accelerated loan is refunded no more',
  );
  const refundId = (dataOf(await ask('GET', refunds))['refunds'] as readonly { readonly id: string }[])[0]?.id ?? '';
  t.match(await ask('POST', `${refunds}/${refundId}/cancel`, {}), { status: 200 }, 'but its refunds are canceled');
  t.same(failures, []);
});

test('the timeline of a loan lists refunds and advances', async (t) => {
  const { ask, active, goTo } = await openLoanOverHttp(
    t,
    { structure: { allowMultipleAdvances: true } },
    { ...SMALL, advanceSchedule: [{ amount: 200, advanceDate: '2026-06-01' }] },
  );
  const loan = await active();
  await goTo('2026-03-10');
  const refund = idOf(await ask('POST', `${loan}/refunds`, { refundAmount: 100, atFaultParty: 'merchant' }));
  await ask('POST', `${loan}/refunds/${refund}/cancel`, {});
  const [planned] = listOf(await ask('GET', `${loan}/advances`));
  await ask('PUT', `${loan}/advances/${String(planned?.['id'])}`, { status: 'settled' });
  const actions = async (types: string): Promise<readonly unknown[]> =>
    listOf(await ask('GET', `${loan}/activity?types=${types}`)).map(({ action, amount }) => [action, amount]);
  t.same(await actions('refund'), [
    ['refundCanceled', null],
    ['refund', 100],
  ]);
  t.same(await actions('advance'), [['advance', 200]]);
  const [canceled, made] = listOf(await ask('GET', `${loan}/activity?types=refund`));
  t.equal(made?.['supersededBy'], canceled?.['id']);
});

test('changes of a refund that do not concern the ledger leave no entry in it', async (t) => {
  const { ask, loan, goTo, emitted, failures } = await openLoanOverHttp(t);
  await goTo('2026-03-10');
  const refund = `${loan}/refunds/${idOf(await ask('POST', `${loan}/refunds`, { refundAmount: 100, atFaultParty: 'merchant' }))}`;
  const changes = (await emitted('loan.balance.changed')).length;
  const changed = await ask('PUT', refund, { atFaultParty: 'loanServicer', refundDetails: { description: 'late' } });
  t.match(changed, {
    status: 200,
    json: { data: { atFaultParty: 'loanServicer', refundAmount: 100, refundDetails: { description: 'late' } } },
  });
  t.equal((await emitted('loan.balance.changed')).length, changes);
  t.equal((await emitted('loan.refunded')).length, 1);
  t.match(await ask('POST', `${refund}/cancel`, {}), { status: 200, json: { data: { status: 'canceled' } } });
  t.match(await ask('GET', `${loan}/refunds`), { json: { data: { eligibleRefundAmount: 1200 } } });
  t.same(failures, []);
});
