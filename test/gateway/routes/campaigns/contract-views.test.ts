import { test } from 'tap';
import { dataOf, listOf } from '../http-lender.js';
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
