import typia from 'typia';
import {
  type DisasterBody,
  type DisasterListQuery,
  type DisasterView,
  type HitBody,
  type HitQuery,
  type HitView,
  type MonitoringListQuery,
  type MonitoringStartBody,
  type MonitoringStatusView,
  type MonitoringUpdateBody,
  Refusal,
  refuseProperty,
} from '../../../actors/index.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Monitoring'];
const LIST = '/people/{personId}/monitoring-statuses';
const ONE = '/people/{personId}/monitoring-statuses/{monitoringStatusId}';
const reply = typia.json.schemas<[MonitoringStatusView], '3.1'>();

/** Monitoring of borrowers, and the reports of outside sources. */
export const monitoringRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listMonitoringStatuses',
    summary: 'List the status of each kind of monitoring',
    tags: TAGS,
    permission: 'monitoring:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<MonitoringListQuery>(), schemas: typia.json.schemas<[MonitoringListQuery], '3.1'>() },
    reply: typia.json.schemas<[MonitoringStatusView[]], '3.1'>(),
    handle: (call) => call.read('monitoring.list', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getMonitoringStatus',
    summary: 'Get a monitoring status',
    tags: TAGS,
    permission: 'monitoring:read',
    reply,
    handle: (call) => call.read('monitoring.get', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: LIST,
    operation: 'startMonitoring',
    summary: 'Start a kind of monitoring',
    tags: TAGS,
    permission: 'monitoring:update',
    body: { validate: typia.misc.createValidatePrune<MonitoringStartBody>(), schemas: typia.json.schemas<[MonitoringStartBody], '3.1'>() },
    reply,
    handle: (call) => call.command('monitoring.start', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    operation: 'updateMonitoringStatus',
    summary: 'Stop or resume monitoring, or clear a mistaken hit',
    tags: TAGS,
    permission: 'monitoring:update',
    body: {
      validate: typia.misc.createValidatePrune<MonitoringUpdateBody>(),
      schemas: typia.json.schemas<[MonitoringUpdateBody], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('monitoring.update', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: '/monitoring/hits',
    operation: 'feedMonitoringHit',
    summary: 'Record a report of a source about a borrower',
    tags: TAGS,
    permission: 'monitoring:ingest',
    description: 'Name the borrower by `personId`, or by `SSN`, `dateOfBirth` and `lastName`. A repeated hit changes nothing.',
    query: { validate: typia.misc.createValidatePrune<HitQuery>(), schemas: typia.json.schemas<[HitQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<HitBody>(), schemas: typia.json.schemas<[HitBody], '3.1'>() },
    reply: typia.json.schemas<[HitView], '3.1'>(),
    handle: async (call) => call.command('monitoring.hit', call.body.personId ?? (await personOfHit(call))),
  }),
  defineRoute({
    method: 'GET',
    path: '/monitoring/disasters',
    operation: 'listDisasters',
    summary: 'List declared disasters, newest first',
    tags: TAGS,
    permission: 'monitoring:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<DisasterListQuery>(), schemas: typia.json.schemas<[DisasterListQuery], '3.1'>() },
    reply: typia.json.schemas<[DisasterView[]], '3.1'>(),
    handle: (call) => call.read('disaster.list', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: '/monitoring/disasters',
    operation: 'feedDisaster',
    summary: 'Record a disaster declaration or a change of one',
    tags: TAGS,
    permission: 'monitoring:ingest',
    description:
      'With `femaPolicy` it creates a supercase with a draft population of the borrowers who live in the declared areas; the operation ' +
      'in the reply searches for them. A repeated declaration changes nothing.',
    body: { validate: typia.misc.createValidatePrune<DisasterBody>(), schemas: typia.json.schemas<[DisasterBody], '3.1'>() },
    reply: typia.json.schemas<[DisasterView], '3.1'>(),
    handle: (call) => call.command('disaster.feed', call.caller.company),
  }),
];

/** The one borrower with this number, date of birth and name. */
async function personOfHit(call: Call<object, HitQuery, HitBody>): Promise<string> {
  const { SSN, dateOfBirth, lastName } = call.body;
  if (SSN === undefined || dateOfBirth === undefined || lastName === undefined) {
    const expected = 'personId, or SSN with dateOfBirth and lastName';
    return refuseProperty('personId', expected, 'Send `personId`, or `SSN` with `dateOfBirth` and `lastName`.');
  }
  const { items } = (await call.read('person.search', null, { query: { taxId: SSN, dateOfBirth, lastName, limit: 2 } })).data;
  const [found, another] = items;
  if (!found) throw new Refusal('notFound', 'No borrower has this SSN, date of birth and last name.');
  if (another) throw new Refusal('ruleViolation', 'Several borrowers have this SSN, date of birth and last name. Send `personId`.');
  return found.id;
}
