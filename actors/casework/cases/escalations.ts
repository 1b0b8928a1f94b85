import { must } from '../../../engine/index.js';
import type { PersonState } from '../../borrower/index.js';
import { chooseTemplate, companyOf } from '../../company/index.js';
import { beside, orderForCase, readSaid, sending } from '../../contact/index.js';
import { checkAll, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import type { CaseFacts } from './facts.js';
import { noteBeside, type NoteCategory } from '../notes/index.js';
import { escalationTask } from './agent-work.js';
import { type Context, decided, employeeNamed, fact, itemOf, onCase, teamNamed } from './context.js';
import type { CancelEscalationRequest, EscalateCaseRequest, UpdateEscalationRequest } from './requests.js';
import { type CaseState, type Escalation, type EscalationTarget, openEscalation, type Sealed } from './state.js';
import { escalationView, sealText } from './view.js';

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
  const employeeId = body.employeeId ?? before?.employeeId;
  const teamId = body.teamId ?? before?.teamId;
  const agent = (): string =>
    employeeNamed(
      company,
      employeeId ?? refuseProperty('employeeId', 'the id of an employee', '`employeeId` is required for an escalation to an agent.'),
      'employeeId',
    );
  const team = (): string =>
    teamNamed(
      company,
      teamId ?? refuseProperty('teamId', 'the id of a team', '`teamId` is required for an escalation to a team.'),
      'teamId',
    );
  if (targetType === 'agent') {
    const noTeam = (): boolean =>
      body.teamId == null ||
      refuseProperty('teamId', 'nothing: the escalation is to an agent', '`teamId` cannot be set on an escalation to an agent.');
    checkAll([noTeam, agent]);
    return { targetType, isUrgent, employeeId: agent(), teamId: null };
  }
  const noAgent = (): boolean =>
    body.employeeId == null ||
    refuseProperty('employeeId', 'nothing: the escalation is to a team', '`employeeId` cannot be set on an escalation to a team.');
  checkAll([noAgent, team]);
  return { targetType, isUrgent, employeeId: null, teamId: team() };
}

/**
 * The e-mail to the agent, or all of the team, that a case is escalated to. None where the lender has no enabled
 * template for it.
 */
export function escalationNotice({ state, env }: CommandContext<CaseState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const [escalated] = bodiesOf<CaseFacts, 'CaseEscalated'>(
    facts.filter(({ target }) => target === undefined),
    'CaseEscalated',
  );
  const template = chooseTemplate(companyOf(env, env.tenant), {
    subject: 'caseEscalation',
    channel: 'email',
    productId: null,
    language: null,
  });
  const person = env.read<PersonState>('person', state.personId);
  if (escalated === undefined || typeof template === 'string' || person === undefined) return [];
  const said = readSaid(env.now, { subject: 'caseEscalation', context: {} });
  const order = orderForCase(state, said, { channel: 'email', origin: 'automatic', supercaseBulkOperationId: null });
  const { employeeId, teamId } = escalated; // the case itself knows of it once this is recorded
  return beside(sending(env, person, { ...order, worker: { employeeId, teamId } }));
}
