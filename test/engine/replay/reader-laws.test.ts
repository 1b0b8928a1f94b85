import fc from 'fast-check';
import { test } from 'tap';
import {
  accruedOf,
  type BalanceBlock,
  balancesOf,
  computeByDay,
  computeLedger,
  type Day,
  differences,
  type EntryLine,
  interestByDay,
  type LedgerState,
  obligationsOf,
  overdueOf,
  type RecordedLedger,
  recordLedger,
  scheduleOf,
  stateDigest,
} from '../../../engine/index.js';
import { Listener, type Seen } from './heard.js';
import { allHistories, type History, PARAMETERS, restlessHistories, RUNS, SEED, statusHistories, termsHistories } from './histories.js';
import { keptHistories } from './kept-loans.js';

/*
 * What readers see beside the balances: events, entries, allocations, obligations and rows. Each is held to what the others say, or to the
 * ledger itself.
 */

const CENT = 160_308_000_000_000n;

const seenOf = (state: LedgerState): Seen => ({
  day: state.day,
  status: state.status,
  statusSince: state.statusSince,
  outstanding: balancesOf(state).outstanding,
  overdue: overdueOf(state),
  obligations: state.obligations,
});

function law(name: string, faultsOf: (history: History) => readonly string[], numRuns: number, histories = allHistories): void {
  test(name, async (t) => {
    t.comment(`seed ${SEED}`);
    const holds = fc.property(histories, (history) => {
      const faults = faultsOf(history);
      if (faults.length > 0) throw new Error(faults.slice(0, 5).join('\n'));
    });
    fc.assert(holds, { ...PARAMETERS, numRuns: Math.ceil(numRuns) });
    t.pass('holds');
  });
}

/** Some days of a life, the last one with them. */
function* somedays({ terms, through }: History): Generator<Day> {
  for (let day: number = terms.activation; day < through; day += 11) yield day as Day;
  yield through;
}

const onDays = (history: History, faultsOf: (ledger: RecordedLedger) => readonly string[]): readonly string[] => {
  for (const day of somedays(history)) {
    const faults = faultsOf(recordLedger(history.terms, history.facts, day));
    if (faults.length > 0) return faults.map((fault) => `on ${day}: ${fault}`);
  }
  return [];
};

function heardIsSeen({ state, happenings }: RecordedLedger): readonly string[] {
  const listener = new Listener();
  for (const happening of happenings) listener.hear(happening);
  return listener.compare(seenOf(state));
}

const ALL = [
  ['loans', allHistories, 2],
  ['loans whose status changes often', restlessHistories, 3],
  ['loans kept by installment', keptHistories, 8],
] as const;

for (const [name, histories, share] of ALL) {
  law(`${name}: who hears every event knows what readers see`, (history) => onDays(history, heardIsSeen), RUNS / share, histories);
}

const FEES = {
  originationFees: 'originationFeesCents',
  lateFees: 'lateFeesCents',
  modificationFees: 'modificationFeesCents',
  dynamicFees: 'dynamicFeesCents',
} as const satisfies Partial<Record<EntryLine['component'], keyof BalanceBlock>>;

/** Each balance of each block is the sum of its lines. */
function linesAreBalances({ state, entries }: RecordedLedger): readonly string[] {
  const sums = new Map<string, bigint>();
  for (const { lines } of entries)
    for (const { bucket, component, amount } of lines)
      sums.set(`${bucket} ${component}`, (sums.get(`${bucket} ${component}`) ?? 0n) + amount);
  const balances = balancesOf(state);
  return (['nonDue', 'due', 'overdue', 'chargedOff'] as const).flatMap((bucket) => {
    const block = balances[bucket];
    const expected: (readonly [string, bigint])[] = [
      ['principal', BigInt(block.principalCents) * CENT],
      ['interest', block.unroundedInterest],
      ...Object.entries(FEES).map(([component, figure]) => [component, BigInt(block[figure]) * CENT] as const),
    ];
    return expected
      .filter(([component, amount]) => (sums.get(`${bucket} ${component}`) ?? 0n) !== amount)
      .map(([component, amount]) => `${bucket} ${component}: ${amount}, lines ${sums.get(`${bucket} ${component}`)}`);
  });
}

for (const [name, histories, share] of ALL) {
  law(
    `${name}: the lines of a component and a block are its balance`,
    (history) => onDays(history, linesAreBalances),
    RUNS / share,
    histories,
  );
}

/** A balance that has changed has an entry of its cause and time, whose lines are the change. */
function eventsAreEntries({ happenings, entries }: RecordedLedger): readonly string[] {
  const moved = new Map<string, bigint>();
  for (const { day, seconds, entryType, lines } of entries) {
    const key = `${day} ${seconds} ${entryType}`;
    const owed = lines.filter(({ bucket }) => bucket !== 'counter' && bucket !== 'chargedOff');
    moved.set(
      key,
      owed.reduce((sum, { amount }) => sum + amount, moved.get(key) ?? 0n),
    );
  }
  const told = new Map<string, number>();
  for (const happening of happenings) {
    if (happening.type !== 'balanceChanged') continue;
    const key = `${happening.day} ${happening.seconds} ${happening.cause}`;
    told.set(key, (told.get(key) ?? 0) + happening.balances.totalCents - happening.previousBalances.totalCents);
  }
  return [...told].flatMap(([key, cents]) => {
    const rest = (moved.get(key) ?? 0n) - BigInt(cents) * CENT;
    // Interest that is not due is told in whole cents.
    return rest > 2n * CENT || rest < -2n * CENT ? [`${key}: ${cents}, lines ${moved.get(key)}`] : [];
  });
}

law('the change of a balance that is told is what its entry has moved', (history) => eventsAreEntries(recordOf(history)), RUNS);

const recordOf = ({ terms, facts, through }: History): RecordedLedger => recordLedger(terms, facts, through);

/** What an obligation counts as paid is what allocations say that it has met. */
function allocationsAreCounted({ state, allocations }: RecordedLedger): readonly string[] {
  const kinds = new Map(state.payments.map(({ transaction, kind }) => [transaction, kind]));
  const isChargedBack = state.payments.some(({ chargedBack }) => chargedBack !== undefined);
  if (state.status === 'canceled' || isChargedBack) return [];
  return [...state.replaced, ...state.obligations].flatMap((obligation) => {
    const met = allocations.filter((part) => part.obligation === obligation.ordinal && kinds.get(part.transaction) !== 'credit');
    const paidCents = met.reduce((sum, part) => (kinds.get(part.transaction) === 'refund' ? sum : sum + part.amountCents), 0);
    return paidCents === obligation.paymentsCents
      ? []
      : [`obligation ${obligation.ordinal} counts ${obligation.paymentsCents}, allocations ${paidCents}`];
  });
}

law('an obligation counts as paid what allocations say that it has met', (history) => allocationsAreCounted(recordOf(history)), RUNS);

law(
  'after many changes of status, an obligation counts as paid what allocations say that it has met',
  (history) => allocationsAreCounted(recordOf(history)),
  RUNS,
  restlessHistories,
);

/** Of interest that did not accrue day by day nothing is asked here. */
function daysAreAccrued(ledger: RecordedLedger, { terms, through }: History): readonly string[] {
  const days = interestByDay(ledger, terms.activation, through);
  const interest = days.reduce((sum, day) => sum + day.interest, 0n);
  const before = days.reduce((sum, day) => sum + day.interestBeforeDiscount, 0n);
  const { totals } = ledger.state;
  return [
    ...(interest === accruedOf(totals.interestAccrued) ? [] : [`days ${interest}, accrued ${accruedOf(totals.interestAccrued)}`]),
    // What a cap has stopped is no promo's.
    ...(terms.totalInterestCapCents !== null || before - interest === accruedOf(totals.interestDiscount)
      ? []
      : [`days saved ${before - interest}`]),
  ];
}

law('interest by day is what has accrued, and what promos have saved', (history) => daysAreAccrued(recordOf(history), history), RUNS);

/** Views of what is fixed, beside the ledger's own figures. */
function viewsAreFigures({ state }: RecordedLedger): readonly string[] {
  const faults: string[] = [];
  const same = (what: string, view: unknown, figure: unknown): void => {
    if (view !== figure) faults.push(`${what}: ${String(view)}, is ${String(figure)}`);
  };
  const views = obligationsOf(state);
  const open = views.filter(({ isOpen }) => isOpen);
  same('open obligations', open.length > 1 || (open.length === 1 && views.at(-1) !== open[0]), false);
  same('fixed obligations', views.length - open.length, state.obligations.length);
  for (const [at, one] of state.obligations.entries()) {
    const view = views[at];
    same(`${one.ordinal} amount`, view?.obligationCents, one.amountCents);
    same(`${one.ordinal} remaining`, view?.remainingCents, one.remainingCents);
    same(`${one.ordinal} fulfilled`, view?.fulfilledCents, one.amountCents - one.remainingCents);
    same(`${one.ordinal} payments`, view?.paymentsCents, one.paymentsCents);
    same(`${one.ordinal} credits`, view?.serviceCreditsCents, one.creditsCents);
    same(`${one.ordinal} in advance`, view?.overpaymentsCents, one.prepaidCents);
    same(`${one.ordinal} capitalized`, view?.capitalizedCents, one.capitalizedCents);
    same(`${one.ordinal} unassigned`, view?.unassignedCents, one.unassignedCents);
    same(`${one.ordinal} is overdue`, view?.isOverdue, one.isEnforced && !one.isFulfilled);
    same(`${one.ordinal} is blocked`, view?.isLateFeeBlockedByPyramidingConfig, one.isLateFeeBlocked);
  }
  for (const row of scheduleOf(state)) {
    const { ordinal, amountCents, principalCents, interestCents, feesCents, carriedFees } = row;
    same(`row ${ordinal} parts`, principalCents + interestCents + feesCents, amountCents);
    same(`row ${ordinal} exact`, row.unroundedPrincipal + row.unroundedInterest, BigInt(principalCents + interestCents) * CENT);
    const discount = row.unroundedInterestBeforeDiscount - row.unroundedInterest;
    if (discount < 0n) faults.push(`row ${ordinal} saves ${discount}`);
    same(`row ${ordinal} fees`, carriedFees.reduce((sum, fee) => sum + fee.amountCents, 0) <= feesCents, true);
    const obligation = state.obligations.find((one) => one.ordinal === ordinal);
    if (ordinal >= state.nextRow || obligation === undefined) continue;
    same(`row ${ordinal} amount`, amountCents, obligation.amountCents);
    same(`row ${ordinal} status`, row.status, obligation.isFulfilled ? 'completed' : 'booked');
    same(`row ${ordinal} in advance`, row.prepaidCents, obligation.prepaidCents);
    same(`row ${ordinal} date`, row.date, obligation.dueDay);
  }
  return faults;
}

for (const [name, histories, share] of ALL) {
  law(
    `${name}: obligations and rows show the figures of the ledger`,
    (history) => onDays(history, viewsAreFigures),
    RUNS / share,
    histories,
  );
}

const LATENESS: ReadonlySet<string> = new Set(['overdue', 'overdueUpdate', 'current']);

/** The last facts come to light at once: the differences that are told lead from what was seen to what is seen. */
function differencesAreSeen({ terms, facts, through }: History): readonly string[] {
  return [1, 2, 4].flatMap((count) => {
    const before = computeLedger(terms, facts.slice(0, -count), through);
    const after = computeLedger(terms, facts, through);
    const listener = Listener.of(seenOf(before));
    const told = differences(before, after);
    for (const happening of told) listener.hear(happening);
    const faults = [...listener.compare({ ...seenOf(after), statusSince: listener.statusSince ?? after.statusSince })];
    const late = [before, after].map((state) => `${overdueOf(state).overdueSince} ${overdueOf(state).overdueCents}`);
    if (late[0] !== late[1] && !told.some(({ type }) => LATENESS.has(type)))
      faults.push(`${late[0]} became ${late[1]}, and nothing was told`);
    return faults.map((fault) => `of the last ${count}: ${fault}`);
  });
}

law('who hears the differences of a recomputed past knows what readers see', differencesAreSeen, RUNS, statusHistories);
law('of loans kept by installment, too', differencesAreSeen, RUNS / 6, keptHistories);

/** Nothing but late fees can tell what remains from what would remain without them. */
function remainsWithout({ state }: RecordedLedger): readonly string[] {
  if (state.fees.some(({ kind }) => kind === 'lateFee')) return [];
  return state.obligations
    .filter(({ remainingCents, withoutLateFeesCents }) => remainingCents !== withoutLateFeesCents)
    .map((one) => `obligation ${one.ordinal}: ${one.remainingCents}, without late fees ${one.withoutLateFeesCents}`);
}

const withoutLateFees = (history: History): History => ({
  ...history,
  terms: { ...history.terms, settings: history.terms.settings.map(({ from, value }) => ({ from, value: { ...value, lateFees: [] } })) },
});

law(
  'where no late fee was ever charged, all that remains would remain without them',
  (history) => onDays(withoutLateFees(history), remainsWithout),
  RUNS,
);

law(
  'a ledger that is shown day by day is that of each day',
  ({ terms, facts, through }) => {
    const faults: string[] = [];
    const from = Math.max(terms.activation, through - 40) as Day;
    const known = facts.filter(({ recordedDay }) => recordedDay <= from);
    computeByDay(terms, known, { from, to: through }, (state) => {
      if (stateDigest(state) !== stateDigest(computeLedger(terms, known, state.day))) faults.push(`day ${state.day}`);
    });
    return faults;
  },
  RUNS / 2,
  termsHistories,
);
