import { dayAt, must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { amount, dateText, dateTimeText, dayOfText, orNull, rateValue } from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { activationOf, effectiveNow, recordOf, requirePerson } from '../context.js';
import { type Draw, drawIdOf, drawOf, requireDrawMove } from '../draws/draw.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { NO_REASON } from '../applying.js';
import type { ViewEnv } from '../views/loan.js';
import { cancelDrafts, startDrafts } from './daily.js';
import type { PromoProgramChanged } from './evolve.js';
import {
  askedTerms,
  checkProgramExternalId,
  effectiveEnd,
  isEarned,
  lifeOf,
  madeDraft,
  newProgram,
  type PromoDetails,
  type PromoProgram,
  promoProgramOf,
  promoTerms,
  type PromoTerms,
  requireOnlyOne,
  requirePromoMove,
} from './program.js';
import type {
  CancelPromoProgramRequest,
  CreatePromoProgramRequest,
  ListPromoProgramsQuery,
  PromoProgramReply,
  PromoProgramsReply,
  UpdatePromoProgramRequest,
} from './requests.js';
import { ratesFacts, reducedRate, weigh, type Weighed } from './weigh.js';

function promoProgramView(state: LoanState, env: ViewEnv, program: PromoProgram): PromoProgramReply {
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

/** The evaluation of a program today; null if it can no longer be earned. */
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

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST L/promo-programs`. */
const createProgram: CommandSpec<LoanState, CreatePromoProgramRequest> = {
  kind: 'loan',
  type: 'promoProgram.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'promo');
    const { state, env } = context;
    const draw = drawAsked(context);
    checkProduct(state, request);
    checkProgramExternalId(env, request.externalId);
    const { promoTypeId, externalId = null, metaData = null, caseId = null } = request;
    const startAt = orNull((text: string) => Date.parse(text), request.promoStartDatetime);
    const terms = askedTerms(
      request,
      orNull((at: number) => dayAt(recordOf(state).zone, at), startAt),
    );
    const wanted = { draw: draw?.draw ?? null, startAt, promoTypeId, externalId, metaData, caseId, isStarting: false, terms };
    const program = newProgram(state, env, wanted, lifeOf(state, draw));
    const starts = request.status === 'active' ? starting(context, asPending(program), 'activate', caseId) : [];
    return decided(context, request, program.id, [madeDraft(program), ...starts]);
  },
};

/** `PUT L/promo-programs/{promoProgramId}`: changes end, grace and disqualification while it is pending or active. */
const updateProgram: CommandSpec<LoanState, UpdatePromoProgramRequest> = {
  kind: 'loan',
  type: 'promoProgram.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'promo');
    const { state, env } = context;
    const program = asked(context);
    requirePromoMove(program, 'change');
    const { externalId, metaData } = request;
    if (externalId !== program.externalId) checkProgramExternalId(env, externalId);
    const terms = newTerms(context, program, request);
    const changes: PromoProgramChanged['changes'] = {
      ...terms,
      ...(externalId === undefined ? {} : { externalId }),
      ...(metaData === undefined ? {} : { metaData }),
    };
    const body: PromoProgramChanged = { programId: program.id, changes, caseId: request.caseId ?? null };
    const hasRate = program.status === 'active' && !isEarned(program) && terms.endDay !== program.endDay;
    const rates = hasRate
      ? ratesFacts(state, env, program, reducedRate(state, env, program, terms, null), effectiveNow(env, state), NO_REASON)
      : [];
    return decided(context, request, program.id, [{ type: 'PromoProgramChanged', body }, ...rates]);
  },
};

function newTerms(context: Context, program: PromoProgram, request: UpdatePromoProgramRequest): PromoTerms {
  const { promoEndDate, promoDurationDays, promoGracePeriodDays: grace } = request;
  const { endDay: kept, startDay, graceDays, disqualifyOverdueDays } = program;
  const endDay = promoEndDate == null && promoDurationDays == null ? kept : orNull(dayOfText, promoEndDate);
  const disqualify = request.disqualifyOverdueDays === undefined ? request.sacDisqualifyOverdueDays : request.disqualifyOverdueDays;
  const defaults = { promoDurationDays: null, promoGracePeriodDays: null, disqualifyOverdueDays: null, promoRate: null };
  const terms = { startDay, endDay, durationDays: promoDurationDays ?? null, graceDays: grace === undefined ? graceDays : grace };
  return promoTerms(
    { ...terms, disqualifyOverdueDays: disqualify === undefined ? disqualifyOverdueDays : disqualify },
    defaults,
    lifeOf(context.state, drawAsked(context)),
  );
}

/** `POST L/promo-programs/{promoProgramId}/activate` and `/reactivate`. */
const startProgram = (type: string, move: 'activate' | 'reactivate'): CommandSpec<LoanState, ActionRequest> => ({
  kind: 'loan',
  type,
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'promo');
    const program = asked(context);
    requirePromoMove(program, move);
    requireOnlyOne(context.state, program);
    return decided(context, request, program.id, starting(context, program, move, request.caseId ?? null));
  },
});

/** `POST L/promo-programs/{promoProgramId}/cancel`. */
const cancelProgram: CommandSpec<LoanState, CancelPromoProgramRequest> = {
  kind: 'loan',
  type: 'promoProgram.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'promo');
    const { state, env } = context;
    const program = asked(context);
    requirePromoMove(program, 'cancel');
    const cancellation = {
      reason: request.promoCancelReason ?? 'adminError',
      now: effectiveNow(env, state),
      caseId: request.caseId ?? null,
    } as const;
    return decided(context, request, program.id, cancelDrafts(state, env, program, cancellation));
  },
};

export const promoProgramCommands: readonly CommandSpec<LoanState>[] = [
  createProgram,
  updateProgram,
  startProgram('promoProgram.activate', 'activate'),
  startProgram('promoProgram.reactivate', 'reactivate'),
  cancelProgram,
];

const asked = (context: Context): PromoProgram =>
  promoProgramOf(context.state, context.command.params['promoProgramId'], drawAsked(context)?.draw ?? null);

/** The active draw of the path; null: the loan or line itself. */
function drawAsked(context: Context): Draw | null {
  const { drawId } = context.command.params;
  if (drawId === undefined) return null;
  const draw = drawOf(context.state, drawId);
  requireDrawMove(context, draw, 'promo');
  return draw;
}

/** 422 unless the body fits the product: programs of a line are created pending and name a start time. */
function checkProduct(state: LoanState, { status, promoStartDate, promoStartDatetime }: CreatePromoProgramRequest): void {
  const isLine = recordOf(state).type === 'lineOfCredit';
  const fault = (path: string, expected: string): never =>
    refuse('ruleViolation', `\`${path}\` is not supported for a promo program of ${isLine ? 'a line of credit' : 'an installment loan'}.`, {
      errors: [{ path, expected, message: 'is only supported for the other product' }],
    });
  if (isLine && status === 'active') fault('status', 'pending');
  if (isLine && promoStartDate != null) fault('promoStartDate', 'promoStartDatetime');
  if (!isLine && promoStartDatetime != null) fault('promoStartDatetime', 'promoStartDate');
}

/** The program to start; 422 if its time is over. */
function starting(
  { state, env }: Context,
  program: PromoProgram,
  move: 'activate' | 'reactivate',
  caseId: string | null,
): readonly FactDraft[] {
  const now = effectiveNow(env, state);
  const end = effectiveEnd(program);
  if (end < now.day) {
    refuse('ruleViolation', `The promotion ended on ${dateText(end)}.`, {
      errors: [{ path: 'promoEndDate', expected: 'an effective end that is not past', message: 'is past' }],
    });
  }
  return startDrafts(state, env, program, { move, now, caseId });
}

/** The program after its creation. */
const asPending = (program: PromoDetails): PromoProgram => ({
  ...program,
  status: 'pending',
  rateId: null,
  weighedCents: 0,
  exercise: null,
  waivedCents: null,
  cancelReason: null,
  canceledBy: null,
  createdAt: 0,
  activatedAt: null,
  reactivatedAt: null,
  canceledAt: null,
  exercisedAt: null,
});

function decided(context: Context, request: ActionRequest, id: string, facts: readonly FactDraft[]): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) =>
      orderReply(context, request, {
        data: promoProgramView(
          after,
          context.env,
          must(
            after.promoPrograms.find((program) => program.id === id),
            `the program ${id} is there`,
          ),
        ),
      }),
  };
}
