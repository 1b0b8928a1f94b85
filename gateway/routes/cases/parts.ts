import typia from 'typia';
import type {
  CancelEscalationRequest, DocumentView, EscalateCaseRequest, EscalationView, NotificationView, RescheduleCallRequest, ScheduleCallRequest, ScheduledCallView, SnoozeRequest, SnoozeView,
  UpdateEscalationRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';

const escalation = typia.json.schemas<[EscalationView], '3.1'>();
const snooze = typia.json.schemas<[SnoozeView], '3.1'>();
const scheduledCall = typia.json.schemas<[ScheduledCallView], '3.1'>();

const caseDocument = typia.json.schemas<[DocumentView], '3.1'>();

const DOCUMENTS = ['Case documents'];
const ESCALATIONS = ['Case escalations'];
const SNOOZES = ['Case snoozes'];
const CALLS = ['Scheduled calls'];

/** Documents, escalations, snooze, scheduled calls and notifications of a case (cases 4 and 11). */
export const casePartRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/documents', operation: 'listCaseDocuments', summary: 'Documents of a case', tags: DOCUMENTS,
    permission: 'document:list', envelope: 'list', query: pageQuery, reply: typia.json.schemas<[DocumentView[]], '3.1'>(),
    handle: (call) => call.read('caseDocument.list', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/documents/{documentId}', operation: 'attachCaseDocument', summary: 'Attach a document of the borrower',
    tags: DOCUMENTS, permission: 'case:update', reply: caseDocument,
    handle: (call) => call.command('caseDocument.create', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}/documents/{documentId}', operation: 'detachCaseDocument', summary: 'Detach a document', tags: DOCUMENTS,
    permission: 'case:update', reply: caseDocument,
    handle: (call) => call.command('caseDocument.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/escalations', operation: 'listCaseEscalations', summary: 'Escalations of a case', tags: ESCALATIONS,
    permission: 'case:read', envelope: 'list', query: pageQuery, reply: typia.json.schemas<[EscalationView[]], '3.1'>(),
    handle: (call) => call.read('caseEscalation.list', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/escalations', operation: 'escalateCase', summary: 'Escalate a case to an agent or a team',
    tags: ESCALATIONS, permission: 'case:update', reply: escalation,
    body: { validate: typia.misc.createValidatePrune<EscalateCaseRequest>(), schemas: typia.json.schemas<[EscalateCaseRequest], '3.1'>() },
    handle: (call) => call.command('caseEscalation.create', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/cases/{caseId}/escalations/{escalationId}', operation: 'updateCaseEscalation',
    summary: 'Change whom an escalation is to, or how urgent it is', tags: ESCALATIONS, permission: 'case:update', reply: escalation,
    body: { validate: typia.misc.createValidatePrune<UpdateEscalationRequest>(), schemas: typia.json.schemas<[UpdateEscalationRequest], '3.1'>() },
    handle: (call) => call.command('caseEscalation.update', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}/escalations/{escalationId}', operation: 'cancelCaseEscalation', summary: 'Cancel an escalation',
    tags: ESCALATIONS, permission: 'case:update', reply: escalation,
    body: { validate: typia.misc.createValidatePrune<CancelEscalationRequest>(), schemas: typia.json.schemas<[CancelEscalationRequest], '3.1'>() },
    handle: (call) => call.command('caseEscalation.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/snooze', operation: 'getCaseSnooze', summary: 'The snooze of a case', tags: SNOOZES,
    permission: 'case:read', reply: snooze,
    handle: (call) => call.read('caseSnooze.get', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/snooze', operation: 'snoozeCase', summary: 'Let a case rest until a moment', tags: SNOOZES,
    permission: 'case:update', reply: snooze,
    body: { validate: typia.misc.createValidatePrune<SnoozeRequest>(), schemas: typia.json.schemas<[SnoozeRequest], '3.1'>() },
    handle: (call) => call.command('caseSnooze.create', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}/snooze', operation: 'wakeCase', summary: 'Wake a snoozed case', tags: SNOOZES,
    permission: 'case:update',
    handle: (call) => call.command('caseSnooze.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/scheduled-calls', operation: 'listScheduledCalls', summary: 'Scheduled calls of a case', tags: CALLS,
    permission: 'case:read', envelope: 'list', query: pageQuery, reply: typia.json.schemas<[ScheduledCallView[]], '3.1'>(),
    handle: (call) => call.read('scheduledCall.list', call.params.caseId),
  }),
  defineRoute({
    method: 'POST', path: '/people/{personId}/cases/{caseId}/scheduled-calls', operation: 'scheduleCall', summary: 'Schedule a call', tags: CALLS,
    permission: 'case:update', reply: scheduledCall,
    body: { validate: typia.misc.createValidatePrune<ScheduleCallRequest>(), schemas: typia.json.schemas<[ScheduleCallRequest], '3.1'>() },
    handle: (call) => call.command('scheduledCall.create', call.params.caseId),
  }),
  defineRoute({
    method: 'PUT', path: '/people/{personId}/cases/{caseId}/scheduled-calls/{scheduledCallId}', operation: 'rescheduleCall', summary: 'Reschedule a call',
    tags: CALLS, permission: 'case:update', reply: scheduledCall,
    body: { validate: typia.misc.createValidatePrune<RescheduleCallRequest>(), schemas: typia.json.schemas<[RescheduleCallRequest], '3.1'>() },
    handle: (call) => call.command('scheduledCall.update', call.params.caseId),
  }),
  defineRoute({
    method: 'DELETE', path: '/people/{personId}/cases/{caseId}/scheduled-calls/{scheduledCallId}', operation: 'cancelScheduledCall', summary: 'Cancel a call',
    tags: CALLS, permission: 'case:update', reply: scheduledCall,
    handle: (call) => call.command('scheduledCall.delete', call.params.caseId),
  }),
  defineRoute({
    method: 'GET', path: '/people/{personId}/cases/{caseId}/notifications', operation: 'listCaseNotifications', summary: 'Notifications of a case',
    tags: ['Case notifications'], permission: 'case:read', envelope: 'list', query: pageQuery, reply: typia.json.schemas<[NotificationView[]], '3.1'>(),
    handle: (call) => call.read('caseNotification.list', call.params.caseId),
  }),
];
