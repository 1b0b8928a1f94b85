import { dayAt, must } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dateText, dayOfText, orNull } from '../../wire.js';
import { beginAction, finished } from '../commands/order.js';
import { effectiveNow, recordOf } from '../context.js';
import type { Draw } from '../draws/draw.js';
import { drawOf, requireDrawMove } from '../draws/find.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { NO_REASON } from '../tell.js';
import { cancelDrafts, startDrafts } from './daily.js';
import type { PromoProgramChanged } from './evolve.js';
import { checkProgramExternalId, lifeOf, promoProgramOf, requireOnlyOne, requirePromoMove } from './find.js';
import { askedTerms, madeDraft, newProgram } from './make.js';
import { effectiveEnd, isEarned, type PromoDetails, type PromoProgram, type PromoTerms } from './program.js';
import { ratesFacts, reducedRate } from './rates.js';
import { promoTerms } from './read-terms.js';
import type { CancelPromoProgramRequest, CreatePromoProgramRequest, UpdatePromoProgramRequest } from './requests.js';
import { promoProgramView } from './view.js';

type Context = CommandContext<LoanState>;

/** `POST L/promo-programs`. */
const createProgram: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promoProgram.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CreatePromoProgramRequest>(context, 'promo');
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

/** `PUT L/promo-programs/{promoProgramId}`: its end, grace and disqualification while it waits or runs. */
const updateProgram: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promoProgram.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<UpdatePromoProgramRequest>(context, 'promo');
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
const startProgram = (type: string, move: 'activate' | 'reactivate'): CommandSpec<LoanState> => ({
  kind: 'loan',
  type,
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'promo');
    const program = asked(context);
    requirePromoMove(program, move);
    requireOnlyOne(context.state, program);
    return decided(context, request, program.id, starting(context, program, move, request.caseId ?? null));
  },
});

/** `POST L/promo-programs/{promoProgramId}/cancel`. */
const cancelProgram: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'promoProgram.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<CancelPromoProgramRequest>(context, 'promo');
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

/** 422: a line's programs are made pending, and start at a moment. */
function checkProduct(state: LoanState, { status, promoStartDate, promoStartDatetime }: CreatePromoProgramRequest): void {
  const isLine = recordOf(state).type === 'lineOfCredit';
  const fault = (path: string, expected: string): never =>
    refuse('ruleViolation', `A program of the ${isLine ? 'line of credit' : 'installment loan'} has no such ${path}.`, {
      errors: [{ path, expected, message: 'belongs to the other product' }],
    });
  if (isLine && status === 'active') fault('status', 'pending');
  if (isLine && promoStartDate != null) fault('promoStartDate', 'promoStartDatetime');
  if (!isLine && promoStartDatetime != null) fault('promoStartDatetime', 'promoStartDate');
}

/** 422 when its time is over. */
function starting(
  { state, env }: Context,
  program: PromoProgram,
  move: 'activate' | 'reactivate',
  caseId: string | null,
): readonly FactDraft[] {
  const now = effectiveNow(env, state);
  const end = effectiveEnd(program);
  if (end < now.day) {
    refuse('ruleViolation', `The promotion has ended on ${dateText(end)}.`, {
      errors: [{ path: 'promoEndDate', expected: 'an effective end that is not past', message: 'is past' }],
    });
  }
  return startDrafts(state, env, program, { move, now, caseId });
}

/** The program as making it leaves it. */
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
      finished(context, request, {
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
