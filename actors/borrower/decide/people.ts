import { type Day, formatDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CatalogRow, CommandSpec, Decision } from '../../kernel/actor.js';
import { ERASURE, type FactDraft } from '../../kernel/fact.js';
import { dayOfText } from '../../wire.js';
import type { BusinessDetails, PersonCreateBody, PersonUpdateBody } from '../decide.js';
import type { PersonFields } from '../facts.js';
import { openText, sealText, type Sealer } from '../fields.js';
import type { BorrowerType, Business, PersonState, Sealed } from '../state.js';
import { personView } from '../views.js';
import { caseOf, type Context, decided, done, fact, mustMove, onPerson, refuseTaken, under } from './common.js';
import { newIdentity } from './identities.js';
import { newName } from './names.js';

export const createPerson: CommandSpec<PersonState> = {
  kind: 'person',
  type: 'person.create',
  place: { on: 'root' },
  catchUpFirst: false,
  decide(context): Decision<PersonState> {
    const { id, env } = context;
    const body = context.body as PersonCreateBody;
    const { borrowerType = 'person', externalId = null } = body;
    checkKind(borrowerType, body, null);
    refuseTaken(env, 'person', externalId, null);
    const today = env.today(zoneOf(companyOf(env, env.tenant)));
    env.createKey(id);
    const created = fact('PersonCreated', {
      borrowerType,
      externalId,
      status: body.status ?? 'active',
      collectionsIntensity: body.collectionsIntensity ?? 'normal',
      commPreferences: { statementDeliveryChannels: [], sendRemindersWhenCurrent: true, ...body.commPreferences },
      monitorStartDate: body.monitorStartDate === undefined ? today : dayOfText(body.monitorStartDate),
      metaData: body.metaData ?? null,
      dateOfBirth: sealedBirth(env, id, body.dateOfBirth ?? null, today),
      business: sealedBusiness(env, id, body.businessDetails ?? null),
      name: body.name ? newName(env, id, body.name) : null,
      identity: body.identity ? newIdentity(env, id, { ...body.identity, isPrimary: true }) : null,
    });
    return decided(context, [created], (after) => personView(after, env));
  },
};

export const updatePerson = onPerson('person.update', (context) => {
  const { id, state, env } = context;
  const body = context.body as PersonUpdateBody;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  const borrowerType = body.borrowerType ?? state.borrowerType;
  checkKind(borrowerType, body, state);
  if (borrowerType !== state.borrowerType && hasLoans(context)) {
    refuse('invalidState', `The borrower ${id} has loans: borrowerType is fixed.`);
  }
  refuseTaken(env, 'person', body.externalId, id);
  const facts: FactDraft[] = [];
  const changes = changedFields(context, body, borrowerType);
  if (Object.keys(changes).length > 0) facts.push(fact('PersonUpdated', { changes }));
  if (body.name) facts.push(fact('NameAdded', { name: newName(env, id, body.name) }));
  if (body.status !== undefined && body.status !== state.status) {
    mustMove(state, body.status === 'active' ? 'activate' : 'deactivate');
    facts.push(fact('PersonStatusChanged', { status: body.status }));
  }
  return decided(context, under(caseId, facts), (after) => personView(after, env));
});

/** The fields that a body names; the date of birth only when it differs. */
function changedFields({ id, state, env }: Context, body: PersonUpdateBody, borrowerType: BorrowerType): Partial<PersonFields> {
  const changes: { -readonly [Field in keyof PersonFields]?: PersonFields[Field] } = {};
  if (borrowerType !== state.borrowerType) changes.borrowerType = borrowerType;
  if (body.externalId !== undefined && body.externalId !== state.externalId) changes.externalId = body.externalId;
  if (body.collectionsIntensity !== undefined) changes.collectionsIntensity = body.collectionsIntensity;
  if (body.commPreferences !== undefined) changes.commPreferences = { ...state.commPreferences, ...body.commPreferences };
  if (body.monitorStartDate !== undefined) changes.monitorStartDate = dayOfText(body.monitorStartDate);
  if (body.metaData !== undefined) changes.metaData = body.metaData;
  if (body.dateOfBirth !== undefined && body.dateOfBirth !== openText(env, id, 'dateOfBirth', id, state.dateOfBirth)) {
    const today = env.today(zoneOf(companyOf(env, env.tenant)));
    changes.dateOfBirth = sealedBirth(env, id, body.dateOfBirth, today);
  }
  if (body.businessDetails !== undefined) changes.business = sealedBusiness(env, id, body.businessDetails);
  return changes;
}

/** Statuses in which a loan still needs its main borrower. */
const LIVING: ReadonlySet<unknown> = new Set(['originated', 'active', 'frozen', 'accelerated', 'chargedOff']);

export const deletePerson = onPerson('person.delete', (context) => {
  mustMove(context.state, 'delete');
  if (hasLoans(context, LIVING)) refuse('invalidState', `The borrower ${context.id} has loans that are serviced.`);
  return done([fact('PersonDeleted', {})]);
});

/** The operator's alone: the runtime destroys the data key once this is durable, and with it all that it sealed. */
export const erasePerson = onPerson('person.erase', (context) => {
  mustMove(context.state, 'erase');
  if (hasLoans(context, LIVING)) refuse('invalidState', `The borrower ${context.id} has loans that are serviced.`);
  return done([fact(ERASURE, {})]);
});

/** Loans of which the borrower is the main one. */
function hasLoans({ id, env }: Context, statuses?: ReadonlySet<unknown>): boolean {
  const matches = ({ parentId, fields }: CatalogRow): boolean => parentId === id && (!statuses || statuses.has(fields['status']));
  return env.list('loan', { parentId: id, matches, limit: 1 }).rows.length > 0;
}

/** What a person and a business may and must say about themselves. */
function checkKind(borrowerType: BorrowerType, body: PersonUpdateBody, before: PersonState | null): void {
  if (borrowerType === 'person') {
    if (body.businessDetails) refuseProperty('businessDetails', 'only of a business', 'A person has no business details.');
    if (!before && !body.name) refuseProperty('name', 'the first and last name', 'A person needs a name.');
    if (before && body.name === null) refuseProperty('name', 'a name', 'A name is replaced by another one, not removed.');
    return;
  }
  const known = before?.borrowerType === 'business' ? before.business : null;
  const isMissing = body.businessDetails === null || (body.businessDetails === undefined && !known);
  if (isMissing) refuseProperty('businessDetails', 'the details of the business', 'A business needs its details.');
  if (body.dateOfBirth) refuseProperty('dateOfBirth', 'only of a person', 'A business has no date of birth.');
}

function sealedBirth(env: Sealer, personId: string, dateOfBirth: string | null, today: Day): Sealed | null {
  if (dateOfBirth === null) return null;
  if (dateOfBirth > formatDay(today)) refuseProperty('dateOfBirth', 'a date that is past', 'The date of birth lies in the future.');
  return sealText(env, personId, 'dateOfBirth', personId, dateOfBirth);
}

function sealedBusiness(env: Sealer, personId: string, details: BusinessDetails | null): Business | null {
  if (!details) return null;
  const { businessType = 'other', businessName, businessLegalName = null } = details;
  return {
    businessType,
    businessName: sealText(env, personId, 'businessName', personId, businessName),
    businessLegalName: businessLegalName === null ? null : sealText(env, personId, 'businessLegalName', personId, businessLegalName),
    incorporatedCountry: details.incorporatedCountry ?? null,
    incorporatedState: details.incorporatedState ?? null,
  };
}
