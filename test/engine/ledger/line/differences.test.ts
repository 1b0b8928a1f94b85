import { test } from 'tap';
import { computeLine, formatDay, lineDifferences, type LineFact, type LineLedgerEvent } from '../../../../engine/index.js';
import { day, LATE_FEE, text } from '../installment/loans.js';
import { buy, draw, line, payLine, statementOn } from './lines.js';

/*
 * A line without interest and one draw of 100.00. Its statement of 9 February asks for 25.00 by 29 February; on 15 March, 15 days later,
 * a late fee of 10.00 is charged. Facts that are recorded late reverse the fee.
 */
const TERMS = line({ schedule: statementOn(9), settings: { lateFees: [LATE_FEE] } });
const GRACE = { isApplicable: true, periodsToRestore: 1 };
const DRAWN: readonly LineFact[] = [draw(1, { rate: '0' }), buy(100, '2024-01-10', '100.00')];
const late = (number: number, date: string, amount: string): LineFact => ({
  ...payLine(number, date, amount),
  recordedDay: day('2024-03-20'),
});

function differencesAfter(before: readonly LineFact[], more: readonly LineFact[]): readonly string[] {
  const through = day('2024-03-20');
  return lineDifferences(computeLine(TERMS, before, through), computeLine(TERMS, [...before, ...more], through)).map(shown);
}

function shown(ledgerEvent: LineLedgerEvent): string {
  const { type } = ledgerEvent;
  const at = `${formatDay(ledgerEvent.day).slice(5)} ${type}`;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- types of the histories below; any other type is shown by its name
  switch (ledgerEvent.type) {
    case 'feeCanceled':
      return [at, ledgerEvent.feeTypeId, ledgerEvent.obligation, formatDay(ledgerEvent.chargeDay), text(ledgerEvent.amountCents)].join(' ');
    case 'balanceChanged': {
      const { balances, previousBalances } = ledgerEvent;
      const figures = [previousBalances, balances].map((of) => [of.principalCents, of.feesCents, of.overdueCents].map(text).join(' '));
      return `${at} ${figures.join(' -> ')}`;
    }
    case 'obligationStatusChanged':
      return `${at} ${ledgerEvent.obligation} ${ledgerEvent.isFulfilled} ${ledgerEvent.isOverdue}`;
    case 'overdue':
    case 'overdueUpdate':
      return `${at} ${ledgerEvent.daysOverdue} ${text(ledgerEvent.overdueCents)} ${formatDay(ledgerEvent.overdueSince)}`;
    case 'drawPaidOff':
      return `${at} ${ledgerEvent.draw}`;
    case 'graceChanged':
      return `${at} ${ledgerEvent.draw} ${ledgerEvent.isEligible}`;
    default:
      return at;
  }
}

test('a backdated payment removes a late fee and days overdue, and pays off a draw', async (t) => {
  const closed: LineFact = { ...payLine(150, '2024-02-20', '1.00'), type: 'drawClosed', draw: 1 };
  t.same(differencesAfter([...DRAWN, closed], [late(200, '2024-02-29', '100.00')]), [
    '03-20 feeCanceled late 0 2024-03-15 10.00',
    '03-20 balanceChanged 100.00 10.00 25.00 -> 0.00 0.00 0.00',
    '03-20 obligationStatusChanged 0 true false',
    // Nothing is asked for by the statement of 9 March.
    '03-20 obligationStatusChanged 1 true false',
    '03-20 current',
    '03-20 drawPaidOff 1',
  ]);
});

test('a part of the money leaves the line overdue with a lower amount', async (t) => {
  t.same(differencesAfter(DRAWN, [late(200, '2024-02-29', '5.00')]), [
    '03-20 balanceChanged 100.00 10.00 25.00 -> 95.00 10.00 20.00',
    '03-20 overdueUpdate 20 20.00 2024-02-29',
  ]);
});

test('a voided payment makes the line overdue, and a lost grace is emitted', async (t) => {
  const facts = [draw(1, { rate: '0', grace: GRACE }), buy(100, '2024-01-10', '100.00'), payLine(200, '2024-02-29', '100.00')];
  const voided: LineFact = { ...payLine(200, '2024-03-20', '100.00'), type: 'paymentVoided', sequence: 300 };
  t.same(differencesAfter(facts, [voided]), [
    '03-20 lateFeeBooked',
    '03-20 balanceChanged 0.00 0.00 0.00 -> 100.00 10.00 25.00',
    '03-20 obligationStatusChanged 0 false true',
    '03-20 obligationStatusChanged 1 false false',
    '03-20 overdue 20 25.00 2024-02-29',
    '03-20 graceChanged 1 false',
  ]);
});
