import { test } from 'tap';
import {
  accrue,
  addDays,
  amortize,
  constantRate,
  type DayCountMethod,
  dayUnits,
  dueDates,
  fixedRatio,
  formatCents,
  formatFixed,
  RATE_ONE,
  roundAccrued,
  simpleGrowth,
  YEAR_UNITS,
} from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { centsFrom, dayFrom, rateFrom } from '../numbers.js';

const FILE = 'accrual-and-balance.json';

interface AccrualVector {
  readonly id: string;
  readonly title: string;
  readonly inputs: {
    readonly balance?: string;
    readonly amount?: string;
    readonly annualRate: string;
    readonly days?: number;
    readonly months?: number;
    readonly periods?: readonly string[];
  };
  readonly expected: {
    readonly factors?: readonly string[];
    readonly interest?: string;
    readonly 'ACT/365'?: string;
    readonly '30/360 (rate/12)'?: string;
    readonly payment?: string;
    readonly totalInterest?: string;
    readonly rows?: readonly { readonly n: number; readonly interest: string; readonly principal: string; readonly balanceAfter: string }[];
  };
}

const vectors = vectorsOf<AccrualVector>(FILE, 'accrual');
const skip = vectors ? false : missing('domain', 'vectors', FILE);

test('published interest of a number of days matches to the cent', { skip }, (t) => {
  const plain = (vectors ?? []).filter((vector) => vector.inputs.days !== undefined);
  t.equal(plain.length, 5);
  for (const { id, inputs, expected } of plain) {
    const from = dayFrom('2023-03-01');
    const interest = (method: DayCountMethod, days: number): string => {
      const units = dayUnits(method, from, addDays(from, days));
      return formatCents(roundAccrued(accrue(centsFrom(inputs.balance ?? ''), rateFrom(inputs.annualRate), units), 'halfUp'));
    };
    t.equal(interest('daily365', inputs.days ?? 0), expected.interest ?? expected['ACT/365'], id);
    const month = expected['30/360 (rate/12)'];
    if (month !== undefined) t.equal(interest('monthly30360', 31), month, `${id}, the month`);
  }
  t.end();
});

test('published monthly factors over actual years match to twelve decimals', { skip }, (t) => {
  const [vector] = (vectors ?? []).filter(({ expected }) => expected.factors);
  for (const [position, period] of (vector?.inputs.periods ?? []).entries()) {
    const [from = '', to = ''] = period.split('/');
    const { net } = simpleGrowth(constantRate(rateFrom(vector?.inputs.annualRate ?? '')), 'actualActual', dayFrom(from), dayFrom(to));
    t.equal(formatFixed(fixedRatio(net, BigInt(RATE_ONE) * BigInt(YEAR_UNITS)), 12), vector?.expected.factors?.[position], period);
  }
  t.equal(vector?.inputs.periods?.length, 6);
  t.end();
});

test('a published actuarial loan matches to the cent', { skip }, (t) => {
  const [vector] = (vectors ?? []).filter(({ expected }) => expected.payment);
  const schedule = amortize({
    start: dayFrom('2024-01-01'),
    principalCents: centsFrom(vector?.inputs.amount ?? ''),
    dueDates: dueDates({ type: 'monthly', day: 1 }, dayFrom('2024-02-01'), vector?.inputs.months ?? 0),
    payment: { type: 'level' },
    rates: constantRate(rateFrom(vector?.inputs.annualRate ?? '')),
    dayCount: 'monthly30360',
    rounding: { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfUp' },
  });
  t.equal(formatCents(schedule.rows[0]?.amountCents ?? centsFrom('0')), vector?.expected.payment);
  for (const { n, interest, principal, balanceAfter } of vector?.expected.rows ?? []) {
    const row = schedule.rows[n - 1];
    t.same(row && [row.interestCents, row.principalCents, row.remainingPrincipalCents].map(formatCents), [
      interest,
      principal,
      balanceAfter,
    ]);
  }
  const levels = (schedule.levels[0]?.amountCents ?? 0) * (vector?.inputs.months ?? 0);
  const published = centsFrom(vector?.inputs.amount ?? '') + centsFrom(vector?.expected.totalInterest ?? '');
  t.equal(levels, published, 'the publication counts 48 level payments');
  t.end();
});

interface AdvanceVector {
  readonly id: string;
  readonly steps: readonly {
    readonly expect?: {
      readonly schedule: readonly {
        readonly n: number;
        readonly dueDate: string;
        readonly due: string;
        readonly interest: string;
        readonly principal: string;
      }[];
    };
  }[];
}

const ledgers = vectorsOf<AdvanceVector>('ledger.json', 'ledger');

test('a second advance on a due date re-amortizes as published', {
  skip: ledgers ? false : missing('domain', 'vectors', 'ledger.json'),
}, (t) => {
  const expected = ledgers?.find(({ id }) => id === 'fin-emi-l01')?.steps.at(-1)?.expect?.schedule ?? [];
  const { rows } = amortize({
    start: dayFrom('2024-01-01'),
    principalCents: centsFrom('100'),
    advances: [{ date: dayFrom('2024-03-01'), amountCents: centsFrom('100') }],
    dueDates: expected.map(({ dueDate }) => dayFrom(dueDate)),
    payment: { type: 'level' },
    rates: constantRate(rateFrom('0.094822')),
    dayCount: 'monthly30360',
    rounding: { payment: 'halfUp', paymentMultipleCents: 1, interest: 'halfEven' },
  });
  t.equal(expected.length, 6);
  t.same(
    rows.map((row) => [row.amountCents, row.interestCents, row.principalCents].map(formatCents)),
    expected.map(({ due, interest, principal }) => [due, interest, principal]),
  );
  t.end();
});
