import type { Day } from '../../../engine/index.js';
import { companyOf, creditAgencyOf, currentSettings } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec } from '../../kernel/actor.js';
import { type FactDraft, factTest } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import { activatedOf, loanTypeOf, refuseStatus, requireCase, requirePerson, statusOf, todayOf } from '../context.js';
import type { LoanFacts } from '../facts.js';
import type { LoanStatus } from '../machine.js';
import type { LoanState } from '../state.js';
import { loanView } from '../views/loan.js';
import { requireEndingCode } from './cancellation.js';
import type { CreditReportingFacts } from './evolve.js';
import { requireFinalCode } from './final-code.js';
import { notReportable } from './reportable.js';
import type {
  CreditFieldsRequest,
  CreditReportingStatus,
  DeleteCreditReportingRequest,
  StartCreditReportingRequest,
  StopCreditReportingRequest,
} from './types.js';
import { newestStatus, reportingView, statusOfLoan } from './view.js';

type Context<Body = unknown> = CommandContext<LoanState, Body>;

const fact = <Type extends keyof CreditReportingFacts>(type: Type, body: CreditReportingFacts[Type]): FactDraft => ({ type, body });

/** Statuses of a loan whose reporting can be changed: those in which it is reported. */
const REPORTED = ['active', 'frozen', 'accelerated', 'chargedOff', 'paidOff'] as const;

/** Reports of a canceled loan can still be ended. */
const ENDED_OR_REPORTED = [...REPORTED, 'canceled'] as const;

function begin<Request extends { readonly caseId?: string | null }>(
  context: Context<Request>,
  allowed: readonly LoanStatus[] = REPORTED,
): Request {
  const { state, env, command, body: request } = context;
  requirePerson(state, command.params['personId'], env);
  if (!allowed.includes(statusOf(state))) refuseStatus(state, allowed);
  requireCase(env, state, command, request.caseId);
  return request;
}

const start: CommandSpec<LoanState, StartCreditReportingRequest> = {
  kind: 'loan',
  type: 'creditReporting.start',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const request = begin(context);
    const agency =
      creditAgencyOf(companyOf(env, state.tenant), request.creditAgencyId) ??
      refuseProperty('creditAgencyId', 'the id of a credit agency', `There is no credit agency ${request.creditAgencyId}.`);
    const reason = notReportable(env, state);
    if (reason !== null) refuse('ruleViolation', reason);
    const known = state.creditReporting.statuses.filter(({ creditAgencyId }) => creditAgencyId === agency.id);
    const deleted = known.find(({ status }) => status === 'deleting' || status === 'deleted');
    if (deleted) refuse('invalidState', `The reports of the loan at ${agency.id} were deleted: it cannot be reported there again.`);
    const open = known.find(({ status }) => status !== 'stopped');
    if (open) refuse('duplicate', `The loan is reported to ${agency.id} already, by ${open.id}.`);
    const startDay = dayOfText(request.reportingStartDate);
    const { activation } = activatedOf(state).contract.terms;
    if (startDay < activation || startDay > todayOf(env, state))
      refuse('ruleViolation', 'The reporting starts between the activation of the loan and today.', {
        errors: [{ path: 'reportingStartDate', expected: 'a day from activation to today', message: 'is another day' }],
      });
    return {
      facts: [fact('CreditReportingStarted', { id: env.newId('LS'), creditAgencyId: agency.id, startDay, caseId: request.caseId ?? null })],
      reply: (after) => ({ data: reportingView(after, newestStatus(after)) }),
    };
  },
};

const setFields: CommandSpec<LoanState, CreditFieldsRequest> = {
  kind: 'loan',
  type: 'creditReporting.setFields',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { metro2, caseId = null } = begin(context);
    const forAgencies = state.creditReporting.statuses
      .filter(({ status }) => status === 'active' || status === 'stopping')
      .map(({ creditAgencyId }) => creditAgencyId);
    if (forAgencies.length === 0) refuse('invalidState', `The loan ${state.id} is not reported to any credit agency.`);
    const { specialCommentBaseSegment, ecoaCodeBaseSegment, complianceConditionCode } = metro2;
    const fields = {
      specialComment: specialCommentBaseSegment ?? null,
      ecoaCode: ecoaCodeBaseSegment ?? null,
      complianceConditionCode: complianceConditionCode ?? null,
    };
    if (Object.values(fields).every((value) => value === null)) refuseProperty('metro2', 'at least one field', 'No field is set.');
    return {
      facts: [fact('CreditReportingFieldsSet', { ...fields, forAgencies, caseId })],
      reply: (after) => ({ data: loanView(after, env) }),
    };
  },
};

function named({ state, command }: Context, allowed: readonly CreditReportingStatus['status'][]): CreditReportingStatus {
  const known = statusOfLoan(state, command.params['reportingStatusId']);
  return allowed.includes(known.status)
    ? known
    : refuse('invalidState', `The credit reporting ${known.id} is ${known.status}; it must be ${allowed.join(' or ')}.`);
}

const shown = (id: string, facts: readonly FactDraft[]): ReturnType<CommandSpec<LoanState>['decide']> => ({
  facts,
  reply: (after) => ({ data: reportingView(after, statusOfLoan(after, id)) }),
});

const stop: CommandSpec<LoanState, StopCreditReportingRequest> = {
  kind: 'loan',
  type: 'creditReporting.stop',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { reportingEndDate, metro2, caseId = null } = begin(context, ENDED_OR_REPORTED);
    const known = named(context, ['active', 'stopping']);
    const endDay = reportingEndDate == null ? todayOf(env, state) : dayOfText(reportingEndDate);
    if (endDay < known.startDay || endDay > todayOf(env, state))
      refuse('ruleViolation', 'The reporting ends between its start and today.', {
        errors: [{ path: 'reportingEndDate', expected: 'a day from the start of the reporting to today', message: 'is another day' }],
      });
    const finalStatusCode = metro2?.accountStatusCode ?? null;
    if (statusOf(state) === 'canceled') requireEndingCode(finalStatusCode, 'metro2.accountStatusCode');
    requireFinalCode(env, state, { ...known, status: 'stopping', endDay, finalStatusCode });
    return shown(known.id, [fact('CreditReportingStopped', { id: known.id, endDay, finalStatusCode, caseId })]);
  },
};

const remove: CommandSpec<LoanState, DeleteCreditReportingRequest> = {
  kind: 'loan',
  type: 'creditReporting.delete',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { deletedReason, deletedReasonDetails = null, metro2, caseId = null } = begin(context, ENDED_OR_REPORTED);
    const known = named(context, ['active', 'stopping', 'stopped', 'deleting']);
    const finalStatusCode = metro2?.accountStatusCode ?? (deletedReason === 'fraud' ? 'DF' : 'DA');
    const endDay = todayOf(env, state);
    requireFinalCode(env, state, { ...known, status: 'deleting', endDay, finalStatusCode });
    return shown(known.id, [
      fact('CreditReportingDeleted', { id: known.id, endDay, finalStatusCode, deletedReason, deletedReasonDetails, caseId }),
    ]);
  },
};

export const creditReportingCommands: readonly CommandSpec<LoanState>[] = [start, setFields, stop, remove];

/** A newly activated loan is reported to every agency of its loan type, from its activation on. */
export function creditReportingBegun({ env, state }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const startDay = activationIn(state, facts);
  if (startDay === null || notReportable(env, state) !== null) return [];
  const company = companyOf(env, state.tenant);
  const { creditAgencyIds } = currentSettings(loanTypeOf(env, state)).creditReporting;
  const known = new Set(state.creditReporting.statuses.map(({ creditAgencyId }) => creditAgencyId));
  return creditAgencyIds.flatMap((anyId) => {
    const agency = creditAgencyOf(company, anyId);
    if (agency === undefined || known.has(agency.id)) return [];
    return [fact('CreditReportingStarted', { id: env.newId('LS'), creditAgencyId: agency.id, startDay, caseId: null })];
  });
}

const isFact = factTest<LoanFacts>();

/** The day of the activation among the facts of a command; null: none of them is one. `state` is the loan before. */
function activationIn(state: LoanState, facts: readonly FactDraft[]): Day | null {
  for (const draft of facts) {
    if (isFact(draft, 'LoanActivated') || isFact(draft, 'LineActivated')) return draft.body.contract.terms.activation;
    if (draft.type === 'LoanMigrated') return state.migration?.activatedDay ?? null;
  }
  return null;
}
