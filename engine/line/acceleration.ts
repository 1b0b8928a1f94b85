import { must } from '../assert.js';
import type { DrawObligation, DrawState, LineFee, LineState } from './state.js';

/** After acceleration one obligation carries everything, what comes later included. */
export function joinWhole(state: LineState, draw: DrawState | null, fee: LineFee): void {
  const obligation = raiseWhole(state, draw, fee.openCents);
  if (fee.kind !== 'lateFee') obligation.withoutLateFeesCents += fee.openCents;
  fee.carriedBy = obligation.ordinal;
  fee.dueDay = obligation.dueDay;
  if (state.status === 'accelerated') fee.standing = obligation.isEnforced ? 'overdue' : 'due';
}

/** The one obligation asks for more. */
export function raiseWhole(state: LineState, draw: DrawState | null, amountCents: number): LineState['obligations'][number] {
  const obligation = must(state.obligations.at(-1), 'an acceleration makes an obligation');
  obligation.isFulfilled = false;
  state.firstOpenObligation = state.obligations.length - 1;
  state.firstUnenforced = 0;
  obligation.amountCents += amountCents;
  obligation.remainingCents += amountCents;
  const part = partOf(obligation.draws, draw);
  part.amountCents += amountCents;
  part.remainingCents += amountCents;
  return obligation;
}

const partOf = (parts: readonly DrawObligation[], draw: DrawState | null): DrawObligation =>
  must(parts.find((part) => part.draw === (draw?.draw ?? null)), 'an acceleration takes in every draw');
