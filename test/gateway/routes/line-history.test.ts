import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { FEBRUARY, oldLine, type OldLine, stated } from './old-line.js';

const WIRE = { name: { displayName: 'Wire', apiName: 'wire' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 25, trigger: 'manual' };

/** A line with 30.00 of the fees of the other system unpaid, in due balances. */
async function withFees(old: OldLine): Promise<void> {
  const { ask, line, draw, h, company, loanTypeId } = old;
  await h.data('feeType.create', company, WIRE, { params: { loanTypeId } });
  await stated(old);
  await ask('PUT', `${draw}/migration/period`, { dueBalances: { dueDynamicFeesAmount: 30 } });
  await ask('PUT', `${line}/migration/period`, { obligation: { obligationAmount: 85, remainingAmount: 85 } });
}

const owed = async ({ ask, line }: OldLine): Promise<readonly unknown[]> => {
  const { outstandingFeesAmount, outstandingPrincipalAmount } = dataOf(await ask('GET', `${line}/balances?isRounded=true`))[
    'outstandingBalances'
  ] as Record<string, unknown>;
  return [outstandingFeesAmount, outstandingPrincipalAmount];
};

test('a fee that the other system charged is history; canceling it reduces unpaid fees first, then principal', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures, h } = old;
  await withFees(old);
  const fees = `${line}/fees`;
  const migration = { originalDrawId: 'ext-d-1' };
  const body = { apiName: 'wire', feeAmount: 20, chargeDate: '2026-01-05', externalId: 'old-fee', migration };
  t.match(
    await ask('POST', fees, {
      ...body,
      chargeDate: '2026-02-22',
      migration: { originalTransactionId: 'TX-AAAA-AAAA', originalPurchaseId: 'DP-AAAA-AAAA' },
    }),
    {
      status: 400,
      json: {
        errorType: 'migrationValidation',
        errors: [
          { path: 'chargeDate' },
          { path: 'migration.originalDrawId' },
          { path: 'migration.originalTransactionId' },
          { path: 'migration.originalPurchaseId' },
        ],
      },
    },
  );
  t.match(await ask('POST', fees, { ...body, chargeDate: null }), { status: 400, json: { errors: [{ path: 'chargeDate' }] } });
  const made = await ask('POST', fees, body);
  const [fee] = listOf(made);
  t.match(fee, {
    id: /^LF-/,
    status: 'booked',
    amount: 20,
    remainingAmount: 0,
    scheduledDate: '2026-01-05',
    migration: { originalDrawId: draw.split('/').at(-1), originalTransactionId: null },
    dynamicFeeDetails: { loanFeeExternalId: 'old-fee', apiName: 'wire' },
  });
  t.match(await ask('POST', fees, body), { status: 409, json: { errorType: 'duplicate' } });
  const second = listOf(await ask('POST', fees, { apiName: 'wire', chargeDate: '2026-01-06', migration }))[0] ?? {};
  const third = listOf(await ask('POST', fees, { apiName: 'wire', chargeDate: '2026-01-07', migration }))[0] ?? {};
  t.match(await ask('GET', `${fees}?types=dynamicFee`), { json: { count: 3 } });
  t.match(await ask('PUT', `${fees}/${String(third['id'])}/cancel`, {}), { status: 200, json: { data: { status: 'canceled' } } });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200, json: { data: { migrationStatus: 'migrated' } } });
  t.same(await owed(old), [30, 945], 'history moves no balance');
  const seeded = async (): Promise<Readonly<Record<string, unknown>> | undefined> =>
    listOf(await ask('GET', fees)).find(({ dynamicFeeDetails, type }) => type === 'dynamicFee' && dynamicFeeDetails === null);
  const ofCutoff = await seeded();
  t.match(ofCutoff, { id: /^LF-/, amount: 30, remainingAmount: 30, status: 'booked', drawId: draw.split('/').at(-1) });
  t.match(await ask('GET', `${fees}/${String(ofCutoff?.['id'])}`), { status: 200, json: { data: { remainingAmount: 30 } } });
  t.match(
    await ask('PUT', `${fees}/${String(ofCutoff?.['id'])}/cancel`, {}),
    { status: 409, json: { errorType: 'invalidState' } },
    'a service credit lowers it',
  );
  t.match(await ask('GET', `${fees}/ext-old-fee`), { json: { data: { status: 'booked' } } });

  t.match(await ask('PUT', `${fees}/ext-old-fee/cancel`, { previewMode: true }), { json: { data: { status: 'canceled' } } });
  t.same(await owed(old), [30, 945]);
  t.match(await ask('PUT', `${fees}/ext-old-fee/cancel`, { reason: 'wrong' }), {
    status: 200,
    json: { data: { status: 'canceled', amount: 0 } },
  });
  t.same(await owed(old), [10, 945]);
  t.match(await seeded(), { amount: 30, remainingAmount: 10 });
  t.match(await ask('PUT', `${fees}/ext-old-fee/cancel`, {}), { status: 409 });
  t.match(await ask('PUT', `${fees}/${String(second['id'])}/cancel`, {}), { status: 200 });
  t.same(await owed(old), [0, 930], '10.00 of the fees were left, 15.00 are of the principal');
  t.match(await ask('GET', `${line}/obligations`), {
    json: { data: { obligations: [{ obligationAmount: 85, remainingAmount: 55 }, {}] } },
  });
  t.match(await ask('POST', fees, { ...body, externalId: null }), { status: 409 }, 'after the migration nothing of the past is recorded');
  const loanId = line.split('/').at(-1) ?? '';
  t.match(listOf(await ask('GET', `/events?loanId=${loanId}&eventType=loan.fee.canceled`)), [
    { data: { amount: 25 } },
    { data: { amount: 20, reason: 'wrong' } },
  ]);
  for (const path of ['activity', 'transactions', 'statements', 'periods', 'balances'])
    t.equal((await ask('GET', `${line}/${path}`)).status, 200, path);
  const before = await h.query('loan.balances', loanId);
  h.forgetSnapshots();
  await h.restart();
  t.strictSame(await h.query('loan.balances', loanId), before);
  t.same(failures, []);
});

const SPLIT = { drawSplitDetails: [{ drawId: 'ext-d-1', principalAmount: 80, interestAmount: 20 }] };

test('a transaction of the other system is reversed: each draw owes its share again, and its external id can be given back', async (t) => {
  const old = await oldLine(t);
  const { ask, line, failures } = old;
  await stated(old);
  const past = `${line}/migration/past-transaction`;
  const first = await ask('POST', past, { amount: 100, effectiveDate: '2026-01-10', externalId: 'old-1', ...SPLIT });
  const second = await ask('POST', past, { amount: 100, effectiveDate: '2026-01-11', status: 'pending', ...SPLIT });
  const early = await ask('POST', past, { amount: 100, effectiveDate: '2026-01-12', ...SPLIT });
  t.match(await ask('POST', `${line}/transactions/${idOf(early)}/reverse`, {}), {
    json: { data: { status: 'succeeded', reversedByTransactionId: /^TX-/ } },
  });
  await ask('POST', `${line}/migrate`, {});
  t.same(await owed(old), [0, 945], 'what was reversed before is in the balances that were stated');
  t.match(await ask('POST', `${line}/transactions/${idOf(second)}/reverse`, {}), { status: 409, json: { errors: [{ path: 'status' }] } });
  t.match(await ask('POST', `${line}/transactions/ext-old-1/cancel`, {}), { status: 409, json: { errors: [{ path: 'clearExternalId' }] } });
  t.match(await ask('POST', `${line}/transactions/ext-old-1/cancel`, { clearExternalId: true }), {
    json: { data: { externalId: null, status: 'succeeded' } },
  });
  t.match(
    await ask('POST', `${line}/transactions`, { type: 'oneTime', amount: 1, isExternal: true, status: 'succeeded', externalId: 'old-1' }),
    { status: 201 },
  );
  const reverse = `${line}/transactions/${idOf(first)}/reverse`;
  t.match(await ask('POST', reverse, { previewMode: true }), { json: { data: { paidPrincipalAmount: 0 } } });
  const before = await owed(old);
  const reversed = await ask('POST', reverse, {});
  t.match(reversed, { json: { data: { id: idOf(first), reversedByTransactionId: /^TX-/, paidPrincipalAmount: 0 } } });
  t.same(await owed(old), [before[0], Number(before[1]) + 100]);
  t.match(await ask('POST', reverse, {}), { status: 409 });
  t.match(await ask('PUT', `${past}/${idOf(first)}`, { status: 'failed', failureReason: 'insufficientFunds' }), { status: 409 });
  t.match(listOf(await ask('GET', `${line}/migration/past-transactions`)), [
    { transactionType: 'reversal', parentTransactionId: idOf(first) },
    { parentTransactionId: idOf(early) },
    {},
    {},
    {},
  ]);
  t.ok(FEBRUARY);
  t.same(failures, []);
});

test('history that was recorded before the cutoff was stated must be before it', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures } = old;
  const made = listOf(await ask('GET', `${line}/draws`)).find(({ drawType }) => drawType === 'static');
  const history = `${line}/draws/${String(made?.['id'])}`;
  const late = { amount: 60, purchaseDate: '2026-02-25', migration: { originalDrawId: draw.split('/').at(-1) } };
  const bought = await ask('POST', `${history}/purchases`, late);
  t.match(bought, { status: 200 });
  await stated(old);
  t.match(await ask('POST', `${line}/migrate?validateOnly=true`, {}), {
    json: { data: { errors: [{ field: `purchases.${idOf(bought)}`, code: 'migrationValidation' }] } },
  });
  t.match(await ask('POST', `${history}/purchases/${idOf(bought)}/cancel`, {}), { status: 200 });
  t.match(await ask('POST', `${line}/migrate?validateOnly=true`, {}), { json: { data: { errors: [] } } });
  t.same(failures, []);
});

test('history names its draw, payment and purchase by their external ids, too', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw } = old;
  await withFees(old);
  const made = listOf(await ask('GET', `${line}/draws`)).find(({ drawType }) => drawType === 'static');
  const history = `${line}/draws/${String(made?.['id'])}/purchases`;
  const body = { amount: 60, purchaseDate: '2026-01-10', externalId: 'old-purchase' };
  t.match(await ask('POST', history, { ...body, migration: { originalDrawId: 'ext-nothing' } }), { status: 422 });
  const bought = await ask('POST', history, { ...body, migration: { originalDrawId: 'ext-d-1' } });
  t.match(bought, { status: 200, json: { data: { migration: { originalDrawId: draw.split('/').at(-1) } } } });
  const migration = { originalDrawId: 'ext-d-1', originalPurchaseId: 'ext-old-purchase' };
  t.match(listOf(await ask('POST', `${line}/fees`, { apiName: 'wire', chargeDate: '2026-01-10', migration })), [
    { migration: { originalDrawId: draw.split('/').at(-1), originalPurchaseId: idOf(bought) } },
  ]);
});
