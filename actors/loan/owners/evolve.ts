import { type Day, ownersOn } from '../../../engine/index.js';
import { dateText, rateValue } from '../../wire.js';
import type { Applying } from '../applying.js';
import { loanEvent } from '../events.js';
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
  emit?.(
    loanEvent(state, 'loan.ownerchanged', {
      oldInvestors: before.map(shareOf),
      newInvestors: body.owners.map(shareOf),
      effectiveDate: dateText(body.effectiveDay satisfies Day),
    }),
  );
}

const shareOf = ({ investorId, share }: LoanOwner): object => ({ investorId, share: rateValue(share) });
