import type { EventDraft, FieldChange } from '../../kernel/fact.js';
import type { Block, CaseState, Escalation } from './state.js';

/* Events of a case have ids, dates and states. Personal texts are named as changed, without their values. */

type ChangeType = 'created' | 'updated' | 'deleted';

const about = ({ id, personId, externalId }: CaseState): Pick<EventDraft, 'objectType' | 'objectId' | 'refs' | 'externalIds'> => ({
  objectType: 'case',
  objectId: id,
  refs: { caseId: id, personId },
  externalIds: { caseId: externalId },
});

export function caseChangedEvent(state: CaseState, changeType: ChangeType, changes: readonly FieldChange[]): EventDraft {
  const { id, caseType, caseTypeId, status, outcome, autoCreated, supercaseId } = state;
  return {
    ...about(state),
    eventType: 'case.changed',
    data: { changeType, caseId: id, caseType, caseTypeId, status, outcome, autoCreated, supercaseId, changes },
  };
}

export const associationEvent = (state: CaseState, what: 'added' | 'removed', objectType: string, objectId: string): EventDraft => ({
  ...about(state),
  eventType: `case.association.${what}`,
  data: { caseId: state.id, associationType: objectType, associatedObjectId: objectId },
});

export function escalationChangedEvent(
  state: CaseState,
  changeType: ChangeType,
  escalation: Escalation,
  changes: readonly FieldChange[],
): EventDraft {
  const { id, targetType, employeeId, teamId, isUrgent, status } = escalation;
  return {
    ...about(state),
    eventType: 'case.escalation.changed',
    data: { changeType, caseId: state.id, escalationId: id, targetType, employeeId, teamId, isUrgent, status, changes },
  };
}

export function blockChangedEvent(state: CaseState, changeType: ChangeType, block: Block, changes: readonly FieldChange[]): EventDraft {
  const { id, channels, themes, startDate, endDate, source } = block;
  return {
    ...about(state),
    eventType: 'case.donotinteract.changed',
    data: { changeType, caseId: state.id, doNotInteractId: id, channels, themes, startDate, endDate, source, changes },
  };
}

export const blockExpiredEvent = (state: CaseState, { id, endDate }: Block, occurredAt: number): EventDraft => ({
  ...about(state),
  eventType: 'case.donotinteract.expired',
  data: { caseId: state.id, doNotInteractId: id, endDate },
  occurredAt,
});
