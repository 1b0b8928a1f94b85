import fc from 'fast-check';
import { test } from 'tap';
import {
  accruedOf,
  addDays,
  computeLine,
  creditOf,
  type Day,
  type EntryLine,
  type LineBalanceBlock,
  lineBalancesOf,
  lineDifferences,
  lineObligationsOf,
  type LineObligationView,
  lineOverdueOf,
  linePayoffOf,
  lineScheduleOf,
  type LineState,
  type RecordedLine,
  recordLine,
  runningPeriod,
} from '../../../engine/index.js';
import { Listener, type Seen } from '../replay/heard.js';
import { PARAMETERS, RUNS, SEED } from '../replay/histories.js';
import { allLines, type LineHistory } from './histories.js';

/*
 * What readers see of a line beside its balances: events, entries, allocations, obligations, rows and credit. Each is held to what the
 * others say, or to the ledger itself.
 */

const CENT = 160_308_000_000_000n;

const seenOf = (state: LineState): Seen => ({
  day: state.day,
  status: state.status,
  statusSince: state.statusSince,
  outstanding: lineBalancesOf(state).outstanding,
  overdue: lineOverdueOf(state),
  obligations: state.obligations,
});

function law(name: string, faultsOf: (history: LineHistory) => readonly string[], numRuns = RUNS / 2): void {
  test(`of a line: ${name}`, async (t) => {
    t.comment(`seed ${SEED}`);
    const holds = fc.property(allLines, (history) => {
      const faults = faultsOf(history);
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'));
    });
    fc.assert(holds, { ...PARAMETERS, numRuns: Math.ceil(numRuns) });
    t.pass('holds');
  });
}

const onDays = ({ terms, facts, through }: LineHistory, faultsOf: (ledger: RecordedLine) => readonly string[]): readonly string[] => {
  for (let day: number = through; day >= terms.activation; day -= 13) {
    const faults = faultsOf(recordLine(terms, facts, day as Day));
    if (faults.length > 0) return faults.map((fault) => `on ${day}: ${fault}`);
  }
  return [];
};

/** Complains of each figure that is not what it is held to. */
class Comparison {
  readonly faults: string[] = [];

  same(what: string, found: unknown, expected: unknown): void {
    if (found !== expected) this.faults.push(`${what}: ${String(found)}, expected ${String(expected)}`);
  }
}

const holdersOf = (state: LineState): readonly (number | null)[] => [null, ...state.draws.map(({ draw }) => draw)];

law('who hears every event knows what readers see', (history) =>
  onDays(history, ({ state, happenings }) => {
    const listener = new Listener();
    const graces = new Map<number, boolean>();
    for (const happening of happenings) {
      listener.hear(happening);
      if (happening.type === 'graceChanged') graces.set(happening.draw, happening.isEligible);
    }
    const found = new Comparison();
    for (const { draw, activation, isGraceEligible } of state.draws)
      if (graces.has(draw) || !activation.grace.isApplicable)
        found.same(`grace of ${draw}`, graces.get(draw) ?? isGraceEligible, isGraceEligible);
    const begun = happenings.flatMap((happening) => (happening.type === 'periodStarted' ? [happening] : []));
    for (const { day, period, startDate, endDate, dueDate } of begun) {
      const known = state.periods[period];
      if (known === undefined || known.startDate !== startDate) continue;
      found.same(`period ${period} begins`, startDate, day);
      if (period < runningPeriod(state).ordinal) found.same(`end of period ${period}`, endDate, known.endDate);
      if (known.endDate === endDate) found.same(`due date of period ${period}`, dueDate, known.dueDate);
    }
    return [...listener.compare(seenOf(state)), ...found.faults];
  }),
);

const FEES = {
  originationFees: 'originationFeesCents',
  drawFees: 'drawFeesCents',
  lateFees: 'lateFeesCents',
  modificationFees: 'modificationFeesCents',
  dynamicFees: 'dynamicFeesCents',
} as const satisfies Partial<Record<EntryLine['component'] | 'drawFees', keyof LineBalanceBlock>>;

const BUCKETS = ['nonDue', 'due', 'overdue', 'chargedOff'] as const;

law('the lines of a component, a block and a draw are its balance', (history) =>
  onDays(history, ({ state, entries }) => {
    const sums = new Map<string, bigint>();
    for (const { lines } of entries)
      for (const { draw, bucket, component, amount } of lines)
        for (const key of [`${draw} ${bucket} ${component}`, `all ${bucket} ${component}`]) sums.set(key, (sums.get(key) ?? 0n) + amount);
    const found = new Comparison();
    for (const draw of state.draws.map((of) => of.draw)) compareBlocks(found, sums, String(draw), lineBalancesOf(state, draw));
    compareBlocks(found, sums, 'all', lineBalancesOf(state));
    return found.faults;
  }),
);

type Blocks = Readonly<Record<(typeof BUCKETS)[number], LineBalanceBlock>>;

function compareBlocks(found: Comparison, sums: ReadonlyMap<string, bigint>, holder: string, blocks: Blocks): void {
  for (const bucket of BUCKETS) {
    const block = blocks[bucket];
    const lines = (component: string): bigint => sums.get(`${holder} ${bucket} ${component}`) ?? 0n;
    found.same(`${holder} ${bucket} principal`, BigInt(block.principalCents) * CENT, lines('principal'));
    found.same(`${holder} ${bucket} interest`, block.unroundedInterest, lines('interest'));
    for (const [component, figure] of Object.entries(FEES))
      found.same(`${holder} ${bucket} ${component}`, BigInt(block[figure]) * CENT, lines(component));
    found.same(`${holder} ${bucket} total`, block.totalCents, block.principalCents + block.interestCents + block.feesCents);
  }
}

law('a draw counts as paid what allocations say that it has got, and so does an obligation', (history) =>
  onDays(history, ({ state, allocations }) => {
    const found = new Comparison();
    if (state.status === 'canceled') return [];
    const sum = (isMeant: (part: (typeof allocations)[number]) => boolean): number =>
      allocations.reduce((total, part) => (isMeant(part) ? total + part.amountCents : total), 0);
    for (const { transaction, splits, amountCents, overCents } of state.payments) {
      found.same(
        `${transaction}`,
        sum((part) => part.transaction === transaction),
        amountCents,
      );
      found.same(
        `${transaction} over`,
        sum((part) => part.transaction === transaction && part.bucket === 'paidOver'),
        overCents,
      );
      for (const { draw, principalCents, interestCents, feesCents } of splits) {
        const got = (ending: string): number =>
          sum((part) => part.transaction === transaction && part.draw === draw && part.bucket.endsWith(ending));
        found.same(`${transaction} principal of ${draw}`, got('Principal'), principalCents);
        found.same(`${transaction} interest of ${draw}`, got('Interest'), interestCents);
        found.same(`${transaction} fees of ${draw}`, got('Fees'), feesCents);
      }
    }
    const paid = new Set(state.payments.flatMap(({ transaction, kind }) => (kind === 'credit' || kind === 'refund' ? [] : [transaction])));
    for (const { ordinal, paymentsCents } of [...state.replaced, ...state.obligations])
      found.same(
        `obligation ${ordinal}`,
        paymentsCents,
        sum((part) => part.obligation === ordinal && paid.has(part.transaction)),
      );
    return found.faults;
  }),
);

const FIGURES = [
  'obligationCents',
  'fulfilledCents',
  'remainingCents',
  'paymentsCents',
  'serviceCreditsCents',
  'overpaymentsCents',
  'capitalizedCents',
] as const;

law('obligations and rows show the figures of the ledger, and those of draws are the whole', (history) =>
  onDays(history, ({ state }) => {
    const found = new Comparison();
    const whole = lineObligationsOf(state);
    const parts = holdersOf(state).map((draw) => lineObligationsOf(state, draw));
    for (const [at, one] of state.obligations.entries()) compareObligation(found, state, whole[at], one);
    const open = whole.filter(({ isOpen }) => isOpen);
    found.same('open obligations', open.length, state.status === 'active' || state.status === 'frozen' ? open.length && 1 : 0);
    for (const view of whole) {
      // The line's own fees are no draw's.
      const ofDraws = parts.slice(1).flatMap((views) => views.filter(({ ordinal }) => ordinal === view.ordinal));
      for (const figure of FIGURES) {
        const cents = ofDraws.reduce((total, part) => total + part[figure], 0);
        if (state.fees.length === 0 && !view.isOpen) found.same(`${view.ordinal} ${figure} of draws`, cents, view[figure]);
        else if (cents > view[figure]) found.same(`${view.ordinal} ${figure} of draws`, cents, `at most ${view[figure]}`);
      }
      for (const part of ofDraws) {
        found.same('fulfilled of a draw', part.isFulfilled, part.remainingCents === 0);
        found.same('amount of a draw', part.obligationCents, part.remainingCents + part.fulfilledCents);
        found.same('minimum of a draw', part.minimumDueCents, part.obligationCents);
      }
    }
    compareRows(found, state);
    return found.faults;
  }),
);

function compareObligation(
  found: Comparison,
  state: LineState,
  view: LineObligationView | undefined,
  one: LineState['obligations'][number],
): void {
  found.same(`${one.ordinal} amount`, view?.obligationCents, one.amountCents);
  found.same(`${one.ordinal} remaining`, view?.remainingCents, one.remainingCents);
  found.same(`${one.ordinal} period`, view?.period, one.period.ordinal);
  found.same(`${one.ordinal} overdue`, view?.isOverdue, one.isEnforced && !one.isFulfilled);
  found.same(`${one.ordinal} over limit`, view?.overLimitCents, one.overLimitCents);
  found.same(`${one.ordinal} full balance`, view?.loanGracePeriod.fullBalanceCents, one.grace.fullBalanceCents);
  const graces = one.draws.filter(({ draw }) => draw !== null);
  found.same(`${one.ordinal} graces`, view?.gracePeriods.length, graces.length);
  for (const [at, { draw, grace }] of graces.entries()) {
    const shown = view?.gracePeriods[at];
    found.same(`${one.ordinal} grace of`, shown?.draw, draw);
    found.same(`${one.ordinal} grace met`, shown?.totalFulfilledOnDueDateCents, grace.totalFulfilledOnDueDateCents);
    found.same(`${one.ordinal} grace without overdue`, shown?.fullBalanceMinusOverdueCents, grace.fullBalanceMinusOverdueCents);
    found.same(`${one.ordinal} grace held`, shown?.isEligible, grace.isEligible);
  }
  const settings = state.terms.settings.findLast(({ from }) => from <= state.day)?.value ?? state.terms.settings[0]?.value;
  const carried = settings?.isOverdueInMinimum === true ? one.carriedOverdueCents : 0;
  found.same(`${one.ordinal} minimum`, view?.minimumDueCents, one.amountCents + carried);
}

function compareRows(found: Comparison, state: LineState): void {
  const rows = lineScheduleOf(state);
  for (const [at, one] of state.obligations.entries()) {
    const row = rows[at];
    found.same(`row ${one.ordinal}`, row?.ordinal, one.period.ordinal);
    found.same(`row ${one.ordinal} date`, row?.date, one.dueDay);
    found.same(`row ${one.ordinal} status`, row?.status, one.isFulfilled ? 'completed' : 'booked');
    found.same(`row ${one.ordinal} amount`, row?.amountCents, one.amountCents);
    found.same(
      `row ${one.ordinal} interest`,
      row?.interestCents,
      one.draws.reduce((total, part) => total + part.interestCents, 0),
    );
    found.same(
      `row ${one.ordinal} fees`,
      row?.feesCents,
      one.draws.reduce((total, part) => total + part.feesCents, 0),
    );
  }
  const coming = rows.slice(state.obligations.length);
  for (const [at, { ordinal, status, date }] of coming.entries()) {
    found.same(`coming ${at}`, ordinal, runningPeriod(state).ordinal + at);
    found.same(`status of coming ${at}`, status, at === 0 ? 'booked' : 'projected');
    if (at === 0) found.same('date of the running period', date, runningPeriod(state).dueDate);
  }
}

law('limit, use, holds and rest of the credit are what is owed and what payments have not freed', (history) =>
  onDays(history, ({ state }) => {
    const found = new Comparison();
    for (const draw of holdersOf(state)) {
      const of = state.draws.find((candidate) => candidate.draw === draw);
      const { limitCents, utilizedCents, heldCents, availableCents, overLimitCents } = creditOf(state, draw);
      const payoff = linePayoffOf(state, state.day, draw);
      const heldBy = state.payments.filter(({ holdUntil }) => holdUntil !== null && holdUntil >= state.day);
      const splits = heldBy.flatMap((payment) => payment.splits).filter((split) => draw === null || split.draw === draw);
      const held = splits.reduce((total, split) => total + split.principalCents + split.interestCents + split.feesCents, 0);
      found.same(`${draw} limit`, limitCents, of?.limitCents ?? state.limitCents);
      if (state.status !== 'chargedOff') found.same(`${draw} used`, utilizedCents, payoff.payoffCents);
      found.same(`${draw} held`, heldCents, held);
      found.same(`${draw} rest`, availableCents, Math.max(0, limitCents - utilizedCents - heldCents));
      found.same(`${draw} over`, overLimitCents, Math.max(0, utilizedCents - limitCents));
    }
    return found.faults;
  }),
);

law('what the open obligation shows is what the statement asks for, when nothing happens until then', ({ terms, facts, through }) => {
  const state = computeLine(terms, facts, through);
  const open = lineObligationsOf(state).find(({ isOpen }) => isOpen);
  if (state.status !== 'active') return [];
  const { statementDate, ordinal } = runningPeriod(state);
  const later = computeLine(terms, facts, statementDate);
  const asked = later.obligations.find((one) => one.ordinal === ordinal);
  const found = new Comparison();
  // Days overdue may end the line's life first.
  if (later.status !== 'active') return [];
  found.same('amount', open?.obligationCents, asked?.amountCents);
  found.same('remaining', open?.remainingCents, asked?.remainingCents);
  found.same('date', open?.dueDay, asked?.dueDay);
  found.same('in advance', open?.overpaymentsCents, asked?.prepaidCents);
  return found.faults;
});

law('the last facts come to light at once: who hears the differences knows what readers see', ({ terms, facts, through }) =>
  [1, 2, 4].flatMap((count) => {
    const before = computeLine(terms, facts.slice(0, -count), through);
    const after = computeLine(terms, facts, through);
    const listener = Listener.of(seenOf(before));
    const graces = new Map(before.draws.map(({ draw, isGraceEligible }) => [draw, isGraceEligible]));
    const told = lineDifferences(before, after);
    for (const happening of told) {
      listener.hear(happening);
      if (happening.type === 'graceChanged') graces.set(happening.draw, happening.isEligible);
    }
    const found = new Comparison();
    for (const { draw, isGraceEligible } of after.draws)
      if (graces.has(draw)) found.same(`grace of ${draw}`, graces.get(draw), isGraceEligible);
    const faults = listener.compare({ ...seenOf(after), statusSince: listener.statusSince ?? after.statusSince });
    return [...faults, ...found.faults].map((fault) => `of the last ${count}: ${fault}`);
  }),
);

law('what a line accrues on a day is told as its daily interest', ({ terms, facts, through }) => {
  const state = computeLine(terms, facts, through);
  const next = computeLine(terms, facts, addDays(through, 1));
  const found = new Comparison();
  const isMoved = next.obligations.length !== state.obligations.length || next.status !== state.status;
  const hasGrace = state.draws.some(({ activation }) => activation.grace.isApplicable);
  if (isMoved || hasGrace || state.status === 'frozen') return [];
  for (const draw of holdersOf(state)) {
    const accruedIn = (line: LineState): bigint =>
      accruedOf((draw === null ? line : (line.draws.find((of) => of.draw === draw) ?? line)).totals.interestAccrued);
    const { dailyInterest } = lineBalancesOf(state, draw).interestAndFees;
    // Capitalization of the morning counts for the day that it begins.
    if (next.totals.capitalizedInterestCents === state.totals.capitalizedInterestCents)
      found.same(`daily interest of ${draw}`, dailyInterest, accruedIn(next) - accruedIn(state));
  }
  return found.faults;
});

law('where no late fee was ever charged, all that remains would remain without them', (history) => {
  const settings = history.terms.settings.map(({ from, value }) => ({ from, value: { ...value, lateFees: [] } }));
  return onDays({ ...history, terms: { ...history.terms, settings } }, ({ state }) => {
    const found = new Comparison();
    for (const { ordinal, remainingCents, withoutLateFeesCents } of state.obligations)
      found.same(`obligation ${ordinal}`, withoutLateFeesCents, remainingCents);
    return found.faults;
  });
});
