import fc from '../../../fast-check.js';
import { test } from 'tap';
import {
  addDays,
  advanceTo,
  applyFact,
  canApply,
  cents,
  computeLedger,
  type LedgerFact,
  type LedgerState,
  scheduleOf,
  startLedger,
  stateDigest,
} from '../../../../engine/index.js';
import { allHistories, type History, PARAMETERS } from './histories.js';
import { SEED } from '../../../seed.js';
import { day, LATE_FEE, loan, pay, SMALL_LOAN, text } from './loans.js';
import { areObligationsWhole, isNothingLost, isNothingNegative } from './sums.js';

/** 1,200.00 at 18 %: eleven installments of 109.76 and 109.68. */
const terms = { ...loan(SMALL_LOAN), isLastAsScheduled: true } as const;

const onTime = (from: number, to: number): readonly LedgerFact[] =>
  terms.rows.slice(from, to).map(({ date, amountCents }, row) => ({
    ...pay(from + row + 1, '2024-02-15', '1.00'),
    amountCents,
    effective: { day: date, seconds: 50_000 },
    recordedDay: date,
  }));

const due = ({ obligations }: LedgerState): string => text(obligations.at(-1)?.amountCents ?? 0);

test('a borrower who pays in time owes nothing beyond the scheduled last installment', async (t) => {
  const before = computeLedger(terms, onTime(0, 11), day('2025-01-15'));
  t.equal(due(before), '109.68');
  t.equal(computeLedger(terms, onTime(0, 12), day('2025-01-15')).status, 'paidOff');
});

test('what a late payer owes beyond it falls due on the next due date, once all others are paid', async (t) => {
  const missed = onTime(1, 11);
  const last = computeLedger(terms, missed, day('2025-01-15'));
  t.equal(due(last), '109.68', 'the interest of the missed installment is not asked for with it');
  t.ok(last.nonDuePrincipalCents > 0);
  const all = [...missed, pay(90, '2025-01-20', text(10_976 + 10_968))];
  const closing = computeLedger(terms, all, day('2025-01-20'));
  t.equal(closing.status, 'active');
  const row = scheduleOf(closing).at(-1);
  t.same([row?.date, row?.status], [day('2025-02-15'), 'booked']);
  const asked = computeLedger(terms, all, day('2025-02-15'));
  t.equal(due(asked), text(row?.amountCents ?? 0));
  t.equal(computeLedger(terms, [...all, pay(91, '2025-02-15', due(asked))], day('2025-02-15')).status, 'paidOff');
});

test('the closing row falls due on the first due date after the others are paid', async (t) => {
  const closing = (date: string): readonly (number | undefined)[] => {
    const paid = { ...pay(90, date, text(10_976 + 10_968)) };
    const row = scheduleOf(computeLedger(terms, [...onTime(1, 11), paid], day(date))).at(-1);
    return [row?.ordinal, row?.date];
  };
  t.same(closing('2025-02-14'), [12, day('2025-02-15')]);
  t.same(closing('2025-02-15'), [12, day('2025-03-15')]);
  t.same(closing('2025-04-20'), [12, day('2025-05-15')]);
});

test('a closing row after the last row of the contract earns no late fee', async (t) => {
  const late = { ...loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } }), isLastAsScheduled: true } as const;
  // Each row is paid ten days late, in time for the late fee, and ten days of interest of each are left for the closing row.
  const facts = late.rows.map(({ date, amountCents }, row): LedgerFact => {
    const paidOn = addDays(date, 10);
    return { ...pay(row + 1, '2024-02-15', '1.00'), amountCents, effective: { day: paidOn, seconds: 50_000 }, recordedDay: paidOn };
  });
  const state = computeLedger(late, facts, day('2025-04-01'));
  t.match(state.obligations.at(-1), { ordinal: 12, dueDay: day('2025-02-15'), isEnforced: true, isFulfilled: false });
  t.same(state.fees, []);
  t.equal(computeLedger(late, facts.slice(0, 11), day('2025-01-31')).fees.length, 1, 'the last one of the contract does');
});

test('the last installment includes the rest of an origination fee', async (t) => {
  const fee = { ...terms, originationFee: { amountCents: cents(10_001), logic: 'spread' as const } };
  const rows = fee.rows.map(
    ({ date, amountCents }, row): LedgerFact => ({
      ...pay(row + 1, '2024-02-15', '1.00'),
      amountCents: cents(amountCents + (row === 11 ? 838 : 833)),
      effective: { day: date, seconds: 50_000 },
      recordedDay: date,
    }),
  );
  t.equal(due(computeLedger(fee, rows.slice(0, 11), day('2025-01-15'))), '118.06');
  t.equal(computeLedger(fee, rows, day('2025-01-15')).status, 'paidOff');
});

function live({ facts, through, ...history }: History): LedgerState {
  let state = startLedger(history.terms);
  const known: LedgerFact[] = [];
  for (const fact of facts) {
    known.push(fact);
    advanceTo(state, fact.recordedDay);
    if (canApply(state, fact)) applyFact(state, fact);
    else state = computeLedger(history.terms, known, fact.recordedDay);
  }
  advanceTo(state, through);
  return state;
}

test('loans whose last installment keeps its amount lose no cent, and the whole rest falls due in the end', async (t) => {
  t.comment(`seed ${SEED}`);
  fc.assert(
    fc.property(allHistories, (history) => {
      const own = { ...history, terms: { ...history.terms, isLastAsScheduled: true } };
      const state = computeLedger(own.terms, own.facts, own.through);
      return (
        isNothingNegative(state) && isNothingLost(state) && areObligationsWhole(state) && stateDigest(live(own)) === stateDigest(state)
      );
    }),
    { ...PARAMETERS, numRuns: Math.ceil(PARAMETERS.numRuns / 3) },
  );
  t.pass('holds');
});
