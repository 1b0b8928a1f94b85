import { type Day, formatDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { AgendaPlace, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { fact } from '../decide/common.js';
import type { PersonFacts } from '../facts.js';
import { isReachable, type PersonState } from '../state.js';
import { dueKinds } from './needs.js';
import { MONITORING_KINDS, type MonitoringKind } from './status.js';

/** Monitoring that is to begin on a day to come. */
export interface MonitoringPlan {
  readonly zone: string;
  readonly day: Day;
  /** Of the statuses that may begin then: given at once, so that whoever looks on that day sees what is recorded afterwards. */
  readonly ids: Readonly<Record<MonitoringKind, string>>;
}

/** What the day on which monitoring is to begin asks for: a plan where it is to come, the end of one that is no longer. */
export function planned(
  env: DecideEnv,
  { monitorStartDate: before, monitoringPlan: plan }: PersonState,
  facts: readonly FactDraft[],
): readonly FactDraft[] {
  const day = facts.reduce(startDateAfter, before);
  const zone = zoneOf(companyOf(env, env.tenant));
  if (day <= env.today(zone)) return plan === null ? [] : [fact('MonitoringPlanEnded', {})];
  if (plan?.day === day) return [];
  const ids =
    plan?.ids ?? (Object.fromEntries(MONITORING_KINDS.map((kind) => [kind, env.newId('MS')])) as Readonly<Record<MonitoringKind, string>>);
  return [fact('MonitoringPlanned', { zone, day, ids })];
}

function startDateAfter(before: Day, { type, body }: FactDraft): Day {
  if (type === 'PersonCreated') return (body as PersonFacts['PersonCreated']).monitorStartDate;
  return type === 'PersonUpdated' ? ((body as PersonFacts['PersonUpdated']).changes.monitorStartDate ?? before) : before;
}

export const personAgenda = (state: PersonState): AgendaPlace | null =>
  state.monitoringPlan && isReachable(state) ? { zone: state.monitoringPlan.zone, nextDay: state.monitoringPlan.day } : null;

/** The day of the plan has come: what is switched on and lacks nothing begins. */
export function* catchUpPerson(state: PersonState, throughDay: Day, env: DecideEnv): Iterable<FactDraft> {
  const { monitoringPlan: plan, monitoring } = state;
  if (plan === null || plan.day > throughDay) return;
  const kinds = dueKinds(state, companyOf(env, env.tenant).profile);
  yield fact('MonitoringPlanEnded', {});
  for (const kind of kinds) {
    const id = monitoring.find((known) => known.kind === kind)?.id ?? plan.ids[kind];
    yield fact('MonitoringStarted', { id, kind, startDate: formatDay(plan.day), status: 'monitored' });
  }
}
