import { test } from 'tap';
import { itemsOf } from '../harness.js';
import { openSetting } from './setting.js';

type Row = Readonly<Record<string, unknown>>;

test('a refund lowers principal, is listed with what is left to refund, changed and canceled', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-01-25');
  const body = {
    refundAmount: 4000,
    atFaultParty: 'merchant',
    refundDate: '2024-01-20',
    refundDetails: { description: 'returned goods', pointOfSaleType: 'online' },
  };
  const preview = await h.data('refund.create', loan.id, { ...body, previewMode: true });
  t.match(preview, { refundAmount: 4000, isFullRefund: false, status: 'applied' });
  t.match(await h.query('refund.list', loan.id), { eligibleRefundAmount: 10_000, refunds: [] });
  const refund = await h.data('refund.create', loan.id, body);
  t.match(refund, {
    id: /^RF-/,
    refundDate: '2024-01-20',
    originalAmount: 4000,
    atFaultParty: 'merchant',
    refundDetails: { description: 'returned goods' },
  });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 6000 } });
  t.match(await h.query('refund.list', loan.id), { eligibleRefundAmount: 6000, refunds: [{ id: refund.id }] });
  const changed = await h.data(
    'refund.update',
    loan.id,
    { refundAmount: 1000, atFaultParty: 'loanOwner' },
    { params: { refundId: refund.id } },
  );
  t.match(changed, { refundAmount: 1000, originalAmount: 4000, atFaultParty: 'loanOwner', refundDate: '2024-01-20' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 9000 } });
  await h.restart();
  t.match(await h.query('refund.get', loan.id, {}, { params: { refundId: refund.id } }), changed);
  t.match(await h.data('refund.cancel', loan.id, {}, { params: { refundId: refund.id } }), { status: 'canceled' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingPrincipalAmount: 10_000 } });
  t.match(await h.query('refund.list', loan.id), { eligibleRefundAmount: 10_000 });
  t.equal((await h.refusal('refund.cancel', loan.id, {}, { params: { refundId: refund.id } })).statusCode, 409);
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100 })) as unknown as readonly Row[];
  t.match(
    events.filter((event) => event['eventType'] === 'loan.refunded'),
    [{ data: { refundId: refund.id, amount: 4000 } }, { data: { amount: 1000 } }],
  );
});

test('a full refund pays the loan off and owes the borrower all that was paid', async (t) => {
  const { h, active, goTo } = await openSetting();
  const loan = await active();
  await goTo('2024-02-15');
  await h
    .command('transaction.create', loan.id, {
      transactionType: 'payment',
      scheduledAmount: 299.72,
      isExternal: true,
      status: 'succeeded',
      paymentInstrumentType: 'check',
    })
    .catch(() => undefined);
  const { reimbursementAmount: before } = (await h.query('loan.balances', loan.id)) as { readonly reimbursementAmount?: number };
  t.notOk(before);
  await h.command('refund.create', loan.id, { refundAmount: 10_000, atFaultParty: 'loanServicer' });
  t.match(await h.query('loan.get', loan.id), { status: 'paidOff' });
  t.match(await h.query('loan.balances', loan.id), { outstandingBalances: { outstandingTotalAmount: 0 } });
  const [refund] = (await h.query('refund.list', loan.id))['refunds'] as readonly { readonly id: string; readonly isFullRefund: boolean }[];
  t.match(refund, { isFullRefund: true });
  await h.command('refund.cancel', loan.id, {}, { params: { refundId: refund?.id ?? '' } });
  t.match(await h.query('loan.get', loan.id), { status: 'active' });
});

test('refunds are refused above what is eligible, ahead, before activation and on other statuses', async (t) => {
  const { h, active, create } = await openSetting();
  const loan = await active();
  const refusal = async (body: object): Promise<unknown> =>
    h.refusal('refund.create', loan.id, { refundAmount: 10, atFaultParty: 'merchant', ...body });
  t.match(await refusal({ refundAmount: 10_000.01 }), { statusCode: 422, errorType: 'amountExceedsEligible' });
  t.match(await refusal({ refundDate: '2024-01-14' }), { statusCode: 422 });
  t.match(await refusal({ refundDate: '2024-01-16' }), { statusCode: 422 });
  const waiting = await create();
  t.equal((await h.refusal('refund.create', waiting.id, { refundAmount: 10, atFaultParty: 'merchant' })).statusCode, 409);
  await h.command('loan.freeze', loan.id);
  t.match(await refusal({}), { statusCode: 409 });
});

test('the origination fee goes with a refund on the day of activation, late fees with a past one', async (t) => {
  const { h, active, goTo, loanTypeId } = await openSetting();
  const late = {
    name: { displayName: 'Late fee', apiName: 'late' },
    feeType: 'lateFee',
    amountLogic: 'fixed',
    amount: 25,
    trigger: 'overdueDays',
    triggerDays: 10,
  };
  await h.command('feeType.create', h.company, late, { params: { loanTypeId } });
  const loan = await active({ atOrigination: { fees: { originationFeeAmount: 100 } } });
  await goTo('2024-03-01');
  const fees = async (): Promise<unknown> =>
    ((await h.query('loan.balances', loan.id))['outstandingBalances'] as Row)['outstandingFeesAmount'];
  t.equal(await fees(), 125);
  const parts = { refundAmount: 500, atFaultParty: 'merchant', isRefundOriginationFee: true, isRefundLateFees: true };
  t.equal((await h.refusal('refund.create', loan.id, { ...parts, refundDate: '2024-02-10' })).statusCode, 422);
  const refund = await h.data('refund.create', loan.id, { ...parts, refundDate: '2024-01-15' });
  t.equal(await fees(), 0);
  await h.command('refund.cancel', loan.id, {}, { params: { refundId: refund.id } });
  t.equal(await fees(), 125);
});

test('the origination fee is refunded once', async (t) => {
  const { h, active } = await openSetting({ fees: { originationFeeLogic: 'firstPayment' } });
  t.teardown(() => h.engine.close());
  const loan = await active({ atOrigination: { fees: { originationFeeAmount: 100 } } });
  const body = { refundAmount: 500, atFaultParty: 'merchant', isRefundOriginationFee: true };
  const first = await h.data('refund.create', loan.id, body);
  t.match(await h.refusal('refund.create', loan.id, body), { statusCode: 422, errors: [{ path: 'isRefundOriginationFee' }] });
  t.match(
    await h.query('loan.balances', loan.id),
    { reimbursementAmount: 0, outstandingBalances: { outstandingFeesAmount: 0 } },
    'nobody has paid it',
  );
  await h.command('refund.cancel', loan.id, {}, { params: { refundId: first.id } });
  t.match(await h.data('refund.create', loan.id, body), { status: 'applied' });
});

test('what was not advanced yet is not refunded', async (t) => {
  const { h, active } = await openSetting({ structure: { allowMultipleAdvances: true } });
  t.teardown(() => h.engine.close());
  const loan = await active({ atOrigination: { principalAmount: 4_000 } });
  t.match(await h.query('refund.list', loan.id), { eligibleRefundAmount: 4_000 });
  t.equal((await h.refusal('refund.create', loan.id, { refundAmount: 10_000, atFaultParty: 'merchant' })).statusCode, 422);
  await h.command('advance.create', loan.id, { amount: 1_000 });
  t.match(await h.query('refund.list', loan.id), { eligibleRefundAmount: 5_000 });
  t.match(await h.data('refund.create', loan.id, { refundAmount: 5_000, atFaultParty: 'merchant' }), { isFullRefund: false });
  t.match(await h.query('loan.balances', loan.id), { reimbursementAmount: 0 });
});

test('a refund that moves to another day is published once', async (t) => {
  const { h, active, goTo } = await openSetting();
  t.teardown(() => h.engine.close());
  const loan = await active();
  await goTo('2024-01-25');
  const { id } = await h.data('refund.create', loan.id, { refundAmount: 500, atFaultParty: 'merchant' });
  await h.command('refund.update', loan.id, { refundDate: '2024-01-20' }, { params: { refundId: id } });
  const timed = await h.data(
    'refund.update',
    loan.id,
    { refundTimeOfDay: { hour: 9, minute: 0, second: 0 } },
    { params: { refundId: id } },
  );
  t.match(timed, { refundDate: '2024-01-20', refundTimeOfDay: { hour: 9 } }, 'another time of day leaves the day');
  const events = itemsOf(await h.query('event.list', null, { loanId: loan.id, order: 'asc', limit: 100 })) as unknown as readonly Row[];
  t.equal(events.filter((event) => event['eventType'] === 'loan.refunded').length, 1);
});
