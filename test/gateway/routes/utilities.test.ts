import { test } from 'tap';
import { dataOf, openHttpLender } from './http-lender.js';

interface Row {
  readonly date: string;
  readonly interestAmount: number;
  readonly principalAmount: number;
  readonly remainingPrincipalAmount: number;
}

const TERMS = {
  interestAccrualMethod: 'daily365',
  amountFinanced: 1000,
  duration: 6,
  paymentFrequency: 'monthly',
  specificDays: [15],
  startDate: '2024-01-15',
  firstDueDate: '2024-02-15',
  interestRates: [{ days: null, rate: 0.05 }],
};
const cents = (balance: number, days: number): number => (balance * 0.05 * days * 100) / 365;

test('the calculator pays advances out on their days', async (t) => {
  const { ask } = await openHttpLender(t);
  const advances = [
    { advanceDate: '2024-03-01', amount: 400 },
    { advanceDate: '2024-04-01', amount: 100, status: 'canceled' },
  ];
  const answer = await ask('POST', '/utilities/amortize', { ...TERMS, advanceSchedule: advances });
  const { schedule, aprNominal } = dataOf(answer) as unknown as { schedule: readonly Row[]; aprNominal: number };
  const [first, second] = schedule;
  t.equal(first?.interestAmount, Math.round(cents(600, 31)) / 100);
  const balance = first?.remainingPrincipalAmount ?? 0;
  t.equal(second?.interestAmount, Math.round(cents(balance, 15) + cents(balance + 400, 14)) / 100);
  t.equal(Math.round(schedule.reduce((so, row) => so + row.principalAmount * 100, 0)), 100_000);
  t.match([schedule.length, schedule.at(-1)?.remainingPrincipalAmount], [6, 0]);
  t.ok(Math.abs(aprNominal - 0.05) < 0.001, 'no fee, no cost above the rate');

  const late = await ask('POST', '/utilities/amortize', { ...TERMS, advanceSchedule: [{ advanceDate: '2024-07-15', amount: 400 }] });
  t.match(late, { status: 422, json: { errors: [{ path: 'advanceSchedule' }] } });
  const whole = await ask('POST', '/utilities/amortize', { ...TERMS, advanceSchedule: [{ advanceDate: '2024-03-01', amount: 1000 }] });
  t.match(whole, { status: 422, json: { errors: [{ path: 'advanceSchedule' }] } });
});

test('a payment that does not cover the interest is a fault of the body', async (t) => {
  const { ask } = await openHttpLender(t);
  const { duration: _, ...open } = TERMS;
  const answer = await ask('POST', '/utilities/amortize', { ...open, periodicPaymentAmount: 4 });
  t.match(answer, { status: 400, json: { errorType: 'validationError', errors: [{ path: 'periodicPaymentAmount' }] } });
});
