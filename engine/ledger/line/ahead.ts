import { ZERO } from '../../money/index.js';
import { enforcementDay } from '../installment/shared.js';
import { holds } from '../core/rules.js';
import { settingsOf } from '../core/settings.js';
import type { LinePayment } from './facts.js';
import type { LineState } from './state.js';

/** What a payment has left after all that is due. */
interface Above {
  /** It lowered balances before they were due. */
  readonly aheadCents: number;
  /** Late fees took it, and no obligation lacks it. */
  readonly toLateFeesCents: number;
}

type Counting = Pick<LinePayment, 'kind' | 'isPrepaymentEnabled' | 'principalOnlyCents'>;

/**
 * Money above what is due: paid in advance for coming obligations where that is agreed. Else it meets the
 * obligation of the next due date while its statement is to come, which is known on the statement date; what exceeds
 * that, and what comes while another due date lies ahead, lowers the balance alone.
 */
export function countAhead(state: LineState, { aheadCents, toLateFeesCents }: Above, fact: Counting): void {
  if (state.status !== 'active') return;
  const { isPrepaymentEnabled, principalOnlyCents = ZERO } = fact;
  const isPrepaid = isPrepaymentEnabled ?? settingsOf(state).isPrepaymentEnabled;
  const isForOpen = fact.kind !== 'downPayment' && holds(state, 'openObligationFirst') && isOpenNext(state);
  const aloneCents = isPrepaid || isForOpen ? Math.min(aheadCents, principalOnlyCents) : aheadCents;
  state.unassignedCents += aloneCents;
  if (isPrepaid) state.prepaidCents += aheadCents - aloneCents;
  else state.openPaidCents += aheadCents - aloneCents;
  if (isForOpen) state.lateFeeAheadCents += toLateFeesCents;
}

/** Whether the next due date is the one of the running period: no statement asks for money by a day that is still to come. */
const isOpenNext = ({ obligations, day }: LineState): boolean =>
  obligations.every((obligation) => enforcementDay(obligation) <= day || obligation.amountCents === 0);

/** Of what a statement asks for, what was paid in advance: first the money that is for it alone. */
export function takeAhead(state: LineState, bodyCents: number): number {
  const ofOpenCents = Math.min(state.openPaidCents, bodyCents);
  const ofPrepaidCents = Math.min(state.prepaidCents, bodyCents - ofOpenCents);
  state.openPaidCents -= ofOpenCents;
  state.prepaidCents -= ofPrepaidCents;
  return ofOpenCents + ofPrepaidCents;
}

/** The statement is made: what was for it alone and was not asked for has met no obligation. */
export function closeAhead(state: LineState): { readonly unassignedCents: number; readonly lateFeeAheadCents: number } {
  const { lateFeeAheadCents } = state;
  const unassignedCents = state.unassignedCents + state.openPaidCents;
  state.openPaidCents = 0;
  state.lateFeeAheadCents = 0;
  return { unassignedCents, lateFeeAheadCents };
}

/** Nothing is paid in advance any more: there are no obligations to come. */
export function forgetAhead(state: LineState): void {
  state.prepaidCents = 0;
  state.openPaidCents = 0;
  state.lateFeeAheadCents = 0;
}
