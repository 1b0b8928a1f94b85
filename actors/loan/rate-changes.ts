import { firstDifference, type RatesChanged } from '../../engine/index.js';
import type { EvolveEnv } from '../runtime/actor.js';
import type { EffectiveTime, FactDraft } from '../runtime/fact.js';
import { companyOf, indexStampOf } from '../company/index.js';
import { recordOf, servicingOf } from './context.js';
import type { IndexTaken, LedgerChange, RatesSet } from './facts.js';
import { hasSpread, indexOf, rateRowsOf, type RateRow, timelineOf, withRows } from './rate-rows.js';
import type { LoanState } from './state.js';
import type { Why } from './tell.js';

/** 00:10, when rates begin (servicing-behaviour 1.3 b). */
const RATES_BEGIN_SECONDS = 600;

/**
 * The fact that some rows are new or other than before. The ledger hears of it only when a day's rate changes: from that
 * day when it is past, which is a replay, else from now on, for the payments that are expected (loan-terms 7.2).
 */
export function ratesSetDraft(state: LoanState, env: EvolveEnv, rows: readonly RateRow[], now: EffectiveTime, why: Why): FactDraft {
  const { change, effective } = changeOf(state, env, withRows(rateRowsOf(state, env), rows), now);
  const body: RatesSet = { rows, change, recordedDay: now.day, ...why };
  return { type: 'RatesSet', body, effective };
}

/** Whether the product's index has changed since the loan took it over; only spreads hear of it, while the loan is active. */
export function isIndexPending({ record, servicing, tenant }: LoanState, env: EvolveEnv): boolean {
  if (record === null || servicing === null || servicing.summary.status !== 'active') return false;
  const company = companyOf(env, tenant);
  return indexStampOf(company, record.loanTypeId) > servicing.indexStamp && hasSpread(record.atOrigination);
}

export function indexTakenDraft(state: LoanState, env: EvolveEnv, now: EffectiveTime): FactDraft {
  const { change, effective } = changeOf(state, env, rateRowsOf(state, env), now);
  const stamp = indexStampOf(companyOf(env, state.tenant), recordOf(state).loanTypeId);
  return { type: 'IndexTaken', body: { stamp, change, recordedDay: now.day } satisfies IndexTaken, effective };
}

/** How the ledger's rates become those of the rows; `change` is null when they are the same on every day of the loan. */
function changeOf(
  state: LoanState,
  env: EvolveEnv,
  rows: readonly RateRow[],
  now: EffectiveTime,
): { readonly change: LedgerChange<RatesChanged> | null; readonly effective: EffectiveTime } {
  const { contract, facts } = servicingOf(state);
  const { activation } = contract.terms;
  const rates = timelineOf(rows, indexOf(state, env), activation);
  // The last one that was recorded tells of all days.
  const before = facts.findLast(({ fact }) => fact.type === 'ratesChanged')?.fact;
  const first = firstDifference(before?.type === 'ratesChanged' ? before.rates : contract.terms.rates, rates, activation);
  return {
    change: first === null ? null : { type: 'ratesChanged', rates, reamortization: 'sameEndDate' },
    effective: first === null || first >= now.day ? now : { day: first, seconds: RATES_BEGIN_SECONDS },
  };
}
