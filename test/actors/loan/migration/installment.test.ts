import { type Test, test } from 'tap';
import { loanModule } from '../../../../actors/loan/index.js';
import { type Data, itemsOf } from '../../harness.js';
import { loanBody, openSetting, type Setting } from '../setting.js';

const ALL = ['*'];

interface Taking extends Setting {
  /** A loan of the other system, activated there on 2024-01-15. */
  prepared(body?: object): Promise<Data>;
  record(type: string, loanId: string, body: object, params?: object): Promise<Data>;
  paid(loanId: string, effectiveDate: string, body?: object): Promise<Data>;
  migrate(loanId: string, body?: object, query?: object): Promise<Data>;
  events(loanId: string): Promise<readonly string[]>;
}

async function openTaking(t: Test, loanType: object = {}): Promise<Taking> {
  const setting = await openSetting(loanType, '2024-06-20', loanModule());
  const { h, personId, loanTypeId } = setting;
  t.teardown(() => h.engine.close());
  const record = (type: string, loanId: string, body: object, params: object = {}): Promise<Data> =>
    h.data(type, loanId, body, { permissions: ALL, params: { personId, ...params } });
  return {
    ...setting,
    record,
    prepared: (body = {}) =>
      h.data(
        'loan.create',
        personId,
        loanBody(loanTypeId, {
          migration: { activatedDate: '2024-01-15', activatedTimeOfDay: { hour: 9, minute: 30, second: 0 } },
          ...body,
        } as object),
        {
          params: { personId },
        },
      ),
    paid: (loanId, effectiveDate, body = {}) =>
      record('transaction.create', loanId, {
        type: 'oneTime',
        amount: 299.72,
        isExternal: true,
        status: 'succeeded',
        effectiveDate,
        ...body,
      }),
    migrate: (loanId, body = {}, query = {}) => h.data('loan.migrate', loanId, body, { query, params: { personId } }),
    events: async (loanId) =>
      itemsOf(await h.query('event.list', null, { loanId, order: 'asc', limit: 100 })).map((event) => String(event['eventType'])),
  };
}

test('a loan of another system is replayed from its activation and stands as if it had always been here', async (t) => {
  const { h, goTo, active, paid, prepared, migrate, events } = await openTaking(t);
  const loan = await prepared({ timestamps: { originatedAt: '2024-01-14T12:00:00Z', createdAt: '2024-01-10T12:00:00Z' } });
  t.match(loan, {
    status: 'originated',
    migrationStatus: 'prepMigration',
    timestamps: { originatedAt: '2024-01-14T12:00:00.000Z', createdAt: '2024-01-10T12:00:00.000Z' },
    migration: { activatedDate: '2024-01-15', migrationStatus: 'prepMigration' },
  });
  for (const date of ['2024-02-15', '2024-03-18', '2024-04-15', '2024-05-15']) await paid(loan.id, date);
  t.match(await h.query('loan.get', loan.id), { status: 'originated' });
  t.equal(itemsOf(await h.query('transaction.list', loan.id)).length, 4);
  t.match(itemsOf(await h.query('transaction.list', loan.id)).at(-1), {
    paidInterestAmount: 42.47,
    paidPrincipalAmount: 257.25,
    status: 'succeeded',
  });

  const done = await migrate(loan.id);
  t.match(done, { migrationStatus: 'migrated', status: 'active', preparedActivities: 0, errors: [] });
  t.match(await h.query('loan.get', loan.id), {
    status: 'active',
    migrationStatus: 'migrated',
    timestamps: { activatedAt: '2024-01-15T14:30:00.000Z', migratedAt: '2024-06-20T17:00:00.000Z' },
  });
  t.strictSame(await events(loan.id), ['loan.created', 'loan.migration.succeeded']);

  const live = await active({}, { activationDate: '2024-01-15' });
  for (const date of ['2024-02-15', '2024-03-18', '2024-04-15', '2024-05-15']) await paid(live.id, date);
  const figures = async (id: string): Promise<Data> => h.query('loan.balances', id);
  const bare = ({ loanId: _loan, transactionId: _transaction, ...rest }: Data & Record<string, unknown>): object => rest;
  t.strictSame(bare(await figures(loan.id)), bare(await figures(live.id)));
  t.match(await h.query('loan.get', loan.id), { current: { isOverdue: true, daysOverdue: 5, overdueAmount: 299.72 } });

  await goTo('2024-06-21');
  t.strictSame((await events(loan.id)).slice(2), ['loan.overdue.update'], 'afterwards events flow as of any loan');
});

test('a dry run reports to the cent what the replay gives beside what is stated, and changes nothing', async (t) => {
  const { h, paid, prepared, migrate, events } = await openTaking(t);
  const loan = await prepared();
  const { id: first } = await paid(loan.id, '2024-02-15');
  const stated = {
    asOfDate: '2024-03-01',
    principalAmount: 9742.75,
    outstandingAmount: 9763,
    status: 'active',
    nextDueDate: '2024-03-15',
    daysOverdue: 0,
    transactions: [{ transactionId: first, paidPrincipalAmount: 257.25, paidInterestAmount: 42.46 }],
  };
  const report = await migrate(loan.id, { stated }, { validateOnly: true });
  t.match(report, {
    migrationStatus: 'prepMigration',
    status: 'active',
    errors: [],
    reconciliation: { asOfDate: '2024-03-01', differences: 2 },
  });
  const figures = (report['reconciliation'] as { readonly figures: readonly Data[] }).figures;
  t.match(
    figures.find(({ field }) => field === 'outstandingAmount'),
    { stated: 9763, computed: 9762.77, difference: -0.23, isMatch: false },
  );
  t.match(
    figures.find(({ field }) => String(field).endsWith('paidInterestAmount')),
    { stated: 42.46, computed: 42.47, difference: 0.01 },
  );
  t.match(
    figures.find(({ field }) => field === 'nextDueDate'),
    { stated: '2024-03-15', computed: '2024-03-15', difference: 0, isMatch: true },
  );
  t.match(await h.query('loan.migration', loan.id), { migrationStatus: 'prepMigration', preparedActivities: 2, reconciliation: null });
  t.strictSame(await events(loan.id), ['loan.created']);

  const failed = await migrate(loan.id, { stated, failOnDifference: true });
  t.match(failed, {
    migrationStatus: 'failed',
    status: 'originated',
    preparedActivities: 2,
    errors: [{ code: 'migrationValidation' }, {}],
  });
  t.strictSame(await events(loan.id), ['loan.created', 'loan.migration.failed']);
  t.match(await h.refusal('loan.migrate', loan.id), { errorType: 'invalidState' });
  t.match(await h.data('loan.rollBackMigration', loan.id), { migrationStatus: 'prepMigration', errors: [], preparedActivities: 2 });
  t.match(await migrate(loan.id, { stated, failOnDifference: true, toleranceAmount: 0.25 }), {
    migrationStatus: 'migrated',
    reconciliation: { differences: 2 },
  });
});

test('an old system’s charge-off, down payment and holds are taken over, and its payments can still be disputed', async (t) => {
  const { h, record, paid, prepared, migrate, events } = await openTaking(t);
  const loan = await prepared({ timestamps: { chargedOffAt: '2024-05-20T16:00:00Z' } });
  await record('transaction.create', loan.id, {
    type: 'downPayment',
    amount: 500,
    isExternal: true,
    status: 'succeeded',
    effectiveDate: '2024-01-15',
  });
  const { id: transactionId } = await paid(loan.id, '2024-02-15', { holdDaysEndDate: '2024-02-20' });
  await record('loan.chargeOff', loan.id, { chargedOffReason: 'bankruptcy', effectiveDate: '2024-05-20' });
  t.match(await migrate(loan.id), {
    migrationStatus: 'migrated',
    status: 'chargedOff',
    reconciliation: { differences: 0, figures: [{ field: 'timestamps.chargedOffAt' }] },
  });
  t.match(await h.query('loan.get', loan.id), { status: 'chargedOff', chargedOffReason: 'bankruptcy' });
  t.match(await record('transaction.update', loan.id, { status: 'failed', failureReason: 'insufficientFunds' }, { transactionId }), {
    status: 'failed',
  });
  t.notOk((await events(loan.id)).includes('payment.hold.days.expired'));
});

test('what cannot be is refused with every fault at once', async (t) => {
  const { h, personId, loanTypeId, record, paid, prepared, migrate } = await openTaking(t);
  const create = (body: object): Promise<unknown> =>
    h.refusal('loan.create', personId, loanBody(loanTypeId, body), { params: { personId } });
  t.match(await create({ migration: { migrationStatus: 'prepMigration' }, status: 'declined' }), {
    errorType: 'validationError',
    errors: [{ path: 'declineReason' }, { path: 'migration.activatedDate' }, { path: 'status' }],
  });
  t.match(await create({ migration: { activatedDate: '2024-07-01' } }), {
    errorType: 'ruleViolation',
    errors: [{ path: 'migration.activatedDate' }],
  });

  const loan = await prepared();
  t.match(await h.refusal('loan.activate', loan.id), { errorType: 'invalidState', errors: [{ path: 'migrationStatus' }] });
  const pay = (body: object): Promise<unknown> =>
    h.refusal(
      'transaction.create',
      loan.id,
      { type: 'oneTime', amount: 10, isExternal: true, effectiveDate: '2024-02-20', ...body },
      { permissions: ALL },
    );
  t.match(await pay({ effectiveTimeOfDay: { hour: 1, minute: 59, second: 0 } }), {
    errorType: 'validationError',
    errors: [{ path: 'effectiveTimeOfDay' }],
  });
  t.match(await pay({ effectiveDate: '2024-01-14' }), { errorType: 'ruleViolation', errors: [{ path: 'effectiveDate' }] });
  t.match(await pay({ isExternal: false, paymentInstrumentId: 'PT-AAAA-AAAA' }), { errors: [{ path: 'paymentInstrumentId' }] });

  await paid(loan.id, '2024-02-15', { externalId: 'old-1' });
  t.match(await pay({ externalId: 'old-1' }), { errorType: 'duplicate' });
  t.match(await h.query('transaction.get', loan.id, {}, { params: { transactionId: 'ext-old-1' } }), { externalId: 'old-1' });
  await paid(loan.id, '2024-03-15');
  const update = (body: object): Promise<Data> => h.data('loan.update', loan.id, body, { params: { personId } });
  t.match(await update({ migration: { activatedDate: '2024-03-20' } }), { migration: { activatedDate: '2024-03-20' } });
  const refusal = await h.refusal('loan.migrate', loan.id);
  t.match(refusal, { errorType: 'migrationValidation', errors: [{ message: /2024-02-15/ }, { message: /2024-03-15/ }] });
  t.equal(refusal.errors.length, 2);
  t.match(await migrate(loan.id, {}, { validateOnly: true }), { migrationStatus: 'prepMigration', errors: [{}, {}], reconciliation: null });
  t.match(await h.refusal('loan.update', loan.id, { migration: { migrationStatus: 'nonMigrated' } }), { errorType: 'invalidState' });
  await update({ migration: { activatedDate: '2024-01-15', creditReporting: { paymentHistoryProfile: '000000' } } });

  await record('transaction.create', loan.id, {
    type: 'serviceCredit',
    amount: 90_000,
    effectiveDate: '2024-03-20',
    serviceCreditDetails: { type: 'courtesy' },
    scheduledDate: '2024-06-20',
  });
  t.match(await migrate(loan.id), { migrationStatus: 'failed', errors: [{ message: /more than the balances that it can lower/ }] });
});

test('a prepared loan survives a restart, and is the same after a recovery from the journal', async (t) => {
  const { h, paid, prepared, migrate } = await openTaking(t);
  const loan = await prepared();
  await paid(loan.id, '2024-02-15');
  await h.restart();
  await paid(loan.id, '2024-03-15');
  await migrate(loan.id);
  const before = [await h.query('loan.get', loan.id), await h.query('loan.balances', loan.id)];
  h.forgetSnapshots();
  await h.restart();
  t.strictSame([await h.query('loan.get', loan.id), await h.query('loan.balances', loan.id)], before);
});
