import { formatDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { type Fact, type FactDraft, RULES_VERSION, SCHEMA_VERSION } from '../../kernel/fact.js';
import { type Context, fact } from '../decide/common.js';
import { evolvePerson } from '../evolve.js';
import type { PersonFacts } from '../facts.js';
import type { PersonState } from '../state.js';
import { dueKinds, isPolicyOn } from './needs.js';
import { planned } from './planning.js';
import { MONITORING_KINDS, type MonitoringKind } from './status.js';

/** Commands that may bring what monitoring needs. */
export const BRINGING_NEEDS = [
  'person.create',
  'person.update',
  'name.create',
  'identity.create',
  'identity.update',
  'contact.create',
  'contact.update',
  'contact.clone',
];

/**
 * What is due then begins with the command or is planned, and what goes by a social security number that has changed
 * begins again.
 */
export function monitoringBegun(context: Context, facts: readonly FactDraft[]): readonly FactDraft[] {
  const { profile } = companyOf(context.env, context.env.tenant);
  const plan = planned(context.env, context.state, facts);
  return [...plan, ...(MONITORING_KINDS.some((kind) => isPolicyOn(profile, kind)) ? starts(context, facts) : [])];
}

function starts(context: Context, facts: readonly FactDraft[]): readonly FactDraft[] {
  const { env } = context;
  const company = companyOf(env, env.tenant);
  const after = { ...context.state };
  for (const draft of facts) evolvePerson(after, pretended(context, draft), null);
  const today = formatDay(env.today(zoneOf(company)));
  if (formatDay(after.monitorStartDate) > today) return [];
  const kinds = new Set([
    ...dueKinds(after, company.profile),
    ...(facts.some((draft) => changesNumber(context.state, draft)) ? goingByNumber(after) : []),
  ]);
  return MONITORING_KINDS.filter((kind) => kinds.has(kind)).map((kind) =>
    fact('MonitoringStarted', {
      id: after.monitoring.find((known) => known.kind === kind)?.id ?? after.monitoringPlan?.ids[kind] ?? env.newId('MS'),
      kind,
      startDate: today,
      status: 'monitored',
    }),
  );
}

function changesNumber({ identities }: PersonState, { type, body }: FactDraft): boolean {
  if (type !== 'IdentityUpdated') return false;
  const { identity } = body as PersonFacts['IdentityUpdated'];
  return identity.identityType === 'SSN' && identities.some(({ id, value }) => id === identity.id && value !== identity.value);
}

const BY_NUMBER: ReadonlySet<MonitoringKind> = new Set(['bankruptcy', 'deceased', 'militaryDuty']);

const goingByNumber = ({ monitoring }: PersonState): readonly MonitoringKind[] =>
  monitoring.filter(({ kind, status }) => BY_NUMBER.has(kind) && status === 'monitored').map(({ kind }) => kind);

/** The fact that a draft is about to be. */
function pretended({ id, env, command }: Context, { type, body }: FactDraft): Fact {
  const { actor, address, requestId, commandId } = command;
  return {
    sequence: 0,
    tenant: env.tenant,
    kind: 'person',
    id,
    type,
    body,
    stamp: 0,
    businessAt: env.now,
    effective: null,
    by: actor,
    address,
    caseId: null,
    requestId,
    commandId,
    schemaVersion: SCHEMA_VERSION,
    rulesVersion: RULES_VERSION,
  };
}
