import type { Day } from '../../../engine/index.js';
import { companyOf, feeTypeOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import type { FeeChargedBody, ScheduledFeeCanceledBody } from './evolve.js';
import { feeChangeOn } from './quote.js';
import { mayMove } from '../machine.js';
import type { ScheduledWork } from '../scheduled-work.js';
import type { ChargedFee, LoanState } from '../state.js';

/** Fees that were charged for a day to come: on that day they go to the ledger, or lapse when the loan has ended. */
export const scheduledFeeWork: ScheduledWork = {
  nextDay(state) {
    let next: Day | null = null;
    for (const { scheduled } of activationOf(state)?.fees ?? []) {
      if (scheduled !== null && (next === null || scheduled.day < next)) next = scheduled.day;
    }
    return next;
  },
  *due(state, day, env) {
    for (const fee of waiting(state)) if (fee.scheduled.day <= day) yield draftOf(state, fee, env);
  },
};

type Waiting = ChargedFee & { readonly scheduled: NonNullable<ChargedFee['scheduled']> };

const waiting = (state: LoanState): readonly Waiting[] =>
  (activationOf(state)?.fees ?? []).filter((fee): fee is Waiting => fee.scheduled !== null);

function draftOf(state: LoanState, fee: Waiting, env: DecideEnv): FactDraft {
  const status = activationOf(state)?.summary.status ?? 'canceled';
  const feeType = feeTypeOf(companyOf(env, state.tenant), recordOf(state).loanTypeId, fee.feeTypeId);
  if (feeType === undefined || !mayMove(status, 'chargeFee')) {
    const body: ScheduledFeeCanceledBody = { feeId: fee.id, reason: `the loan is ${status}`, caseId: null };
    return { type: 'ScheduledFeeCanceled', body };
  }
  const { id, externalId, category, customDisplayName, period, draw, caseId } = fee;
  const body: FeeChargedBody = {
    change: feeChangeOn(state, feeType, fee.fee, fee.amountCents, draw ?? null),
    details: {
      id,
      externalId,
      category,
      customDisplayName,
      ...(period === undefined ? {} : { period }),
      ...(draw === undefined ? {} : { draw }),
    },
    recordedDay: fee.scheduled.day,
    caseId,
    reason: null,
  };
  return { type: 'FeeCharged', body, effective: fee.scheduled };
}
