import type { EventDraft, Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import type { MonitoringPlan } from './planning.js';
import { monitoringChart, type MonitoringHit, type MonitoringKind, type MonitoringStatus, type RecordedState } from './status.js';

export interface MonitoringFacts {
  /** It begins, or it would if nothing were missing. */
  readonly MonitoringStarted: {
    readonly id: string;
    readonly kind: MonitoringKind;
    readonly startDate: string;
    readonly status: 'monitored' | 'missingData';
  };
  readonly MonitoringMoved: { readonly id: string; readonly status: RecordedState };
  /** It is to begin on a day to come. */
  readonly MonitoringPlanned: MonitoringPlan;
  /** The day has come, or lies no longer ahead. */
  readonly MonitoringPlanEnded: Readonly<Record<string, never>>;
  /** A source has told of something, for the first time under this reference or in other words. */
  readonly MonitoringHitTold: {
    readonly id: string;
    readonly kind: MonitoringKind;
    readonly source: string | null;
    readonly hit: MonitoringHit;
  };
}

type Tell = (event: () => EventDraft) => void;
type Apply = {
  readonly [Type in keyof MonitoringFacts]: (state: PersonState, body: MonitoringFacts[Type], fact: Fact, tell: Tell) => void;
};

export const APPLY_MONITORING: Apply = {
  MonitoringStarted(state, { id, kind, startDate, status }, fact, tell) {
    const isTold = status === 'monitored' && !(kind === 'deceased' && isWatched(state, 'bankruptcy'));
    put(state, { id, kind }, fact, () => ({ status, startDate }));
    const eventType = STARTED[kind];
    if (!isTold || eventType === undefined) return;
    tell(() => ({
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

/** Which event tells that a kind has begun: bankruptcies and deaths come from one source. */
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
