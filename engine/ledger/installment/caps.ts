import type { Day } from '../../calendar/index.js';
import type { LedgerState, OpenRow } from './state.js';
import type { Asked, DueCaps } from '../core/state.js';

/** The most that may fall due on a date; null: no bound. */
export function capOf(caps: readonly DueCaps[], date: Day): number | null {
  let most: number | null = null;
  for (const { through, asked } of caps) {
    if (date > through) continue;
    const amountCents = amountOn(asked, date) ?? 0;
    if (most === null || amountCents < most) most = amountCents;
  }
  return most;
}

/**
 * The amount above which a row must not rise because a change was recorded after its due date; null for other rows. The change itself
 * reads that amount from the row.
 */
export function keptCents(state: LedgerState, row: OpenRow): number | null {
  if (state.unknownRates === null || row.date > state.unknownRates.through) return null;
  return setWithout(state, row.date) ?? row.amountCents;
}

/** The amount that the current fact has set for a due date in the ledger without the newest late change. */
export function setWithout({ unknownRates, orders: { caps }, source }: LedgerState, date: Day): number | null {
  if (unknownRates === null || source.type !== 'fact' || date > unknownRates.through) return null;
  const cap = caps.find(({ change }) => change === unknownRates.change);
  const set = cap?.amounts.find(({ fact }) => fact === source.sequence);
  return set === undefined ? null : amountOn(set.rows, date);
}

function amountOn(asked: readonly Asked[], date: Day): number | null {
  for (const { dueDay, amountCents } of asked) if (dueDay === date) return amountCents;
  return null;
}
