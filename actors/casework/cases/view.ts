import { type Day, dayAt, must, ownJson, parseDay } from '../../../engine/index.js';
import { type PersonState, personView } from '../../borrower/index.js';
import {
  type CaseMoment,
  type CaseStatus,
  companyOf,
  employeeOf,
  employeeView,
  SPELLINGS,
  TYPE_FIELDS,
  zoneOf,
} from '../../company/index.js';
import { lastContacts } from '../../contact/index.js';
import { actorView } from '../../kernel/actor-logic.js';
import type { DecideEnv, EvolveEnv, QueryEnv } from '../../kernel/actor.js';
import { isPermitted } from '../../permission.js';
import { dateText, dateTimeText, orNull } from '../../wire.js';
import type { DoNotInteractView } from './blocks.js';
import { collectionFields, comparableField, shownFields } from './fields.js';
import type { CaseAssociationView, CaseTimelineView, CaseView, EscalationView, OnlyId, ScheduledCallView, SnoozeView } from './requests.js';
import {
  activeBlock,
  type Association,
  type Block,
  type CaseState,
  type Escalation,
  nextCall,
  openEscalation,
  type ScheduledCall,
  type Sealed,
  type Snooze,
  type TimelineEntry,
  type Values,
} from './state.js';

export const blockView = ({ id: caseId, personId }: CaseState, block: Block): DoNotInteractView => ({
  id: block.id,
  object: 'doNotInteract',
  caseId,
  personId,
  channels: block.channels,
  themes: block.themes,
  startDate: block.startDate,
  endDate: block.endDate,
  daysOfWeek: block.daysOfWeek,
  timesOfDay: block.timesOfDay,
  timezone: block.timezone,
  contactLabels: block.contactLabels,
  source: block.source,
  doNotInteractTypeId: block.doNotInteractTypeId,
  status: block.status,
  endedAt: orNull(dateTimeText, block.endedAt),
  createdAt: dateTimeText(block.createdAt),
  updatedAt: orNull(dateTimeText, block.updatedAt),
});

type Env = EvolveEnv & Pick<DecideEnv, 'list'>;

type OfCollection = Pick<CaseState, 'tenant' | 'caseType' | 'personId' | 'fields'>;

const FIELDS = { lastOutboundInteractionDate: 'outbound', lastSuccessfulContactDate: 'successful' } as const;

/**
 * The last contacts of a collection case: the date in the field or that of the last interaction, whichever is later. Days are in the
 * company's time zone.
 */
export function contactFields(state: OfCollection, env: Env): Values {
  if (state.caseType !== 'collection') return {};
  const zone = zoneOf(companyOf(env, state.tenant));
  const last = lastContacts(env, state.personId);
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, which]) => {
      const contacted = last[which] === null ? null : dayAt(zone, last[which]);
      const day = laterOf(writtenDay(state.fields[field]), contacted);
      return [field, day === null ? null : dateText(day)];
    }),
  );
}

/** The last contacts that the fields of the case do not have yet. */
export function contactNews(state: OfCollection, env: Env): Values | null {
  const news = Object.entries(contactFields(state, env)).filter(([field, date]) => date !== null && date !== (state.fields[field] ?? null));
  return news.length === 0 ? null : Object.fromEntries(news);
}

const writtenDay = (value: unknown): Day | null => (typeof value === 'string' ? (parseDay(value) ?? null) : null);

const laterOf = (one: Day | null, other: Day | null): Day | null => (one === null || (other !== null && other > one) ? other : one);

/** Texts of a case are sealed with its borrower's key. The context binds each text to its part, so that it cannot be opened as another. */
type SealedPart = 'description' | 'outcomeNote' | 'fields' | 'snooze' | 'call' | 'escalation';

interface Sealer {
  seal(owner: string, plain: string, context: string): Uint8Array;
}

interface Opener {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

/** The owner of the key, the part, and the id of the case or of the part. */
export interface SealedAt {
  readonly personId: string;
  readonly part: SealedPart;
  readonly id: string;
}

const contextOf = ({ part, id }: SealedAt): string => `case.${part}/${id}`;

export const sealText = (env: Sealer, at: SealedAt, text: string | null | undefined): Sealed | null =>
  text == null ? null : env.seal(at.personId, text, contextOf(at));

/** Null for an absent text, and for every text after the borrower was erased. */
export const openText = (env: Opener, at: SealedAt, sealed: Sealed | null): string | null =>
  sealed === null ? null : (env.open(at.personId, sealed, contextOf(at)) ?? null);

const fieldsAt = (personId: string, id: string): SealedAt => ({ personId, part: 'fields', id });

export const sealFields = (env: Sealer, personId: string, caseId: string, values: Values): Sealed | null =>
  Object.keys(values).length === 0 ? null : sealText(env, fieldsAt(personId, caseId), JSON.stringify(values));

export function openFields(
  env: Opener,
  { personId, id, sealedFields }: { readonly personId: string; readonly id: string; readonly sealedFields: Sealed | null },
): Values {
  const text = openText(env, fieldsAt(personId, id), sealedFields);
  return text === null ? {} : ownJson<Values>(text);
}

/** The court's number of the case, for example of a bankruptcy. */
export function courtCaseNumberOf(env: Opener, state: Parameters<typeof openFields>[1]): string | null {
  const { courtCaseNumber } = openFields(env, state);
  return typeof courtCaseNumber === 'string' ? courtCaseNumber : null;
}

/** The parts of a case as replies show them. */

export const snoozeView = (
  { id: caseId, personId }: CaseState,
  { id, until, reason, createdAt, createdBy }: Snooze,
  env: EvolveEnv,
): SnoozeView => ({
  id,
  object: 'snooze',
  caseId,
  until: dateTimeText(until),
  reason: openText(env, { personId, part: 'snooze', id }, reason),
  createdAt: dateTimeText(createdAt),
  createdBy: actorView(createdBy),
});

export const callView = ({ id: caseId, personId }: CaseState, call: ScheduledCall, env: EvolveEnv): ScheduledCallView => ({
  id: call.id,
  object: 'scheduledCall',
  caseId,
  scheduledAt: dateTimeText(call.scheduledAt),
  timezone: call.timezone,
  contactId: call.contactId,
  instructions: openText(env, { personId, part: 'call', id: call.id }, call.instructions),
  status: call.status,
  createdAt: dateTimeText(call.createdAt),
  updatedAt: orNull(dateTimeText, call.updatedAt),
  createdBy: actorView(call.createdBy),
});

export const escalationView = ({ id: caseId, personId }: CaseState, escalation: Escalation, env: EvolveEnv): EscalationView => ({
  id: escalation.id,
  object: 'caseEscalation',
  caseId,
  targetType: escalation.targetType,
  employeeId: escalation.employeeId,
  teamId: escalation.teamId,
  isUrgent: escalation.isUrgent,
  status: escalation.status,
  reason: openText(env, { personId, part: 'escalation', id: escalation.id }, escalation.reason),
  resolvedAt: orNull(dateTimeText, escalation.resolvedAt),
  createdAt: dateTimeText(escalation.createdAt),
  updatedAt: orNull(dateTimeText, escalation.updatedAt),
  createdBy: actorView(escalation.createdBy),
});

interface ViewEnv extends EvolveEnv, Pick<DecideEnv, 'list'> {
  readonly now: number;
  today(zone: string): Day;
}

/** The status as replies and rules know it. They have none for a deleted case, which is in no list and under no path. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only an interaction that refers to a deleted case still shows it
const shownStatus = (status: CaseState['status']): CaseStatus => status as CaseStatus;

/** A case as all replies show it. Sealed texts are opened when the reply is rendered, so that an erasure takes effect at once. */
export function caseView(state: CaseState, env: ViewEnv): CaseView {
  return { ...shared(state, env), ...onlyIds(state) };
}

/** The case with its current parts, the owner, and the borrower if the caller may read borrowers. */
export function expandedView(state: CaseState, env: QueryEnv, permissions: ReadonlySet<string>): CaseView {
  const company = companyOf(env, state.tenant);
  const owner = state.owningEmployeeId === null ? undefined : employeeOf(company, state.owningEmployeeId);
  const person = isPermitted(permissions, 'person:read') ? env.read<PersonState>('person', state.personId) : undefined;
  const { snooze } = state;
  const escalation = openEscalation(state);
  const call = nextCall(state);
  const block = activeBlock(state);
  return {
    ...shared(state, env),
    snooze: snooze && snoozeView(state, snooze, env),
    escalation: escalation ? escalationView(state, escalation, env) : null,
    scheduledCall: call ? callView(state, call, env) : null,
    doNotInteract: block ? blockView(state, block) : null,
    person: person ? personView(person, env) : null,
    owningEmployee: owner ? employeeView(owner, company) : null,
    associations: state.associations.map((association) => associationView(state, association)),
  };
}

type Current = Pick<CaseView, 'snooze' | 'escalation' | 'scheduledCall' | 'doNotInteract'>;

const idOf = (item: OnlyId | null | undefined): OnlyId | null => (item ? { id: item.id } : null);

const onlyIds = (state: CaseState): Current => ({
  snooze: idOf(state.snooze),
  escalation: idOf(openEscalation(state)),
  scheduledCall: idOf(nextCall(state)),
  doNotInteract: idOf(activeBlock(state)),
});

function shared(state: CaseState, env: ViewEnv): Omit<CaseView, keyof Current> {
  const { id, personId, caseType, tenant } = state;
  const sealed = openFields(env, state);
  const own = TYPE_FIELDS[caseType];
  const plain = shownFields(caseType, state.fields);
  const typeFields = Object.fromEntries(Object.keys(own).map((name) => [name, plain[name] ?? sealed[name] ?? null]));
  const sealedCustom = Object.entries(sealed).filter(([name]) => own[name] === undefined);
  return {
    id,
    object: 'case',
    companyId: tenant.company,
    personId,
    externalId: state.externalId,
    caseType,
    caseTypeId: state.caseTypeId,
    caseTypeVersion: state.caseTypeVersion,
    name: state.name ?? state.typeName,
    description: openText(env, { personId, part: 'description', id }, state.description),
    status: shownStatus(state.status),
    statusUpdatedAt: dateTimeText(state.statusUpdatedAt),
    outcome: state.outcome,
    outcomeNote: openText(env, { personId, part: 'outcomeNote', id }, state.outcomeNote),
    autoCreated: state.autoCreated,
    supercaseId: state.supercaseId,
    supercasePopulationId: state.supercasePopulationId,
    owningEmployeeId: state.owningEmployeeId,
    owningTeamId: state.owningTeamId,
    loanIds: state.associations.map(({ objectId }) => objectId),
    ...typeFields,
    ...collectionFields(state, env),
    ...contactFields(state, env),
    createdBy: actorView(must(state.createdBy, 'somebody made the case')),
    updatedBy: orNull(actorView, state.updatedBy),
    lastViewedAt: orNull(dateTimeText, state.lastViewedAt),
    lastSubresourceUpdatedAt: orNull(dateTimeText, state.lastSubresourceUpdatedAt),
    workflowId: state.workflowId,
    customFields: { ...state.customFields, ...Object.fromEntries(sealedCustom) },
    metaData: state.metaData,
    createdAt: dateTimeText(state.createdAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: orNull(dateTimeText, state.deletedAt),
  };
}

export const associationView = ({ id }: CaseState, { objectType, objectId, createdAt, createdBy }: Association): CaseAssociationView => ({
  id: objectId,
  object: 'caseAssociation',
  caseId: id,
  objectType,
  objectId,
  createdAt: dateTimeText(createdAt),
  createdBy: actorView(createdBy),
});

/** The id of an entry is made of its number in the whole timeline of its case. */
export const entryId = (caseId: string, number: number): string => `${caseId}-${number}`;

export const timelineView = ({ id }: CaseState, { number, action, at, by, changes }: TimelineEntry): CaseTimelineView => ({
  id: entryId(id, number),
  object: 'caseEvent',
  caseId: id,
  action,
  occurredAt: dateTimeText(at),
  actor: actorView(by),
  changes: changes.map((change) => ({ ...change })),
});

type Looked = Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields' | 'customFields' | 'sealedFields'>;

/** A case as triggers and conditions see it. Sealed texts are opened only when one of them is read. */
export function momentOf(state: Looked, env: Pick<EvolveEnv, 'open'>): CaseMoment {
  const { caseType, fields, customFields } = state;
  let sealed: Readonly<Record<string, unknown>> | null = null;
  return {
    status: shownStatus(state.status),
    outcome: state.outcome,
    field(named) {
      const spelled = SPELLINGS[named];
      const name = spelled !== undefined && spelled in TYPE_FIELDS[caseType] ? spelled : named;
      return comparableField(caseType, name, fields[name] ?? customFields[name] ?? (sealed ??= openFields(env, state))[name] ?? null);
    },
  };
}
