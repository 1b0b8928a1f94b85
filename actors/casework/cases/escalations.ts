import { must } from '../../../engine/index.js';
import { companyOf, type CompanyState, employeeOf, teamOf } from '../../company/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, Decision, EvolveEnv } from '../../kernel/actor.js';
import { resolveId, type Tenant } from '../../kernel/ids.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { LoanState } from '../../loan/index.js';
import { noteBeside, type NoteCategory } from '../notes/index.js';
import { automaticBlocks } from './blocks.js';
import { type Context, decided, fact, itemOf, onCase, wrongId } from './context.js';
import { escalationTask } from './agent-work.js';
import { momentOf } from './moment.js';
import { notificationsFired } from './notifications.js';
import type { CancelEscalationRequest, EscalateCaseRequest, UpdateEscalationRequest } from './requests.js';
import { activeBlock, type CaseState, type Escalation, type EscalationTarget, openEscalation, type Sealed } from './state.js';
import { escalationView, sealText } from './view.js';

/** The id of the employee in a body. */
export const employeeNamed = (company: CompanyState, anyId: string, path: string): string =>
  employeeOf(company, anyId)?.id ?? wrongId(path, 'an employee', anyId);

export const teamNamed = (company: CompanyState, anyId: string, path: string): string =>
  teamOf(company, anyId)?.id ?? wrongId(path, 'a team', anyId);

/** The given loans of the borrower, as main borrower or co-borrower. */
export function loansNamed(
  env: DecideEnv,
  tenant: Tenant,
  personId: string,
  anyIds: readonly string[],
  path: (index: number) => string,
): readonly string[] {
  const found = new Set<string>();
  const errors: Fault[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const id = resolveId(env, tenant, 'loan', anyId);
    if (id !== undefined && isOnLoan(env, personId, id)) found.add(id);
    else errors.push({ path: path(index), expected: 'a loan of the borrower', message: `the borrower has no loan ${anyId}` });
  }
  if (errors.length > 0) refuse('validationError', 'The loans of a case must be loans of its borrower.', { errors });
  return [...found];
}

function isOnLoan(env: EvolveEnv, personId: string, loanId: string): boolean {
  const record = env.read<LoanState>('loan', loanId)?.record;
  if (record == null) return false;
  return record.personId === personId || record.additionalPeople.some((person) => person.personId === personId);
}

export const loanTypeOf = (env: EvolveEnv, loanId: string): string =>
  must(env.read<LoanState>('loan', loanId)?.record, `the loan ${loanId} that was named`).loanTypeId;

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<unknown> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/** The loans of an automatically created case: all serviced loans of the borrower. */
export const servicedLoans = (env: DecideEnv, personId: string): readonly string[] =>
  env
    .list('loan', { parentId: personId, matches: ({ fields }) => SERVICED.has(fields['status']), limit: Number.MAX_SAFE_INTEGER })
    .rows.map(({ id }) => id);

/** `POST .../escalations`: escalates the case to an agent or a team. A case has at most one open escalation. */
export const escalateCase = onCase('caseEscalation.create', 'work', (context: Context<EscalateCaseRequest>) => {
  const { state, env } = context;
  const open = openEscalation(state);
  if (open) refuse('escalationExists', `The case already has the open escalation ${open.id}.`);
  const request = context.body;
  const id = env.newId('ES');
  const target = targetOf(context, request, null);
  const escalated = fact('CaseEscalated', { id, ...target, reason: reasonOf(context, id, request.reason) });
  return shown(context, id, [
    escalated,
    noteOf(context, 'escalationCreateReason', request.reason),
    ...escalationTask(env, state, id, target),
  ]);
});

/** `PUT .../escalations/{escalationId}`: changes target or urgency. */
export const changeEscalation = onCase('caseEscalation.update', 'work', (context: Context<UpdateEscalationRequest>) => {
  const escalation = openOf(context);
  const request = context.body;
  const { id } = escalation;
  const target = targetOf(context, request, escalation);
  const changed = fact('EscalationChanged', { id, ...target, reason: reasonOf(context, id, request.reason) });
  return shown(context, id, [
    changed,
    noteOf(context, 'escalationUpdateReason', request.reason),
    ...escalationTask(context.env, context.state, id, target),
  ]);
});

/** `DELETE .../escalations/{escalationId}`. */
export const cancelEscalation = onCase('caseEscalation.delete', 'work', (context: Context<CancelEscalationRequest>) => {
  const { id } = openOf(context);
  const { reason } = context.body;
  const ended = fact('EscalationEnded', { id, status: 'canceled', reason: reasonOf(context, id, reason) });
  return shown(context, id, [
    ended,
    noteOf(context, 'escalationCancelReason', reason),
    ...escalationTask(context.env, context.state, id, null),
  ]);
});

const shown = ({ state, env }: Context, id: string, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(state.personId, facts, (after) => escalationView(after, itemOf(after.escalations, id, 'escalation'), env));

/** The reason is also recorded as a note of the case. */
const noteOf = ({ state: { id, personId }, env }: Context, category: NoteCategory, content: string): FactDraft =>
  noteBeside(env, { personId, caseId: id, category, content });

const reasonOf = ({ state, env }: Context, id: string, reason: string): Sealed =>
  must(sealText(env, { personId: state.personId, part: 'escalation', id }, reason), 'a reason is a text');

function openOf({ state, command }: Context): Escalation {
  const escalation = itemOf(state.escalations, command.params['escalationId'], 'escalation');
  return escalation.status === 'open' ? escalation : refuse('invalidState', `The escalation ${escalation.id} is ${escalation.status}.`);
}

/** Either an agent or a team, never both. */
function targetOf({ env }: Context, body: Partial<EscalateCaseRequest>, before: EscalationTarget | null): EscalationTarget {
  const { targetType = before?.targetType ?? 'agent', isUrgent = before?.isUrgent ?? false } = body;
  const company = companyOf(env, env.tenant);
  if (targetType === 'agent') {
    if (body.teamId != null)
      refuseProperty('teamId', 'nothing: the escalation is to an agent', '`teamId` cannot be set on an escalation to an agent.');
    const employeeId =
      body.employeeId ??
      before?.employeeId ??
      refuseProperty('employeeId', 'the id of an employee', '`employeeId` is required for an escalation to an agent.');
    return { targetType, isUrgent, employeeId: employeeNamed(company, employeeId, 'employeeId'), teamId: null };
  }
  if (body.employeeId != null)
    refuseProperty('employeeId', 'nothing: the escalation is to a team', '`employeeId` cannot be set on an escalation to a team.');
  const teamId =
    body.teamId ?? before?.teamId ?? refuseProperty('teamId', 'the id of a team', '`teamId` is required for an escalation to a team.');
  return { targetType, isUrgent, employeeId: null, teamId: teamNamed(company, teamId, 'teamId') };
}

type Opened = Pick<
  CaseState,
  'id' | 'personId' | 'caseTypeId' | 'caseType' | 'status' | 'outcome' | 'fields' | 'customFields' | 'sealedFields'
>;

/** Blocks and notifications that the company's types add to a new case. */
export function setOffByOpening(env: DecideEnv, opened: Opened): readonly FactDraft[] {
  const { personId, caseTypeId } = opened;
  const moved = { personId, caseTypeId, block: null, before: null, after: momentOf(opened, env) };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}

/** Blocks and notifications that the company's types add to a case that moves, with the changes of the same request. */
export function setOffByMove(env: DecideEnv, state: CaseState, change: Partial<CaseState>): readonly FactDraft[] {
  const { personId, caseTypeId } = state;
  const moved = {
    personId,
    caseTypeId,
    block: activeBlock(state) ?? null,
    before: momentOf(state, env),
    after: momentOf({ ...state, ...change }, env),
  };
  return [...automaticBlocks(env, moved), ...notificationsFired(env, moved)];
}
