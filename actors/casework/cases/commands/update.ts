import { type BaseCaseType, type CaseOutcome, type CaseStatus, companyOf, zoneOf } from '../../../company/index.js';
import { dayAt } from '../../../../engine/index.js';
import { checkAll, refuse, refuseProperty } from '../../../errors.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { requireWorkflowDone } from '../../workflows/of-case.js';
import { type Context, employeeNamed, fact, onCase, refuseTaken, requireMove, teamNamed, withCaseReply } from '../context.js';
import { reviewOfChanged, workAfterMove } from '../agent-work.js';
import type { CaseFacts } from '../facts.js';
import { caseOfLoans, factsForLoans } from '../loans.js';
import { checkFields, readCustomFields, readTypeFields, refuseMissing, typeOfCase, withChanges } from '../fields.js';
import { isActive, isClosed, nextStatuses } from '../machine.js';
import { triggeredByMove } from '../notifications.js';
import { referencesOf } from '../references.js';
import type { CaseOwnerRequest, UpdateCaseRequest } from '../requests.js';
import { withResponseDue } from '../response-due.js';
import { replanned } from '../reviews.js';
import { type CaseFields, type CaseState, openEscalation, type Sealed } from '../state.js';
import { openFields, openText, sealFields, sealText } from '../view.js';

/**
 * `PUT /people/{personId}/cases/{caseId}`: fields first, then the status, so that one request can fill in and complete a case. Facts of
 * loans and tasks name their `target`; they are recorded in the same batch.
 */
export const updateCase = onCase('case.update', null, (context: Context<UpdateCaseRequest>) => {
  const { state, env } = context;
  const request = context.body;
  const { status } = request;
  if (isClosed(state.status)) requireReopening(state, request);
  else requireMove(state, 'work');
  refuseTaken(env, request.externalId, state.id);
  const change = changeOf(context, request);
  const facts: FactDraft[] = isEmpty(change) ? [] : [fact('CaseChanged', change)];
  const outcome = request.outcome ?? null;
  if (status === undefined || status === state.status) {
    if (!isClosed(state.status) && outcome !== null) requireOutcome('initiated', outcome);
    return withCaseReply(context, [...facts, ...loanFacts(env, state, change.changes)]);
  }
  requireNext(state, status);
  requireOutcome(status, outcome);
  if (status === 'reopened') refuseSecondCollection(env, state.personId, state.caseType, state.id);
  if (status === 'completed') requireCompletable(context, { ...state, ...change.changes }, request.force === true);
  const move = { status, outcome };
  const after = { ...change.changes, ...move };
  return withCaseReply(context, [
    ...facts,
    ...movedTo(state, move),
    ...loanFacts(env, state, after),
    ...triggeredByMove(env, state, after), // blocks and notifications
    ...workAfterMove(env, state, status), // tasks and the workflow
  ]);
});

/** The facts of the change for the loans of the case: autopay, planned payments, and thresholds of days overdue. */
const loanFacts = (env: DecideEnv, state: CaseState, change: Partial<CaseState>): readonly FactDraft[] =>
  factsForLoans(env, caseOfLoans(state), caseOfLoans({ ...state, ...change }));

export interface Move {
  readonly status: CaseStatus;
  readonly outcome: CaseOutcome | null;
  readonly outcomeNote?: Sealed | null;
}

/** Refuses with 409 a status that cannot follow the current one. */
export function requireNext(state: Pick<CaseState, 'status'>, status: CaseStatus): void {
  const next = nextStatuses(state.status);
  if (next.includes(status)) return;
  refuse('invalidCaseTransition', `A case with the status ${state.status} cannot become ${status}.`, {
    errors: [
      {
        path: 'status',
        expected: next.length === 0 ? 'no other status' : `one of ${next.join(', ')}`,
        message: `the case is ${state.status}`,
      },
    ],
  });
}

/** An outcome comes with `completed`, and only with it. */
export function requireOutcome(status: CaseStatus, outcome: CaseOutcome | null): void {
  if (status === 'completed' && outcome === null) {
    refuse('missingOutcome', '`outcome` is required with status completed.', {
      errors: [{ path: 'outcome', expected: 'the outcome of the case', message: 'is missing' }],
    });
  }
  if (status !== 'completed' && outcome !== null)
    refuseProperty('outcome', 'nothing, unless the status is completed', '`outcome` can only be set with status completed.');
}

/** A borrower has one active collection case. */
export function refuseSecondCollection(env: DecideEnv, personId: string, caseType: BaseCaseType, ownId: string | null): void {
  if (caseType !== 'collection') return;
  const [other] = env.list('case', {
    parentId: personId,
    matches: ({ id, parentId, fields }) =>
      parentId === personId && id !== ownId && fields['caseType'] === 'collection' && fields['isActive'] === true,
    limit: 1,
  }).rows;
  if (other) refuse('activeCollectionCaseExists', `The borrower already has the active collection case ${other.id}.`);
}

/** The move. If it closes the case, snooze, calls and escalation end before it; blocks stay. */
function movedTo(state: CaseState, move: Move): readonly FactDraft[] {
  const ends = isActive(move.status) ? [] : endsOf(state);
  return [...ends, fact('CaseMoved', move)];
}

function endsOf(state: CaseState): readonly FactDraft[] {
  const escalation = openEscalation(state);
  return [
    ...(state.snooze ? [fact('CaseWoken', { id: state.snooze.id })] : []),
    ...state.calls.filter(({ status }) => status === 'scheduled').map(({ id }) => fact('CallEnded', { id, status: 'canceled' })),
    ...(escalation ? [fact('EscalationEnded', { id: escalation.id, status: 'canceled', reason: null })] : []),
  ];
}

/** A closed case must be reopened before it can be changed. */
function requireReopening(state: CaseState, request: UpdateCaseRequest): void {
  const { status, force: _force, outcome: _outcome, ...others } = request;
  if (status !== undefined && status !== state.status) requireNext(state, status);
  const isChanged = Object.values(others).some((value) => value !== undefined);
  if (isChanged || (request.outcome ?? state.outcome) !== state.outcome)
    refuse('caseClosed', `The case ${state.id} is ${state.status}. Reopen it first.`);
}

/** Changes a case by a new report of the external source that opened it. A closed case stays as it is, and is reviewed. */
export function changedBySystem(env: DecideEnv, state: CaseState, request: UpdateCaseRequest): readonly FactDraft[] {
  const change = changeOf({ state, env }, request);
  if (isEmpty(change)) return [];
  if (isClosed(state.status)) return reviewOfChanged(env, state);
  const changed = { ...fact('CaseChanged', change), target: { kind: 'case', id: state.id } };
  return [
    changed,
    ...loanFacts(env, state, change.changes),
    ...replanned(env, { ...state, ...change.changes }),
    ...reviewOfChanged(env, state),
  ];
}

type Change = CaseFacts['CaseChanged'];

/** The case, and what a decision may read. */
type Changing = Pick<Context, 'state' | 'env'>;

const isEmpty = ({ changes, outcomeNote }: Change): boolean => Object.keys(changes).length === 0 && outcomeNote === undefined;

/** The changes of a body. Fields with their current value are not changes. */
function changeOf(context: Changing, request: UpdateCaseRequest): Change {
  const { state, env } = context;
  const company = companyOf(env, env.tenant);
  const changes: { -readonly [Field in keyof CaseFields]?: CaseFields[Field] } = {};
  const { externalId, name, owningEmployeeId, owningTeamId, metaData } = request;
  checkAll([
    () => owningEmployeeId && employeeNamed(company, owningEmployeeId, 'owningEmployeeId'),
    () => owningTeamId && teamNamed(company, owningTeamId, 'owningTeamId'),
    () => checkFields(typeOfCase(company, state), request, referencesOf(env, caseOfLoans(state)), state.fields),
  ]);
  if (externalId !== undefined && externalId !== state.externalId) changes.externalId = externalId;
  if (name !== undefined && (name || null) !== state.name) changes.name = name || null;
  if (owningEmployeeId !== undefined)
    changes.owningEmployeeId = owningEmployeeId && employeeNamed(company, owningEmployeeId, 'owningEmployeeId');
  if (owningTeamId !== undefined) changes.owningTeamId = owningTeamId && teamNamed(company, owningTeamId, 'owningTeamId');
  if (metaData !== undefined) changes.metaData = metaData;
  const secrets = [...textChanges(context, request, changes), ...fieldChanges(context, request, changes)];
  const { personId, id } = state;
  const note = changedText(context, 'outcomeNote', request.outcomeNote);
  if (!note) return { changes, secrets };
  return { changes, secrets: [...secrets, 'outcomeNote'], outcomeNote: sealText(env, { personId, part: 'outcomeNote', id }, note.text) };
}

function textChanges(
  context: Changing,
  request: UpdateCaseRequest,
  changes: { description?: CaseFields['description'] },
): readonly string[] {
  const {
    state: { personId, id },
    env,
  } = context;
  const description = changedText(context, 'description', request.description);
  if (!description) return [];
  changes.description = sealText(env, { personId, part: 'description', id }, description.text);
  return ['description'];
}

/** Null if the text is unchanged. */
function changedText(
  { state, env }: Changing,
  part: 'description' | 'outcomeNote',
  text: string | null | undefined,
): { readonly text: string | null } | null {
  if (text === undefined) return null;
  const { personId, id } = state;
  return openText(env, { personId, part, id }, state[part]) === text ? null : { text };
}

/** Adds changes of type fields and custom fields; returns the sealed ones that change. */
function fieldChanges(
  { state, env }: Changing,
  request: UpdateCaseRequest,
  changes: { fields?: CaseFields['fields']; customFields?: CaseFields['customFields']; sealedFields?: CaseFields['sealedFields'] },
): readonly string[] {
  const company = companyOf(env, env.tenant);
  const { customFields: schemas } = typeOfCase(company, state);
  const own = readTypeFields(state.caseType, request, referencesOf(env, caseOfLoans(state)), state.fields);
  const custom = readCustomFields(schemas, request.customFields ?? {});
  const plain = withResponseDue(state.caseType, own.plain, state.fields, dayAt(zoneOf(company), state.createdAt));
  if (Object.keys(plain).length > 0) changes.fields = withChanges(state.fields, plain);
  if (Object.keys(custom.plain).length > 0) changes.customFields = withChanges(state.customFields, custom.plain);
  const before = openFields(env, state);
  const sealed = { ...own.sealed, ...custom.sealed };
  const changed = Object.keys(sealed).filter((name) => JSON.stringify(sealed[name]) !== JSON.stringify(before[name] ?? null));
  if (changed.length > 0) changes.sealedFields = sealFields(env, state.personId, state.id, withChanges(before, sealed));
  return changed;
}

/** Refuses to complete a case without the required fields of its type, or with open required items of its workflow, unless forced. */
export function requireCompletable({ env, command }: Pick<Context, 'env' | 'command'>, after: CaseState, isForced: boolean): void {
  requireFilled(env, after);
  requireWorkflowDone(env, after, isForced, command);
}

function requireFilled(env: DecideEnv, after: CaseState): void {
  const { customFields: schemas } = typeOfCase(companyOf(env, env.tenant), after);
  if (!schemas.some(({ required }) => required)) return;
  const sealed = openFields(env, after);
  refuseMissing(schemas, (name) => after.customFields[name] ?? sealed[name] ?? null);
}

/** `PUT .../owner`. */
export const setCaseOwner = onCase('case.setOwner', 'work', (context: Context<CaseOwnerRequest>) => {
  const { employeeId } = context.body;
  const owningEmployeeId = employeeId && employeeNamed(companyOf(context.env, context.env.tenant), employeeId, 'employeeId');
  return withCaseReply(
    context,
    owningEmployeeId === context.state.owningEmployeeId ? [] : [fact('CaseChanged', { changes: { owningEmployeeId }, secrets: [] })],
  );
});

/**
 * The facts that close an open case, with all consequences. It passes through `processing` if its status does not allow the end directly.
 */
export function closing(
  env: DecideEnv,
  state: CaseState,
  move: Move & { readonly status: 'completed' | 'canceled' },
): readonly FactDraft[] {
  const passing = nextStatuses(state.status).includes(move.status) ? [] : [fact('CaseMoved', { status: 'processing', outcome: null })];
  return [
    ...passing,
    ...movedTo(state, move),
    ...loanFacts(env, state, move),
    ...triggeredByMove(env, state, move),
    ...workAfterMove(env, state, move.status),
  ];
}

/**
 * The facts that close a case when the object ends for which it was opened. They are recorded with that object's, on the borrower's
 * shard. A closed case is unchanged.
 */
export function closedBySystem(env: DecideEnv, state: CaseState, move: Parameters<typeof closing>[2]): readonly FactDraft[] {
  if (isClosed(state.status) || state.status === 'deleted') return [];
  return closing(env, state, move).map((draft) => ({ target: { kind: 'case', id: state.id }, ...draft }));
}
