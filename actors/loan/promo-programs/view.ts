import { amount, dateText, dateTimeText, orNull, rateValue } from '../../wire.js';
import { activationOf, recordOf } from '../context.js';
import { drawIdOf } from '../draws/find.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { effectiveEnd, isEarned, type PromoProgram } from './program.js';
import type { PromoProgramReply } from './requests.js';
import { type Weighed, weigh } from './weigh.js';

export function promoProgramView(state: LoanState, env: ViewEnv, program: PromoProgram): PromoProgramReply {
  const { canceledBy } = program;
  const weighed = weighedToday(state, env, program);
  return {
    id: program.id,
    drawId: drawIdOf(state, program.draw),
    externalId: program.externalId,
    promoTypeId: program.promoTypeId,
    status: program.status,
    promoType: program.promoType,
    displayName: program.displayName,
    description: program.description,
    promoStartDate: dateText(program.startDay),
    promoStartDatetime: orNull(dateTimeText, program.startAt),
    promoEndDate: dateText(program.endDay),
    promoDurationDays: program.endDay - program.startDay,
    promoGracePeriodDays: program.graceDays,
    disqualifyOverdueDays: program.disqualifyOverdueDays,
    promoEffectiveEndDate: dateText(effectiveEnd(program)),
    promoRate: orNull(rateValue, program.promoRate),
    promoCancelReason: program.cancelReason,
    promoCanceledBy: canceledBy && {
      id: canceledBy.id,
      name: null,
      userType: canceledBy.type === 'system' ? 'system' : 'agent',
      descriptor: canceledBy.type,
      employee: { id: canceledBy.type === 'user' ? canceledBy.id : (canceledBy.userId ?? null) },
    },
    sacExcercisedRateId: program.status === 'exercised' ? program.rateId : null,
    remainingAmountToExercise: orNull(amount, weighed?.remainingCents),
    totalDeferredInterestAmount: orNull(amount, weighed?.deferredCents ?? program.waivedCents),
    metaData: program.metaData,
    caseId: program.caseId,
    timestamps: {
      createdAt: dateTimeText(program.createdAt),
      activatedAt: orNull(dateTimeText, program.activatedAt),
      reactivatedAt: orNull(dateTimeText, program.reactivatedAt),
      canceledAt: orNull(dateTimeText, program.canceledAt),
      exercisedAt: orNull(dateTimeText, program.exercisedAt),
    },
  };
}

/** Null where nothing can be earned any more. */
function weighedToday(state: LoanState, env: ViewEnv, program: PromoProgram): Weighed | null {
  const isOpen = program.status === 'pending' || program.status === 'active';
  if (!isOpen || !isEarned(program) || activationOf(state) === null) return null;
  const today = env.today(recordOf(state).zone);
  return weigh(state, env, program, { day: today, seconds: 86_399 }, today);
}
