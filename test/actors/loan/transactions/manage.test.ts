import { test } from 'tap';
import { itemsOf } from '../../harness.js';
import { external, openPaySetting } from './setting.js';

const ALL = ['*'];

test('only what is scheduled is canceled; its external id can be freed', async (t) => {
  const { pay, act, get, h, loanId } = await openPaySetting();
  const first = await pay({ scheduledDate: '2024-02-15', externalId: 'march-1' });
  t.match(await act('cancel', first.id, { clearExternalId: true }), {
    status: 'canceled',
    cancelReason: 'canceledByUser',
    externalId: null,
  });
  const second = await pay({ scheduledDate: '2024-02-15', externalId: 'march-1' });
  t.match(await get('ext-march-1'), { id: second.id });
  const kept = await act('cancel', second.id, { cancelReason: 'duplicate' });
  t.match(kept, { status: 'canceled', cancelReason: 'duplicate', externalId: 'march-1' });
  t.match(await h.refusal('transaction.cancel', loanId, {}, { params: { transactionId: second.id } }), {
    statusCode: 409,
    errorType: 'invalidState',
  });
  const running = await pay();
  t.match(await h.refusal('transaction.cancel', loanId, {}, { params: { transactionId: running.id } }), { statusCode: 409 });
  t.match(await h.refusal('transaction.cancel', loanId, {}, { params: { transactionId: 'TX-NONE-NONE' } }), { statusCode: 404 });
});

test('cancel takes its reason from the query too', async (t) => {
  const { pay, h, loanId } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-02-15', externalId: 'x' });
  const query = { cancelReason: 'borrowerDeceased', clearExternalId: true };
  t.match(await h.data('transaction.cancel', loanId, {}, { params: { transactionId: id }, query }), {
    cancelReason: 'borrowerDeceased',
    externalId: null,
  });
});

test('a reversal gives the money back by a linked transaction, and the loan is as if never paid', async (t) => {
  const { pay, pass, act, get, h, loanId, loan, eventTypes } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await pay();
  t.match(
    await h.refusal('transaction.reverse', loanId, {}, { params: { transactionId: id } }),
    { statusCode: 409 },
    'not before it has succeeded',
  );
  await pass('2024-02-21');
  await eventTypes();
  const reversed = await act('reverse', id);
  t.match(reversed, { id, status: 'succeeded', paidPrincipalAmount: 0, reversingTransactionStatus: 'initiated' });
  t.equal((await eventTypes())[0], 'payment.reversed');
  const back = await get(reversed['reversedByTransactionId'] as string);
  t.match(back, {
    transactionType: 'reversal',
    status: 'initiated',
    actualAmount: 299.72,
    reversedTransactionId: id,
    reversedTransactionStatus: 'succeeded',
    paymentDetails: { reason: 'reversal', fromInstrumentId: null, toInstrumentId: 'PT-CHEC-KING' },
  });
  t.match(await loan(), { current: { isOverdue: true, daysOverdue: 6 } });
  for (const action of ['reverse', 'cancel', 'backdate']) {
    const body = action === 'backdate' ? { effectiveDate: '2024-02-01' } : {};
    for (const transactionId of [id, back.id]) {
      const refusal = await h.refusal(`transaction.${action}`, loanId, body, { params: { transactionId } });
      t.equal(refusal.statusCode, 409, `${action} ${transactionId}`);
    }
  }
  await pass('2024-02-27');
  t.match(await get(back.id), { status: 'succeeded' });
});

test('an external payment is not reversed', async (t) => {
  const { post, h, loanId } = await openPaySetting();
  const { id } = await post(external({ status: 'succeeded' }));
  t.match(await h.refusal('transaction.reverse', loanId, {}, { params: { transactionId: id } }), { statusCode: 409 });
});

test('a credit is taken back by a reversal that is done at once', async (t) => {
  const { post, act, get, h, loanId } = await openPaySetting();
  const { id } = await post({ type: 'serviceCredit', amount: 50, serviceCreditDetails: { type: 'courtesy' } });
  const reversed = await act('reverse', id);
  t.match(await get(reversed['reversedByTransactionId'] as string), { status: 'succeeded', transactionType: 'reversal' });
  t.match(await h.query('loan.balances', loanId, { isRounded: true }), { outstandingBalances: { outstandingPrincipalAmount: 10_000 } });
});

test('a backdated payment counts from its new day and remembers the first one', async (t) => {
  const { post, pass, act, loan, h, loanId } = await openPaySetting();
  await pass('2024-02-25');
  const { id } = await post(external({ status: 'succeeded' }));
  const ask = { params: { transactionId: id } };
  for (const effectiveDate of ['2024-02-25', '2024-03-01', '2024-01-14']) {
    t.match(await h.refusal('transaction.backdate', loanId, { effectiveDate }, ask), { statusCode: 422 }, effectiveDate);
  }
  const shown = await act('backdate', id, { effectiveDate: '2024-02-15', previewMode: true });
  const moved = await act('backdate', id, { effectiveDate: '2024-02-15' });
  t.match(moved, {
    status: 'succeeded',
    paidPrincipalAmount: 257.25,
    paidInterestAmount: 42.47,
    timestamps: { effectiveDate: '2024-02-15', originalEffectiveDate: '2024-02-25' },
  });
  t.match(shown, { paidPrincipalAmount: 257.25, timestamps: { effectiveDate: '2024-02-15' } });
  t.match(await loan(), { current: { isOverdue: false } });
  t.match(await act('backdate', id, { effectiveDate: '2024-02-01' }), { timestamps: { originalEffectiveDate: '2024-02-25' } });
});

test('only what has succeeded is backdated', async (t) => {
  const { pay, pass, h, loanId } = await openPaySetting();
  await pass('2024-01-17');
  const { id } = await pay();
  t.match(await h.refusal('transaction.backdate', loanId, { effectiveDate: '2024-01-16' }, { params: { transactionId: id } }), {
    statusCode: 409,
  });
});

test('a scheduled payment is moved to another day, amount and instrument', async (t) => {
  const { pay, pass, act, get, h, loanId, eventTypes } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-01-18' });
  await eventTypes();
  const moved = await act('reschedule', id, { scheduledDate: '2024-01-23', amount: 100, paymentInstrumentId: 'PT-LATE-BACK' });
  t.match(moved, {
    status: 'scheduled',
    scheduledAmount: 100,
    paymentDetails: { fromInstrumentId: 'PT-LATE-BACK' },
    timestamps: { scheduledDate: '2024-01-23', effectiveDate: '2024-01-23' },
  });
  t.same(await eventTypes(), ['payment.rescheduled']);
  const ask = { params: { transactionId: id } };
  t.match(await h.refusal('transaction.reschedule', loanId, { scheduledDate: '2024-01-14' }, ask), { statusCode: 400 });
  t.match(await h.refusal('transaction.reschedule', loanId, { scheduledDate: '2024-02-01', paymentInstrumentId: 'PT-CHEK-CHEK' }, ask), {
    statusCode: 422,
  });
  await pass('2024-01-18');
  t.match(await get(id), { status: 'scheduled' });
  await pass('2024-01-23');
  t.match(await get(id), { status: 'initiated', actualAmount: 100 });
  t.match(await h.refusal('transaction.reschedule', loanId, { scheduledDate: '2024-02-01' }, ask), { statusCode: 409 });
});

test('a payment that is rescheduled to today is initiated in the same request', async (t) => {
  const { pay, pass, act } = await openPaySetting();
  const { id } = await pay({ scheduledDate: '2024-01-18' });
  await pass('2024-01-17');
  t.match(await act('reschedule', id, { scheduledDate: '2024-01-17' }), {
    status: 'initiated',
    timestamps: { effectiveDate: '2024-01-17' },
  });
});

test('lists filter, sort and page', async (t) => {
  const { pay, post, h, loanId, personId } = await openPaySetting();
  const a = await pay({ externalId: 'a' });
  const b = await post(external({ amount: 10, status: 'succeeded' }));
  const c = await pay({ amount: 500, scheduledDate: '2024-02-20' });
  const idsOf = async (query: object, target = loanId, type = 'transaction.list'): Promise<readonly string[]> =>
    itemsOf(await h.query(type, type === 'transaction.list' ? target : null, query, { params: { personId } })).map((item) => item.id);
  t.same(await idsOf({}), [c.id, b.id, a.id], 'newest first');
  t.same(await idsOf({ status: ['scheduled', 'initiated'] }), [c.id, a.id]);
  t.same(await idsOf({ isExternal: true }), [b.id]);
  t.same(await idsOf({ isVirtual: true }), []);
  t.same(await idsOf({ paymentInstrumentId: 'PT-CHEC-KING' }), [c.id, a.id]);
  t.same(await idsOf({ fromEffectiveDate: '2024-01-16' }), [c.id]);
  t.same(await idsOf({ toEffectiveDate: '2024-01-15' }), [b.id, a.id]);
  t.same(await idsOf({ sortBy: ['scheduledAmount'] }), [b.id, a.id, c.id]);
  t.same(await idsOf({ sortBy: ['-scheduledAmount'] }), [c.id, a.id, b.id]);
  t.same(await idsOf({ limit: 1, startingAfter: c.id }), [b.id]);
  t.same(await idsOf({ limit: 1, endingBefore: 'ext-a' }), [b.id]);
  for (const type of ['transaction.listOfPerson', 'transaction.listAll']) {
    t.same(await idsOf({}, loanId, type), [c.id, b.id, a.id], type);
    t.same(await idsOf({ limit: 2, startingAfter: c.id }, loanId, type), [b.id, a.id], type);
    t.same(await idsOf({ limit: 1, endingBefore: a.id }, loanId, type), [b.id], type);
    t.same(await idsOf({ status: ['failed'] }, loanId, type), [], type);
  }
});

test('the company-wide list has the number of matching transactions, on every page and after a restart', async (t) => {
  const { h, personId, post, active } = await openPaySetting();
  const other = await active();
  const posted = await post(external({ amount: 1 }));
  await post(external({ amount: 2, status: 'succeeded' }));
  await h.data('transaction.create', other.id, external({ amount: 1 }), { permissions: ALL });
  await h.data(
    'transaction.cancel',
    other.id,
    {},
    {
      params: {
        transactionId: (
          await h.data('transaction.create', other.id, external({ amount: 3, scheduledDate: '2024-02-20' }), { permissions: ALL })
        ).id,
      },
      permissions: ALL,
    },
  );
  const totalOf = async (query: object): Promise<unknown> => (await h.query('transaction.listAll', null, query))['total'];
  const expected: readonly (readonly [object, number])[] = [
    [{}, 4],
    [{ limit: 1 }, 4],
    [{ limit: 1, startingAfter: posted.id }, 4],
    [{ limit: 1, endingBefore: posted.id }, 4],
    [{ status: ['pending'] }, 2],
    [{ status: ['pending', 'canceled'] }, 3],
    [{ status: ['failed'] }, 0],
    [{ personId }, 2],
    [{ isExternal: true, toEffectiveDate: '2024-02-19' }, 3],
    [{ sortBy: ['-createdAt'], status: ['succeeded'] }, 1],
  ];
  for (const [query, total] of expected) t.equal(await totalOf(query), total, JSON.stringify(query));
  await h.restart();
  for (const [query, total] of expected) t.equal(await totalOf(query), total, `${JSON.stringify(query)} after a restart`);
});

test('the company-wide list merges the loans in the order of their transactions', async (t) => {
  const { h, loanId, personId, post, active } = await openPaySetting();
  const other = await active();
  const ids: string[] = [];
  for (let count = 0; count < 9; count += 1) {
    const made =
      count % 3 === 0
        ? await post(external({ amount: 1 }))
        : await h.data('transaction.create', other.id, external({ amount: 1 }), { permissions: ALL });
    ids.unshift(made.id);
  }
  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await h.query('transaction.listAll', null, { limit: 2, ...(cursor === undefined ? {} : { startingAfter: cursor }) });
    pages.push(...itemsOf(page).map((item) => item.id));
    cursor = pages.at(-1);
    if (page['hasMore'] !== true) break;
  }
  t.same(pages, ids);
  const mine = await h.query('transaction.listAll', null, { personId });
  t.same(
    itemsOf(mine).map((item) => item['loanId']),
    [loanId, loanId, loanId],
  );
});

test('the allocation shows bucket and obligation of every cent', async (t) => {
  const { pay, pass, h, loanId } = await openPaySetting();
  await pass('2024-02-15');
  const { id } = await pay({ amount: 400 });
  const shown = await h.query('transaction.allocation', loanId, {}, { params: { transactionId: id } });
  t.match(shown, { transactionId: id, appliedAmount: 400, principalAmount: 357.53, interestAmount: 42.47, feesAmount: 0, overAmount: 0 });
  t.match(shown['rows'], [
    { bucket: 'dueInterest', amount: 42.47, dueDate: '2024-02-15' },
    { bucket: 'duePrincipal', amount: 257.25, dueDate: '2024-02-15' },
    { bucket: 'nonDuePrincipal', amount: 100.28, obligationId: null },
  ]);
});

test('a preview shows split, balances and obligations', async (t) => {
  const { pass, h, loanId } = await openPaySetting();
  await pass('2024-02-20');
  const body = { type: 'oneTime', amount: 299.72, paymentInstrumentId: 'PT-CHEC-KING' };
  const shown = await h.data('transaction.preview', loanId, body, { permissions: ALL });
  t.match(shown, {
    transaction: { status: 'initiated' },
    allocation: { principalAmount: 257.25, interestAmount: 42.47 },
    balances: { loanStatus: 'active', outstandingPrincipalAmount: 9742.75, overdueTotalAmount: 0 },
    obligations: [{ dueDate: '2024-02-15', remainingAmount: 0, isFulfilled: true }],
  });
  t.match(await h.data('transaction.preview', loanId, { ...body, scheduledDate: '2024-02-26' }, { permissions: ALL }), {
    transaction: { status: 'scheduled' },
    allocation: { principalAmount: 257.25 },
  });
  t.match(await h.query('transaction.list', loanId), { total: 0 });
});
