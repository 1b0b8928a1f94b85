import type { QuerySpec } from '../../kernel/actor.js';
import { amount, dateText, dateTimeText, orNull, rateValue } from '../../wire.js';
import { activationOf, recordOf, requirePerson } from '../context.js';
import { drawIdOf, drawOf } from '../draws/find.js';
import type { LoanState } from '../state.js';
import type { ViewEnv } from '../views/loan.js';
import { promoProgramOf } from './find.js';
import { effectiveEnd, isEarned, type PromoProgram } from './program.js';
import type { ListPromoProgramsQuery, PromoProgramReply, PromoProgramsReply } from './requests.js';
import { weigh, type Weighed } from './weigh.js';

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

/** The draw of the path; null: the loan or line itself. */
const numberOf = (state: LoanState, drawId: string | undefined): number | null =>
  drawId === undefined ? null : drawOf(state, drawId).draw;

/** `GET L/promo-programs` and `GET D/promo-programs`, newest first, and one of them. */
export const promoProgramQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'promoProgram.list',
    on: 'target',
    read({ state, query, request, env }): PromoProgramsReply {
      requirePerson(state, request.params['personId'], env);
      const { status = [] } = (query ?? {}) as ListPromoProgramsQuery;
      const draw = numberOf(state, request.params['drawId']);
      const wanted = state.promoPrograms.filter(
        (program) => program.draw === draw && (status.length === 0 || status.includes(program.status)),
      );
      return { promoPrograms: wanted.reverse().map((program) => promoProgramView(state, env, program)) };
    },
  },
  {
    kind: 'loan',
    type: 'promoProgram.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      return promoProgramView(
        state,
        env,
        promoProgramOf(state, request.params['promoProgramId'], numberOf(state, request.params['drawId'])),
      );
    },
  },
];
