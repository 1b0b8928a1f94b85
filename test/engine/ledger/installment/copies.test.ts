import { test } from 'tap';
import {
  advanceLine,
  advanceTo,
  applyFact,
  applyLineFact,
  cloneLine,
  cloneState,
  computeLedger,
  computeLine,
  constantRate,
  decodeState,
  encodeState,
  type LedgerEvent,
  type LedgerFact,
  type LineLedgerEvent,
  stateDigest,
} from '../../../../engine/index.js';
import { copyFee, copyObligation, copyState, copyTotals } from '../../../../engine/ledger/installment/copies.js';
import { buy, draw, DRAWN, line, payLine, statementOn } from '../line/lines.js';
import { plainly } from './detached.js';
import { day, LATE_FEE, loan, money, pay, percent, SMALL_LOAN } from './loans.js';

/** A late loan with a late fee, and a line that is late, too. */
const lateLoan = () =>
  computeLedger(loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } }), [pay(1, '2024-02-20', '60.00')], day('2024-03-05'));
const lateLine = () =>
  computeLine(
    line({ schedule: statementOn(9), settings: { lateFees: [{ ...LATE_FEE, triggerDays: 3 }] } }),
    [...DRAWN, draw(2, { limitCents: money('700.00') }), buy(101, '2024-01-10', '300.00', 2), payLine(200, '2024-02-25', '20.00')],
    day('2024-03-05'),
  );

/** A record whose fields have their own names as values. */
const named = <Record extends object>(record: Record): Record =>
  Object.fromEntries(Object.keys(record).map((name) => [name, name])) as unknown as Record;

test('a copy of a record has each of its fields in the same order', async (t) => {
  const state = lateLoan();
  const [fee] = state.fees;
  const [obligation] = state.obligations;
  if (fee === undefined || obligation === undefined) throw new Error('the loan is late and was charged for it');
  t.strictSame(copyState(named(state)), named(state));
  t.strictSame(copyTotals(named(state.totals)), named(state.totals));
  t.strictSame(copyObligation(named(obligation)), named(obligation));
  t.strictSame(copyFee(named(fee)), named(fee));
});

test('changes of a copy do not reach the original, and emit nothing', async (t) => {
  const emitted: (LedgerEvent | LineLedgerEvent)[] = [];
  const watcher = { happened: (ledgerEvent: LedgerEvent | LineLedgerEvent) => emitted.push(ledgerEvent) };
  const ofLoan = lateLoan();
  const loanBefore = plainly(ofLoan);
  const copy = cloneState(Object.assign(ofLoan, { watcher }));
  applyFact(copy, pay(2, '2024-03-06', '65.00'));
  advanceTo(copy, day('2024-05-20'));
  t.strictSame(plainly({ ...ofLoan, watcher: null }), loanBefore);
  const ofLine = lateLine();
  const lineBefore = structuredClone({ ...ofLine, overpaid: null });
  const copyOfLine = cloneLine(Object.assign(ofLine, { watcher }));
  applyLineFact(copyOfLine, payLine(201, '2024-03-06', '80.00'));
  applyLineFact(copyOfLine, buy(102, '2024-03-07', '30.00', 2));
  advanceLine(copyOfLine, day('2024-05-20'));
  t.strictSame({ ...ofLine, watcher: null, overpaid: null }, lineBefore);
  t.same(emitted, []);
});

test('nor do they if a row falls due before lower rates were recorded', async (t) => {
  const lowered: LedgerFact = {
    type: 'ratesChanged',
    effective: { day: day('2024-01-25'), seconds: 50_000 },
    recordedDay: day('2024-03-20'),
    sequence: 1,
    rates: constantRate(percent('0.10')),
    reamortization: 'sameEndDate',
  };
  const state = computeLedger(loan(SMALL_LOAN), [lowered], day('2024-02-01'));
  const before = plainly(state);
  t.equal(state.unknownRates?.through, day('2024-03-20'));
  const copy = cloneState(state);
  advanceTo(copy, day('2024-03-16'));
  t.not(copy.unknownRates?.fellCents, 0, 'two rows ask for less than they had');
  t.strictSame(plainly(state), before);
});

test('an encoded state has no terms, and rates and rows only if they differ from the terms', async (t) => {
  const terms = loan({ ...SMALL_LOAN, settings: { lateFees: [LATE_FEE] } });
  const changed: LedgerFact = {
    type: 'ratesChanged',
    effective: { day: day('2024-02-20'), seconds: 50_000 },
    recordedDay: day('2024-02-20'),
    sequence: 2,
    rates: constantRate(percent('0.10')),
    reamortization: 'sameEndDate',
  };
  for (const [facts, isChanged] of [
    [[pay(1, '2024-02-20', '60.00')], false],
    [[pay(1, '2024-02-20', '60.00'), changed], true],
  ] as const) {
    const state = computeLedger(terms, facts, day('2024-03-05'));
    const encoded = encodeState(state);
    const before = structuredClone(encoded);
    t.match(encoded, { version: 11, rates: isChanged ? {} : null, rows: isChanged ? [] : null });
    t.same([encoded.rates === null, encoded.rows === null], [!isChanged, !isChanged]);
    for (const derived of [
      'terms',
      'watcher',
      'seconds',
      'source',
      'rateIndex',
      'firstUnenforced',
      'digestedObligations',
      'digestedPayments',
    ])
      t.notOk(derived in encoded, derived);
    const decoded = decodeState(JSON.parse(JSON.stringify(encoded)), terms);
    t.match(decoded, { watcher: null, seconds: 0, source: { type: 'dailyJob' }, rateIndex: 0, firstUnenforced: 0 });
    t.same([decoded.terms === terms, decoded.rates === terms.rates, decoded.rows === terms.rows], [true, !isChanged, !isChanged]);
    for (const of of [state, decoded]) advanceTo(of, day('2024-07-20'));
    t.equal(stateDigest(decoded), stateDigest(state));
    t.strictSame(encoded, before, 'a later fact does not reach what was encoded');
    t.throws(() => decodeState({ ...encoded, version: 10 as never }, terms), /version 10/);
  }
});
