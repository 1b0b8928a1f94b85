import { test } from 'tap';
import {
  balancesOf,
  cents,
  computeLedger,
  formatDay,
  type LedgerFact,
  type LedgerTerms,
  nextActionDay,
  obligationsOf,
  recordLedger,
} from '../../../../engine/index.js';
import { at, day, LATE_FEE, loan, pay, SMALL_LOAN, text } from './loans.js';

const terms = loan(SMALL_LOAN);
const accelerated: LedgerFact = { type: 'accelerate', effective: at('2024-02-20'), sequence: 1, recordedDay: day('2024-02-20') };

test('each day overdue is emitted once, whatever is paid on it', async (t) => {
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

test('if only principal is unpaid, no interest becomes principal', async (t) => {
  const capitalizing = loan({ ...SMALL_LOAN, settings: { capitalization: 'afterDueDate' } });
  const { state, ledgerEvents } = recordLedger(capitalizing, [pay(1, '2024-02-15', '15.39')], day('2024-02-16'));
  t.match(obligationsOf(state)[0], { capitalizedCents: 0, remainingCents: 9_437, isOverdue: true });
  t.same(
    ledgerEvents.filter(({ type }) => type === 'interestCapitalized'),
    [],
  );
});

test('a manual fee on an accelerated loan is not a late fee, and becomes overdue with the rest', async (t) => {
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

test('the daily job is needed on the next day with more than interest, and on each day overdue', async (t) => {
  const order = (type: 'freeze' | 'accelerate' | 'cancel', date: string): LedgerFact => ({
    type,
    effective: at(date),
    sequence: 7,
    recordedDay: day(date),
  });
  const next = (date: string, facts: readonly LedgerFact[] = [], own: LedgerTerms = terms): string => {
    const found = nextActionDay(computeLedger(own, facts, day(date)));
    return found === Number.MAX_SAFE_INTEGER ? 'never' : formatDay(found);
  };
  t.equal(next('2024-01-21'), '2024-02-15', 'the due date');
  t.equal(next('2024-02-15'), '2024-02-16', 'on which money would be late');
  t.equal(next('2024-02-15', [pay(1, '2024-02-15', '109.76')]), '2024-03-15', 'there is none that would be late');
  t.equal(next('2024-02-16'), '2024-02-17');
  t.equal(next('2024-02-20', [order('accelerate', '2024-02-20')]), '2024-02-21');
  t.equal(next('2024-02-01', [order('accelerate', '2024-02-01')]), '2024-02-02', 'all is due from that day on');
  for (const date of ['2024-02-01', '2024-02-20']) t.equal(next(date, [order('freeze', date)]), 'never');
  t.equal(next('2024-02-20', [order('cancel', '2024-02-20')]), 'never');
  t.equal(next('2024-02-20', [pay(1, '2024-02-20', '1300.00')]), 'never', 'paid off');
  t.equal(next('2024-02-20', [{ ...order('cancel', '2024-02-20'), type: 'chargeOff', reason: 'term' }]), 'never');
  const [first] = terms.settings;
  if (first === undefined) throw new Error('a loan has settings');
  const lateFees = [{ ...LATE_FEE, isChargedWhileFrozen: true as const }];
  const later: LedgerTerms = { ...terms, settings: [first, { from: day('2024-02-03'), value: { ...first.value, lateFees } }] };
  t.equal(next('2024-01-21', [], later), '2024-02-03', 'other settings');
  t.equal(next('2024-02-03', [], later), '2024-02-15');
  t.equal(next('2024-02-20', [order('freeze', '2024-02-20')], later), '2024-03-01', 'the late fee, which is charged all the same');
});
