import typia from 'typia';
import {
  type DisasterBody,
  type DisasterListQuery,
  type DisasterView,
  type HitBody,
  type HitQuery,
  type HitView,
  type ListResult,
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

/** What sources outside are asked about borrowers, and what they tell. */
export const monitoringRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listMonitoringStatuses',
    summary: 'How each kind of monitoring stands',
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
    summary: 'Stop, resume, or clear a hit that was a mistake',
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
    summary: 'Feed what a source tells of a borrower',
    tags: TAGS,
    permission: 'monitoring:ingest',
    description: 'Names the borrower by `personId`, or by SSN, dateOfBirth and lastName. The same hit fed again changes nothing.',
    query: { validate: typia.misc.createValidatePrune<HitQuery>(), schemas: typia.json.schemas<[HitQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<HitBody>(), schemas: typia.json.schemas<[HitBody], '3.1'>() },
    reply: typia.json.schemas<[HitView], '3.1'>(),
    handle: async (call) => call.command('monitoring.hit', call.body.personId ?? (await personOfHit(call))),
  }),
  defineRoute({
    method: 'GET',
    path: '/monitoring/disasters',
    operation: 'listDisasters',
    summary: 'Declared disasters, newest first',
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
    summary: 'Feed a declaration, or what has changed in it',
    tags: TAGS,
    permission: 'monitoring:ingest',
    description:
      'With `femaPolicy` on it makes a supercase with a draft of the borrowers whose homes lie in the declared areas; the operation that it names looks for them. The same declaration fed again changes nothing.',
    body: { validate: typia.misc.createValidatePrune<DisasterBody>(), schemas: typia.json.schemas<[DisasterBody], '3.1'>() },
    reply: typia.json.schemas<[DisasterView], '3.1'>(),
    handle: (call) => call.command('disaster.feed', call.caller.company),
  }),
];

/** The one borrower whom number, birth and name fit. */
async function personOfHit(call: Call<object, HitQuery, HitBody>): Promise<string> {
  const { SSN, dateOfBirth, lastName } = call.body;
  if (SSN === undefined || dateOfBirth === undefined || lastName === undefined) {
    return refuseProperty('personId', 'the borrower, or SSN with dateOfBirth and lastName', 'The hit does not say whom it is about.');
  }
  const { items } = (await call.read('person.search', null, { query: { taxId: SSN, dateOfBirth, lastName, limit: 2 } }))
    .data as ListResult<{ readonly id: string }>;
  const [found, another] = items;
  if (!found) throw new Refusal('notFound', 'There is no borrower whom the hit fits.');
  if (another) throw new Refusal('ruleViolation', 'The hit fits several borrowers: name one of them.');
  return found.id;
}
