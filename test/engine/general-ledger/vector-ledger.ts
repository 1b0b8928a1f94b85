import { accrue, accruedOfCents, addDays, cents, type Day, generalLedger, must, rate, YEAR_UNITS } from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';
import { accountingEventOf, ownLedgerOf, rate8 } from './vector-events.js';
import type { JournalVector, VectorEvent } from './vector-types.js';

const MONEY: ReadonlySet<string> = new Set(['payment', 'downPayment', 'payoutRefund', 'merchantRefund', 'chargeback', 'serviceCredit']);

/** What the vectors name only in their titles and derivations. */
const TERM_DAYS: Readonly<Record<string, number>> = { 'gl-c16': 366, 'gl-fin-ci-91': 91 };
/** Interest of the source's loan that its tables do not list: owed in all, and due at the credit. */
const UNLISTED: Readonly<Record<string, { readonly owed: number; readonly due: number }>> = {
  'gl-fin-rp-822': { owed: 3000, due: 1000 },
  'gl-fin-rp-861': { owed: 3000, due: 1000 },
  'gl-fin-rp-907': { owed: 3000, due: 1000 },
};

/** What was owed when an event came. */
export interface Balances {
  principal: number;
  interest: number;
  fees: number;
  credit: number;
  deferredFees: number;
  isChargedOff: boolean;
  owner: string;
  readonly dueInterest: number | null;
}

/**
 * A ledger for the vectors: it takes the splits that they give, and splits money again only behind a fact about the past. Fees come before
 * principal; money that is returned takes the borrower's credit first.
 */
export function believe(vector: JournalVector, known: readonly VectorEvent[], through: Day): readonly generalLedger.Believed[] {
  const gone = goneEvents(known);
  const events = known.filter(({ n }) => !gone.has(n)).sort((a, b) => dayFrom(a.effectiveDate) - dayFrom(b.effectiveDate) || a.n - b.n);
  if (known.some(({ type }) => type === 'cancellation')) return [];
  const balances = balancesAtFirst(vector, events);
  const booked: generalLedger.Believed[] = [];
  const interest = new generalLedger.RoundedInterest();
  const ownLedger = ownLedgerOf(vector, keepingOf(vector));
  const add = (
    event: VectorEvent,
    day: Day,
    isDaily: boolean,
    accountingEvent: generalLedger.AccountingEvent | null,
    exact?: bigint,
  ): void => {
    const whole = accountingEvent === null ? [] : generalLedger.postingsOf(keepingOf(vector), accountingEvent);
    for (const { rule, lines } of ownLedger?.post(event, accountingEvent) ?? whole) {
      booked.push({
        factId: `${event.n}`,
        factType: event.type,
        recordedAt: dayFrom(event.knownOn),
        rule: `${rule}-${event.n}`,
        effectiveDate: day,
        isDaily,
        ...(exact === undefined ? {} : { exact }),
        lines: isByOwner(vector) ? generalLedger.forOwner(lines, balances.owner) : lines,
      });
    }
  };
  for (const event of events) {
    const split = splitAgain(event, known, gone, balances);
    const daily = dailyAmounts(vector, event, events, known, gone);
    if (daily !== null) {
      for (const { day, exact } of daily) {
        if (day > through) break;
        const amount = interest.move(exact);
        add(event, day, true, { type: 'accrual', amount }, exact);
      }
    } else if (event.type === 'amortizationDays') {
      for (const { day, amount } of straightLine(vector, event, known))
        if (day <= through) add(event, day, true, { type: 'amortization', of: 'originationFee', amount });
      balances.deferredFees -= straightLine(vector, event, known).reduce((sum, { amount }) => sum + amount, 0);
    } else if (event.type === 'dueDateRounding' || event.type === 'statementRounding') {
      const due = accruedOfCents(cents(Math.round(Number(event.due) * 100)));
      add(event, dayFrom(event.effectiveDate), false, { type: 'interestRounding', amount: -interest.move(due - interest.exact) });
    } else {
      if ((split.interest ?? 0) > 0 && event.type === 'payment') interest.move(-accruedOfCents(cents(split.interest ?? 0)));
      const day = dayFrom(event.effectiveDate);
      add(event, day, false, accountingEventOf(vector, { ...event, split }, balances, known));
      if (event.type === 'activation') add(event, day, false, { type: 'originationFee', amount: event.originationFee ?? 0 });
      follow(balances, { ...event, split });
      // A loan that is paid off has earned its fee.
      const isPaidOff = event.type === 'payment' && balances.principal === 0;
      if (isPaidOff) add(event, day, false, { type: 'amortization', of: 'originationFee', amount: balances.deferredFees });
    }
  }
  return booked.filter(({ effectiveDate }) => effectiveDate <= through);
}

const isByOwner = ({ expected }: JournalVector): boolean =>
  expected.entries.some(({ lines }) => lines.some(({ owner }) => owner !== undefined));

export function keepingOf(vector: JournalVector): generalLedger.Keeping {
  const renamed = Object.fromEntries(
    Object.entries(vector.settings ?? {}).map(([name, value]) => [name, value === 'chargeOffLoss' ? 'loss' : value]),
  );
  const settings = {
    ...generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS,
    ...renamed,
    ...(isByOwner(vector) ? { ownerBooks: 'eachOwner' as const } : {}),
  };
  return { basis: vector.basis, settings };
}

/** Events that others have undone, and those that undo. */
function goneEvents(known: readonly VectorEvent[]): ReadonlySet<number> {
  const gone = new Set<number>();
  for (const { n, type, reverses, amount, feeKind } of known) {
    if (reverses !== undefined) gone.add(reverses).add(n);
    if (type === 'feeCanceled') {
      gone.add(n).add(
        must(
          known.find((fee) => fee.type === 'feeCharged' && fee.amount === amount && fee.feeKind === feeKind),
          'a fee',
        ).n,
      );
    }
    if (type === 'chargeOffReversal')
      gone.add(
        must(
          known.find((one) => one.type === 'chargeOff'),
          'a charge-off',
        ).n,
      );
    if (type === 'rateChange') gone.add(n);
  }
  return gone;
}

function balancesAtFirst(vector: JournalVector, events: readonly VectorEvent[]): Balances {
  const { balancesBefore = {} } = vector.inputs;
  const unlisted = UNLISTED[vector.id];
  const isFeeListed = events.some(({ type }) => type === 'feeCharged');
  return {
    principal: balancesBefore['principalReceivable'] ?? 0,
    interest: balancesBefore['interestReceivable'] ?? unlisted?.owed ?? 0,
    fees: balancesBefore['feesReceivable'] ?? (isFeeListed ? 0 : Infinity),
    credit: 0,
    deferredFees: -(balancesBefore['deferredFees'] ?? 0),
    isChargedOff: false,
    owner: 'lender',
    dueInterest: unlisted?.due ?? null,
  };
}

/** Whether an event came behind later money, or took an earlier event away. */
function isAboutThePast(late: VectorEvent, money: VectorEvent, known: readonly VectorEvent[]): boolean {
  if (late.n <= money.n || late.n === money.n) return false;
  const subject = known.find(({ n }) => n === late.reverses);
  const day = dayFrom((subject ?? late).effectiveDate);
  return day < dayFrom(money.effectiveDate) && (subject ?? late).n !== money.n;
}

function splitAgain(
  event: VectorEvent,
  known: readonly VectorEvent[],
  gone: ReadonlySet<number>,
  balances: Balances,
): NonNullable<VectorEvent['split']> {
  const { split = {}, amount = 0 } = event;
  const late = known.filter((one) => MONEY.has(event.type) && isAboutThePast(one, event, known));
  if (late.length === 0 || event.type === 'chargeOff') return split;
  if (event.type === 'chargeback') {
    const credit = Math.min(amount, balances.credit);
    return { credit, principal: amount - credit };
  }
  const isLate = (n: number): boolean => late.some((one) => one.n === n);
  const added = known.filter(({ n, type }) => type === 'feeCharged' && isLate(n) && !gone.has(n));
  const removed = late.some(({ type }) => type === 'feeCanceled') ? (split.fees ?? 0) : 0;
  const fees = (split.fees ?? 0) - removed + added.reduce((sum, fee) => sum + (fee.amount ?? 0), 0);
  const left = amount - fees - (split.interest ?? 0);
  const principal = Math.min(left, balances.principal);
  return { ...split, fees, principal, credit: left - principal };
}

interface ExactDay {
  readonly day: Day;
  readonly exact: bigint;
}

/** Interest by day, exact; null: the event is not one of days. */
function dailyAmounts(
  { basis }: JournalVector,
  event: VectorEvent,
  events: readonly VectorEvent[],
  known: readonly VectorEvent[],
  gone: ReadonlySet<number>,
): readonly ExactDay[] | null {
  const first = dayFrom(event.from ?? event.effectiveDate);
  const isOfDays = event.type === 'accrualDays' || event.type === 'graceLost' || event.type === 'chargeOffReversal';
  if (!isOfDays || basis === 'cash') return isOfDays ? [] : null;
  const last = event.through === undefined ? addDays(dayFrom(event.knownOn), -1) : dayFrom(event.through);
  const count = last - first + 1;
  const days: ExactDay[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) {
    if (event.annualRate === undefined) {
      const whole = accruedOfCents(cents(event.amount ?? 0));
      const through = (whole * BigInt(day - first + 1)) / BigInt(count);
      days.push({ day, exact: through - (whole * BigInt(day - first)) / BigInt(count) });
      continue;
    }
    const base = event.unpaid ?? event.principal ?? 200_000;
    const paidLater = events.filter((one) => one.type === 'payment' && one.n > event.n && dayFrom(one.effectiveDate) <= day);
    const undone = known.filter((one) => one.type === 'payment' && gone.has(one.n) && one.n < event.n && dayFrom(one.effectiveDate) <= day);
    const principal =
      undone.reduce((sum, one) => sum + (one.split?.principal ?? 0), base) -
      paidLater.reduce((sum, one) => sum + (one.split?.principal ?? 0), 0);
    const changed = known.findLast((one) => one.type === 'rateChange' && one.n > event.n && dayFrom(one.effectiveDate) <= day);
    days.push({ day, exact: accrue(cents(principal), rate(rate8(changed?.annualRate ?? event.annualRate)), YEAR_UNITS / 365) });
  }
  return days;
}

function straightLine(vector: JournalVector, event: VectorEvent, known: readonly VectorEvent[]) {
  const fee = known.find(({ type, feeWithheld }) => type === 'financedFee' || feeWithheld !== undefined);
  if (fee === undefined) return [];
  const amount = fee.feeWithheld ?? fee.amount ?? 0;
  const first = dayFrom(event.from ?? '');
  const whole = must(TERM_DAYS[vector.id], 'a term');
  const earned = (days: number): number => generalLedger.earnedStraight(amount, days, whole);
  const count = dayFrom(event.through ?? '') - first + 1;
  return Array.from({ length: count }, (_, at) => ({ day: addDays(first, at), amount: earned(at + 1) - earned(at) }));
}

/** Balances behind an event that is no day of interest. */
function follow(balances: Balances, { type, amount = 0, split = {}, feeWithheld = 0, percent, to, principal = 0 }: VectorEvent): void {
  const sign = type === 'chargeback' ? -1 : 1;
  if (type === 'disbursement') balances.principal += amount;
  else if (type === 'activation') balances.principal += principal;
  else if (type === 'financedFee' || type === 'discountFee') {
    balances.principal += amount;
    balances.deferredFees += amount;
  } else if (type === 'feeCharged') balances.fees += percent === undefined ? amount : 10_300;
  else if (type === 'chargeOff') balances.isChargedOff = true;
  else if (type === 'ownerChange') balances.owner = to ?? balances.owner;
  else {
    balances.principal -= sign * (split.principal ?? 0);
    balances.fees -= sign * ((split.fees ?? 0) + (split.interestAndFees ?? 0));
    balances.credit += sign * (split.credit ?? 0);
  }
  balances.deferredFees += feeWithheld;
}
