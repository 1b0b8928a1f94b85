import { type ComingFee, type Day, dayAt, type DynamicFeeKind, NO_COMING_FEES } from '../../../engine/index.js';
import { companyOf, type FeeType, feeTypeOf } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { EffectiveTime } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import type { ChargedFee, LoanState } from '../state.js';

/** Above the sequences of all facts of a loan. */
const FIRST_SEQUENCE = 3_000_000_000;

/** Fees that were ordered by a day for days after it, by day, as they will be charged if nothing else happens to the loan. */
export function comingFeesOf(state: LoanState, env: EvolveEnv, after: Day): readonly ComingFee[] {
  const fees = activationOf(state)?.fees;
  if (fees === undefined || fees.length === 0) return NO_COMING_FEES;
  const { zone } = recordOf(state);
  const coming = fees.flatMap((fee) => {
    const { scheduled, createdAt } = fee;
    const isComing = scheduled !== null && scheduled.day > after && dayAt(zone, createdAt) <= after;
    return isComing ? comingFeeOf(state, env, fee, scheduled) : NO_COMING_FEES;
  });
  return coming.sort((a, b) => a.effective.day - b.effective.day || a.fee - b.fee);
}

/** None for a fee that will be canceled on its day with its draw. */
function comingFeeOf(state: LoanState, env: EvolveEnv, ordered: ChargedFee, effective: EffectiveTime): readonly ComingFee[] {
  const { fee, draw, feeTypeId, amountCents } = ordered;
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, feeTypeId);
  const bearer = state.draws.find((known) => known.draw === draw);
  if (feeType === undefined || (bearer !== undefined && bearer.status !== 'active')) return NO_COMING_FEES;
  return [
    {
      type: 'feeCharged',
      fee,
      feeTypeId: feeType.id,
      kind: kindOf(feeType),
      amountCents,
      chargeLogic: feeType.chargeLogic,
      draw: draw ?? null,
      effective,
      sequence: FIRST_SEQUENCE + fee,
      recordedDay: effective.day,
    },
  ];
}

/** The kind of fee that the ledger knows. */
export function kindOf({ feeType }: Pick<FeeType, 'feeType'>): DynamicFeeKind {
  return feeType === 'lateFee' || feeType === 'modificationFee' ? feeType : 'otherFee';
}
