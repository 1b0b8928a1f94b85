import type { EventDraft, Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import type { MonitoringPlan } from './planning.js';
import { monitoringChart, type MonitoringHit, type MonitoringKind, type MonitoringStatus, type RecordedState } from './status.js';

export interface MonitoringFacts {
  /** Monitoring begins, or waits because data is missing. */
  readonly MonitoringStarted: {
    readonly id: string;
    readonly kind: MonitoringKind;
    readonly startDate: string;
    readonly status: 'monitored' | 'missingData';
  };
  readonly MonitoringMoved: { readonly id: string; readonly status: RecordedState };
  /** Monitoring is to begin on a future day. */
  readonly MonitoringPlanned: MonitoringPlan;
  /** The planned day has come, or was moved to today or the past. */
  readonly MonitoringPlanEnded: Readonly<Record<string, never>>;
  /** A source has reported a hit: a new reference, or new details under a known one. */
  readonly MonitoringHitTold: {
    readonly id: string;
    readonly kind: MonitoringKind;
    readonly source: string | null;
    readonly hit: MonitoringHit;
  };
}

type EmitEvent = (event: () => EventDraft) => void;
type Apply = {
  readonly [Type in keyof MonitoringFacts]: (state: PersonState, body: MonitoringFacts[Type], fact: Fact, emitEvent: EmitEvent) => void;
};

export const APPLY_MONITORING: Apply = {
  MonitoringStarted(state, { id, kind, startDate, status }, fact, emitEvent) {
    const isVisible = status === 'monitored' && !(kind === 'deceased' && isWatched(state, 'bankruptcy'));
    put(state, { id, kind }, fact, () => ({ status, startDate }));
    const eventType = STARTED[kind];
    if (!isVisible || eventType === undefined) return;
    emitEvent(() => ({
      eventType,
      objectType: 'person',
      objectId: state.id,
      refs: { personId: state.id },
      data: { monitoringStatusId: id, startedAt: startDate },
    }));
  },
  MonitoringMoved(state, { id, status }, fact) {
    const kind = state.monitoring.find((known) => known.id === id)?.kind;
    if (kind) put(state, { id, kind }, fact, () => ({ status }));
  },
  MonitoringPlanned(state, plan) {
    state.monitoringPlan = plan;
  },
  MonitoringPlanEnded(state) {
    state.monitoringPlan = null;
  },
  MonitoringHitTold(state, { id, kind, source, hit }, fact) {
    put(state, { id, kind }, fact, ({ status, hits }) => ({
      status: monitoringChart.after(status, 'report'),
      source,
      caseId: hit.caseId,
      lastCheckedAt: fact.businessAt,
      lastHitAt: fact.businessAt,
      hits: [...hits.filter(({ externalReference }) => externalReference !== hit.externalReference), hit],
    }));
  },
};

/** The event that reports the start of a kind. Bankruptcies and deaths have one source and one event. */
const STARTED: { readonly [Kind in MonitoringKind]?: string } = {
  bankruptcy: 'person.monitoring.bankruptcy.started',
  deceased: 'person.monitoring.bankruptcy.started',
  militaryDuty: 'person.monitoring.scra.started',
};

const isWatched = ({ monitoring }: PersonState, kind: MonitoringKind): boolean =>
  monitoring.some((known) => known.kind === kind && known.status === 'monitored');

function put(
  state: PersonState,
  { id, kind }: Pick<MonitoringStatus, 'id' | 'kind'>,
  { businessAt }: Fact,
  to: (before: MonitoringStatus) => Partial<MonitoringStatus>,
): void {
  const known = state.monitoring.find((status) => status.id === id);
  const before = known ?? {
    id,
    kind,
    status: 'monitored',
    startDate: null,
    lastCheckedAt: null,
    lastHitAt: null,
    caseId: null,
    source: null,
    hits: [],
    createdAt: businessAt,
    updatedAt: null,
  };
  const after: MonitoringStatus = { ...before, ...to(before), updatedAt: known ? businessAt : null };
  state.monitoring = known ? state.monitoring.map((status) => (status === known ? after : status)) : [...state.monitoring, after];
}
