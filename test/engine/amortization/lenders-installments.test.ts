import { readFileSync } from 'node:fs';
import { test } from 'tap';
import { amortize, type Cents, cents, constantRate, type Day, dueDates, firstDueDate, formatCents } from '../../../engine/index.js';
import { missing, sharedFile } from '../../shared.js';
import { centsFrom, dayFrom, rateFrom } from '../numbers.js';

const FILE = ['data', 'lending-club-2018-01-02.csv'];

const file = sharedFile(...FILE);

interface LenderLoan {
  readonly id: string;
  readonly activation: Day;
  readonly principalCents: Cents;
  readonly months: number;
  readonly annualRate: string;
  readonly installmentCents: Cents;
}

/** The loans that their lender modified after the installment was set. */
const MODIFIED = [
  { id: 'LC01548', lender: '243.35', ours: '243.38' },
  { id: 'LC09687', lender: '733.34', ours: '730.13' },
];

test('the installments of 6,383 real loans match to the cent, except two that were modified', {
  skip: file ? false : missing(...FILE),
}, (t) => {
  const loans = readLoans(file ?? '');
  t.equal(loans.length, 6_383);
  const different = loans
    .map((loan) => ({ id: loan.id, lender: formatCents(loan.installmentCents), ours: formatCents(levelOf(loan)) }))
    .filter(({ lender, ours }) => lender !== ours);
  t.same(different, MODIFIED);
  t.end();
});

/** Months of 30 days, rounded up to the cent, activated on the 15th of the month of issue. */
function levelOf({ activation, principalCents, months, annualRate }: LenderLoan): Cents {
  const rule = { type: 'monthly', day: 15 } as const;
  const first = firstDueDate({ rule, activation, minDaysToFirstDueDate: 0, bufferToPushOutSchedule: 0 });
  const schedule = amortize({
    start: activation,
    principalCents,
    dueDates: dueDates(rule, first, months),
    payment: { type: 'level' },
    rates: constantRate(rateFrom(annualRate)),
    dayCount: 'monthly30360',
  });
  return schedule.rows[0]?.amountCents ?? cents(0);
}

/** The file has no quoted fields. */
function readLoans(path: string): readonly LenderLoan[] {
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
  const columns = header.split(',');
  return lines.map((line) => {
    const fields = line.split(',');
    const field = (name: string): string => fields[columns.indexOf(name)] ?? '';
    return {
      id: field('loan_id'),
      activation: dayFrom(`${field('issue_month')}-15`),
      principalCents: centsFrom(field('loan_amount')),
      months: Number(field('term')),
      annualRate: percent(field('interest_rate')),
      installmentCents: centsFrom(field('installment')),
    };
  });
}

/** `12.61` as `0.1261`: percents have at most two decimals, like cents. */
function percent(text: string): string {
  return `0.${centsFrom(text).toString().padStart(4, '0')}`;
}
