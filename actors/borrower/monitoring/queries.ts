import { companyOf, type CompanyState } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { dateTimeText, orNull } from '../../wire.js';
import { onPersonRead } from '../reads.js';
import type { PersonState } from '../state.js';
import { isPolicyOn, missingFields } from './needs.js';
import { MONITORING_KINDS, type MonitoringKind } from './status.js';
import type { MonitoringListQuery, MonitoringStatusView } from './wire.js';

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

/** One row a kind: as it was recorded, else whether it could begin. */
export function statusView(state: PersonState, kind: MonitoringKind, { profile }: CompanyState): MonitoringStatusView {
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
