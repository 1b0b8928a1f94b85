import { test } from 'tap';
import { balancesOf, cents, computeLedger, type LedgerFact, obligationsOf, recordLedger } from '../../../../engine/index.js';
import { at, day, loan, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);
const accelerated: LedgerFact = { type: 'accelerate', effective: at('2024-02-20'), sequence: 1, recordedDay: day('2024-02-20') };

test('each day overdue is told once, whatever is paid on it', async (t) => {
  const { ledgerEvents } = recordLedger(terms, [pay(1, '2024-02-17', '10.00'), pay(2, '2024-02-17', '5.00')], day('2024-02-18'));
  t.same(
    ledgerEvents.flatMap((one) =>
      one.type === 'overdue' || one.type === 'overdueUpdate' ? [[one.type, one.day, one.daysOverdue, text(one.overdueCents)]] : [],
    ),
    [
      ['overdue', day('2024-02-16'), 1, '109.76'],
      ['overdueUpdate', day('2024-02-17'), 2, '109.76'],
      ['overdueUpdate', day('2024-02-18'), 3, '94.76'],
    ],
  );
});

test('where only principal is unpaid no interest becomes principal', async (t) => {
  const capitalizing = loan({ ...SMALL_LOAN, settings: { capitalization: 'afterDueDate' } });
  const { state, ledgerEvents } = recordLedger(capitalizing, [pay(1, '2024-02-15', '15.39')], day('2024-02-16'));
  t.match(obligationsOf(state)[0], { capitalizedCents: 0, remainingCents: 9_437, isOverdue: true });
  t.same(
    ledgerEvents.filter(({ type }) => type === 'interestCapitalized'),
    [],
  );
});

test('a fee by hand on an accelerated loan is lacked without late fees, too, and overdue with the rest', async (t) => {
  const charged: LedgerFact = {
    type: 'feeCharged',
    effective: at('2024-02-21'),
    recordedDay: day('2024-02-21'),
    sequence: 2,
    fee: 2,
    feeTypeId: 'byHand',
    kind: 'otherFee',
    amountCents: cents(1200),
    chargeLogic: 'nextDueDate',
  };
  const wholeOf = (facts: readonly LedgerFact[]) => computeLedger(terms, [accelerated, ...facts], day('2024-02-21')).obligations.at(-1);
  const [before, after] = [wholeOf([]), wholeOf([charged])];
  t.equal((after?.remainingCents ?? 0) - (before?.remainingCents ?? 0), 1_200);
  t.equal((after?.withoutLateFeesCents ?? 0) - (before?.withoutLateFeesCents ?? 0), 1_200);
  const { overdue } = balancesOf(computeLedger(terms, [accelerated, charged], day('2024-02-21')));
  t.equal(overdue.dynamicFeesCents, 1_200);
});
