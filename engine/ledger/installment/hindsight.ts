import type { Day } from '../../calendar/index.js';
import { type Arrangement, arrange, isLateChange, type LateChange, setsAmounts } from './arrange.js';
import type { FactPlace, LedgerFact } from '../core/facts.js';
import { compareFacts } from '../core/fact-order.js';
import { fold, type SetAmounts } from './fold.js';
import { type Grown, GrowingHistory } from './growing-history.js';
import { type LedgerState, type OpenRow } from './state.js';
import { ACCELERATION_ORDINAL, type Asked, type DueCaps, type IdleDays, type StandingOrders } from '../core/state.js';
import type { LedgerTerms } from '../core/terms.js';

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
  late.some((change) =>
    facts.some((fact) => fact !== change && setsAmounts(fact) && compareFacts(fact, change) > 0 && fact.effective.day < change.recordedDay),
  );

/** The history with what each late change found: due dates that had passed by then do not rise above it. */
export const withCaps = (terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[]): Arrangement => ({
  facts: arrangement.facts,
  orders: cappedOrders(new GrowingHistory(terms, arrangement, late), arrangement.orders, late),
});

/** Its ledger through a day. */
export function foldWithCaps(terms: LedgerTerms, arrangement: Arrangement, late: readonly LateChange[], through: Day): LedgerState {
  const history = new GrowingHistory(terms, arrangement, late);
  return history.fold(late.length, cappedOrders(history, arrangement.orders, late), through).state;
}

function cappedOrders(history: GrowingHistory, orders: StandingOrders, late: readonly LateChange[]): StandingOrders {
  const caps: DueCaps[] = [];
  const current = (): StandingOrders => ({ ...orders, caps: [...caps] });
  for (const [before, change] of late.entries()) caps.push(capsOf(change, history.fold(before, current(), change.recordedDay)));
  return current();
}

/** What bounds a change: what fell due in the ledger without it. */
export function capsOf({ sequence, recordedDay }: LateChange, { state, amounts }: Grown): DueCaps {
  // From an acceleration on everything was due, so that no single row bounds anything.
  const through = Math.min(recordedDay, (state.acceleratedSince ?? Number.MAX_SAFE_INTEGER) - 1) as Day;
  const fallen = [...state.replaced, ...state.obligations].filter(
    ({ ordinal, dueDay }) => ordinal !== ACCELERATION_ORDINAL && dueDay <= through,
  );
  return {
    change: sequence,
    through,
    asked: fallen.map(({ dueDay, baseCents }) => ({ dueDay, amountCents: baseCents })),
    amounts: askedByFact(amounts, through),
  };
}

/** Most facts leave the rows as they were: what those asked for is told once. */
function askedByFact(amounts: readonly SetAmounts[], through: Day): DueCaps['amounts'] {
  const told = new Map<readonly OpenRow[], readonly Asked[]>();
  return amounts.map(({ fact, rows }) => {
    const known =
      told.get(rows) ?? rows.filter(({ date }) => date <= through).map(({ date, amountCents }) => ({ dueDay: date, amountCents }));
    told.set(rows, known);
    return { fact, rows: known };
  });
}

/** The arrangement with the days on which nothing accrued although the loan is active in what is known now. */
export function withIdleDays(terms: LedgerTerms, facts: readonly LedgerFact[]): Arrangement {
  const arrangement = arrange(facts);
  // Only the reversal of a charge-off leaves such days.
  if (arrangement.orders.noChargeOffThrough === null) return arrangement;
  const idle = idleDaysOf(facts, (earlier, known, through) => fold(terms, withIdle(arrange(earlier), known), through, null));
  return idle.length === 0 ? arrangement : withIdle(arrangement, idle);
}

type FoundStatus = Pick<LedgerState, 'status' | 'acceleratedSince' | 'chargedOffSince'>;

/**
 * The days from an acceleration up to the charge-off that each reversal found: interest had stopped on them, and the
 * reversal of the charge-off brings it back from the day of the charge-off only. `found` computes a ledger of
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
    const {
      status,
      acceleratedSince: from,
      chargedOffSince: until,
    } = found(
      facts.filter((fact) => !isLater(fact)),
      [...idle],
      reversal.effective.day,
    );
    if (status === 'chargedOff' && from !== null && until !== null && from < until) idle.push({ from, until });
  }
  return idle;
}

const withIdle = ({ facts, orders }: Arrangement, idle: readonly IdleDays[]): Arrangement => ({
  facts,
  orders: { ...orders, idle: [...idle] },
});
