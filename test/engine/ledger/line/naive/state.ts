import type Big from 'big.js';
import type { LineSchedule, LineSettings, LineTerms, PeriodView, Day } from '../../../../../engine/index.js';
import type { RetroactiveAdjustments } from './history.js';
import type { Holder, NaiveObligation } from './holder.js';

export type NaiveLineStatus = 'active' | 'frozen' | 'accelerated' | 'chargedOff' | 'paidOff';

/** A line that is kept by hand, as it stands on a day: what statements, money and orders write in. */
export interface NaiveState {
  readonly terms: LineTerms;
  readonly settings: LineSettings;
  readonly adjustments: RetroactiveAdjustments;
  today: Day;
  status: NaiveLineStatus;
  /** Before it was paid off. */
  statusBefore: NaiveLineStatus;
  isClosed: boolean;
  /** Since the last freezing. */
  frozenSince: Day;
  acceleratedSince: Day | null;
  chargedOffSince: Day | null;
  limit: Big;
  schedule: LineSchedule;
  /** Up to the running one. */
  periods: PeriodView[];
  readonly line: Holder;
  readonly draws: Holder[];
  /** The draws, then the line. */
  readonly holders: readonly Holder[];
  obligations: NaiveObligation[];
  /** What an acceleration has replaced. */
  replaced: readonly NaiveObligation[];
  payments: NaivePayment[];
  /** Transactions that may still fail. */
  readonly processing: Set<number>;
  /** Who keeps days overdue from doing anything. */
  readonly thresholdHolders: Set<string>;
  /** Paid in advance for statements to come. */
  ahead: Big;
  /** Paid for the next statement alone. */
  forNext: Big;
  /** The same without late fees. */
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

/** All is owed as one. */
export const isWhole = ({ status }: NaiveState): boolean => status === 'accelerated' || status === 'chargedOff';

export const toleranceOf = ({ settings }: NaiveState): number => settings.overdueToleranceCents / 100;

/** What is left within the tolerance counts as paid. */
export function closeFulfilled(state: NaiveState, remainingOf: (obligation: NaiveObligation) => Big): void {
  for (const obligation of state.obligations) if (remainingOf(obligation).lte(toleranceOf(state))) obligation.isFulfilled = true;
}
