import { type Day, formatDay, tableOf } from '../../../engine/index.js';
import { companyOf, type CompanyProfile, zoneOf } from '../../company/index.js';
import type { AgendaEntry, DecideEnv } from '../../kernel/actor.js';
import { type Fact, type FactDraft, RULES_VERSION, SCHEMA_VERSION, factTest } from '../../kernel/fact.js';
import { type Context, fact } from '../decide/common.js';
import { evolvePerson } from '../evolve.js';
import { openText } from '../contact-fields.js';
import { type Identity, isReachable, type PersonFacts, type PersonState } from '../state.js';
import { MONITORING_KINDS, type MonitoringKind } from './status.js';

type Datum = 'name' | 'SSN' | 'dateOfBirth' | 'address' | 'phone';

interface Watch {
  /** The company's setting that turns it on. */
  readonly policy: 'bankruptcyPolicy' | 'deceasedPolicy' | 'scraPolicy' | 'femaPolicy' | 'ofacPolicy' | 'rndPolicy';
  /** What its source needs to know: all data of at least one row. */
  readonly needs: readonly (readonly Datum[])[];
}

const WATCHES: { readonly [Kind in MonitoringKind]: Watch } = {
  bankruptcy: {
    policy: 'bankruptcyPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth', 'address'],
    ],
  },
  deceased: {
    policy: 'deceasedPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth', 'address'],
    ],
  },
  militaryDuty: {
    policy: 'scraPolicy',
    needs: [
      ['name', 'SSN'],
      ['name', 'dateOfBirth'],
    ],
  },
  disaster: { policy: 'femaPolicy', needs: [['address']] },
  sanctions: { policy: 'ofacPolicy', needs: [['name']] },
  phoneReassigned: { policy: 'rndPolicy', needs: [['phone']] },
};

/** Numbers that sources accept in place of a social security number, for businesses as well. */
const NUMBERS: ReadonlySet<string> = new Set(['SSN', 'ITIN', 'FEIN', 'taxID']);

const HAS: { readonly [Name in Datum]: (person: PersonState) => boolean } = {
  name: ({ names, business }) => business !== null || names.some(({ status }) => status === 'active'),
  SSN: ({ identities }) => identities.some(({ identityType, isArchived }) => NUMBERS.has(identityType) && !isArchived),
  dateOfBirth: ({ dateOfBirth }) => dateOfBirth !== null,
  address: (person) => hasPrimary(person, 'address'),
  phone: (person) => hasPrimary(person, 'phone'),
};

const hasPrimary = ({ contacts }: PersonState, type: string): boolean =>
  contacts.some(({ contactType, affiliation, status }) => contactType === type && affiliation === 'self' && status === 'primary');

/** The data that a source lacks, by the row that lacks least. */
export function missingFields(person: PersonState, kind: MonitoringKind): readonly string[] {
  const lacking = WATCHES[kind].needs.map((row) => row.filter((datum) => !HAS[datum](person)));
  return lacking.reduce((least, row) => (row.length < least.length ? row : least));
}

export const isPolicyOn = (profile: CompanyProfile | null, kind: MonitoringKind): boolean => profile?.[WATCHES[kind].policy] ?? false;

/** Kinds that begin by themselves: the policy is on, no data is missing, and no status is recorded yet. */
const dueKinds = (person: PersonState, profile: CompanyProfile | null): readonly MonitoringKind[] =>
  MONITORING_KINDS.filter((kind) => isPolicyOn(profile, kind) && missingFields(person, kind).length === 0 && isToBegin(person, kind));

const isToBegin = ({ monitoring }: PersonState, kind: MonitoringKind): boolean => {
  const known = monitoring.find((status) => status.kind === kind);
  return known === undefined || known.status === 'missingData';
};

/** Monitoring that is to begin on a future day. */
export interface MonitoringPlan {
  readonly zone: string;
  readonly day: Day;
  /** Ids of the statuses that may begin then. They are fixed now, so that a read on that day shows the same ids that are recorded later. */
  readonly ids: Readonly<Record<MonitoringKind, string>>;
}

/** The facts for the start day after a command: a plan for a future day, the end of a plan that no longer applies. */
function planned(
  env: DecideEnv,
  { monitorStartDate: before, monitoringPlan: plan }: PersonState,
  facts: readonly FactDraft[],
): readonly FactDraft[] {
  const day = facts.reduce(startDateAfter, before);
  const zone = zoneOf(companyOf(env, env.tenant));
  if (day <= env.today(zone)) return plan === null ? [] : [fact('MonitoringPlanEnded', {})];
  if (plan?.day === day) return [];
  const ids = plan?.ids ?? tableOf(MONITORING_KINDS, () => env.newId('MS'));
  return [fact('MonitoringPlanned', { zone, day, ids })];
}

const isFact = factTest<PersonFacts>();

function startDateAfter(before: Day, draft: FactDraft): Day {
  if (isFact(draft, 'PersonCreated')) return draft.body.monitorStartDate;
  return isFact(draft, 'PersonUpdated') ? (draft.body.changes.monitorStartDate ?? before) : before;
}

export const personAgenda = (state: PersonState): AgendaEntry | null =>
  state.monitoringPlan && isReachable(state) ? { zone: state.monitoringPlan.zone, nextDay: state.monitoringPlan.day } : null;

/** On the planned day, begins all kinds that are turned on and lack no data. */
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

/** Commands that may supply data that monitoring needs. */
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
 * Facts of monitoring that follow from a command: kinds that are due begin or are planned, and kinds that a source matches
 * by a social security number, or one that stands in for it, begin again after the number has changed.
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
    ...(facts.some((draft) => changesNumber(context, draft)) ? goingByNumber(after) : []),
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

/** Whether a source would look for another number. Another spelling of the same number changes nothing. */
function changesNumber({ env, state }: Context, draft: FactDraft): boolean {
  if (!isFact(draft, 'IdentityUpdated')) return false;
  const { identity } = draft.body;
  const before = state.identities.find(({ id }) => id === identity.id);
  const numberOf = ({ identityType, value }: Pick<Identity, 'identityType' | 'value'>): string | undefined =>
    NUMBERS.has(identityType) ? openText(env, state.id, 'identity.value', identity.id, value)?.replace(/\D/g, '') : undefined;
  const number = numberOf(identity);
  return number !== undefined && !identity.isArchived && (before === undefined || numberOf(before) !== number);
}

const BY_NUMBER: ReadonlySet<MonitoringKind> = new Set(['bankruptcy', 'deceased', 'militaryDuty']);

/** A cleared hit was of another number: the new one is looked for again. */
const goingByNumber = ({ monitoring }: PersonState): readonly MonitoringKind[] =>
  monitoring.filter(({ kind, status }) => BY_NUMBER.has(kind) && (status === 'monitored' || status === 'cleared')).map(({ kind }) => kind);

/** The fact that a draft will become. */
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
