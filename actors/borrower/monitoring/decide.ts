import { formatDay, must } from '../../../engine/index.js';
import { type CaseFields, companyOf, type CompanyState, zoneOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import { ask } from '../../kernel/policy.js';
import { dateTimeText, orNull, toJsonText } from '../../wire.js';
import { openText, sealText } from '../contact-fields.js';
import { type Context, fact, mustMove, onPerson } from '../decide/common.js';
import { borrowerAsks, onPersonRead } from '../questions.js';
import type { PersonState } from '../state.js';
import { isPolicyOn, missingFields } from './planning.js';
import {
  mayMoveMonitoring,
  MONITORING_KINDS,
  monitoringChart,
  type MonitoringHit,
  type MonitoringKind,
  type MonitoringMove,
  type MonitoringStatus,
} from './status.js';
import type {
  HitBody,
  HitQuery,
  HitView,
  MonitoringListQuery,
  MonitoringStartBody,
  MonitoringStatusView,
  MonitoringUpdateBody,
} from './wire.js';

export const monitoringQueries = [
  onPersonRead('monitoring.list', ({ state, query, env }) => {
    const { kind } = (query ?? {}) as MonitoringListQuery;
    const company = companyOf(env, env.tenant);
    const items = MONITORING_KINDS.filter((known) => kind === undefined || known === kind).map((known) =>
      statusView(state, known, company),
    );
    return { items, total: items.length, hasMore: false, hasPrevious: false };
  }),
  onPersonRead('monitoring.get', ({ state, request, env }) => {
    const id = request.params['monitoringStatusId'] ?? '';
    const known = state.monitoring.find((status) => status.id === id) ?? refuse('notFound', `There is no monitoring status ${id}.`);
    return statusView(state, known.kind, companyOf(env, env.tenant));
  }),
];

/** One row for each kind: the recorded status, else whether monitoring could begin. */
function statusView(state: PersonState, kind: MonitoringKind, { profile }: CompanyState): MonitoringStatusView {
  const known = state.monitoring.find((status) => status.kind === kind);
  const lacks = missingFields(state, kind);
  const isWaiting = known === undefined && isPolicyOn(profile, kind) && lacks.length > 0;
  return {
    id: known?.id ?? null,
    object: 'monitoringStatus',
    personId: state.id,
    kind,
    status: known?.status ?? (isWaiting ? 'missingData' : 'notMonitored'),
    startedAt: known?.startDate ?? null,
    lastCheckedAt: orNull(dateTimeText, known?.lastCheckedAt),
    lastHitAt: orNull(dateTimeText, known?.lastHitAt),
    caseId: known?.caseId ?? null,
    missingFields: lacks,
    source: known?.source ?? null,
    createdAt: orNull(dateTimeText, known?.createdAt),
    updatedAt: orNull(dateTimeText, known?.updatedAt),
    deletedAt: null,
  };
}

/** Maximum number of hits of a kind per borrower. It stops sources that give each report a new reference. */
const MOST_HITS = 200;

export const startMonitoring = onPerson('monitoring.start', (context: Context<MonitoringStartBody>) => {
  const { state, env } = context;
  mustMove(state, 'update');
  const today = todayOf(context);
  const { kind, startDate = today } = context.body;
  if (startDate > today) refuseProperty('startDate', 'today or a past date', '`startDate` must be today or earlier.');
  const known = statusOf(state, kind);
  if (known && known.status !== 'missingData') refuse('invalidState', `The monitoring ${known.id} is already ${known.status}.`);
  const status = missingFields(state, kind).length === 0 ? 'monitored' : 'missingData';
  const id = known?.id ?? env.newId('MS');
  return {
    facts: [fact('MonitoringStarted', { id, kind, startDate, status })],
    reply: (after) => ({ data: statusView(after, kind, companyOf(env, env.tenant)) }),
  };
});

export const moveMonitoring = onPerson('monitoring.update', (context: Context<MonitoringUpdateBody>) => {
  const { state, env, command } = context;
  mustMove(state, 'update');
  const id = command.params['monitoringStatusId'] ?? '';
  const known = state.monitoring.find((status) => status.id === id) ?? refuse('notFound', `There is no monitoring status ${id}.`);
  const { status } = context.body;
  const lacks = missingFields(state, known.kind);
  if (status === 'monitored' && lacks.length > 0)
    refuse('ruleViolation', `The monitoring ${id} cannot start: the borrower has no ${lacks.join(', ')}.`);
  mustMoveMonitoring(known, must(monitoringChart.moveTo(status), `a way to ${status}`));
  return {
    facts: [fact('MonitoringMoved', { id, status })],
    reply: (after) => ({ data: statusView(after, known.kind, companyOf(env, env.tenant)) }),
  };
});

/** Records a hit that a source reports of the borrower. The same hit, reported again, changes nothing. */
export const reportHit = onPerson('monitoring.hit', (context: Context<HitBody>) => {
  const { state, env, command } = context;
  mustMove(state, 'update');
  const { kind, externalReference, effectiveDate, details = {}, source = null } = context.body;
  const { dryRun = false } = (command.query ?? {}) as HitQuery;
  const known = statusOf(state, kind);
  if (known) mustMoveMonitoring(known, 'report');
  const before = known?.hits.find((hit) => hit.externalReference === externalReference);
  const text = ordered(details);
  const id = known?.id ?? env.newId('MS');
  const isRepeated = before?.effectiveDate === effectiveDate && openText(env, state.id, 'monitoring.hit', id, before.details) === text;
  if (!before && (known?.hits.length ?? 0) >= MOST_HITS)
    refuse('ruleViolation', `The monitoring ${id} already has ${MOST_HITS} hits, the most allowed.`);
  const linked = isRepeated
    ? null
    : ask(env, borrowerAsks.caseOfHit, { personId: state.id, kind, details, caseId: before?.caseId ?? null });
  const caseId = linked ? linked.caseId : (before?.caseId ?? null);
  const hit: MonitoringHit = { externalReference, effectiveDate, details: sealText(env, state.id, 'monitoring.hit', id, text), caseId };
  const facts = linked ? [fact('MonitoringHitTold', { id, kind, source, hit }), ...linked.facts] : [];
  const view = (after: PersonState): HitView => ({
    object: 'monitoringHit',
    personId: state.id,
    monitoringStatusId: id,
    kind,
    status: must(statusOf(after, kind), 'the status is there').status,
    externalReference,
    outcome: isRepeated ? 'repeated' : before ? 'updated' : 'created',
    caseId: dryRun && caseId !== before?.caseId ? null : caseId,
    dryRun,
  });
  return { facts, preview: dryRun, reply: (after) => ({ data: view(after), sealedFor: state.id }) };
});

const statusOf = ({ monitoring }: PersonState, kind: string): MonitoringStatus | undefined =>
  monitoring.find((status) => status.kind === kind);

const todayOf = ({ env }: Context): string => formatDay(env.today(zoneOf(companyOf(env, env.tenant))));

function mustMoveMonitoring({ id, status }: MonitoringStatus, move: MonitoringMove): void {
  if (!mayMoveMonitoring(status, move)) refuse('invalidState', `The monitoring ${id} is ${status}.`);
}

/** Details as a text with sorted names, so that equal details give equal texts. */
const ordered = (details: CaseFields): string =>
  toJsonText(Object.fromEntries(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1))));
