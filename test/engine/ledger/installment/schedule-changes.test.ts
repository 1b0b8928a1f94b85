import { test } from 'tap';
import { addDays, cents, computeLedger, type Day, type LedgerFact, type LedgerTerms, scheduleOf } from '../../../../engine/index.js';
import { day, loan } from './loans.js';

/** 1,000.00 at 10 % over six months, due on the 15th from 2024-02-15 on. */
const TERMS: LedgerTerms = loan({ principal: '1000.00', rate: '0.10', activation: '2024-01-15', firstDue: '2024-02-15', rows: 6 });

const at = (date: string, sequence: number, seconds = 43_200): Pick<LedgerFact, 'effective' | 'sequence' | 'recordedDay'> => ({
  effective: { day: day(date), seconds },
  sequence,
  recordedDay: day(date),
});

const defer = (date: string, dueDay: string, newDay: string): LedgerFact => ({
  ...at(date, 1),
  type: 'dueDateDeferred',
  dueDay: day(dueDay),
  newDay: day(newDay),
});

test('a deferred row has no amount, and the last row takes the additional interest', async (t) => {
  const before = scheduleOf(computeLedger(TERMS, [], day('2024-01-20')));
  const rows = scheduleOf(computeLedger(TERMS, [defer('2024-01-20', '2024-03-15', '2024-08-15')], day('2024-01-20')));
  t.equal(rows.length, 7);
  t.match(rows[1], { amountCents: 0, isDeferred: true, status: 'canceled' });
  t.same(
    rows.slice(2, 6).map((row) => row.amountCents),
    before.slice(2).map((row) => row.amountCents),
  );
  t.ok((rows[6]?.amountCents ?? 0) > (before[5]?.amountCents ?? 0));
  t.equal(
    rows.reduce((total, row) => total + row.principalCents, 0),
    100_000,
  );
});

test('interest of a deferred period is not rounded, and fees wait for the next row', async (t) => {
  const fee: LedgerFact = {
    ...at('2024-02-20', 2),
    type: 'feeCharged',
    fee: 1,
    feeTypeId: 'byHand',
    kind: 'modificationFee',
    amountCents: cents(500),
    chargeLogic: 'nextDueDate',
  };
  const facts = [defer('2024-01-20', '2024-03-15', '2024-08-15'), fee];
  const ledger = computeLedger(TERMS, facts, day('2024-03-16'));
  t.equal(ledger.obligations.length, 1, 'nothing fell due on 15 March');
  t.ok(ledger.nonDueInterest.parts > 0);
  t.equal(ledger.isOverdue, true, 'February is still owed');
  const april = computeLedger(TERMS, facts, day('2024-04-15')).obligations[1];
  t.match(april, { ordinal: 2, feesCents: 500 });
});

test('a past due date is deferred as if it had been known the day before', async (t) => {
  const late: LedgerFact = {
    type: 'dueDateDeferred',
    dueDay: day('2024-02-15'),
    newDay: day('2024-08-15'),
    effective: { day: day('2024-02-14'), seconds: 86_399 },
    sequence: 1,
    recordedDay: day('2024-03-01'),
  };
  const ledger = computeLedger(TERMS, [late], day('2024-03-01'));
  t.equal(ledger.isOverdue, false);
  t.same(ledger.obligations, []);
  t.equal(ledger.overduePrincipalCents, 0);
});

test('an interest-only row has the accrued interest, also after late payments', async (t) => {
  const change: LedgerFact = {
    ...at('2024-01-20', 1),
    type: 'scheduleChanged',
    from: day('2024-03-15'),
    dueDates: [1, 2, 3, 4, 5].map((months) => addDays(day('2024-02-15'), months * 30)),
    payment: { type: 'level' },
    rowTerms: [{ type: 'interestOnly' }, { type: 'interestOnly' }],
  };
  const rows = scheduleOf(computeLedger(TERMS, [change], day('2024-01-20')));
  t.same(
    rows.slice(1, 3).map((row) => row.principalCents),
    [0, 0],
  );
  t.equal(rows[3]?.amountCents, rows[4]?.amountCents);
  const unpaid = computeLedger(TERMS, [change], rows[1]?.date ?? day('2024-03-16'));
  t.equal(unpaid.obligations[1]?.principalCents, 0);
  t.ok((unpaid.obligations[1]?.amountCents ?? 0) > (rows[1]?.amountCents ?? 0), 'nothing was paid in February, so more bears interest');
});

test('the rule of due dates changes with the schedule', async (t) => {
  const dates: readonly Day[] = [day('2024-03-20'), day('2024-04-20')];
  const change: LedgerFact = {
    ...at('2024-01-20', 1),
    type: 'scheduleChanged',
    dueDates: dates,
    payment: { type: 'level' },
    rule: { type: 'monthly', day: 20 },
  };
  const ledger = computeLedger(TERMS, [change], day('2024-01-20'));
  t.same(ledger.dueDateRule, { type: 'monthly', day: 20 });
  t.equal(ledger.rows.at(-1)?.date, day('2024-04-20'));
});
