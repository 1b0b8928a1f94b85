import type { Day } from '../calendar/index.js';
import { type Arrangement, arrange, isLateChange, type LateChange, setsAmounts } from './arrange.js';
import type { FactPlace, LedgerFact } from './facts.js';
import { compareFacts } from './fact-order.js';
import { fold } from './fold.js';
import { ACCELERATION_ORDINAL, type DueCaps, type IdleDays, type LedgerState, type OpenRow } from './state.js';
import type { LedgerTerms } from './terms.js';
import type { LedgerWatcher } from './watcher.js';

/** In the order of recording. */
export function lateChanges({ facts }: Arrangement): readonly LateChange[] {
  const late: LateChange[] = [];
  for (const fact of facts) if (isLateChange(fact)) late.push(fact);
  return late.sort((a, b) => a.sequence - b.sequence);
}

/**
 * Whether somebody set amounts between a late change and the day of its recording: the rows of that time then asked for other
 * amounts than those that the change finds at its own place, and only the ledger without it tells which.
 */
export const isBehindAmounts = ({ facts }: Arrangement, late: readonly LateChange[]): boolean =>
  late.some((change) => facts.some((fact) => fact !== change && setsAmounts(fact) && compareFacts(fact, change) > 0 && fact.effective.day < change.recordedDay));

/** Computes what each late change found: due dates that had passed by then do not rise above it. */
export function withCaps(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]): Arrangement {
  const caps: DueCaps[] = [];
  const current = (): Arrangement['orders'] => ({ ...arrangement.orders, caps: [...caps] });
  for (const change of late) {
    const facts = arrangement.facts.filter((fact) => !late.some((other) => other === fact && other.sequence >= change.sequence));
    const amounts: { readonly fact: number; readonly rows: readonly OpenRow[] }[] = [];
    const watcher: LedgerWatcher = { happened: () => undefined, amountsSet: (fact, rows) => amounts.push({ fact, rows }) };
    const found = fold(terms, { facts, orders: current() }, change.recordedDay, watcher);
    // From an acceleration on everything was due, so that no single row bounds anything.
    const through = Math.min(change.recordedDay, (found.acceleratedSince ?? Number.MAX_SAFE_INTEGER) - 1) as Day;
    const fallen = [...found.replaced, ...found.obligations].filter(({ ordinal, dueDay }) => ordinal !== ACCELERATION_ORDINAL && dueDay <= through);
    caps.push({
      change: change.sequence,
      through,
      asked: fallen.map(({ dueDay, baseCents }) => ({ dueDay, amountCents: baseCents })),
      amounts: amounts.map(({ fact, rows }) => ({ fact, rows: rows.filter(({ date }) => date <= through).map(({ date, amountCents }) => ({ dueDay: date, amountCents })) })),
    });
  }
  return { facts: arrangement.facts, orders: current() };
}

/** The arrangement with the days on which nothing accrued although the loan is active in what is known now. */
export function withIdleDays(terms: LedgerTerms, facts: readonly LedgerFact[]): Arrangement {
  const arrangement = arrange(facts);
  const idle = idleDaysOf(facts, (earlier, known, through) => fold(terms, withIdle(arrange(earlier), known), through, null));
  return idle.length === 0 ? arrangement : withIdle(arrangement, idle);
}

type FoundStatus = Pick<LedgerState, 'status' | 'acceleratedSince' | 'chargedOffSince'>;

/**
 * The days from an acceleration up to the charge-off that each reversal found: interest had stopped on them, and the
 * reversal of the charge-off brings it back from the day of the charge-off only (loans 1.5). `found` computes a ledger of
 * fewer facts.
 */
export function idleDaysOf<Fact extends FactPlace & { readonly type: string }>(
  facts: readonly Fact[],
  found: (facts: readonly Fact[], idle: readonly IdleDays[], through: Day) => FoundStatus,
): readonly IdleDays[] {
  const reversals = facts.filter((fact) => fact.type === 'reverseChargeOff');
  const idle: IdleDays[] = [];
  for (const reversal of reversals.sort((a, b) => a.sequence - b.sequence)) {
    const isLater = ({ type, sequence }: Fact): boolean =>
      (type === 'reverseChargeOff' || type === 'reverseAccelerate') && sequence >= reversal.sequence;
    const { status, acceleratedSince: from, chargedOffSince: until } = found(facts.filter((fact) => !isLater(fact)), [...idle], reversal.effective.day);
    if (status === 'chargedOff' && from !== null && until !== null && from < until) idle.push({ from, until });
  }
  return idle;
}

const withIdle = ({ facts, orders }: Arrangement, idle: readonly IdleDays[]): Arrangement => ({
  facts,
  orders: { ...orders, idle: [...idle] },
});
