import { test } from 'tap';
import { dataOf, idOf, listOf } from '../http-lender.js';
import { openCampaigns } from './campaign-over-http.js';
import { othersFindNone, rowsOf } from './view-rows.js';

const money = (value: unknown): string | null => (value === null || value === undefined ? null : Number(value).toFixed(2));

test('the company has a row, without what only its own users may see, and follows', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, company } = lender;
  const rows = 'SELECT company_id, mode, name, type, status, timezone, has_fema_policy FROM v_companies';
  const shown = async (): Promise<unknown> => {
    const { id, name, type, status, timezone, femaPolicy } = dataOf(await ask('GET', `/companies/${company}`));
    return [[id, 'test', name, type, status, timezone, femaPolicy]];
  };
  t.same(await rowsOf(lender, rows), await shown());
  const changed = await ask('PUT', `/companies/${company}`, { name: 'Northwind Credit', femaPolicy: true });
  t.equal(changed.status, 200, changed.text);
  t.same(await rowsOf(lender, rows), await shown());
  t.match(await rowsOf(lender, rows), [[company, 'test', 'Northwind Credit']]);
  t.same(await rowsOf(lender, 'SELECT company_id, mode FROM v_companies', lender.keys.live), [[company, 'live']]);
  const { columns } = dataOf(await ask('POST', '/questions', { sql: 'SELECT * FROM v_companies, v_loan_types' }));
  t.notMatch(String(columns), /hash|key|secret|processor|billing|config/i);
});

test('loan types have a row each with their newest settings, as the interface shows them', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, company, loanTypeId, loanId } = lender;
  const path = `/companies/${company}/loan-types/${loanTypeId}`;
  const rows = `SELECT loan_type_id, name, type, status, currency, version, effective_date, accrual_method, max_rate, payment_waterfall,
    charge_off_due_within, small_balance_forgiveness_amount, snapshot_days_after_payoff FROM v_loan_types`;
  const shown = async (): Promise<unknown> => {
    const known = dataOf(await ask('GET', path));
    const { id, name, type, status, currency, version, effectiveDate, accrualMethod, interest } = known;
    return [
      id,
      name,
      type,
      status,
      currency,
      version,
      effectiveDate,
      accrualMethod,
      (interest as { readonly maxRate: unknown }).maxRate === null ? null : String((interest as { readonly maxRate: unknown }).maxRate),
      (known['paymentWaterfall'] as readonly string[]).join(','),
      known['chargeOffDueWithin'],
      money(known['smallBalanceForgivenessAmount']),
      known['snapshotDaysAfterPayoff'],
    ];
  };
  t.same(await rowsOf(lender, rows), [await shown()]);
  const settings = { interest: { maxRate: 0.3599 }, chargeOffDueWithin: 120, smallBalanceForgivenessAmount: 1.5 };
  const changed = await ask('PUT', path, settings);
  t.equal(changed.status, 200, changed.text);
  t.same(await rowsOf(lender, rows), [await shown()], 'with the settings that begin tomorrow');
  t.match((await rowsOf(lender, rows))[0], [
    loanTypeId,
    'Personal loan',
    'installment',
    'active',
    'USD',
    2,
    '2026-03-03',
    'simple',
    '0.3599',
  ]);
  t.same(await rowsOf(lender, 'SELECT l.loan_id FROM v_loans l JOIN v_loan_types t USING (loan_type_id)'), [[loanId]]);
  await othersFindNone(t, lender, 'v_loan_types', 'loan_type_id');
});

test('periods have a row each with what falls due with them, as the interface shows both', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, goTo } = lender;
  const rows = `SELECT period_id, start_date, end_date, statement_date, due_date, status, is_migrated, obligation_id, obligation_amount,
    fulfilled_amount, remaining_amount, payments_amount, is_fulfilled, is_overdue, is_open FROM v_periods ORDER BY ordinal`;
  const shown = async (): Promise<unknown> => {
    const periods = listOf(await ask('GET', `${loan}/periods`));
    const obligations = dataOf(await ask('GET', `${loan}/obligations`))['obligations'] as readonly Record<string, unknown>[];
    return periods.map(({ id, startDate, endDate, statementDate, dueDate, status, isMigrated }) => {
      const due: Record<string, unknown> = obligations.find(({ periodId }) => periodId === id) ?? {};
      const amounts = ['obligationAmount', 'fulfilledAmount', 'remainingAmount', 'paymentsAmount'].map((name) => money(due[name]));
      const flags = ['isFulfilled', 'isOverdue', 'isOpen'].map((name) => due[name] ?? null);
      return [id, startDate, endDate, statementDate, dueDate, status, isMigrated, due['id'] ?? null, ...amounts, ...flags];
    });
  };
  t.equal((await rowsOf(lender, rows)).length, 12);
  t.same(await rowsOf(lender, rows), await shown());
  await goTo('2026-04-20');
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 150 });
  t.same(await rowsOf(lender, rows), await shown());
  t.same(await rowsOf(lender, 'SELECT status, count(*)::INTEGER FROM v_periods GROUP BY status ORDER BY status'), [
    ['closed', 2],
    ['future', 9],
    ['open', 1],
  ]);
  t.same(await rowsOf(lender, 'SELECT remaining_amount FROM v_periods WHERE is_overdue'), [['68.28']]);
  await othersFindNone(t, lender, 'v_periods', 'period_id');
});

test('entries of ledgers have a row for each bucket that they move, as the timeline of the loan shows them, and follow', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, loanId, goTo } = lender;
  const rows = `SELECT entry, effective_date, effective_time, entry_type, bucket, component, amount, balance_after, fact_number,
    transaction_id FROM v_ledger_entries ORDER BY entry, bucket, component`;
  const shown = async (): Promise<readonly string[]> => {
    const items = listOf(await ask('GET', `${loan}/activity?types=status,terms,payment,ledger&limit=100`));
    return items
      .flatMap(({ entries }) => entries as readonly LedgerLine[])
      .flatMap(({ line, effectiveDate, effectiveTime, entryType, movements, balanceAfter, fact }) =>
        movements.map(({ bucket, component, amount }) =>
          [
            line,
            effectiveDate,
            effectiveTime,
            entryType,
            bucket,
            component,
            amount,
            balanceAfter,
            fact?.number,
            fact?.transactionId,
          ].join(),
        ),
      )
      .sort();
  };
  const asked = async (): Promise<readonly string[]> => (await rowsOf(lender, rows)).map((row) => row.join()).sort();
  await goTo('2026-03-20');
  t.same(await asked(), await shown());
  t.match(await rowsOf(lender, rows), [[1, '2026-03-02', '00:00:00', 'disbursement', 'nonDue', 'principal', '1200.0000000000']]);
  const payment = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 109.14, effectiveDate: '2026-03-10' };
  t.equal((await ask('POST', `${loan}/transactions`, payment)).status, 201);
  t.same(await asked(), await shown(), 'a payment in the past changes what came after it');
  const balance = `SELECT abs(sum(amount) - any_value(b.outstanding)) < 0.00000001, min(b.rounded) FROM v_ledger_entries e,
    (SELECT balance_after AS outstanding, round(balance_after, 2)::DECIMAL(18,2) AS rounded FROM v_ledger_entries
     ORDER BY entry DESC LIMIT 1) b WHERE e.loan_id = '${loanId}'`;
  const [outstanding] = (await rowsOf(lender, 'SELECT outstanding_total FROM v_balances')).flat();
  t.same(await rowsOf(lender, balance), [[true, outstanding]]);
  await othersFindNone(t, lender, 'v_ledger_entries', 'loan_id');
});

interface LedgerLine {
  readonly line: number;
  readonly effectiveDate: string;
  readonly effectiveTime: string;
  readonly entryType: string;
  readonly balanceAfter: string;
  readonly fact: { readonly number: number; readonly transactionId: string | null } | null;
  readonly movements: readonly { readonly bucket: string; readonly component: string; readonly amount: string }[];
}

test('a view with more rows than fit is refused, and others are answered', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, h, goTo } = lender;
  await goTo('2026-03-20');
  const sql = 'SELECT count(*)::INTEGER FROM v_ledger_entries';
  const [[count = 0] = []] = (await rowsOf(lender, sql)) as readonly (readonly number[])[];
  h.mostRows = count - 1;
  await goTo('2026-03-21'); // views of another day are filled again
  const refused = await ask('POST', '/questions', { sql });
  t.match(
    refused.json,
    { statusCode: 422, message: `v_ledger_entries has more than ${count - 1} rows, too many for questions.` },
    refused.text,
  );
  t.same(await rowsOf(lender, 'SELECT count(*)::INTEGER FROM v_loans'), [[1]]);
  h.mostRows = undefined;
  t.match((await rowsOf(lender, sql)).flat()[0], Number);
});

test('replays have a row each, with the balance before and after', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, loan, loanId, goTo } = lender;
  const rows = `SELECT replay_id, loan_id, trigger, transaction_id, from_date, through_date, actor_type, outstanding_before,
    outstanding_after, status_before, status_after FROM v_replays ORDER BY recorded_at, replay_id`;
  const outstanding = async (): Promise<unknown> => {
    const { outstandingBalances } = dataOf(await ask('GET', `${loan}/balances?isRounded=true`));
    return money((outstandingBalances as Record<string, unknown>)['outstandingTotalAmount']);
  };
  t.same(await rowsOf(lender, rows), []);
  await goTo('2026-04-20');
  const before = await outstanding();
  const payment = { type: 'oneTime', isExternal: true, status: 'succeeded', amount: 109.14, effectiveDate: '2026-03-15' };
  const paid = await ask('POST', `${loan}/transactions`, payment);
  t.equal(paid.status, 201, paid.text);
  const after = await outstanding();
  const days = ['2026-03-15', '2026-04-20', 'api'];
  const late = [`${loanId}-F1`, loanId, 'payment', idOf(paid), ...days, before, after, 'active', 'active'];
  t.same(await rowsOf(lender, rows), [late]);
  t.not(before, after);
  await goTo('2026-04-21');
  const onNextDay = await outstanding();
  const failed = await ask('PUT', `${loan}/transactions/${idOf(paid)}`, { status: 'failed', failureReason: 'insufficientFunds' });
  t.equal(failed.status, 200, failed.text);
  const next = ['2026-03-15', '2026-04-21', 'api'];
  const voided = [`${loanId}-F2`, loanId, 'paymentVoided', null, ...next, onNextDay, await outstanding(), 'active', 'active'];
  const wasLate = late.map((cell) => (cell === idOf(paid) ? null : cell));
  t.same(await rowsOf(lender, rows), [wasLate, voided]);
  await goTo('2026-04-22');
  const ordered = await ask('POST', `${loan}/replay`, { fromDate: '2026-03-10' });
  t.equal(ordered.status, 200, ordered.text);
  t.match(await rowsOf(lender, rows), [wasLate, voided, [`${loanId}-R1`, loanId, 'replay', null, '2026-03-10', '2026-04-22', null]]);
  await othersFindNone(t, lender, 'v_replays', 'replay_id');
});

test('loans have a row of balances for each of the last days, as the interface shows them, and for ends of months', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, company, loan, loanTypeId, goTo } = lender;
  const daily = `SELECT day, outstanding_balance_total_amount, outstanding_principal, outstanding_fees, non_due_total, due_total,
    overdue_total, charged_off_total FROM v_balances_daily ORDER BY day`;
  const shown = async (from: string, to: string): Promise<readonly unknown[]> => {
    const range = `fromEffectiveDate=${from}&toEffectiveDate=${to}`;
    const { days } = dataOf(await ask('GET', `${loan}/balances/history?${range}`)) as { readonly days: readonly Record<string, unknown>[] };
    return days.map((day) => [day['date'], ...FIGURES.map((name) => money(day[name]))]);
  };
  await goTo('2026-05-20');
  t.same(await rowsOf(lender, daily), [...(await shown('2026-03-31', '2026-03-31')), ...(await shown('2026-04-16', '2026-05-20'))]);
  const late = `SELECT day, status, days_overdue, overdue_amount, overdue_over_30_days_balance_total_amount FROM v_balances_daily
    WHERE day IN ('2026-03-31', '2026-04-30', '2026-05-20') ORDER BY day`;
  t.same(await rowsOf(lender, late), [
    ['2026-03-31', 'LOAN_STATUS_ACTIVE', 16, '109.14', '0.00'],
    ['2026-04-30', 'LOAN_STATUS_ACTIVE', 46, '218.28', '109.14'],
    ['2026-05-20', 'LOAN_STATUS_ACTIVE', 66, '327.42', '218.28'],
  ]);
  const [[overdue] = []] = await rowsOf(lender, 'SELECT overdue_amount FROM v_loans');
  t.equal(overdue, '327.42', 'as today');

  await ask('PUT', `/companies/${company}/loan-types/${loanTypeId}`, { snapshotDaysAfterPayoff: 2 });
  const payoff = Number(dataOf(await ask('GET', `${loan}/payoff`))['payoffAmount']);
  const paid = await ask('POST', `${loan}/transactions`, { type: 'oneTime', isExternal: true, status: 'succeeded', amount: payoff });
  t.equal(paid.status, 201, paid.text);
  await goTo('2026-05-26');
  const ended = "SELECT day, status, outstanding_balance_total_amount FROM v_balances_daily WHERE day > '2026-05-18' ORDER BY day";
  t.match(await rowsOf(lender, ended), [
    ['2026-05-19', 'LOAN_STATUS_ACTIVE'],
    ['2026-05-20', 'LOAN_STATUS_PAID_OFF', '0.00'],
    ['2026-05-21', 'LOAN_STATUS_PAID_OFF', '0.00'],
    ['2026-05-22', 'LOAN_STATUS_PAID_OFF', '0.00'],
  ]);
  t.equal((await rowsOf(lender, ended)).length, 4);
  await othersFindNone(t, lender, 'v_balances_daily', 'loan_id');
});

/** Of a day of the interface: in the order of the columns. */
const FIGURES = [
  'outstandingTotalAmount',
  'outstandingPrincipalAmount',
  'outstandingFeesAmount',
  'nonDueTotalAmount',
  'dueTotalAmount',
  'overdueTotalAmount',
  'chargedOffTotalAmount',
] as const;

test('a loan that was never activated has rows of its status, and as many after its cancellation as its type sets', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, created, goTo } = lender;
  const pending = await created();
  const id = pending.split('/').at(-1) ?? '';
  const rows = `SELECT day, status, outstanding_balance_total_amount FROM v_balances_daily WHERE loan_id = '${id}' ORDER BY day`;
  t.match(await rowsOf(lender, rows), [['2026-03-02', 'LOAN_STATUS_ORIGINATED', '0.00']]);
  await goTo('2026-03-04');
  t.ok((await ask('POST', `${pending}/cancel`, {})).status < 300);
  await goTo('2026-04-20');
  const statuses = (await rowsOf(lender, rows)).map(([day, status]) => `${String(day)} ${String(status)}`);
  t.equal(statuses.at(-1), '2026-04-03 LOAN_STATUS_CANCELED', '30 days after it');
});
