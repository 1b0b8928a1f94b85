import { applyRow } from '../../kernel/fact-table.js';
import { must } from '../../../engine/index.js';
import type { Emit } from '../../kernel/actor.js';
import { type EventDraft, type Fact, type FieldChange, fieldChanges } from '../../kernel/fact.js';
import { dateTimeText } from '../../wire.js';
import { associationEvent, blockChangedEvent, blockExpiredEvent, caseChangedEvent, escalationChangedEvent } from './events.js';
import type { CaseFacts } from './facts.js';
import { shownFields } from './fields.js';
import { caseChart } from './machine.js';
import { type Block, type CaseFields, type CaseState, type Escalation, MAX_TIMELINE, type ScheduledCall } from './state.js';

/** Applies a fact to a case and emits its events. */
export function evolveCase(state: CaseState, fact: Fact, emit: Emit | null): void {
  const applied = applyRow<CaseState, CaseFacts, Applied | null>(APPLY, state, fact);
  if (applied === null) return;
  state.updatedStamp = fact.stamp;
  if (fact.type !== VIEWS) {
    state.lastSubresourceUpdatedAt = fact.businessAt;
    state.updatedBy = fact.by;
    if (fact.type !== 'CaseOpened') state.updatedAt = fact.businessAt;
  }
  state.timelineCount += 1;
  const { action, changes = [], at = fact.businessAt } = applied;
  state.timeline = [...state.timeline.slice(1 - MAX_TIMELINE), { number: state.timelineCount, action, at, by: fact.by, changes }];
  if (emit) for (const event of applied.events()) emit(event);
}

/** A fact that changes only the time of the last view. */
const VIEWS = 'CaseViewed';

/** The result of a fact: an entry of the timeline, and events. */
interface Applied {
  /** The action in the timeline. */
  readonly action: string;
  readonly changes?: readonly FieldChange[];
  /** Default: the time of the fact on the company's clock. */
  readonly at?: number;
  readonly events: () => readonly EventDraft[];
}

/** Actions in the timeline for the result of a notification. */
const NOTIFICATION_ACTIONS = { sent: 'notificationSent', blocked: 'notificationBlocked', failed: 'notificationFailed' } as const;

/** A fact without an entry in the timeline returns null. */
type Apply = { readonly [Type in keyof CaseFacts]: (state: CaseState, body: CaseFacts[Type], fact: Fact) => Applied | null };

const APPLY: Apply = {
  CaseOpened(state, { loanIds, ...fields }, fact) {
    Object.assign(state, fields);
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.createdBy = fact.by;
    state.statusUpdatedAt = fact.businessAt;
    state.associations = associated(loanIds, fact);
    return {
      action: 'created',
      events: () => [caseChangedEvent(state, 'created', []), ...loanIds.map((loanId) => associationEvent(state, 'added', 'loan', loanId))],
    };
  },
  CaseChanged(state, { changes, secrets, ...rest }) {
    const before = shownOf(state);
    Object.assign(state, changes, rest);
    return updated(state, before, [...namesIn(changes), ...secrets]);
  },
  CaseMoved(state, body, fact) {
    const before = shownOf(state);
    Object.assign(state, body);
    state.statusUpdatedAt = fact.businessAt;
    return { ...updated(state, before), action: body.status };
  },
  CaseDeleted(state, _body, fact) {
    state.status = caseChart.after(state.status, 'delete');
    state.deletedAt = fact.businessAt;
    return { action: 'deleted', events: () => [caseChangedEvent(state, 'deleted', [])] };
  },
  CaseExternalIdFreed(state) {
    state.externalId = null;
    return null;
  },
  CaseViewed(state, _body, fact) {
    state.lastViewedAt = fact.businessAt;
    return { action: 'viewed', events: () => [] };
  },
  CaseAssociated(state, { objectType, objectIds }, fact) {
    state.associations = [...state.associations, ...associated(objectIds, fact)];
    return {
      action: 'associated',
      changes: objectIds.map((id) => added(objectType, id)),
      events: () => objectIds.map((id) => associationEvent(state, 'added', objectType, id)),
    };
  },
  CaseAssociationEnded(state, { objectType, objectId }) {
    state.associations = state.associations.filter((association) => association.objectId !== objectId);
    return {
      action: 'associationRemoved',
      changes: [removed(objectType, objectId)],
      events: () => [associationEvent(state, 'removed', objectType, objectId)],
    };
  },
  CaseSnoozed(state, body, fact) {
    const before = shownOf(state);
    state.snooze = { ...body, createdAt: fact.businessAt, createdBy: fact.by };
    return { ...updated(state, before), action: 'snoozed' };
  },
  CaseWoken(state, { at }) {
    const before = shownOf(state);
    state.snooze = null;
    return { ...updated(state, before), action: 'woken', ...(at === undefined ? {} : { at }) };
  },
  CallScheduled(state, body, fact) {
    const before = shownOf(state);
    state.calls = [
      ...state.calls,
      { ...body, status: 'scheduled', isDue: false, createdAt: fact.businessAt, updatedAt: null, createdBy: fact.by },
    ];
    return { ...updated(state, before), action: 'callScheduled' };
  },
  CallRescheduled(state, body, fact) {
    return withCall(state, { ...body, isDue: false }, fact, 'callRescheduled');
  },
  CallFellDue(state, { id, at }, fact) {
    return { ...withCall(state, { id, isDue: true }, fact, 'callDue'), at, events: () => [] };
  },
  CallEnded(state, body, fact) {
    return withCall(
      state,
      body,
      fact,
      `call${body.status === 'canceled' ? 'Canceled' : body.status === 'missed' ? 'Missed' : 'Completed'}`,
    );
  },
  CaseEscalated(state, body, fact) {
    const escalation: Escalation = {
      ...body,
      status: 'open',
      createdAt: fact.businessAt,
      updatedAt: null,
      resolvedAt: null,
      createdBy: fact.by,
    };
    state.escalations = [...state.escalations, escalation];
    return {
      action: 'escalated',
      changes: [added('escalation', body.id)],
      events: () => [escalationChangedEvent(state, 'created', escalation, [])],
    };
  },
  EscalationChanged(state, body, fact) {
    const { items, before, after } = replaced(state.escalations, body, fact);
    state.escalations = items;
    const changes = fieldChanges(shownEscalation(before), shownEscalation(after));
    return { action: 'escalationChanged', changes, events: () => [escalationChangedEvent(state, 'updated', after, changes)] };
  },
  EscalationEnded(state, { id, status, reason }, fact) {
    const end = { id, status, resolvedAt: status === 'resolved' ? fact.businessAt : null, ...(reason === null ? {} : { reason }) };
    const { items, before, after } = replaced(state.escalations, end, fact);
    state.escalations = items;
    const changes = fieldChanges(shownEscalation(before), shownEscalation(after));
    const changeType = status === 'canceled' ? 'deleted' : 'updated';
    return {
      action: status === 'canceled' ? 'escalationCanceled' : 'escalationResolved',
      changes,
      events: () => [escalationChangedEvent(state, changeType, after, changes)],
    };
  },
  BlockSet(state, body, fact) {
    const block: Block = { ...body, status: 'active', createdAt: fact.businessAt, updatedAt: null, endedAt: null };
    state.blocks = [...state.blocks, block];
    return {
      action: 'doNotInteractSet',
      changes: [added('doNotInteract', body.id)],
      events: () => [blockChangedEvent(state, 'created', block, [])],
    };
  },
  BlockChanged(state, body, fact) {
    const { items, before, after } = replaced(state.blocks, body, fact);
    state.blocks = items;
    const changes = fieldChanges(shownBlock(before), shownBlock(after));
    return { action: 'doNotInteractChanged', changes, events: () => [blockChangedEvent(state, 'updated', after, changes)] };
  },
  BlockEnded(state, { id, status, at }, fact) {
    const { items, after } = replaced(state.blocks, { id, status, endedAt: at ?? fact.businessAt }, fact);
    state.blocks = items;
    const event = (): EventDraft =>
      status === 'expired' ? blockExpiredEvent(state, after, at ?? fact.businessAt) : blockChangedEvent(state, 'deleted', after, []);
    return {
      action: status === 'expired' ? 'doNotInteractExpired' : 'doNotInteractLifted',
      changes: [removed('doNotInteract', id)],
      ...(at === undefined ? {} : { at }),
      events: () => [event()],
    };
  },
  NotificationScheduled(state, body, fact) {
    state.notifications = [...state.notifications, { ...body, status: 'scheduled', createdAt: fact.businessAt, updatedAt: null }];
    return { action: 'notificationScheduled', changes: [added('notification', body.id)], events: () => [] };
  },
  NotificationFellDue(state, { id, at }, fact) {
    state.notifications = replaced(state.notifications, { id, isDue: true }, fact).items;
    return { action: 'notificationDue', at, events: () => [] };
  },
  NotificationEnded(state, { id, status, interactionId, at }, fact) {
    state.notifications = replaced(state.notifications, { id, status, interactionId }, fact).items;
    return { action: NOTIFICATION_ACTIONS[status], at, events: () => [] };
  },
  NotificationCanceled(state, { id, at }, fact) {
    state.notifications = replaced(state.notifications, { id, status: 'canceled' }, fact).items;
    return {
      action: 'notificationCanceled',
      changes: [removed('notification', id)],
      ...(at === undefined ? {} : { at }),
      events: () => [],
    };
  },
  CaseNoted: (_state, { action, noteId }) => ({
    action,
    changes: action === 'noteWritten' ? [added('note', noteId)] : [],
    events: () => [],
  }),
  CaseWorkflowStarted(state, { workflowId }) {
    state.workflowId = workflowId;
    return { action: 'workflowStarted', changes: [added('workflow', workflowId)], events: () => [] };
  },
  CaseWorkflowMoved: (_state, { itemId, status }) => ({
    action: 'workflowItemMoved',
    changes: [{ field: itemId, oldValue: null, newValue: status }],
    events: () => [],
  }),
  ReviewPlanned(state, plan) {
    state.review = plan;
    return null;
  },
  DocumentAttached(state, { documentId }, fact) {
    state.documents = [...state.documents, { documentId, createdAt: fact.businessAt, createdBy: fact.by }];
    return appliedWith(state, 'documentAttached', [added('document', documentId)]);
  },
  DocumentDetached(state, { documentId }) {
    state.documents = state.documents.filter((document) => document.documentId !== documentId);
    return appliedWith(state, 'documentDetached', [removed('document', documentId)]);
  },
};

function associated(loanIds: readonly string[], fact: Fact): CaseState['associations'] {
  return loanIds.map((objectId) => ({ objectType: 'loan', objectId, createdAt: fact.businessAt, createdBy: fact.by }));
}

const added = (field: string, id: string): FieldChange => ({ field, oldValue: null, newValue: id });
const removed = (field: string, id: string): FieldChange => ({ field, oldValue: id, newValue: null });

function appliedWith(state: CaseState, action: string, changes: readonly FieldChange[]): Applied {
  return { action, changes, events: () => (changes.length === 0 ? [] : [caseChangedEvent(state, 'updated', changes)]) };
}

/** `secrets` are changed fields whose values are not shown. */
const updated = (state: CaseState, before: ReturnType<typeof shownOf>, secrets: readonly string[] = []): Applied =>
  appliedWith(state, 'updated', [
    ...fieldChanges(before, { ...cleared(before), ...shownOf(state) }),
    ...secrets.map((field) => ({ field, oldValue: null, newValue: null })),
  ]);

/** Events show that the name changed, without its value. */
const namesIn = (changes: Partial<CaseFields>): readonly string[] => (['name', 'externalId'] as const).filter((field) => field in changes);

/** Fields that no longer have a value. */
const cleared = (before: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.keys(before).map((field) => [field, null]));

/** The fields of a case whose changes events show. */
function shownOf({
  status,
  outcome,
  owningEmployeeId,
  owningTeamId,
  caseType,
  fields,
  customFields,
  snooze,
  calls,
}: CaseState): Record<string, unknown> {
  const next = calls
    .filter((call) => call.status === 'scheduled')
    .map(({ id, scheduledAt }) => ({ id, scheduledAt: dateTimeText(scheduledAt) }));
  return {
    status,
    outcome,
    owningEmployeeId,
    owningTeamId,
    ...shownFields(caseType, fields),
    customFields,
    snooze: snooze && { id: snooze.id, until: dateTimeText(snooze.until) },
    scheduledCalls: next,
  };
}

const shownEscalation = ({ targetType, employeeId, teamId, isUrgent, status }: Escalation): Record<string, unknown> => ({
  targetType,
  employeeId,
  teamId,
  isUrgent,
  status,
});

const shownBlock = ({
  channels,
  themes,
  startDate,
  endDate,
  daysOfWeek,
  timesOfDay,
  timezone,
  contactLabels,
}: Block): Record<string, unknown> => ({ channels, themes, startDate, endDate, daysOfWeek, timesOfDay, timezone, contactLabels });

function withCall(state: CaseState, change: Partial<ScheduledCall> & { readonly id: string }, fact: Fact, action: string): Applied {
  const before = shownOf(state);
  state.calls = replaced(state.calls, change, fact).items;
  return { ...updated(state, before), action };
}

interface Changeable {
  readonly id: string;
  readonly updatedAt: number | null;
}

function replaced<Item extends Changeable>(
  items: readonly Item[],
  change: Partial<Item> & { readonly id: string },
  fact: Fact,
): { readonly items: readonly Item[]; readonly before: Item; readonly after: Item } {
  const before = must(
    items.find(({ id }) => id === change.id),
    `a change of the unknown ${change.id}`,
  );
  const after: Item = { ...before, ...change, updatedAt: fact.businessAt };
  return { items: items.map((item) => (item === before ? after : item)), before, after };
}
