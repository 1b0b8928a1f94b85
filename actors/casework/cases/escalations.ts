import { must } from '../../../engine/index.js';
import { companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { noteBeside, type NoteCategory } from '../notes/index.js';
import { type Context, decided, fact, itemOf, onCase } from './context.js';
import { escalationTask } from './desk.js';
import { employeeNamed, teamNamed } from './references.js';
import type { CancelEscalationRequest, EscalateCaseRequest, UpdateEscalationRequest } from './requests.js';
import { sealText } from './sealing.js';
import { type CaseState, type Escalation, type EscalationTarget, openEscalation, type Sealed } from './state.js';
import { escalationView } from './part-views.js';

/** `POST .../escalations`: to one agent or a team; one is open at a time. */
export const escalateCase = onCase('caseEscalation.create', 'work', (context) => {
  const { state, env } = context;
  const open = openEscalation(state);
  if (open) refuse('escalationExists', `The case is escalated already: ${open.id}.`);
  const request = context.body as EscalateCaseRequest;
  const id = env.newId('ES');
  const target = targetOf(context, request, null);
  const escalated = fact('CaseEscalated', { id, ...target, reason: reasonOf(context, id, request.reason) });
  return shown(context, id, [
    escalated,
    noteOf(context, 'escalationCreateReason', request.reason),
    ...escalationTask(env, state, id, target),
  ]);
});

/** `PUT .../escalations/{escalationId}`: to somebody else, or more urgent. */
export const changeEscalation = onCase('caseEscalation.update', 'work', (context) => {
  const escalation = openOf(context);
  const request = context.body as UpdateEscalationRequest;
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
export const cancelEscalation = onCase('caseEscalation.delete', 'work', (context) => {
  const { id } = openOf(context);
  const { reason } = context.body as CancelEscalationRequest;
  const ended = fact('EscalationEnded', { id, status: 'canceled', reason: reasonOf(context, id, reason) });
  return shown(context, id, [
    ended,
    noteOf(context, 'escalationCancelReason', reason),
    ...escalationTask(context.env, context.state, id, null),
  ]);
});

const shown = ({ state, env }: Context, id: string, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(state.personId, facts, (after) => escalationView(after, itemOf(after.escalations, id, 'escalation'), env));

/** The reason stands among the notes of the case as well. */
const noteOf = ({ state: { id, personId }, env }: Context, category: NoteCategory, content: string): FactDraft =>
  noteBeside(env, { personId, caseId: id, category, content });

const reasonOf = ({ state, env }: Context, id: string, reason: string): Sealed =>
  must(sealText(env, { personId: state.personId, place: 'escalation', id }, reason), 'a reason is a text');

function openOf({ state, command }: Context): Escalation {
  const escalation = itemOf(state.escalations, command.params['escalationId'], 'escalation');
  return escalation.status === 'open' ? escalation : refuse('invalidState', `The escalation ${escalation.id} is ${escalation.status}.`);
}

/** The agent or the team, and not both. */
function targetOf({ env }: Context, body: Partial<EscalateCaseRequest>, before: EscalationTarget | null): EscalationTarget {
  const { targetType = before?.targetType ?? 'agent', isUrgent = before?.isUrgent ?? false } = body;
  const company = companyOf(env, env.tenant);
  if (targetType === 'agent') {
    if (body.teamId != null) refuseProperty('teamId', 'no team where an agent is named', 'The escalation is to an agent.');
    const employeeId =
      body.employeeId ??
      before?.employeeId ??
      refuseProperty('employeeId', 'the id of an employee', 'An escalation to an agent names one.');
    return { targetType, isUrgent, employeeId: employeeNamed(company, employeeId, 'employeeId'), teamId: null };
  }
  if (body.employeeId != null) refuseProperty('employeeId', 'no employee where a team is named', 'The escalation is to a team.');
  const teamId = body.teamId ?? before?.teamId ?? refuseProperty('teamId', 'the id of a team', 'An escalation to a team names one.');
  return { targetType, isUrgent, employeeId: null, teamId: teamNamed(company, teamId, 'teamId') };
}
