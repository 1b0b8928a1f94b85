import { test } from 'tap';
import { dataOf, idOf, listOf } from './http-lender.js';
import { DECEMBER, FEBRUARY, JANUARY, oldLine, period, stated } from './old-line.js';

test('past periods of a line are recorded, changed and deleted', async (t) => {
  const { ask, line, failures } = await oldLine(t);
  const periods = `${line}/migration/past-periods`;
  t.match(await ask('POST', periods, { pastPeriods: [JANUARY, period('2025-11-24', '2025-12-20', '2025-12-20', '2026-02-15')] }), {
    status: 400,
    json: {
      errorType: 'migrationValidation',
      errors: [
        { path: 'pastPeriods[1].statementDate' },
        { path: 'pastPeriods[1].dueDate' },
        { path: 'pastPeriods[0].startDate' },
        { path: 'pastPeriods[1].dueDate' },
      ],
    },
  });
  t.match(await ask('POST', periods, { pastPeriods: [{ ...JANUARY, statementBalanceAmount: 500.5, minPaymentAmount: 25 }, DECEMBER] }), {
    status: 201,
    json: {
      data: [
        { id: /^MP-/, startDate: '2025-11-25' },
        { statementBalanceAmount: 500.5, dueDate: '2026-02-15' },
      ],
    },
  });
  t.match(await ask('GET', `${periods}?dueDate=2026-02-15`), { status: 200, json: { data: [{ startDate: '2025-12-25' }] } });
  t.match(await ask('PUT', `${periods}?dueDate=2026-02-15`, { minPaymentAmount: null }), {
    status: 200,
    json: { data: { minPaymentAmount: null, statementBalanceAmount: 500.5 } },
  });
  t.match(await ask('PUT', `${periods}?dueDate=2026-02-16`, { minPaymentAmount: 1 }), { status: 200, json: { data: null } });
  t.match(await ask('PUT', `${periods}?dueDate=2026-02-15`, { dueDate: '2026-01-15' }), {
    status: 400,
    json: { errors: [{ path: 'dueDate' }, { path: 'dueDate' }] },
  });
  t.match(await ask('PUT', periods, {}), { status: 400, json: { errors: [{ path: 'dueDate' }] } });
  t.match(await ask('DELETE', `${periods}?dueDate=2026-01-15`), { status: 200, json: { data: { startDate: '2025-11-25' } } });
  t.match(await ask('GET', periods), { json: { data: [{ startDate: '2025-12-25' }] } });
  t.same(failures, []);
});

test('the balances of a line and its draws at the cutoff are stated', async (t) => {
  const { ask, line, draw, failures } = await oldLine(t);
  t.match(await ask('GET', `${line}/migration/period`), { status: 404 });
  t.match(await ask('POST', `${line}/migration/period`, { ...FEBRUARY, dueDate: '2026-03-14' }), {
    status: 400,
    json: { errorType: 'migrationValidation', errors: [{ path: 'dueDate', message: /specificDays/ }] },
  });
  t.match(
    await ask('POST', `${line}/migration/period`, {
      ...FEBRUARY,
      reimbursementAmount: 1.001,
      dueBalances: { dueOriginationFeesAmount: -1 },
    }),
    {
      status: 400,
      json: { errors: [{ path: 'reimbursementAmount' }, { path: 'dueBalances.dueOriginationFeesAmount' }] },
    },
  );
  const body = {
    ...FEBRUARY,
    dueBalances: { dueOriginationFeesAmount: 2 },
    obligation: { obligationAmount: 27, migratedOverdueAmount: 5, migratedDaysOverdue: 7 },
  };
  const made = await ask('POST', `${line}/migration/period`, body);
  t.match(made, {
    status: 201,
    json: {
      data: {
        dueBalances: { dueOriginationFeesAmount: 2, duePrincipalAmount: 0, dueTotalAmount: 2 },
        reimbursementAmount: 0,
        obligation: {
          obligationAmount: 27,
          remainingAmount: 27,
          migratedOverdueAmount: 5,
          migratedOverdueRemainingAmount: 5,
          migratedDaysOverdue: 7,
          isGracePeriodEligible: false,
        },
      },
    },
  });
  t.match(await ask('POST', `${line}/migration/period`, body), { status: 409, json: { errorType: 'duplicate' } });
  t.match(await ask('PUT', `${line}/migration/period`, { obligation: { remainingAmount: 26 } }), {
    json: { data: { obligation: { obligationAmount: 27, remainingAmount: 26 } } },
  });
  t.match(await ask('GET', line), { json: { data: { migration: { cutoffDate: '2026-02-22' } } } });

  t.match(await ask('GET', `${draw}/migration/period`), { status: 404 });
  t.match(
    await ask('POST', `${draw}/migration/period`, {
      ...FEBRUARY,
      nonDueBalances: { nonDuePrincipalAmount: 900 },
      dueBalances: { dueDrawFeesAmount: 1.5 },
      fullBalanceAmount: 901.5,
    }),
    {
      status: 201,
      json: {
        data: {
          drawId: draw.split('/').at(-1),
          nonDueBalances: { nonDueTotalAmount: 900 },
          dueBalances: { dueDrawFeesAmount: 1.5 },
          fullBalanceAmount: 901.5,
        },
      },
    },
  );
  t.match(await ask('PUT', `${line}/draws/ext-d-1/migration/period`, { isGracePeriodEligible: true }), {
    json: { data: { isGracePeriodEligible: true, fullBalanceAmount: 901.5 } },
  });
  t.match(await ask('GET', `${draw}/migration/period`), { json: { data: { nonDueBalances: { nonDuePrincipalAmount: 900 } } } });
  t.match(await ask('GET', `${line}/draws/LN-AAAA-AAAA/migration/period`), { status: 404 });
  t.same(failures, []);
});

test('transactions before the cutoff are recorded, and their status moves on', async (t) => {
  const { ask, line, draw, failures } = await oldLine(t);
  await ask('POST', `${line}/migration/period`, FEBRUARY);
  const past = `${line}/migration/past-transaction`;
  const body = {
    amount: 100,
    effectiveDate: '2026-01-10',
    externalId: 'old-1',
    drawSplitDetails: [{ drawId: 'ext-d-1', principalAmount: 80, interestAmount: 19.5, feesAmount: 0.5 }],
  };
  t.match(
    await ask('POST', past, { ...body, effectiveDate: '2026-02-22', drawSplitDetails: [{ drawId: 'LN-AAAA-AAAA', principalAmount: 101 }] }),
    {
      status: 400,
      json: {
        errorType: 'migrationValidation',
        errors: [{ path: 'effectiveDate' }, { path: 'drawSplitDetails[0].drawId' }, { path: 'drawSplitDetails' }],
      },
    },
  );
  t.match(await ask('POST', past, { ...body, status: 'failed' }), { status: 400, json: { errors: [{ path: 'failureReason' }] } });
  const made = await ask('POST', past, { ...body, status: 'pending' });
  t.match(made, {
    status: 201,
    json: {
      data: {
        id: /^TX-/,
        status: 'pending',
        actualAmount: 100,
        paidInterestAmount: 19.5,
        drawSplitDetails: [{ drawId: draw.split('/').at(-1), totalAmount: 100 }],
        timestamps: { effectiveDate: '2026-01-10' },
      },
    },
  });
  t.match(await ask('POST', past, body), { status: 409, json: { errorType: 'duplicate' } });
  t.match(await ask('PUT', `${past}/${idOf(made)}`, { status: 'succeeded' }), { json: { data: { status: 'succeeded' } } });
  t.match(await ask('PUT', `${past}/ext-old-1`, { status: 'failed' }), { status: 400 });
  t.match(await ask('PUT', `${past}/ext-old-1`, { status: 'failed', failureReason: 'insufficientFunds' }), {
    json: { data: { status: 'failed', paidPrincipalAmount: 0 } },
  });
  t.match(await ask('PUT', `${past}/ext-old-1`, { status: 'succeeded' }), { status: 409 });
  t.match(await ask('GET', `${line}/migration/past-transactions`), { json: { count: 1, data: [{ id: idOf(made) }] } });
  t.match(await ask('PUT', `${past}/TX-AAAA-AAAA`, { status: 'succeeded' }), { status: 404 });
  t.ok(dataOf(made));
  t.same(failures, []);
});

test('a line goes on from the balances of its cutoff, with what has happened since', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures } = old;
  const drawn = listOf(await ask('GET', `${line}/draws`));
  t.match(drawn.map(({ drawType, status }) => [drawType, status]).sort(), [
    ['regularPurchase', 'originated'],
    ['static', 'originated'],
  ]);
  const paid = { type: 'oneTime', amount: 20, isExternal: true, status: 'succeeded', effectiveDate: '2026-02-25' };
  t.match(await ask('POST', `${line}/transactions`, paid), {
    status: 400,
    json: { errorType: 'migrationValidation', errors: [{ path: `draws.${draw.split('/').at(-1) ?? ''}` }, { path: 'period' }] },
  });
  await stated(old);
  t.match(await ask('POST', `${line}/transactions`, { ...paid, effectiveDate: '2026-02-21' }), {
    status: 422,
    json: { errors: [{ path: 'effectiveDate' }] },
  });
  t.match(await ask('POST', `${line}/transactions`, paid), {
    status: 201,
    json: { data: { paidInterestAmount: 10, paidPrincipalAmount: 10 } },
  });
  const bought = await ask('POST', `${draw}/purchases`, { amount: 100, status: 'settled', purchaseDate: '2026-02-26' });
  t.match(bought, { status: 200, json: { data: { id: /^DP-/, status: 'settled' } } });
  const history = `${line}/draws/${String(drawn.find(({ drawType }) => drawType === 'static')?.['id'])}`;
  t.match(
    await ask('POST', `${history}/purchases`, {
      amount: 60,
      purchaseDate: '2025-11-01',
      migration: { originalDrawId: draw.split('/').at(-1) },
    }),
    { status: 200 },
  );
  for (const purchaseDate of ['2026-02-22', undefined, '2025-09-30']) {
    const late = {
      amount: 60,
      ...(purchaseDate === undefined ? {} : { purchaseDate }),
      migration: { originalDrawId: draw.split('/').at(-1) },
    };
    t.match(await ask('POST', `${history}/purchases`, late), { status: 400, json: { errors: [{ path: 'purchaseDate' }] } });
  }
  t.match(await ask('POST', `${history}/migration/period`, FEBRUARY), { status: 409 });

  const dry = await ask('POST', `${line}/migrate?validateOnly=true`, {
    stated: { outstandingAmount: 1038.9, overdueAmount: 0, nextDueDate: '2026-03-15', nextDueAmount: 35 },
  });
  t.match(dry, {
    status: 200,
    json: {
      data: {
        migrationStatus: 'prepMigration',
        status: 'active',
        errors: [],
        cutoffDate: '2026-02-22',
        reconciliation: { differences: 0 },
      },
    },
  });
  t.equal((dataOf(dry)['reconciliation'] as { figures: unknown[] }).figures.length, 4);
  const done = await ask('POST', `${line}/migrate`, {});
  t.match(done, { status: 200, json: { data: { migrationStatus: 'migrated', status: 'active', preparedActivities: 0 } } });
  t.match(await ask('GET', line), { json: { data: { status: 'active', timestamps: { activatedAt: '2025-10-01T04:00:00.000Z' } } } });
  t.match(await ask('GET', `${line}/balances?isRounded=true`), {
    json: {
      data: {
        outstandingBalances: { outstandingTotalAmount: 1038.9, outstandingPrincipalAmount: 1035 },
        dueBalances: { duePrincipalAmount: 35, dueInterestAmount: 0 },
        nonDueBalances: { nonDuePrincipalAmount: 1000, nonDueInterestAmount: 3.9 },
      },
    },
  });
  t.match(await ask('GET', `${line}/obligations`), {
    json: {
      data: {
        isOverdue: false,
        obligations: [
          { dueDate: '2026-03-15', obligationAmount: 55, remainingAmount: 35, isOpen: false },
          { dueDate: '2026-04-15', isOpen: true },
        ],
      },
    },
  });
  t.match(await ask('GET', `${line}/periods`), {
    status: 200,
    json: {
      data: [
        { startDate: '2026-01-25', dueDate: '2026-03-15', isMigrated: true },
        { isMigrated: false, startDate: '2026-02-22', dueDate: '2026-04-15' },
      ],
    },
  });
  t.match(await ask('GET', `${line}/fees`), { status: 200 });
  t.match(await ask('GET', `${draw}/purchases`), { status: 200, json: { count: 1 } });
  const events = listOf(await ask('GET', `/events?loanId=${String(dataOf(done)['loanId'])}&order=asc`));
  t.same(
    events.map(({ eventType }) => eventType),
    ['loan.created', 'loan.migration.succeeded'],
  );
  t.match(await ask('POST', `${draw}/purchases`, { amount: 5 }), { status: 200, json: { data: { status: 'settled' } } });
  t.match(await ask('PUT', `${line}/migration/period`, { reimbursementAmount: 1 }), { status: 409 });
  t.same(failures, []);
});

test('a line that was late or has fees is seeded with them; one refusal lists all contradictions', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures } = old;
  await stated(old);
  const late = { overdueBalances: { overduePrincipalAmount: 30, overdueInterestAmount: 8, overdueDynamicFeesAmount: 15 } };
  await ask('PUT', `${draw}/migration/period`, { ...late, dueBalances: { dueDrawFeesAmount: 4 } });
  t.match(await ask('POST', `${line}/migrate`, {}), {
    status: 400,
    json: {
      errorType: 'migrationValidation',
      errors: [
        { path: 'period.obligation.remainingAmount', expected: '59.00' },
        { path: 'period.obligation.migratedOverdueRemainingAmount', expected: '53.00' },
      ],
    },
  });
  await ask('PUT', `${draw}/migration/period`, { nonDueBalances: { nonDueDrawFeesAmount: 0.01 } });
  t.match(
    await ask('POST', `${line}/migrate`, {}),
    {
      status: 400,
      json: {
        errors: [{}, {}, { path: `draws.${draw.split('/').at(-1) ?? ''}.dueBalances.dueDrawFeesAmount`, expected: '4.00 or less in all' }],
      },
    },
    'more than the fee of the draw',
  );
  await ask('PUT', `${draw}/migration/period`, { nonDueBalances: { nonDueDrawFeesAmount: null } });
  await ask('PUT', `${line}/migration/period`, {
    dueBalances: { dueOriginationFeesAmount: 2.5 },
    obligation: {
      obligationAmount: 61.5,
      remainingAmount: 61.5,
      migratedOverdueAmount: 53,
      migratedOverdueRemainingAmount: 53,
      migratedDaysOverdue: 7,
    },
  });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200, json: { data: { migrationStatus: 'migrated' } } });
  t.match(await ask('GET', `${line}/obligations`), {
    json: {
      data: {
        isOverdue: true,
        overdueAmount: 53,
        daysOverdue: 15,
        obligations: [
          { obligationAmount: 53, isOverdue: true },
          { obligationAmount: 61.5, migration: { migratedOverdueAmount: 53, migratedDaysOverdue: 7 } },
          { migration: null },
        ],
      },
    },
  });
  t.match(await ask('GET', `${line}/fees`), { status: 200 });
  t.match(await ask('GET', `${line}/balances`), {
    json: { data: { overdueBalances: { overdueTotalAmount: 53 }, dueBalances: { dueTotalAmount: 61.5, dueOriginationFeesAmount: 2.5 } } },
  });
  t.same(failures, []);
});

test('several overdue due dates of a line are migrated as separate obligations', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures } = old;
  await stated(old);
  await ask('PUT', `${draw}/migration/period`, {
    overdueBalances: { overduePrincipalAmount: 30, overdueInterestAmount: 8, overdueDynamicFeesAmount: 15 },
  });
  const period = `${line}/migration/period`;
  const first = { dueDate: '2026-01-15', obligationAmount: 25, remainingAmount: 20 };
  const wrong = {
    overdueObligations: [
      { ...first, remainingAmount: 26 },
      { dueDate: '2026-02-22', remainingAmount: 28 },
    ],
    migratedOverdueAmount: 50,
    migratedDaysOverdue: 7,
  };
  t.match(await ask('PUT', period, { obligation: wrong }), { status: 200 });
  const [sum, days, remaining, due] = [
    'migratedOverdueRemainingAmount',
    'migratedDaysOverdue',
    'overdueObligations[0].remainingAmount',
    'overdueObligations[1].dueDate',
  ].map((field) => ({ path: `period.obligation.${field}` }));
  t.match(await ask('POST', `${line}/migrate`, {}), {
    status: 400,
    json: { errors: [sum, sum, { path: 'period.obligation.migratedOverdueAmount' }, days, remaining, due] },
  });
  const stands = await ask('PUT', period, {
    obligation: { overdueObligations: [{ dueDate: '2026-02-15', remainingAmount: 33 }, first], migratedDaysOverdue: 38 },
  });
  t.match(stands, {
    json: {
      data: {
        obligation: {
          migratedOverdueAmount: 58,
          migratedOverdueRemainingAmount: 53,
          overdueObligations: [first, { dueDate: '2026-02-15', obligationAmount: 33 }],
        },
      },
    },
  });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200, json: { data: { migrationStatus: 'migrated' } } });
  const open = async (): Promise<readonly unknown[]> =>
    (dataOf(await ask('GET', `${line}/obligations`))['obligations'] as readonly Record<string, unknown>[])
      .slice(0, 3)
      .map(({ dueDate, remainingAmount, isOverdue }) => [dueDate, remainingAmount, isOverdue]);
  t.same(await open(), [
    ['2026-01-15', 20, true],
    ['2026-02-15', 33, true],
    ['2026-03-15', 55, false],
  ]);
  t.match(
    listOf(await ask('GET', `${line}/periods`)).map(({ startDate, dueDate }) => [startDate, dueDate]),
    [
      ['2025-11-25', '2026-01-15'],
      ['2025-12-25', '2026-02-15'],
      ['2026-01-25', '2026-03-15'],
      ['2026-02-22', '2026-04-15'],
    ],
  );
  t.match(await ask('POST', `${line}/transactions`, { type: 'oneTime', amount: 25, isExternal: true, status: 'succeeded' }), {
    status: 201,
  });
  t.same((await open()).slice(0, 2), [
    ['2026-01-15', 0, false],
    ['2026-02-15', 28, true],
  ]);
  t.match(await ask('GET', line), { json: { data: { current: { isOverdue: true, daysOverdue: 15, overdueAmount: 28 } } } });
  t.same(failures, []);
});

test('the first statement of a line that came from another system begins with the balance of its cutoff', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, h, failures } = old;
  await stated(old);
  const paid = { type: 'oneTime', amount: 20, isExternal: true, status: 'succeeded' };
  t.match(await ask('POST', `${line}/transactions`, { ...paid, effectiveDate: '2026-02-22' }), { status: 201 });
  t.match(await ask('POST', `${draw}/purchases`, { amount: 100, status: 'settled', purchaseDate: '2026-02-26' }), { status: 200 });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200 });
  h.nowMs = Date.parse('2026-03-27T17:00:00Z');
  await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
  const [first] = listOf(await ask('GET', `${line}/statements`));
  const details = dataOf(await ask('GET', `${line}/statements/${String(first?.['id'])}/details`)) as Readonly<Record<string, number>>;
  t.match(details, {
    previousBalance: 955,
    totalPaymentsForThisPeriod: 20,
    totalPurchasesForThisPeriod: 100,
    totalAdjustmentsForThisPeriod: 0,
    totalFeesForThisPeriod: 0,
  });
  const interest = details['totalInterestForThisPeriod'] ?? 0;
  t.ok(interest > 10 && interest < 20, 'a month on a thousand');
  t.equal(Math.round((955 + 100 + interest - 20) * 100), Math.round((details['newBalanceAmount'] ?? 0) * 100));
  t.same(failures, []);
});

test('a draw whose full balance was not stated is paid in full by all that it owed at the cutoff', async (t) => {
  const old = await oldLine(t);
  const { ask, line, h, failures } = old;
  await stated(old);
  const gracePeriod = { isGracePeriodApplicable: true, numPeriodsToRestoreGrace: 1 };
  const other = `${line}/draws/${idOf(await ask('POST', `${line}/draws`, { status: 'originated', atOrigination: { gracePeriod } }))}`;
  t.match(await ask('POST', `${other}/migration/period`, { ...FEBRUARY, nonDueBalances: { nonDuePrincipalAmount: 500 } }), { status: 201 });
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200 });
  h.nowMs = Date.parse('2026-03-20T17:00:00Z');
  await h.engine.sweeper.advance({ company: h.company, mode: 'test' }, h.nowMs);
  t.match(await ask('GET', `${other}/obligations`), {
    json: { data: { obligations: [{ gracePeriod: [{ fullBalanceAmount: 500, isGracePeriodEligible: false }] }] } },
  });
  const { nonDueBalances } = dataOf(await ask('GET', `${other}/balances?isRounded=true`)) as {
    readonly nonDueBalances: { readonly nonDueInterestAmount: number };
  };
  t.ok(nonDueBalances.nonDueInterestAmount > 5, 'interest since the cutoff was not given back');
  t.same(failures, []);
});

test('a draw that came with principal is not canceled, as one that something was bought on', async (t) => {
  const old = await oldLine(t);
  const { ask, line, draw, failures } = old;
  await stated(old);
  t.match(await ask('POST', `${line}/migrate`, {}), { status: 200 });
  for (const query of ['', '?force=true'])
    t.match(await ask('POST', `${draw}/cancel${query}`, {}), { status: 409, json: { errors: [{ path: 'purchases' }] } });
  t.match(await ask('GET', `${line}/balances`), { json: { data: { outstandingBalances: { outstandingPrincipalAmount: 945 } } } });
  t.same(failures, []);
});

test('a line that was charged off comes charged off, and what was paid before can still fail', async (t) => {
  const old = await oldLine(t, { statusAtMigration: 'chargedOff', statusAtMigrationDate: '2026-01-20' });
  const { ask, line, draw, h, failures } = old;
  await stated(old);
  const body = {
    amount: 100,
    effectiveDate: '2026-01-10',
    externalId: 'old-1',
    drawSplitDetails: [{ drawId: 'ext-d-1', principalAmount: 80, interestAmount: 20 }],
  };
  await ask('POST', `${line}/migration/past-transaction`, body);
  t.match(await ask('POST', `${line}/migrate`, {}), {
    status: 200,
    json: { data: { status: 'chargedOff', statusAtMigration: 'chargedOff', statusAtMigrationDate: '2026-01-20' } },
  });
  const owed = async (): Promise<unknown> =>
    (dataOf(await ask('GET', `${line}/balances`))['chargedOffBalances'] as { chargedOffTotalAmount: number }).chargedOffTotalAmount;
  t.equal(await owed(), 955);
  t.match(await ask('PUT', `${line}/migration/past-transaction/ext-old-1`, { status: 'failed', failureReason: 'insufficientFunds' }), {
    json: { data: { status: 'failed' } },
  });
  t.equal(await owed(), 1055);
  t.match(await ask('GET', draw), { json: { data: { status: 'chargedOff' } } });
  const loanId = line.split('/').at(-1) ?? '';
  const seen = (): Promise<unknown> =>
    Promise.all(['loan.get', 'loan.balances', 'loan.migration', 'migration.pastTransactions'].map((type) => h.query(type, loanId)));
  const before = await seen();
  h.forgetSnapshots();
  await h.restart();
  t.strictSame(await seen(), before, 'the same after a recovery from the journal');
  t.same(failures, []);
});
