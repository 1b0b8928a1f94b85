import type { Day } from '../../../engine/index.js';
import { collectionAgencyOf, companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type AnyId, dateText, type DateText } from '../../wire.js';
import { endPlan } from '../autopay/ending.js';
import { livePlan } from '../autopay/plan.js';
import { beginAction } from '../commands/order.js';
import { effectiveOn, isWithAgency, recordOf, refuseStatus, statusOf, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import { moveDraft } from '../transactions/moves.js';
import type { AgencyAssigned, AgencyUnassigned } from './evolve.js';
import { type AssignmentType, livePlacement, type Placement, type PlacementStatus } from './placements.js';
import { placementView } from './view.js';

/** Bodies and queries of the assignment of a loan to a collection agency. */

export interface AssignAgencyRequest {
  /** Required, except with the status `unassigned`. */
  readonly agencyId?: AnyId | null;
  /** Default today. */
  readonly assignedOnDate?: DateText | null;
  readonly status: 'unassigned' | 'pendingAssignment' | 'assigned';
  /** Default `contingency`. */
  readonly assignmentType?: AssignmentType;
  readonly metro2?: { readonly reportK2Segment?: boolean } | null;
  readonly caseId?: AnyId | null;
}

export interface UnassignAgencyRequest {
  readonly caseId?: AnyId | null;
}

export interface UnassignAgencyQuery {
  /** Who services the loan from now on; default `creditor`. */
  readonly servicedBy?: 'creditor' | 'thirdPartyServicer' | 'debtCollectionAgency';
}

/** `POST L/collection-agency`: assigns the loan, changes the assignment, or takes the loan back. */
const assignAgency: CommandSpec<LoanState, AssignAgencyRequest> = {
  kind: 'loan',
  type: 'loan.assignAgency',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { status } = request;
    if (status === 'unassigned') return unassigned(context, request.caseId ?? null, 'creditor');
    const { state } = context;
    if (statusOf(state) !== 'chargedOff') refuseStatus(state, ['chargedOff']);
    const before = livePlacement(state);
    const body = assignment(context, { ...request, status }, before);
    return shown(context, [{ type: 'AgencyAssigned', body }, ...collectingEnded(state, body.caseId)]);
  },
};

/** `DELETE L/collection-agency`: takes the loan back. */
const unassignAgency: CommandSpec<LoanState, UnassignAgencyRequest, UnassignAgencyQuery> = {
  kind: 'loan',
  type: 'loan.unassignAgency',
  place: { on: 'target' },
  decide(context) {
    const { caseId = null } = beginAction(context, 'update');
    const { servicedBy = 'creditor' } = context.command.query ?? {};
    return unassigned(context, caseId, servicedBy);
  },
};

export const collectionCommands: readonly CommandSpec<LoanState>[] = [assignAgency, unassignAgency];

function assignment(
  context: CommandContext<LoanState>,
  request: AssignAgencyRequest & { readonly status: PlacementStatus },
  before: Placement | null,
): AgencyAssigned {
  const { state, env } = context;
  const { agencyId, status, caseId = null } = request;
  if (agencyId == null) return refuseProperty('agencyId', 'a collection agency', '`agencyId` is missing.');
  const agency = collectionAgencyOf(companyOf(env, env.tenant), agencyId);
  if (agency === undefined) {
    return refuse('ruleViolation', `There is no collection agency ${agencyId}.`, {
      errors: [{ path: 'agencyId', expected: 'a collection agency', message: 'there is no such object' }],
    });
  }
  const isSame = before?.agencyId === agency.id;
  if (agency.stored.status === 'archived' && !isSame) {
    refuse('invalidState', `The collection agency ${agency.id} is archived: it gets no new loans.`, {
      errors: [{ path: 'agencyId', expected: 'an active collection agency', message: 'is archived' }],
    });
  }
  if (isSame && before.status === 'assigned' && status === 'pendingAssignment') {
    refuse('invalidTransition', 'The loan is assigned to this agency already; it can only be taken back.', {
      errors: [{ path: 'status', expected: 'assigned, unassigned', message: 'the loan is assigned' }],
    });
  }
  const assignedOn = effectiveOn(env, state, request.assignedOnDate, 'assignedOnDate').day;
  const earliest = firstFreeDay(state);
  if (earliest !== null && assignedOn < earliest)
    refuseProperty('assignedOnDate', `${dateText(earliest)} or later`, 'Until then the loan was placed otherwise.');
  return {
    agencyId: agency.id,
    assignmentType: request.assignmentType ?? (isSame ? before.assignmentType : 'contingency'),
    status,
    assignedOn,
    isK2SegmentReported: request.metro2?.reportK2Segment ?? (isSame && before.isK2SegmentReported),
    commissionRate: isSame ? before.commissionRate : agency.stored.commissionRate,
    caseId: caseId ?? null,
  };
}

/** The day from which no earlier placement that has ended, nor the begin of the present one, says where the loan is; null: any day. */
function firstFreeDay({ parties }: LoanState): Day | null {
  const last = parties.placements.at(-1);
  return last === undefined ? null : (last.endedOn ?? last.assignedOn);
}

/** The service collects nothing itself any more: automatic payments end, and scheduled ones are canceled. */
function collectingEnded(state: LoanState, caseId: string | null): readonly FactDraft[] {
  const plan = livePlan(state);
  const ended = plan === null ? [] : endPlan(state, plan, { move: 'cancel', cancelReason: 'canceledByAgent', caseId });
  const left = state.transactions.scheduled().filter(({ isExternal, autopayPlanId }) => !isExternal && autopayPlanId !== plan?.id);
  return [...ended, ...left.map((record) => moveDraft(record, 'cancel', { cancelReason: 'loanStatusChange' }, caseId))];
}

/** A loan that was taken back, and is still serviced by the agency, is taken back from it as well. */
function unassigned(context: CommandContext<LoanState>, caseId: string | null, servicedBy: string): Decision<LoanState> {
  const { state, env } = context;
  const isServicedOtherwise = isWithAgency(state) && servicedBy !== recordOf(state).servicedBy;
  if (livePlacement(state) === null && !isServicedOtherwise) refuse('invalidState', `The loan ${state.id} is at no collection agency.`);
  const body: AgencyUnassigned = { endedOn: todayOf(env, state), servicedBy, caseId };
  return shown(context, [{ type: 'AgencyUnassigned', body }]);
}

const shown = ({ env, command }: CommandContext<LoanState>, facts: readonly FactDraft[]): Decision<LoanState> => ({
  facts,
  reply: (after) => ({ data: placementView(after, env, command.permissions) }),
});
