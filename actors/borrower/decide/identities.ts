import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { IdentityCreateBody, IdentityUpdateBody, IdentityView } from '../decide.js';
import type { Recorded } from '../facts.js';
import { sealText } from '../fields.js';
import type { Identity, IdentityType, PersonState, Sealed } from '../state.js';
import { identityView } from '../views.js';
import { caseOf, type Context, decided, done, fact, mustMove, onPerson, under } from './common.js';

export const addIdentity = onPerson('identity.create', (context) => {
  const { id, state, env } = context;
  const body = context.body as IdentityCreateBody;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  if (body.isPrimary && primaryOf(state)) refuse('duplicate', `The borrower ${id} has a primary identity already.`);
  const identity = newIdentity(env, id, body);
  return decided(context, under(caseId, [fact('IdentityAdded', { identity })]), (after) => shown(after, identity.id, env));
});

export const updateIdentity = onPerson('identity.update', (context) => {
  const { id, state, env } = context;
  const body = context.body as IdentityUpdateBody;
  mustMove(state, 'update');
  const caseId = caseOf(context, body.caseId);
  const before = identityOf(context);
  checkPrimacy(state, before, body);
  const { value, caseId: _case, ...fields } = body;
  const { createdAt: _created, updatedAt: _updated, ...known } = before;
  const merged: Recorded<Identity> = { ...known, ...fields };
  if (value === undefined && merged.identityType !== before.identityType) {
    refuseProperty('value', 'the value of the new type', 'Another type of identity needs its own value.');
  }
  checkFields(merged);
  const sealed = (plain: string): Sealed => sealText(env, id, 'identity.value', before.id, checkedValue(merged.identityType, plain));
  const identity = { ...merged, value: value === undefined ? before.value : sealed(value) };
  return decided(context, under(caseId, [fact('IdentityUpdated', { identity })]), (after) => shown(after, identity.id, env));
});

export const archiveIdentity = onPerson('identity.delete', (context) => {
  const identity = identityOf(context);
  mustMove(context.state, 'update');
  const caseId = caseOf(context, (context.command.query as { readonly caseId?: string } | undefined)?.caseId);
  if (identity.isPrimary) refuse('identityPrimaryImmutable', `The identity ${identity.id} is the primary one and cannot be archived.`);
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
    refuse('identityPrimaryImmutable', `The identity ${before.id} is the primary one: it cannot be archived or made secondary.`);
  }
  if (!before.isPrimary && body.isPrimary && primaryOf(state)) {
    refuse('duplicate', `The borrower ${state.id} has a primary identity already.`);
  }
}

export function newIdentity(env: DecideEnv, personId: string, body: IdentityCreateBody): Recorded<Identity> {
  const id = env.newId('BI');
  const identity: Recorded<Identity> = {
    id,
    identityType: body.identityType,
    customIdentityTypeName: body.customIdentityTypeName ?? null,
    value: sealText(env, personId, 'identity.value', id, checkedValue(body.identityType, body.value)),
    valid: body.valid ?? true,
    issueDate: body.issueDate ?? null,
    expirationDate: body.expirationDate ?? null,
    issuingCountry: body.issuingCountry ?? '',
    isArchived: false,
    isPrimary: body.isPrimary ?? false,
  };
  checkFields(identity);
  return identity;
}

/** Numbers of the tax office have nine digits, however they are written. */
const NINE_DIGITS: ReadonlySet<IdentityType> = new Set(['SSN', 'ITIN', 'taxID', 'FEIN']);

/** A value comes back as it was given. Separators count for nothing where it is checked, searched for or compared. */
function checkedValue(type: IdentityType, value: string): string {
  const given = value.trim();
  if (NINE_DIGITS.has(type) && !/^\d{9}$/.test(given.replace(/[\s.-]/g, '')))
    refuseProperty('value', 'nine digits', `The value of a ${type} has nine digits.`);
  return given;
}

function checkFields({ identityType, customIdentityTypeName, issueDate, expirationDate }: Recorded<Identity>): void {
  if (identityType === 'customID' && !customIdentityTypeName) {
    refuseProperty('customIdentityTypeName', 'a name, with customID', 'A custom identity needs the name of its type.');
  }
  if (issueDate !== null && expirationDate !== null && expirationDate <= issueDate) {
    refuseProperty('expirationDate', 'a date after issueDate', 'The identity expires before it was issued.');
  }
}

function shown(after: PersonState, identityId: string, env: DecideEnv): IdentityView {
  const identity = must(
    after.identities.find((known) => known.id === identityId),
    'the identity is there',
  );
  return identityView(after, identity, env, 'tokens');
}
