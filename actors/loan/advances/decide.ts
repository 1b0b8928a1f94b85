import { sum } from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import {
  amount,
  type Amount,
  centsOf,
  dateText,
  type DateText,
  dateTimeText,
  type DateTimeText,
  type MetaData,
  orNull,
  timeOfDay,
  type TimeOfDay,
} from '../../wire.js';
import { beginAction, orderReply } from '../commands/order.js';
import { requireMove } from '../context.js';
import { detailsView, type ProceedsDetailsView, readDetails } from '../proceeds-details.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { nextPaymentNumber } from '../transactions/moves.js';
import { scheduleReply } from '../views/loan.js';
import { type AdvanceChanged, advanceChart, type AdvanceMade, type AdvanceStatus, type LoanAdvance, type NewAdvance } from './advance.js';
import {
  advanceOf,
  advanceTime,
  checkAdvanceExternalId,
  moveDrafts,
  payOutDraft,
  requireAdvanceMove,
  requireAdvances,
  requireRoom,
  settleTime,
} from './check.js';
import type { CreateAdvanceRequest, ReplaceAdvancesRequest, ScheduledAdvanceRequest, UpdateAdvanceRequest } from './requests.js';

export interface AdvanceReply {
  readonly id: string;
  readonly externalId: string | null;
  readonly status: AdvanceStatus;
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly advanceDate: DateText;
  readonly advanceTimeOfDay: TimeOfDay | null;
  readonly advanceDetails: ProceedsDetailsView | null;
  readonly metadata: MetaData | null;
  readonly timestamps: {
    readonly createdAt: DateTimeText;
    readonly updatedAt: DateTimeText;
    readonly settledAt: DateTimeText | null;
    readonly canceledAt: DateTimeText | null;
  };
}

export const advanceView = (advance: LoanAdvance): AdvanceReply => ({
  id: advance.id,
  externalId: advance.externalId,
  status: advance.status,
  amount: amount(advance.amountCents),
  originalAmount: amount(advance.originalCents),
  advanceDate: dateText(advance.day),
  advanceTimeOfDay: orNull(timeOfDay, advance.seconds),
  advanceDetails: detailsView(advance.details),
  metadata: advance.metaData,
  timestamps: {
    createdAt: dateTimeText(advance.createdAt),
    updatedAt: dateTimeText(advance.updatedAt),
    settledAt: orNull(dateTimeText, advance.settledAt),
    canceledAt: orNull(dateTimeText, advance.canceledAt),
  },
});

type Context<Body = unknown> = CommandContext<LoanState, Body>;

/** `POST L/advances`: a settled advance raises principal from its time on; one in the past causes a replay. */
const createAdvance: CommandSpec<LoanState, CreateAdvanceRequest> = {
  kind: 'loan',
  type: 'advance.create',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'planAdvances');
    const { advance, facts } = creation(context, request);
    return {
      facts,
      preview: request.previewMode === true,
      reply: (after) => orderReply(context, request, { data: advanceView(advanceOf(after, advance.id)) }),
    };
  },
};

/** `POST L/advances/preview`: the schedule that the loan would have, by the same computation as the advance itself. */
const previewAdvance: CommandSpec<LoanState, CreateAdvanceRequest> = {
  kind: 'loan',
  type: 'advance.preview',
  place: { on: 'target' },
  decide(context) {
    const request = { ...beginAction(context, 'advance'), previewMode: true };
    return {
      facts: creation(context, request).facts,
      preview: true,
      reply: (after) => orderReply(context, request, { data: scheduleReply(after, context.env) }),
    };
  },
};

function creation(context: Context, request: CreateAdvanceRequest): { readonly advance: NewAdvance; readonly facts: readonly FactDraft[] } {
  const { state } = context;
  const status = request.status ?? 'settled';
  requireAdvances(context);
  if (status !== 'scheduled') requireMove(state, 'advance');
  if (status === 'scheduled' && request.advanceDate == null)
    refuseProperty('advanceDate', 'a future date', '`advanceDate` is required for a scheduled advance.');
  checkAdvanceExternalId(context, request.externalId);
  const asked = newAdvance(context, { ...request, status });
  requireRoom(context, asked.amountCents);
  const caseId = request.caseId ?? null;
  if (status !== 'settled') return { advance: asked, facts: [madeDraft(asked, caseId)] };
  const at = settleTime(context, asked);
  const number = nextPaymentNumber(state);
  const advance: NewAdvance = { ...asked, number };
  return { advance, facts: [madeDraft(advance, caseId), payOutDraft(context, request, { number, amountCents: advance.amountCents, at })] };
}

type Asked = Omit<ScheduledAdvanceRequest, 'status' | 'advanceDate'> & {
  readonly status: NewAdvance['status'];
  readonly advanceDate?: string | null;
};

const newAdvance = (context: Context, asked: Asked): NewAdvance => ({
  id: context.env.newId('LA'),
  externalId: asked.externalId ?? null,
  status: asked.status,
  amountCents: centsOf(asked.amount),
  ...advanceTime(context, asked),
  number: null,
  details: readDetails(companyOf(context.env, context.state.tenant), asked.advanceDetails),
  metaData: asked.metadata ?? null,
});

const madeDraft = (advance: NewAdvance, caseId: string | null): FactDraft => ({
  type: 'AdvanceMade',
  body: { advance, caseId } satisfies AdvanceMade,
});

/** `PUT L/advances/{advanceId}`: changes amount and details before it is paid out, and the status. */
const updateAdvance: CommandSpec<LoanState, UpdateAdvanceRequest> = {
  kind: 'loan',
  type: 'advance.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'planAdvances');
    const advance = advanceOf(context.state, context.command.params['advanceId']);
    requireAdvances(context);
    const changes = changesOf(context, advance, request);
    const changed: FactDraft = { type: 'AdvanceChanged', body: { advanceId: advance.id, changes } satisfies AdvanceChanged };
    const facts = Object.keys(changes).length === 0 ? [] : [changed];
    return decided(context, request, advance.id, [...facts, ...statusDrafts(context, request, { ...advance, ...changes })]);
  },
};

function changesOf(context: Context, advance: LoanAdvance, request: UpdateAdvanceRequest): AdvanceChanged['changes'] {
  const amountCents = request.amount === undefined ? advance.amountCents : centsOf(request.amount);
  const isOtherAmount = amountCents !== advance.amountCents;
  if (isOtherAmount) {
    requireAdvanceMove(advance, 'change');
    requireRoom(context, amountCents, ({ id }) => id === advance.id);
  }
  return {
    ...(isOtherAmount ? { amountCents } : {}),
    ...(request.advanceDetails === undefined
      ? {}
      : { details: readDetails(companyOf(context.env, context.state.tenant), request.advanceDetails) }),
    ...(request.metadata === undefined ? {} : { metaData: request.metadata }),
  };
}

function statusDrafts(context: Context, request: UpdateAdvanceRequest, advance: LoanAdvance): readonly FactDraft[] {
  const { status } = request;
  if (status === undefined || status === advance.status) return [];
  const move = advanceChart.moveTo(status);
  if (move === undefined) return refuseProperty('status', 'pending, settled or canceled', 'An advance cannot become scheduled again.');
  requireAdvanceMove(advance, move);
  return moveDrafts(context, request, advance, status);
}

/** `POST L/advances/{advanceId}/cancel`: a replay removes a settled advance from the ledger. */
const cancelAdvance: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'advance.cancel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'planAdvances');
    const advance = advanceOf(context.state, context.command.params['advanceId']);
    requireAdvanceMove(advance, 'cancel');
    return decided(context, request, advance.id, moveDrafts(context, request, advance, 'canceled'));
  },
};

function decided(context: Context, request: ActionRequest, advanceId: string, facts: readonly FactDraft[]): Decision<LoanState> {
  return {
    facts,
    preview: request.previewMode === true,
    reply: (after) => orderReply(context, request, { data: advanceView(advanceOf(after, advanceId)) }),
  };
}

/** `PUT L/advance-schedule`: cancels the scheduled advances and makes new ones. */
const replaceAdvances: CommandSpec<LoanState, ReplaceAdvancesRequest> = {
  kind: 'loan',
  type: 'advance.replaceSchedule',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'planAdvances');
    requireAdvances(context);
    const old = context.state.advances.filter(({ status }) => status === 'scheduled');
    const named = request.advanceSchedule.map(({ externalId }) => externalId ?? null);
    for (const [at, externalId] of named.entries()) {
      checkAdvanceExternalId(context, externalId);
      if (externalId !== null && named.indexOf(externalId) !== at) refuseTwice(externalId);
    }
    const made = request.advanceSchedule.map((row) => newAdvance(context, { ...row, status: 'scheduled' }));
    requireRoom(context, sum(made.map(({ amountCents }) => amountCents)), (advance) => old.includes(advance));
    const canceled = old.flatMap((advance) => moveDrafts(context, request, advance, 'canceled'));
    return {
      facts: [...canceled, ...made.map((advance) => madeDraft(advance, request.caseId ?? null))],
      preview: request.previewMode === true,
      reply: (after) =>
        orderReply(context, request, { data: after.advances.filter(({ status }) => status === 'scheduled').map(advanceView) }),
    };
  },
};

const refuseTwice = (externalId: string): never =>
  refuse('duplicate', `Two advances have the same externalId ${externalId}.`, {
    errors: [{ path: 'advanceSchedule', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });

export const advanceCommands: readonly CommandSpec<LoanState>[] = [
  createAdvance,
  previewAdvance,
  updateAdvance,
  cancelAdvance,
  replaceAdvances,
];
