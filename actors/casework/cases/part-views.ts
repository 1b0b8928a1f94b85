import type { EvolveEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, orNull } from '../../wire.js';
import { openText } from './sealing.js';
import type { CaseState, Escalation, ScheduledCall, Snooze } from './state.js';
import type { EscalationView, ScheduledCallView, SnoozeView } from './view-types.js';

/** What hangs on a case, as replies show it. */

export const snoozeView = (
  { id: caseId, personId }: CaseState,
  { id, until, reason, createdAt, createdBy }: Snooze,
  env: EvolveEnv,
): SnoozeView => ({
  id,
  object: 'snooze',
  caseId,
  until: dateTimeText(until),
  reason: openText(env, { personId, place: 'snooze', id }, reason),
  createdAt: dateTimeText(createdAt),
  createdBy: actorView(createdBy),
});

export const callView = ({ id: caseId, personId }: CaseState, call: ScheduledCall, env: EvolveEnv): ScheduledCallView => ({
  id: call.id,
  object: 'scheduledCall',
  caseId,
  scheduledAt: dateTimeText(call.scheduledAt),
  timezone: call.timezone,
  contactId: call.contactId,
  instructions: openText(env, { personId, place: 'call', id: call.id }, call.instructions),
  status: call.status,
  createdAt: dateTimeText(call.createdAt),
  updatedAt: orNull(dateTimeText, call.updatedAt),
  createdBy: actorView(call.createdBy),
});

export const escalationView = ({ id: caseId, personId }: CaseState, escalation: Escalation, env: EvolveEnv): EscalationView => ({
  id: escalation.id,
  object: 'caseEscalation',
  caseId,
  targetType: escalation.targetType,
  employeeId: escalation.employeeId,
  teamId: escalation.teamId,
  isUrgent: escalation.isUrgent,
  status: escalation.status,
  reason: openText(env, { personId, place: 'escalation', id: escalation.id }, escalation.reason),
  resolvedAt: orNull(dateTimeText, escalation.resolvedAt),
  createdAt: dateTimeText(escalation.createdAt),
  updatedAt: orNull(dateTimeText, escalation.updatedAt),
  createdBy: actorView(escalation.createdBy),
});
