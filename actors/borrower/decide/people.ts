import { type Day, formatDay, must, textIn } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import { checkAll, type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CatalogRow, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { ERASURE } from '../../kernel/known-names.js';
import { dayOfText } from '../../wire.js';
import { openText, type Sealer, sealText } from '../contact-fields.js';
import type {
  BusinessDetails,
  IdentityCreateBody,
  IdentityUpdateBody,
  IdentityView,
  PersonCreateBody,
  PersonUpdateBody,
} from '../decide.js';
import { userNameFreed } from '../portal-user.js';
import type { BorrowerType, Business, Identity, IdentityType, PersonFields, PersonState, Recorded, Sealed } from '../state.js';
import { identityView, personView } from '../views.js';
import {
  caseOf,
  type Context,
  decided,
  done,
  fact,
  mustMove,
  newName,
  onPerson,
  refuseTaken,
  requireCurrentName,
  timesOf,
  under,
} from './common.js';

export const addIdentity = onPerson('identity.create', (context: Context<IdentityCreateBody>) => {
  const { id, state, env } = context;
  const body = context.body;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  if (body.isPrimary && primaryOf(state)) refuse('duplicate', `The borrower ${id} already has a primary identity.`);
  const identity = newIdentity(env, id, body);
  return decided(context, under(caseId, [fact('IdentityAdded', { identity })]), (after) => shown(after, identity.id, env));
});

export const updateIdentity = onPerson('identity.update', (context: Context<IdentityUpdateBody>) => {
  const { id, state, env } = context;
  const body = context.body;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  const before = identityOf(context);
  checkPrimacy(state, before, body);
  const { value, caseId: _case, ...fields } = body;
  const { createdAt: _created, updatedAt: _updated, ...known } = before;
  const merged: Recorded<Identity> = { ...known, ...fields };
  if (value === undefined && merged.identityType !== before.identityType) {
    refuseProperty('value', 'the value of the new type', '`value` is required when the type of the identity changes.');
  }
  checkIdentity(merged, value);
  // Replies show a value as it was given.
  const sealed = (plain: string): Sealed => sealText(env, id, 'identity.value', before.id, plain.trim());
  const identity = { ...merged, value: value === undefined ? before.value : sealed(value) };
  return decided(context, under(caseId, [fact('IdentityUpdated', { identity })]), (after) => shown(after, identity.id, env));
});

export const archiveIdentity = onPerson('identity.delete', (context) => {
  const identity = identityOf(context);
  mustMove(context.state, 'update');
  const caseId = caseOf(context, textIn(context.command.query, 'caseId'));
  if (identity.isPrimary) refuse('identityPrimaryImmutable', `The identity ${identity.id} is primary and cannot be archived.`);
  return done(identity.isArchived ? [] : under(caseId, [fact('IdentityArchived', { id: identity.id })]));
});

const primaryOf = (state: PersonState): Identity | undefined => state.identities.find((identity) => identity.isPrimary);

function identityOf({ state, command }: Context): Identity {
  const identityId = command.params['identityId'] ?? '';
  return state.identities.find((identity) => identity.id === identityId) ?? refuse('notFound', `There is no identity ${identityId}.`);
}

/** The primary identity stays primary, and there is only one. */
function checkPrimacy(state: PersonState, before: Identity, body: IdentityUpdateBody): void {
  if (before.isPrimary && (body.isPrimary === false || body.isArchived === true)) {
    refuse('identityPrimaryImmutable', `The identity ${before.id} is primary. It cannot be archived or made secondary.`);
  }
  if (!before.isPrimary && body.isPrimary && primaryOf(state)) {
    refuse('duplicate', `The borrower ${state.id} already has a primary identity.`);
  }
  const { isPrimary, isArchived } = { ...before, ...body };
  if (isPrimary && isArchived) refuse('invalidState', `The identity ${before.id} is archived: an archived identity cannot be primary.`);
}

function newIdentity(env: DecideEnv, personId: string, body: IdentityCreateBody): Recorded<Identity> {
  const id = env.newId('BI');
  const fields = {
    id,
    ...checkedOf(body),
    valid: body.valid ?? true,
    issuingCountry: body.issuingCountry ?? '',
    isArchived: false,
    isPrimary: body.isPrimary ?? false,
  };
  checkIdentity(fields, body.value);
  return { ...fields, value: sealText(env, personId, 'identity.value', id, body.value.trim()) };
}

/** Tax numbers have nine digits, with any separators. */
const NINE_DIGITS: ReadonlySet<IdentityType> = new Set(['SSN', 'ITIN', 'taxID', 'FEIN']);

type CheckedIdentity = Pick<Identity, 'identityType' | 'customIdentityTypeName' | 'issueDate' | 'expirationDate'>;

const checkedOf = ({ identityType, customIdentityTypeName, issueDate, expirationDate }: IdentityCreateBody): CheckedIdentity => ({
  identityType,
  customIdentityTypeName: customIdentityTypeName ?? null,
  issueDate: issueDate ?? null,
  expirationDate: expirationDate ?? null,
});

/** Refuses an identity; the refusal lists every fault. `value` is undefined where it stays as it is; `at`: where the body has it. */
function checkIdentity(
  { identityType, customIdentityTypeName, issueDate, expirationDate }: CheckedIdentity,
  value: string | undefined,
  at = '',
): void {
  const errors: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void errors.push({ path: `${at}${path}`, expected, message });
  // Separators are ignored when a value is checked, searched for or compared.
  if (value !== undefined && NINE_DIGITS.has(identityType) && !/^\d{9}$/.test(value.trim().replace(/[\s.-]/g, '')))
    fault('value', 'nine digits', `The value of a ${identityType} must have nine digits.`);
  else if (value !== undefined && value.trim() === '') fault('value', 'a value', '`value` must not be empty.');
  if (identityType === 'customID' && !customIdentityTypeName)
    fault('customIdentityTypeName', 'a name, with type customID', '`customIdentityTypeName` is required for a custom identity.');
  if (issueDate !== null && expirationDate !== null && expirationDate <= issueDate)
    fault('expirationDate', 'a date after issueDate', '`expirationDate` must be after `issueDate`.');
  const [first] = errors;
  if (first !== undefined) refuse('validationError', first.message, { errors });
}

function shown(after: PersonState, identityId: string, env: DecideEnv): IdentityView {
  const identity = must(
    after.identities.find((known) => known.id === identityId),
    'the identity is there',
  );
  return identityView(after, identity, env, 'tokens');
}

export const createPerson: CommandSpec<PersonState, PersonCreateBody> = {
  kind: 'person',
  type: 'person.create',
  place: { on: 'root' },
  catchesUp: false,
  decide(context): Decision<PersonState> {
    const { id, env } = context;
    const body = context.body;
    const { borrowerType = 'person', externalId = null } = body;
    const today = env.today(zoneOf(companyOf(env, env.tenant)));
    const { name, identity, dateOfBirth } = body;
    checkAll([
      ...kindChecks(borrowerType, body, null),
      () => name && requireCurrentName([timesOf(name, env.now)], env.now, 'name.effectiveAt'),
      () => checkBirth(dateOfBirth, today),
      () => identity && checkIdentity(checkedOf(identity), identity.value, 'identity.'),
    ]);
    refuseTaken(env, 'person', externalId, null);
    env.createKey(id);
    const created = fact('PersonCreated', {
      borrowerType,
      externalId,
      status: body.status ?? 'active',
      collectionsIntensity: body.collectionsIntensity ?? 'normal',
      commPreferences: { statementDeliveryChannels: [], sendRemindersWhenCurrent: true, ...body.commPreferences },
      monitorStartDate: body.monitorStartDate === undefined ? today : dayOfText(body.monitorStartDate),
      metaData: body.metaData ?? null,
      dateOfBirth: sealedBirth(env, id, dateOfBirth ?? null),
      business: sealedBusiness(env, id, body.businessDetails ?? null),
      name: name ? newName(env, id, name) : null,
      identity: identity ? newIdentity(env, id, { ...identity, isPrimary: true }) : null,
    });
    return decided(context, [created], (after) => personView(after, env));
  },
};

export const updatePerson = onPerson('person.update', (context: Context<PersonUpdateBody>) => {
  const { id, state, env } = context;
  const body = context.body;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  const borrowerType = body.borrowerType ?? state.borrowerType;
  const today = env.today(zoneOf(companyOf(env, env.tenant)));
  checkAll([
    ...kindChecks(borrowerType, body, state),
    () => borrowerType === 'person' && body.name !== null && requireNameAfter(context, body),
    () => checkBirth(changedBirth(context, body), today),
  ]);
  if (borrowerType !== state.borrowerType && hasLoans(context)) {
    refuse('invalidState', `\`borrowerType\` cannot be changed: the borrower ${id} has loans.`);
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

/** The fields that a body sets; the date of birth only if it differs. */
function changedFields({ id, state, env }: Context, body: PersonUpdateBody, borrowerType: BorrowerType): Partial<PersonFields> {
  const changes: { -readonly [Field in keyof PersonFields]?: PersonFields[Field] } = {};
  if (borrowerType !== state.borrowerType) changes.borrowerType = borrowerType;
  if (body.externalId !== undefined && body.externalId !== state.externalId) changes.externalId = body.externalId;
  if (body.collectionsIntensity !== undefined) changes.collectionsIntensity = body.collectionsIntensity;
  if (body.commPreferences !== undefined) changes.commPreferences = { ...state.commPreferences, ...body.commPreferences };
  if (body.monitorStartDate !== undefined) changes.monitorStartDate = dayOfText(body.monitorStartDate);
  if (body.metaData !== undefined) changes.metaData = body.metaData;
  const dateOfBirth = changedBirth({ id, state, env }, body);
  if (dateOfBirth !== undefined) changes.dateOfBirth = sealedBirth(env, id, dateOfBirth);
  if (body.businessDetails !== undefined) changes.business = sealedBusiness(env, id, body.businessDetails);
  return changes;
}

/** The date of birth of a body, if it differs. */
const changedBirth = (
  { id, state, env }: Pick<Context, 'id' | 'state' | 'env'>,
  { dateOfBirth }: PersonUpdateBody,
): string | null | undefined => (dateOfBirth === openText(env, id, 'dateOfBirth', id, state.dateOfBirth) ? undefined : dateOfBirth);

/** Statuses in which a loan still needs those who owe it. */
const LIVING = ['originated', 'active', 'frozen', 'accelerated', 'chargedOff'];

export const deletePerson = onPerson('person.delete', (context) => {
  mustMove(context.state, 'delete');
  refuseServiced(context);
  return done([fact('PersonDeleted', {}), ...userNameFreed(context.state.userId)]);
});

/**
 * Only for the operator, also of a borrower that was deleted. Once the fact is durable the runtime destroys the data key, and with it
 * everything sealed by it.
 */
export const erasePerson: CommandSpec<PersonState> = {
  ...onPerson('person.erase', (context) => {
    mustMove(context.state, 'erase');
    refuseServiced(context);
    return done([...userNameFreed(context.state.userId), fact(ERASURE, {})]);
  }),
  reachesUnlisted: true,
};

/** 409 while the borrower owes on a loan that is serviced: as its main borrower, or beside that one (`selectLoans` knows who owes). */
function refuseServiced(context: Context): void {
  const { id, env } = context;
  const today = formatDay(env.today(zoneOf(companyOf(env, env.tenant))));
  const owedBeside = { kind: 'loan', filter: { statuses: LIVING, owedBeside: { personId: id, today } }, under: id };
  if (!hasLoans(context, LIVING) && env.count(owedBeside) === 0) return;
  refuse('invalidState', `The borrower ${id} cannot be deleted or erased: it has loans that are serviced.`);
}

/** Whether the borrower is the main borrower of a loan (in one of the statuses). */
function hasLoans({ id, env }: Context, statuses?: readonly unknown[]): boolean {
  const matches = ({ parentId, fields }: CatalogRow): boolean => parentId === id && (!statuses || statuses.includes(fields['status']));
  return env.list('loan', { parentId: id, matches, limit: 1 }).rows.length > 0;
}

/** A business that becomes a person needs a name, and that of a person without one has to count at once. */
function requireNameAfter({ state, env }: Context, { borrowerType, name }: PersonUpdateBody): void {
  if (name) requireCurrentName([...state.names, timesOf(name, env.now)], env.now, 'name.effectiveAt');
  else if (borrowerType === 'person' && state.borrowerType === 'business') requireCurrentName(state.names, env.now, 'name');
}

/** Which fields a person and a business may have and must have. */
function kindChecks(borrowerType: BorrowerType, body: PersonUpdateBody, before: PersonState | null): readonly (() => void)[] {
  const { name, dateOfBirth, businessDetails } = body;
  const unless = (isFault: boolean, path: string, expected: string, message: string) => (): void => {
    if (isFault) refuseProperty(path, expected, message);
  };
  if (borrowerType === 'person')
    return [
      unless(businessDetails != null, 'businessDetails', 'nothing: only a business has it', '`businessDetails` cannot be set on a person.'),
      unless(!before && !name, 'name', 'the first and last name', '`name` is required for a person.'),
      unless(before !== null && name === null, 'name', 'a name', '`name` cannot be removed. Send another name to replace it.'),
    ];
  const onlyPerson = 'nothing: only a person has it';
  const known = before?.borrowerType === 'business' ? before.business : null;
  const isMissing = businessDetails === null || (businessDetails === undefined && !known);
  return [
    unless(name != null, 'name', onlyPerson, '`name` cannot be set on a business. Send its `businessDetails`.'),
    unless(isMissing, 'businessDetails', 'the details of the business', '`businessDetails` is required for a business.'),
    unless(dateOfBirth != null, 'dateOfBirth', onlyPerson, '`dateOfBirth` cannot be set on a business.'),
  ];
}

function checkBirth(dateOfBirth: string | null | undefined, today: Day): void {
  if (dateOfBirth != null && dateOfBirth > formatDay(today))
    refuseProperty('dateOfBirth', 'a past date', '`dateOfBirth` must be a past date.');
}

const sealedBirth = (env: Sealer, personId: string, dateOfBirth: string | null): Sealed | null =>
  dateOfBirth === null ? null : sealText(env, personId, 'dateOfBirth', personId, dateOfBirth);

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
