import { type Test, test } from 'tap';
import { ANN } from '../../actors/borrower/lender.js';
import { loanBody } from '../../actors/loan/setting.js';
import { type HttpLender, dataOf, idOf, listOf, openHttpLender } from './http-lender.js';

interface OldLoan extends HttpLender {
  readonly loan: string;
}

/** A loan that another system activated on 2025-11-15; today is 2026-03-02. */
async function oldLoan(t: Test): Promise<OldLoan> {
  const lender = await openHttpLender(t);
  const { id: loanTypeId } = await lender.h.data('loanType.create', lender.company, { type: 'installment', name: 'Personal loan' });
  await lender.ask('POST', '/people', ANN);
  const body = loanBody(loanTypeId, {
    muteLoanNotices: true,
    migration: {
      activatedDate: '2025-11-15',
      creditReporting: {
        dateOfFirstDelinquency: '2025-12-15',
        k2Segment: { purchasedFromName: 'Southwind' },
        l1Segment: { changeIndicator: '1', oldConsumerAccountNumber: 'OLD-77' },
        paymentHistoryProfile: '0',
      },
    },
  } as object);
  const created = await lender.ask('POST', '/people/ext-ann-1/loans', body);
  t.match(created, {
    status: 200,
    json: {
      data: {
        status: 'originated',
        muteLoanNotices: true,
        migrationStatus: 'prepMigration',
        migration: { activatedDate: '2025-11-15', cutoffDate: null, creditReporting: { k2Segment: { purchasedFromName: 'Southwind' } } },
      },
    },
  });
  return { ...lender, loan: `/people/ext-ann-1/loans/${idOf(created)}` };
}

const PAID = { type: 'oneTime', amount: 299.72, isExternal: true, status: 'succeeded' };

test('a loan of another system is prepared, tried, fails, is rolled back and migrated over HTTP', async (t) => {
  const { ask, loan, failures } = await oldLoan(t);
  t.match(await ask('POST', `${loan}/activate`), { status: 409, json: { errors: [{ path: 'migrationStatus' }] } });
  t.match(await ask('POST', `${loan}/autopay`, {}), { status: 400 });
  t.match(
    await ask('POST', `${loan}/transactions`, {
      ...PAID,
      effectiveDate: '2025-12-15',
      effectiveTimeOfDay: { hour: 1, minute: 0, second: 0 },
    }),
    {
      status: 400,
      json: { errors: [{ path: 'effectiveTimeOfDay' }] },
    },
  );
  const paid = await ask('POST', `${loan}/transactions`, { ...PAID, effectiveDate: '2025-12-15' });
  t.match(paid, { status: 201, json: { data: { id: /^TX-/, status: 'succeeded', paidInterestAmount: 41.1 } } });
  t.match(await ask('GET', `${loan}/transactions`), { json: { count: 1 } });
  t.match(await ask('POST', `${loan}/rates`, { promoRate: { annualRate: 0.01, startDate: '2026-01-01' } }), {
    status: 201,
    json: { data: { promoRateId: /^RA-/ } },
  });
  t.match(await ask('GET', `${loan}/rates`), {
    status: 200,
    json: { data: { promoRates: [{ annualRate: 0.01, startDate: '2026-01-01' }] } },
  });

  const stated = { asOfDate: '2026-01-31', principalAmount: 9741, status: 'active' };
  const dry = await ask('POST', `${loan}/migrate?validateOnly=true`, { stated });
  t.match(dry, {
    status: 200,
    json: {
      data: {
        migrationStatus: 'prepMigration',
        errors: [],
        preparedActivities: 3,
        reconciliation: {
          asOfDate: '2026-01-31',
          differences: 1,
          figures: [{ field: 'status' }, { field: 'principalAmount', isMatch: false }],
        },
      },
    },
  });
  t.match(await ask('POST', `${loan}/migrate`, { stated: { asOfDate: '2026-01-31' }, toleranceAmount: -1 }), {
    status: 400,
    json: { errors: [{ path: 'toleranceAmount' }] },
  });
  t.match(await ask('POST', `${loan}/migration/rollback`), {
    status: 409,
    json: { errors: [{ path: 'migrationStatus', expected: 'failed' }] },
  });

  const failed = await ask('POST', `${loan}/migrate?sync=true`, { stated, failOnDifference: true });
  t.match(failed, {
    status: 200,
    json: {
      data: { migrationStatus: 'failed', status: 'originated', errors: [{ code: 'migrationValidation', field: 'principalAmount' }] },
    },
  });
  t.match(await ask('GET', `/operations/${String(dataOf(failed)['operationId'])}`), { status: 412, json: { message: /principalAmount/ } });
  t.match(await ask('POST', `${loan}/migrate`), { status: 409 });
  t.match(await ask('POST', `${loan}/migration/rollback`), {
    status: 200,
    json: { data: { migrationStatus: 'prepMigration', preparedActivities: 3 } },
  });

  const done = await ask('POST', `${loan}/migrate`, { stated });
  t.match(done, {
    status: 200,
    json: { data: { migrationStatus: 'migrated', status: 'active', operationId: /^[0-9a-f]{32}$/, reconciliation: { differences: 1 } } },
  });
  t.match(await ask('GET', `${loan}/migration`), {
    status: 200,
    json: { data: { migrationStatus: 'migrated', migratedAt: /Z$/, reconciliation: { differences: 1 } } },
  });
  t.match(await ask('GET', loan), { json: { data: { status: 'active', timestamps: { activatedAt: '2025-11-15T05:00:00.000Z' } } } });
  t.match(await ask('GET', '/loans?fields=idsOnly'), { json: { data: [{ migrationStatus: 'migrated' }] } });
  const events = listOf(await ask('GET', `/events?loanId=${String(dataOf(done)['loanId'])}&order=asc`)).map((event) => [
    event['eventType'],
    event['data'],
  ]);
  t.match(events, [
    ['loan.created'],
    ['loan.migration.failed', { migrationStatus: 'failed', failureReason: /principal/i }],
    ['loan.migration.succeeded', { activatedDate: '2025-11-15' }],
  ]);
  t.equal(events.length, 3);
  t.match(await ask('PUT', loan, { migration: { activatedDate: '2025-11-16' } }), {
    status: 409,
    json: { errors: [{ path: 'migration' }] },
  });
  t.match(await ask('PUT', loan, { migration: { creditReporting: { paymentHistoryProfile: '00' } } }), {
    json: {
      data: {
        migration: {
          creditReporting: { dateOfFirstDelinquency: '2025-12-15', l1Segment: { changeIndicator: '1' }, paymentHistoryProfile: '00' },
        },
      },
    },
  });
  for (const paymentHistoryProfile of ['XYZ', '12 4', '0B1'])
    t.match(await ask('PUT', loan, { migration: { creditReporting: { paymentHistoryProfile } } }), { status: 400 }, paymentHistoryProfile);
  t.match(await ask('PUT', loan, { migration: { migrationStatus: 'migrated' } }), {
    status: 400,
    json: { errors: [{ path: 'migration.migrationStatus' }] },
  });
  t.same(failures, []);
});

test('a fee of the other system names the transaction that it came with; draws and purchases have their history on lines', async (t) => {
  const { ask, loan, h, company, failures } = await oldLoan(t);
  const loanTypeId = String(dataOf(await ask('GET', loan))['loanTypeId']);
  await h.data(
    'feeType.create',
    company,
    { name: { displayName: 'Wire', apiName: 'wire' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 25, trigger: 'manual' },
    { params: { loanTypeId } },
  );
  const paid = await ask('POST', `${loan}/transactions`, { ...PAID, effectiveDate: '2025-12-15', externalId: 'tx-1' });
  const body = { apiName: 'wire', chargeDate: '2025-12-16' };
  const refused = (field: string): object => ({ status: 422, json: { errors: [{ path: `migration.${field}` }] } });
  t.match(await ask('POST', `${loan}/fees`, { ...body, migration: { originalDrawId: 'LN-AAAA-AAAA' } }), refused('originalDrawId'));
  t.match(
    await ask('POST', `${loan}/fees`, { ...body, migration: { originalTransactionId: 'TX-AAAA-AAAA' } }),
    refused('originalTransactionId'),
  );
  const made = await ask('POST', `${loan}/fees`, { ...body, migration: { originalTransactionId: 'ext-tx-1' } });
  t.match(listOf(made), [{ status: 'booked', scheduledDate: '2025-12-16', dynamicFeeDetails: { transactionId: idOf(paid) } }]);
  t.match(await ask('PUT', loan, { migration: { statusAtMigration: 'chargedOff' } }), refused('statusAtMigration'));
  await ask('POST', `${loan}/migrate`, {});
  t.match(await ask('POST', `${loan}/fees`, { ...body, migration: { originalTransactionId: 'ext-tx-1' } }), {
    status: 409,
    json: { errors: [{ path: 'migration' }] },
  });
  t.match(listOf(await ask('GET', `${loan}/fees`)), [{ dynamicFeeDetails: { transactionId: idOf(paid) } }]);
  t.same(failures, []);
});

test('the segment L1 of a migration announces a changed account number alone, under the number before', async (t) => {
  const { ask, loan } = await oldLoan(t);
  const sent = (l1Segment: object): ReturnType<typeof ask> => ask('PUT', loan, { migration: { creditReporting: { l1Segment } } });
  const path = 'migration.creditReporting.l1Segment';
  for (const changeIndicator of ['2', '3', 'X'])
    t.match(await sent({ changeIndicator }), { status: 400, json: { errors: [{ path: `${path}.changeIndicator` }] } });
  t.match(await sent({ oldConsumerAccountNumber: null }), {
    status: 400,
    json: { errors: [{ path: `${path}.oldConsumerAccountNumber` }] },
  });
  t.match(await sent({ oldConsumerAccountNumber: 'OLD-78' }), { status: 200 });
  const { loanTypeId } = dataOf(await ask('GET', loan));
  const migration = { activatedDate: '2025-11-15', creditReporting: { l1Segment: { changeIndicator: '1' } } };
  t.match(await ask('POST', '/people/ext-ann-1/loans', loanBody(String(loanTypeId), { migration } as object)), {
    status: 400,
    json: { errors: [{ path: `${path}.oldConsumerAccountNumber` }] },
  });
});

test('a closing date of the other system is compared with the day on which the replay pays the loan off', async (t) => {
  const { ask, loan } = await oldLoan(t);
  const compared = async (): Promise<unknown> => {
    const { reconciliation } = dataOf(await ask('POST', `${loan}/migrate?validateOnly=true`, {}));
    return (reconciliation as { readonly figures: unknown }).figures;
  };
  await ask('PUT', loan, { migration: { creditReporting: { dateClosed: '2026-02-18' } } });
  t.match(await compared(), [{ field: 'creditReporting.dateClosed', stated: '2026-02-18', computed: null, isMatch: false }]);
  await ask('POST', `${loan}/transactions?force=true`, { ...PAID, amount: 11_000, effectiveDate: '2026-02-18' });
  t.match(await compared(), [{ field: 'creditReporting.dateClosed', computed: '2026-02-18', isMatch: true }]);
});
