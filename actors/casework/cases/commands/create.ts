import { companyOf, zoneOf } from '../../../company/index.js';
import { checkAll, refuse, refuseProperty } from '../../../errors.js';
import type { CommandSpec, DecideEnv, Decision } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { decided, employeeNamed, fact, onCase, refuseTaken, teamNamed, withCaseReply } from '../context.js';
import { reviewOfNew, workAfterDelete, workflowOfNew } from '../agent-work.js';
import { caseOfLoans, factsForLoans, loanOfBorrower, loansNamed, loanTypeOf, servicedLoans } from '../loans.js';
import type { CaseFacts } from '../facts.js';
import {
  checkFields,
  defaultsOf,
  readCustomFields,
  readTypeFields,
  requireProduct,
  typeForNew,
  typeForSystem,
  type TypeOfCase,
  withChanges,
} from '../fields.js';
import { notificationsCanceled, triggeredByOpening } from '../notifications.js';
import { type FindReference, referencesOf, referencesOfService } from '../references.js';
import type { CreateCaseRequest } from '../requests.js';
import { withResponseDue } from '../response-due.js';
import { isPlanStale, planned } from '../reviews.js';
import { activeBlock, type CaseState, newCase } from '../state.js';
import { caseView, sealFields, sealText } from '../view.js';
import { refuseSecondCollection, requireOutcome } from './update.js';

/** `POST /people/{personId}/cases`: the case is on its borrower's shard. */
export const createCase: CommandSpec<CaseState, CreateCaseRequest> = {
  kind: 'case',
  type: 'case.create',
  place: { on: 'beside', kind: 'person' },
  decide({ id, besideId, body, env }): Decision<CaseState> {
    const personId = besideId ?? refuse('notFound', 'There is no such borrower.');
    const request = body;
    checkBody(env, personId, request);
    const loanIds = loansNamed(env, personId, request.loanIds ?? [], (index) => `loanIds[${index}]`);
    const type = typeForNew(companyOf(env, env.tenant), request);
    const find = referencesOf(env, { personId, loanIds });
    return decided(personId, opened(env, { id, personId, request, type, loanIds, origin: BY_HAND, find }), (after) => caseView(after, env));
  },
};

/** What of a body can be wrong by itself. The reply names all of it. */
function checkBody(env: DecideEnv, personId: string, request: CreateCaseRequest): void {
  const company = companyOf(env, env.tenant);
  const { loanIds = [], owningEmployeeId, owningTeamId } = request;
  const find = referencesOf(env, { personId, loanIds: loanIds.flatMap((anyId) => loanOfBorrower(env, personId, anyId) ?? []) });
  checkAll([
    () => loansNamed(env, personId, loanIds, (index) => `loanIds[${index}]`),
    () => checkFields(typeForNew(company, request), request, find),
    () => owningEmployeeId && employeeNamed(company, owningEmployeeId, 'owningEmployeeId'),
    () => owningTeamId && teamNamed(company, owningTeamId, 'owningTeamId'),
  ]);
}

/** What has created a case. */
export interface CaseOrigin {
  readonly autoCreated: boolean;
  readonly supercaseId: string | null;
  readonly supercasePopulationId: string | null;
}

const BY_HAND: CaseOrigin = { autoCreated: false, supercaseId: null, supercasePopulationId: null };

/** Possible first statuses of a case. */
const FIRST = ['initiated', 'processing'] as const;

interface Opening {
  readonly id: string;
  readonly personId: string;
  readonly request: CreateCaseRequest;
  readonly type: TypeOfCase;
  readonly loanIds: readonly string[];
  readonly origin: CaseOrigin;
  readonly find: FindReference;
}

function opened(env: DecideEnv, { id, personId, request, type, loanIds, origin, find }: Opening): readonly FactDraft[] {
  const company = companyOf(env, env.tenant);
  const today = env.today(zoneOf(company)); // also starts the tenant's calendar, which deadlines need
  const { caseType, caseTypeId, caseTypeVersion, typeName, customFields: schemas } = type;
  requireProduct(
    type,
    loanIds.map((loanId) => loanTypeOf(env, loanId)),
  );
  const { status = 'initiated', outcome = null, externalId = null, owningEmployeeId = null, owningTeamId = null } = request;
  if (!FIRST.some((first) => first === status))
    refuseProperty('status', `one of ${FIRST.join(', ')}`, `A case cannot be created with the status ${status}.`);
  requireOutcome(status, outcome);
  refuseTaken(env, externalId, null);
  refuseSecondCollection(env, personId, caseType, null);
  const own = readTypeFields(caseType, request, find);
  const custom = readCustomFields(schemas, { ...defaultsOf(schemas), ...request.customFields });
  const body: CaseFacts['CaseOpened'] = {
    caseType,
    caseTypeId,
    caseTypeVersion,
    typeName,
    ...origin,
    personId,
    loanIds,
    status,
    outcome,
    externalId,
    name: request.name || null,
    description: sealText(env, { personId, part: 'description', id }, request.description),
    outcomeNote: sealText(env, { personId, part: 'outcomeNote', id }, request.outcomeNote),
    owningEmployeeId: owningEmployeeId && employeeNamed(company, owningEmployeeId, 'owningEmployeeId'),
    owningTeamId: owningTeamId && teamNamed(company, owningTeamId, 'owningTeamId'),
    fields: withChanges({}, withResponseDue(caseType, own.plain, null, today)),
    customFields: withChanges({}, custom.plain),
    sealedFields: sealFields(env, personId, id, withChanges({}, { ...own.sealed, ...custom.sealed })),
    metaData: request.metaData ?? null,
  };
  const triggered = triggeredByOpening(env, { id, ...body });
  const begun: CaseState = { ...newCase(id, env.tenant), ...body, createdAt: env.now };
  const reviews = isPlanStale(begun, env) ? [planned(begun, env)] : [];
  const atLoans = factsForLoans(env, null, { id, ...body });
  return [
    fact('CaseOpened', body),
    ...atLoans,
    ...reviews,
    ...triggered,
    ...workflowOfNew(env, { id, ...body }, type.workflowTypeId),
    ...reviewOfNew(env, { id, ...body }),
  ];
}

/**
 * The facts of a case that monitoring, a supercase or a dispute opens. They are recorded with the facts of the opening actor, on
 * the borrower's shard. Without given loans the case is about all serviced ones.
 */
export function openedBySystem(
  env: DecideEnv,
  personId: string,
  request: Omit<CreateCaseRequest, 'loanIds'>,
  from: Partial<CaseOrigin> & { readonly loanIds?: readonly string[] } = {},
): { readonly caseId: string; readonly facts: readonly FactDraft[] } {
  const { loanIds = servicedLoans(env, personId), ...origin } = from;
  const id = env.newId('CS');
  const type = typeForSystem(
    companyOf(env, env.tenant),
    request,
    loanIds.map((loanId) => loanTypeOf(env, loanId)),
  );
  const drafts = opened(env, {
    id,
    personId,
    request,
    type,
    loanIds,
    origin: { ...BY_HAND, autoCreated: true, ...origin },
    find: referencesOfService,
  });
  return { caseId: id, facts: drafts.map((draft) => ({ target: { kind: 'case', id }, ...draft })) };
}

/**
 * `DELETE /people/{personId}/cases/{caseId}`: requests cannot reach the case any more, but it is kept. Its block is lifted, its
 * notifications are canceled.
 */
export const deleteCase = onCase('case.delete', 'delete', ({ state, env }) => {
  if (state.supercaseId !== null)
    refuse('invalidState', `The case cannot be deleted: it belongs to the supercase ${state.supercaseId}. Close the supercase instead.`);
  const block = activeBlock(state);
  const lifted = block ? [fact('BlockEnded', { id: block.id, status: 'lifted' })] : [];
  const atLoans = factsForLoans(env, caseOfLoans(state), caseOfLoans({ ...state, status: 'deleted' }));
  return {
    facts: [...lifted, ...notificationsCanceled(state), ...workAfterDelete(env, state), ...atLoans, fact('CaseDeleted', {})],
    reply: () => ({ data: undefined }),
  };
});

/** `POST .../views`: records that an agent has viewed the case. */
export const viewCase = onCase('case.view', 'view', (context) => withCaseReply(context, [fact('CaseViewed', {})]));
