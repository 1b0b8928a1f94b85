import { type Day, must } from '../../../engine/index.js';
import { type PersonState, personView } from '../../borrower/index.js';
import { type CaseStatus, companyOf, employeeOf, employeeView, type EmployeeView, TYPE_FIELDS } from '../../company/index.js';
import { isPermitted } from '../../permission.js';
import type { DecideEnv, EvolveEnv, QueryEnv } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-view.js';
import { dateTimeText, type FreeJson, type MetaData, orNull } from '../../wire.js';
import { blockView } from './blocks/view.js';
import { collectionFields } from './fields/collection.js';
import { shownFields } from './fields/shown-fields.js';
import { contactFields } from './reviews/last-contact.js';
import { openFields, openText } from './sealing.js';
import { activeBlock, type Association, type CaseState, nextCall, openEscalation, type TimelineEntry } from './state.js';
import { callView, escalationView, snoozeView } from './part-views.js';
import type { CaseAssociationView, CaseTimelineView, CaseView, OnlyId } from './view-types.js';

interface ViewEnv extends EvolveEnv, Pick<DecideEnv, 'list'> {
  readonly now: number;
  today(zone: string): Day;
}

/** A case as every reply shows it. Sealed texts are opened when the reply is made, so that an erasure wins at once. */
export function caseView(state: CaseState, env: ViewEnv): CaseView {
  return { ...shared(state, env), ...onlyIds(state) };
}

/** With all that is current, the borrower for whoever may read borrowers, and the owner. */
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
    owningEmployee: owner ? (employeeView(owner, company) as EmployeeView) : null,
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
    description: openText(env, { personId, place: 'description', id }, state.description),
    status: state.status as CaseStatus,
    statusUpdatedAt: dateTimeText(state.statusUpdatedAt),
    outcome: state.outcome,
    outcomeNote: openText(env, { personId, place: 'outcomeNote', id }, state.outcomeNote),
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
    metaData: state.metaData as MetaData | null,
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

/** An entry is named by its place in the whole timeline of its case. */
export const entryId = (caseId: string, number: number): string => `${caseId}-${number}`;

export const timelineView = ({ id }: CaseState, { number, action, at, by, changes }: TimelineEntry): CaseTimelineView => ({
  id: entryId(id, number),
  object: 'caseEvent',
  caseId: id,
  action,
  occurredAt: dateTimeText(at),
  actor: actorView(by),
  changes: changes as readonly unknown[] as readonly FreeJson[],
});
