import { test } from 'tap';
import {
  accruedOfCents,
  amortize,
  cents,
  computeInstallments,
  constantRate,
  type ScheduledTerms,
  installmentViews,
} from '../../../engine/index.js';
import { missing, vectorsOf } from '../../shared.js';
import { rateFrom } from '../numbers.js';
import {
  annualRateOf,
  COMPUTED,
  datesOf,
  differences,
  expectedOf,
  type OurRow,
  principalOf,
  type ScheduleVector,
  type Settings,
  startOf,
} from './published-schedules.js';

const FILE = 'schedules.json';

const LEVEL: ScheduledTerms['principal'] = { type: 'level', solvedOver: 'schedule' };
const BY_MONTH: ScheduledTerms['interest'] = { type: 'periodic', periodsPerYear: 12, firstPeriodYear: null };

/** Schedules of loans with scheduled interest. */
const WITH_SCHEDULED_INTEREST: Readonly<Record<string, Partial<ScheduledTerms>>> = {
  'fin-e2e-s04': { interest: BY_MONTH, principal: { type: 'equal' } },
  'fin-emi-s03': { interest: BY_MONTH, principal: LEVEL },
  'fin-fix-s02': {
    interest: { type: 'daily', dayCount: 'daily365' },
    principal: { type: 'share', share: rateFrom('0.05') },
    interestOnlyCount: 6,
  },
  'sce-s-interestonly': {
    interest: { ...BY_MONTH, firstPeriodYear: 360 },
    principal: LEVEL,
    interestOnlyCount: 12,
    rounding: { interest: 'halfUp', amount: 'up', multipleCents: 1 },
  },
};

const vectors = vectorsOf<ScheduleVector>(FILE, 'schedule');
const skip = vectors ? false : missing('domain', 'vectors', FILE);

test('every published schedule is computed', { skip }, (t) => {
  const known = [...Object.keys(COMPUTED), ...Object.keys(WITH_SCHEDULED_INTEREST)].sort();
  t.same(vectors?.map(({ id }) => id).sort(), known);
  t.end();
});

test('published schedules are matched to the cent', { skip }, (t) => {
  for (const vector of vectors ?? []) {
    const settings = COMPUTED[vector.id];
    if (settings !== undefined) t.same(differences(vector, scheduleOf(vector, settings)), [], `${vector.id}: ${vector.title}`);
  }
  t.end();
});

test('published schedules of loans with scheduled interest are matched to the cent', { skip }, (t) => {
  for (const vector of vectors ?? []) {
    const terms = WITH_SCHEDULED_INTEREST[vector.id];
    if (terms !== undefined) t.same(differences(vector, installmentsOf(vector, terms)), [], `${vector.id}: ${vector.title}`);
  }
  t.end();
});

function scheduleOf(vector: ScheduleVector, settings: Settings): readonly OurRow[] {
  const { rows } = amortize({
    start: startOf(vector),
    principalCents: principalOf(vector),
    dueDates: datesOf(vector, expectedOf(vector)),
    rowTerms: settings.rowTerms ?? [],
    payment: { type: 'level' },
    ...(settings.lastPayment === undefined ? {} : { lastPayment: settings.lastPayment }),
    rates: constantRate(rateFrom(annualRateOf(vector))),
    dayCount: settings.dayCount,
    rounding: settings.rounding,
  });
  return rows;
}

function installmentsOf(vector: ScheduleVector, terms: Partial<ScheduledTerms>): readonly OurRow[] {
  const start = startOf(vector);
  const order = ['penalties', 'fees', 'interest', 'principal'] as const;
  const whole: ScheduledTerms = {
    start,
    dueDates: datesOf(vector, expectedOf(vector)),
    annualRate: rateFrom(annualRateOf(vector)),
    interest: BY_MONTH,
    principal: LEVEL,
    interestOnlyCount: 0,
    rounding: { interest: 'halfEven', amount: 'halfUp', multipleCents: 1 },
    recalculation: { type: 'none' },
    downPayment: null,
    allocation: { pastDue: order, due: order, inAdvance: order },
    excess: 'next',
    creditExcess: 'next',
    chargebackOrder: order,
    newRateCountsFrom: 'day',
    payoffInterest: 'toDate',
    ...terms,
  };
  const ledger = computeInstallments(whole, [{ type: 'advanced', day: start, sequence: 1, amountCents: principalOf(vector) }], start);
  return installmentViews(ledger).map((view) => ({
    date: view.dueDay,
    amountCents: view.dueCents,
    principalCents: cents(view.parts.principal),
    interestCents: cents(view.parts.interest),
    remainingPrincipalCents: view.principalBalanceCents,
    unroundedInterest: accruedOfCents(cents(view.parts.interest)),
  }));
}
