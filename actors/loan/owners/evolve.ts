import { type Day, dayAt, ownersOn } from '../../../engine/index.js';
import { dateText, rateValue } from '../../wire.js';
import type { Applying } from '../applying.js';
import { recordOf } from '../context.js';
import { loanEvent, occurredAt } from '../events.js';
import type { LoanOwner, OwnerFacts, OwnersChanged } from './facts.js';
import { ownershipOf } from './owners.js';

/** Applies the facts about owners, and emits their events. */
export const APPLY_OWNERS: { readonly [Type in keyof OwnerFacts]: (applying: Applying, body: OwnerFacts[Type]) => void } = {
  OwnersChanged: changed,
};

function changed({ state, fact, emit, env }: Applying, body: OwnersChanged): void {
  const before = emit === null ? [] : ownersOn(ownershipOf(state, env), body.effectiveDay);
  const { ownerChanges } = state.parties;
  state.parties = { ...state.parties, ownerChanges: [...ownerChanges, { ...body, recordedAt: fact.businessAt }] };
  const data = {
    oldInvestors: before.map(shareOf),
    newInvestors: body.owners.map(shareOf),
    effectiveDate: dateText(body.effectiveDay satisfies Day),
  };
  const isPast = body.effectiveDay < dayAt(recordOf(state).zone, fact.businessAt);
  emit?.(
    loanEvent(state, 'loan.ownerchanged', data, isPast ? occurredAt(state, { day: body.effectiveDay, seconds: 0 }, fact) : fact.businessAt),
  );
}

const shareOf = ({ investorId, share }: LoanOwner): object => ({ investorId, share: rateValue(share) });
