import { test } from 'tap';
import {
  addDays,
  cents,
  computeLedger,
  constantRate,
  type Day,
  formatCents,
  type ScheduledKeeping,
  type LedgerFact,
  type LedgerState,
  type LedgerTerms,
  payoffOf,
  rate,
  scheduleOf,
} from '../../../../engine/index.js';
import { missing, vectorsOf } from '../../../shared.js';
import { dayOf, type LedgerVector, type Step } from '../scheduled/play-vector.js';
import { roundingBy, termsOf, type Unwritten } from '../scheduled/published-loans.js';
import { dayFrom, rateFrom } from '../../numbers.js';
import { loan, money, SETTINGS } from './loans.js';

/** Published ledgers that the ledger of a loan reproduces: one advance, payments and payoffs. */
const PLAYED = [
  'fin-e2e-l02',
  'fin-e2e-l03',
  'fin-e2e-l05',
  'fin-e2e-l06',
  'fin-e2e-l07',
  'fin-e2e-l08',
  'fin-e2e-l09',
  'fin-e2e-l10',
  'fin-e2e-l12',
  'fin-e2e-l14',
  'fin-e2e-l15',
  'fin-e2e-l17',
  'fin-e2e-l18',
  'fin-e2e-l19',
  'fin-e2e-l20',
  'fin-cob-l01',
  'fin-cob-l02',
  'fin-cob-l04',
  'fin-cob-l05',
  'fin-e2e-l35',
  'fin-emi-l03',
];

/** Conventions that the figures of some vectors show and their texts do not state. */
const UNWRITTEN: Readonly<Record<string, Unwritten>> = {
  'fin-e2e-l07': { rounding: roundingBy(100, 'stretch') },
  'fin-e2e-l10': { rounding: roundingBy(100, 'stretch') },
  'fin-emi-l03': { newRateCountsFrom: 'nightBefore' },
};

const vectors = vectorsOf<LedgerVector>('ledger.json', 'ledger');
const skip = vectors ? false : missing('domain', 'vectors', 'ledger.json');

test('the ledger of a loan with scheduled interest shows the published schedules', { skip }, (t) => {
  for (const id of PLAYED) {
    const vector = vectors?.find((candidate) => candidate.id === id);
    if (vector === undefined) {
      t.fail(`${id} is not there`);
      continue;
    }
    play(vector, (factPosition, published, ours) => t.same(ours, published, `${id} ${factPosition}: ${vector.title}`));
  }
  t.end();
});

type Compare = (factPosition: string, published: readonly string[], ours: readonly string[]) => void;

function play({ id, loan: published, steps = [] }: LedgerVector, compare: Compare): void {
  const { start, dueDates, annualRate, ...keeping } = termsOf(published, UNWRITTEN[id] ?? {});
  const principal = steps.find(({ op }) => op === 'disburse')?.amount ?? '';
  const shape = loan({ principal, rate: '0.10', activation: '2024-01-01', firstDue: '2024-02-01', rows: dueDates.length });
  const terms: LedgerTerms = {
    ...shape,
    activation: start,
    interestFrom: start,
    rates: constantRate(annualRate),
    rows: dueDates.map((date) => ({ date, amountCents: cents(0), principalCents: cents(0), interestCents: cents(0), isForced: false })),
    keeping,
    settings: [{ from: start, value: SETTINGS }],
  };
  const facts: LedgerFact[] = [];
  let today: Day = start;
  for (const step of steps) {
    today = dayOf(step, today);
    if (step.op === 'repayment') facts.push(payment(facts.length, dayFrom(step.date ?? ''), money(step.amount ?? '')));
    if (step.op === 'payoff') facts.push(payment(facts.length, today, payoffOf(computeLedger(terms, facts, today), today).payoffCents));
    if (step.op === 'changeRate') facts.push(newRate(facts.length, today, { terms, step }));
    const rows = step.expect?.['schedule'] as readonly Readonly<Record<string, string>>[] | undefined;
    if (rows === undefined) continue;
    const ledger = computeLedger(terms, facts, today);
    if (ledger.status === 'paidOff') {
      compareLastPayment(step, ledger, compare);
      continue;
    }
    const ours = scheduleOf(ledger);
    for (const row of rows.filter(({ type }) => type !== 'disbursement')) {
      const view = ours.find(({ ordinal }) => ordinal === Number(row['n']) - 1);
      compare(
        `row ${row['n'] ?? ''}`,
        [row['principal'] ?? '', row['interest'] ?? ''],
        [formatCents(view?.principalCents ?? cents(0)), formatCents(view?.interestCents ?? cents(0))],
      );
    }
  }
}

/** A loan that is paid off has no coming rows: the split of its last payment is compared instead. */
function compareLastPayment({ expect }: Step, { payments }: LedgerState, compare: Compare): void {
  const last = (expect?.['transactions'] as readonly Readonly<Record<string, string>>[]).at(-1);
  const payment = payments.at(-1);
  const ours = [payment?.amountCents, payment?.principalCents, payment?.interestCents].map((value) => formatCents(cents(value ?? 0)));
  compare('payoff', [last?.['amount'] ?? '', last?.['principal'] ?? '', last?.['interest'] ?? ''], ours);
}

/** Recorded on the day of the comparison, before the day from which it takes effect. */
function newRate(number: number, day: Day, { terms, step }: { readonly terms: LedgerTerms; readonly step: Step }): LedgerFact {
  const from = dayFrom(String(step['effectiveDate']));
  const annualRate = rateFrom(String(step['annualRate']));
  const [contracted] = terms.rates.segments;
  if (contracted === undefined) throw new Error('a contract has a rate');
  return {
    type: 'ratesChanged',
    rates: {
      segments: [
        { ...contracted, until: from },
        { from, until: contracted.until, gross: annualRate, net: annualRate },
      ],
    },
    reamortization: 'sameEndDate',
    effective: { day, seconds: 40_000 },
    sequence: number,
    recordedDay: day,
  };
}

function payment(number: number, day: Day, amountCents: ReturnType<typeof money>): LedgerFact {
  return {
    type: 'payment',
    transaction: number,
    kind: 'payment',
    amountCents,
    isPrepaymentEnabled: null,
    isProcessing: false,
    effective: { day, seconds: 40_000 },
    sequence: number,
    recordedDay: day,
  };
}

const ORDER = ['penalties', 'fees', 'interest', 'principal'] as const;

const BY_MONTH: ScheduledKeeping = {
  interest: { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null },
  principal: { type: 'level', solvedOver: 'schedule' },
  interestOnlyCount: 0,
  rounding: { interest: 'halfEven', amount: 'halfUp', multipleCents: 1 },
  recalculation: { type: 'progressive', isOverdueBearing: true },
  downPayment: null,
  allocation: { pastDue: ORDER, due: ORDER, inAdvance: ORDER },
  excess: 'next',
  creditExcess: 'next',
  chargebackOrder: ORDER,
  newRateCountsFrom: 'day',
  payoffInterest: 'toDate',
};

test('rates that change later change the installments to come', (t) => {
  const shape = loan({ principal: '100', rate: '0.07', activation: '2024-01-01', firstDue: '2024-02-01', rows: 6 });
  const { activation: start } = shape;
  const terms: LedgerTerms = { ...shape, keeping: BY_MONTH };
  const change: LedgerFact = {
    type: 'ratesChanged',
    rates: constantRate(rate(0)),
    reamortization: 'sameEndDate',
    effective: { day: addDays(start, 31), seconds: 10_000 },
    sequence: 1,
    recordedDay: addDays(start, 31),
  };
  const rows = scheduleOf(computeLedger(terms, [change], addDays(start, 31)));
  t.same(
    rows.slice(1).map((row) => row.interestCents),
    [0, 0, 0, 0, 0],
  );
  t.equal(
    rows.reduce((sum, row) => sum + row.principalCents, 0),
    10_000,
  );
  t.end();
});
