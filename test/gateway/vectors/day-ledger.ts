import {
  accruedUnits,
  addDays,
  type Cents,
  formatAccrued,
  formatCents,
  formatDay,
  subtract,
  YEAR_UNITS,
  ZERO,
  type Accrued,
} from '../../../engine/index.js';
import {
  differences,
  expectedOf,
  type OurRow,
  principalOf,
  type ScheduleVector,
  startOf,
  datesOf,
} from '../../engine/amortization/published-schedules.js';
import { dayFrom, withDecimals } from '../../engine/numbers.js';
import { type DayVector, type Row, publishedFigures } from '../../engine/ledger/installment/published-days.js';
import type { Act, LoanPlayer } from './loan-player.js';
import { moneyIn } from './loan-reads.js';

/** The acts of a ledger that is published by day: each compares the row of a day before and after the payments on it. */
export function actsByDay(player: LoanPlayer): readonly Act[] {
  const { expected } = player.vector as unknown as DayVector;
  const rows = expected?.rows ?? [];
  return [
    ...player.acts(() => Promise.resolve([])),
    ...rows.map((row, position) => {
      const day = dayFrom(row['date'] ?? '');
      const run = async (): Promise<void> => {
        const shown = await figuresOf(player, row, rows[position - 1]);
        const published = publishedFigures(row);
        for (const [name, value] of Object.entries(published)) {
          if (shown[name] !== value)
            player.differences.push(`${row['date'] ?? ''} ${name}: ${value} published, ${shown[name] ?? 'none'} shown`);
        }
      };
      return { day, name: row['date'] ?? '', run };
    }),
  ];
}

async function figuresOf(player: LoanPlayer, row: Row, before: Row | undefined): Promise<Row> {
  const date = row['date'] ?? '';
  const day = dayFrom(date);
  const reads = player.reads();
  const obligation = (await reads.obligations()).find(({ dueDate }) => dueDate === date);
  const scheduled = (await reads.rows()).find((one) => one.date === date);
  const earned = before === undefined ? [] : await reads.interest(before['date'] ?? '', formatDay(addDays(day, -1)));
  // A source that settles on its last day pays all that is owed.
  const amount = row['paymentStatus'] === 'generated' ? (await reads.payoff()).payoffAmount : Number(row['paid'] ?? 0);
  const paid = amount > 0 ? await player.pay(amount, day, { enablePrepayments: true }) : undefined;
  const after = (await reads.balances())['outstandingBalances'];
  const isOver = (await reads.loan())['status'] === 'paidOff';
  const interest = earned.reduce((sum, { unroundedInterestAmount }) => sum + tenDecimals(unroundedInterestAmount), 0n);
  return {
    scheduled: formatCents(scheduled?.dueCents ?? ZERO),
    paymentDue: moneyIn(obligation?.['remainingAmount'] ?? 0),
    netEffect: moneyIn(paid?.['actualAmount'] ?? 0),
    interestForPeriod: fourDecimals(interest),
    newInterest: fourDecimals(interest),
    interestPaid: moneyIn(paid?.['paidInterestAmount'] ?? 0),
    principalPaid: moneyIn(paid?.['paidPrincipalAmount'] ?? 0),
    interestBalance: fourDecimals(tenDecimals(after?.['outstandingInterestAmount'])),
    principalBalance: moneyIn(after?.['outstandingPrincipalAmount']),
    payoff: isOver ? '0.00' : moneyIn((await reads.payoff()).payoffAmount),
  };
}

/** `15.3863013699` as a whole number of its last place. */
const tenDecimals = (text: unknown): bigint => BigInt(String(text).replace('.', ''));

const accruedFrom = (value: bigint): Accrued => accruedUnits(value * BigInt(YEAR_UNITS));

const fourDecimals = (value: bigint): string => withDecimals(formatAccrued(accruedFrom(value)), 4);

/** The rows of a published schedule, as the service shows them of a loan that was activated today. */
export async function scheduleDifferences(player: LoanPlayer): Promise<readonly string[]> {
  const vector = player.vector as unknown as ScheduleVector;
  const shown = await player.reads().rows();
  let remaining: Cents = principalOf(vector);
  const rows = shown.map(({ date, dueCents, principalCents, interestCents, unroundedInterest }): OurRow => {
    remaining = subtract(remaining, principalCents);
    return {
      date: dayFrom(date),
      amountCents: dueCents,
      principalCents,
      interestCents,
      remainingPrincipalCents: remaining,
      unroundedInterest: accruedFrom(tenDecimals(unroundedInterest)),
    };
  });
  const count = datesOf(vector, expectedOf(vector)).length;
  return [...(startOf(vector) === player.plan.start ? [] : ['another start']), ...differences(vector, rows.slice(0, count))];
}
