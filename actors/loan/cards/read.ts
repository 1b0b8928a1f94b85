import { hasLuhnDigit, networkOfBin } from '../../../engine/index.js';
import { type Address, type AddressBody, checkAddress, fullAddress } from '../../address.js';
import { type CardIssuer, cardIssuerOf, type CardIssuerType, companyOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { ResourceRecord } from '../../kernel/resources/index.js';
import { centsOf, orNull } from '../../wire.js';
import type { CardRequest } from '../line/requests.js';
import type { CardFacts } from './evolve.js';
import type { CardStatus } from './machine.js';
import {
  type CardDetails,
  type CardNetwork,
  type CreateCardRequest,
  type Identifier,
  IDENTIFIERS,
  type LoanCard,
  type UpdateCardRequest,
} from './types.js';

export type NewCard = CardFacts['CardAdded']['card'];
type Issuer = ResourceRecord<CardIssuer>;
type Identifiers = CardDetails['identifiers'];
type SentDetails = NonNullable<CreateCardRequest['cardDetails']>;

export const fact = <Type extends keyof CardFacts>(type: Type, body: CardFacts[Type]): FactDraft => ({ type, body });

/** The identifiers of each kind of issuer: one of each row names a card. */
const OF_ISSUER: { readonly [Kind in CardIssuerType]: readonly (readonly Identifier[])[] } = {
  userTokenIssuer: [['issuerUserToken', 'issuerBusinessToken'], ['issuerCardToken']],
  accountTokenIssuer: [['issuerAccountToken'], ['issuerCardToken']],
  accountNumberIssuer: [['issuerAccountNumber'], ['issuerCardIdentifier']],
};

/** Identifiers that a kind of issuer may have besides. */
const ALSO: { readonly [Kind in CardIssuerType]: readonly Identifier[] } = {
  userTokenIssuer: ['issuerCardProductToken'],
  accountTokenIssuer: [],
  accountNumberIssuer: [],
};

/** Statuses with which a card may begin. */
const FIRST: readonly CardStatus[] = ['inactive', 'unactivated', 'active', 'suspended'];

const NETWORKS: readonly CardNetwork[] = ['visa', 'mastercard', 'amex', 'discover'];

/** The network by the first digits of a number; undefined for one that cards of loans do not have. */
function cardNetworkOf(pan: string): CardNetwork | undefined {
  const network = networkOfBin(pan.slice(0, 8));
  return network === 'americanExpress' ? 'amex' : NETWORKS.find((known) => known === network);
}

/** 400 with every fault. */
export function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The card is not valid: see `errors`.', { errors });
}

export function issuerOf(env: DecideEnv, anyId: string, path: string): Issuer {
  return (
    cardIssuerOf(companyOf(env, env.tenant), anyId) ??
    refuse('ruleViolation', `There is no card issuer ${anyId}.`, {
      errors: [{ path, expected: 'a card issuer', message: 'there is no such object' }],
    })
  );
}

/** An issuer that gets new cards. */
export function activeIssuer(env: DecideEnv, anyId: string, path: string): Issuer {
  const issuer = issuerOf(env, anyId, path);
  if (issuer.stored.status !== 'active')
    refuse('invalidState', `The card issuer ${issuer.id} is ${issuer.stored.status}: it gets no new cards.`, {
      errors: [{ path, expected: 'an active card issuer', message: `is ${issuer.stored.status}` }],
    });
  return issuer;
}

/** Identifiers after a request: absent ones stay, null removes one. */
export function identifiersAfter(before: Identifiers, sent: Pick<UpdateCardRequest, Identifier>): Identifiers {
  const after: { [Name in Identifier]?: string } = { ...before };
  for (const name of IDENTIFIERS) {
    const value = sent[name];
    if (value === null) delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  return after;
}

/** Whether the identifiers belong to the kind of issuer, and are complete if they must be. */
export function identifierFaults(identifiers: Identifiers, issuer: Issuer | null, areNeeded: boolean, prefix: string): readonly Fault[] {
  const named = IDENTIFIERS.filter((name) => identifiers[name] !== undefined);
  if (issuer === null)
    return named.map((name) => ({ path: prefix + name, expected: 'no value without `issuerId`', message: 'has no issuer' }));
  const { cardIssuerType: kind } = issuer.stored;
  const allowed = [...OF_ISSUER[kind].flat(), ...ALSO[kind]];
  const foreign = named
    .filter((name) => !allowed.includes(name))
    .map((name) => ({ path: prefix + name, expected: `an identifier of a ${kind}`, message: 'belongs to another kind of issuer' }));
  const missing = OF_ISSUER[kind]
    .filter((names) => !names.some((name) => identifiers[name] !== undefined))
    .map((names) => ({ path: prefix + (names[0] ?? ''), expected: `${names.join(' or ')}, for a ${kind}`, message: 'is missing' }));
  return [...foreign, ...(areNeeded ? missing : [])];
}

/** Faults of card details by themselves. */
export function detailFaults(sent: SentDetails | null | undefined, prefix: string): readonly Fault[] {
  if (sent == null) return [];
  const { pan, cvvNumber, cardNumberLastFour, network } = sent;
  const errors: Fault[] = [];
  const say = (name: string, expected: string, message: string): void => void errors.push({ path: `${prefix}${name}`, expected, message });
  if (cvvNumber != null) say('cvvNumber', 'no value', 'the service keeps no verification values');
  if (pan == null) return errors;
  if (!hasLuhnDigit(pan)) say('pan', 'a card number with a valid check digit', 'is not a card number');
  if (cardNumberLastFour != null && !pan.endsWith(cardNumberLastFour)) say('cardNumberLastFour', 'the end of `pan`', 'are other digits');
  if (network != null && network !== (cardNetworkOf(pan) ?? network)) say('network', 'the network of `pan`', 'is another network');
  return errors;
}

export function addressAfter(before: Address | null, sent: AddressBody | null | undefined, path: string): Address | null {
  if (sent == null) return sent === undefined ? before : null;
  const address = fullAddress({ ...before, ...sent });
  checkAddress(address, path);
  return address;
}

export const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

type Described = Pick<NewCard, 'usageType' | 'fulfillmentStatus' | 'expirationYear' | 'expirationMonth' | 'network' | 'details'>;

export function described(before: Described, sent: SentDetails, identifiers: Identifiers, path: string): Described {
  const { pan, details } = { pan: sent.pan ?? null, details: before.details };
  return {
    usageType: given(sent.usageType, before.usageType),
    fulfillmentStatus: given(sent.fulfillmentStatus, before.fulfillmentStatus),
    expirationYear: given(sent.expirationYear, before.expirationYear),
    expirationMonth: given(sent.expirationMonth, before.expirationMonth),
    network: sent.network ?? (pan === null ? given(sent.network, before.network) : (cardNetworkOf(pan) ?? before.network)),
    details: {
      identifiers,
      cardNumberLastFour: pan === null ? given(sent.cardNumberLastFour, details.cardNumberLastFour) : pan.slice(-4),
      firstName: given(sent.firstName, details.firstName),
      lastName: given(sent.lastName, details.lastName),
      nickname: given(sent.nickname, details.nickname),
      address: addressAfter(details.address, sent.address, path),
    },
  };
}

const NOTHING: Described = {
  usageType: null,
  fulfillmentStatus: null,
  expirationYear: null,
  expirationMonth: null,
  network: null,
  details: { identifiers: {}, cardNumberLastFour: null, firstName: null, lastName: null, nickname: null, address: null },
};

/** The details of a card after a change that the issuer reports. */
export const changedDetails = (card: LoanCard, sent: SentDetails): CardFacts['CardChanged']['changes'] =>
  described(card, sent, card.details.identifiers, 'cardDetails.address');

/** A card from a request. `at`: the path of the request in its body. */
export function newCard(env: DecideEnv, request: CreateCardRequest, at: string): NewCard {
  const { issuerId, cardDetails, cardBalances } = request;
  if (issuerId == null && cardDetails == null)
    refuseFaults([{ path: `${at}issuerId`, expected: 'an issuer, or `cardDetails`', message: 'is missing' }]);
  const issuer = orNull((id: string) => activeIssuer(env, id, `${at}issuerId`), issuerId);
  const identifiers = identifiersAfter({}, request);
  const areNeeded = issuer !== null && (issuer.stored.issuerEventsSubscriber === 'service' || cardDetails == null);
  const status = cardDetails?.status ?? 'unactivated';
  const errors = [...identifierFaults(identifiers, issuer, areNeeded, at), ...detailFaults(cardDetails, `${at}cardDetails.`)];
  if (!FIRST.includes(status)) errors.push({ path: `${at}cardDetails.status`, expected: FIRST.join(', '), message: 'no card begins so' });
  if (issuer !== null && request.type !== undefined && request.type !== issuer.stored.cardType)
    errors.push({ path: `${at}type`, expected: issuer.stored.cardType, message: 'the issuer issues other cards' });
  refuseFaults(errors);
  if (request.externalId != null) refuseTaken(env, request.externalId, at);
  return {
    id: env.newId('CK'),
    externalId: request.externalId ?? null,
    issuerId: issuer?.id ?? null,
    type: request.type ?? issuer?.stored.cardType ?? 'virtualCard',
    status,
    ...described(NOTHING, cardDetails ?? {}, identifiers, `${at}cardDetails.address`),
    originalCents: orNull(centsOf, cardBalances?.originalAmount),
    replacesCardId: null,
    replacementReason: null,
  };
}

export function refuseTaken(env: DecideEnv, externalId: string, at = ''): void {
  if (env.findExternal(env.tenant, 'card', externalId) === undefined) return;
  refuse('duplicate', `\`externalId\` ${externalId} is already used by another card.`, {
    errors: [{ path: `${at}externalId`, expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

/** The card that the terms of a new loan name. */
export function cardOfNewLoan(env: DecideEnv, sent: CardRequest | null | undefined): readonly FactDraft[] {
  if (sent == null) return [];
  const { token, ...request } = sent;
  const issuer = request.issuerId == null ? undefined : cardIssuerOf(companyOf(env, env.tenant), request.issuerId);
  const named = issuer?.stored.cardIssuerType === 'accountNumberIssuer' ? { issuerCardIdentifier: token } : { issuerCardToken: token };
  const card = newCard(env, token == null ? request : { ...request, ...named }, 'atOrigination.card.');
  return [fact('CardAdded', { card })];
}
