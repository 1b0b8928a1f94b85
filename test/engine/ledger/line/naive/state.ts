import type Big from 'big.js';
import type { LineSchedule, LineSettings, LineTerms, PeriodView, Day } from '../../../../../engine/index.js';
import type { RetroactiveAdjustments } from './history.js';
import type { Holder, NaiveObligation } from './holder.js';

export type NaiveLineStatus = 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff';

/** The state of the naive line on a day, which statements, money and orders change. */
export interface NaiveState {
  readonly terms: LineTerms;
  readonly settings: LineSettings;
  readonly adjustments: RetroactiveAdjustments;
  today: Day;
  status: NaiveLineStatus;
  /** The status before the line was paid off. */
  statusBefore: NaiveLineStatus;
  isClosed: boolean;
  /** The day of the last freeze. */
  frozenSince: Day;
  acceleratedSince: Day | null;
  chargedOffSince: Day | null;
  limit: Big;
  schedule: LineSchedule;
  /** The periods up to the current one. */
  periods: PeriodView[];
  readonly line: Holder;
  readonly draws: Holder[];
  /** The draws, then the line itself. */
  readonly holders: readonly Holder[];
  obligations: NaiveObligation[];
  /** The obligations that an acceleration has replaced. */
  replaced: readonly NaiveObligation[];
  payments: NaivePayment[];
  /** Transactions that may still fail. */
  readonly processing: Set<number>;
  /** Holders that prevent thresholds of days overdue from having effect. */
  readonly thresholdHolders: Set<string>;
  /** Paid in advance for future statements. */
  ahead: Big;
  /** Paid in advance for the next statement only. */
  forNext: Big;
  /** The same as if there were no late fees. */
  forNextButForLateFees: Big;
  reimbursement: Big;
}

export interface NaivePayment {
  readonly transaction: number;
  readonly isCredit: boolean;
  readonly splits: Map<Holder, Split>;
  over: Big;
}

export interface Split {
  principal: Big;
  interest: Big;
  fees: Big;
}

/** The whole balance is one obligation. */
export const isWhole = ({ status }: NaiveState): boolean => status === 'accelerated' || status === 'chargedOff';

export const toleranceOf = ({ settings }: NaiveState): number => settings.overdueToleranceCents / 100;

/** Marks obligations as fulfilled if what remains is within the tolerance. */
export function closeFulfilled(state: NaiveState, remainingOf: (obligation: NaiveObligation) => Big): void {
  for (const obligation of state.obligations) if (remainingOf(obligation).lte(toleranceOf(state))) obligation.isFulfilled = true;
}
