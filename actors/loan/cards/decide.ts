import { hasLuhnDigit, networkOfBin } from '../../../engine/index.js';
import { type Address, type AddressBody, checkAddress, fullAddress } from '../../address.js';
import { type CardIssuer, cardIssuerOf, type CardIssuerType, companyOf } from '../../company/index.js';
import { type Fault, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { ResourceRecord } from '../../kernel/resources/index.js';
import { centsOf, orNull } from '../../wire.js';
import { activationOf, readable, recordOf, requirePerson } from '../context.js';
import type { CardRequest } from '../line/requests.js';
import type { LoanState } from '../state.js';
import { type CardFacts, isBarred } from './evolve.js';
import { cardChart, type CardStatus } from './machine.js';
import {
  type CardDetails,
  type CardNetwork,
  type CreateCardRequest,
  type Identifier,
  IDENTIFIERS,
  type LoanCard,
  type ReplaceCardRequest,
  type UpdateCardRequest,
} from './types.js';
import { cardOf, cardView } from './view.js';

type NewCard = CardFacts['CardAdded']['card'];
type Issuer = ResourceRecord<CardIssuer>;
type Identifiers = CardDetails['identifiers'];
type SentDetails = NonNullable<CreateCardRequest['cardDetails']>;

const fact = <Type extends keyof CardFacts>(type: Type, body: CardFacts[Type]): FactDraft => ({ type, body });

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
function refuseFaults(errors: readonly Fault[]): void {
  if (errors.length > 0) refuse('validationError', 'The card is not valid: see `errors`.', { errors });
}

function issuerOf(env: DecideEnv, anyId: string, path: string): Issuer {
  return (
    cardIssuerOf(companyOf(env, env.tenant), anyId) ??
    refuse('ruleViolation', `There is no card issuer ${anyId}.`, {
      errors: [{ path, expected: 'a card issuer', message: 'there is no such object' }],
    })
  );
}

/** An issuer that gets new cards. */
function activeIssuer(env: DecideEnv, anyId: string, path: string): Issuer {
  const issuer = issuerOf(env, anyId, path);
  if (issuer.stored.status !== 'active')
    refuse('invalidState', `The card issuer ${issuer.id} is ${issuer.stored.status}: it gets no new cards.`, {
      errors: [{ path, expected: 'an active card issuer', message: `is ${issuer.stored.status}` }],
    });
  return issuer;
}

/** Identifiers after a request: absent ones stay, null removes one. */
function identifiersAfter(before: Identifiers, sent: Pick<UpdateCardRequest, Identifier>): Identifiers {
  const after: { [Name in Identifier]?: string } = { ...before };
  for (const name of IDENTIFIERS) {
    const value = sent[name];
    if (value === null) delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  return after;
}

/** Whether the identifiers belong to the kind of issuer, and are complete if they must be. */
function identifierFaults(identifiers: Identifiers, issuer: Issuer | null, areNeeded: boolean, prefix: string): readonly Fault[] {
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
  return [...foreign, ...(areNeeded || named.length > 0 ? missing : [])];
}

/** Faults of card details by themselves. */
function detailFaults(sent: SentDetails | null | undefined, prefix: string): readonly Fault[] {
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

function addressAfter(before: Address | null, sent: AddressBody | null | undefined, path: string): Address | null {
  if (sent == null) return sent === undefined ? before : null;
  const address = fullAddress({ ...before, ...sent });
  checkAddress(address, path);
  return address;
}

const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

type Described = Pick<NewCard, 'usageType' | 'fulfillmentStatus' | 'expirationYear' | 'expirationMonth' | 'network' | 'details'>;

function described(before: Described, sent: SentDetails, identifiers: Identifiers, path: string): Described {
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

/** The details of a card after a change that the issuer tells. */
export const changedDetails = (card: LoanCard, sent: SentDetails): CardFacts['CardChanged']['changes'] =>
  described(card, sent, card.details.identifiers, 'cardDetails.address');

/** A card from a request. `at`: the path of the request in its body. */
function newCard(env: DecideEnv, request: CreateCardRequest, at: string): NewCard {
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

function refuseTaken(env: DecideEnv, externalId: string, at = ''): void {
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

const shown = ({ state }: CommandContext<LoanState>, cardId: string, facts: readonly FactDraft[], status = 200): Decision<LoanState> => ({
  facts,
  reply: (after) => ({ data: cardView(after, cardOf(after, cardId)), status, sealedFor: recordOf(state).personId }),
});

const begin = <Body>({ state, env, command, body }: CommandContext<LoanState, Body>): Body => {
  requirePerson(state, command.params['personId'], env);
  return body;
};

/** 409 while nobody may pay with the cards of the loan. */
function refuseBarred(state: LoanState): void {
  if (!isBarred(state)) return;
  refuse('invalidState', 'The loan is frozen, charged off, closed, paid off, canceled or declined: it has no active cards.', {
    errors: [{ path: 'status', expected: 'a loan in use', message: 'the cards of the loan are suspended' }],
  });
}

const createCard: CommandSpec<LoanState, CreateCardRequest> = {
  kind: 'loan',
  type: 'card.create',
  place: { on: 'target' },
  decide(context) {
    const request = begin(context);
    refuseBarred(context.state);
    if (context.state.cards.length >= MAX_CARDS) refuse('ruleViolation', `A loan can have at most ${MAX_CARDS} cards.`);
    const card = newCard(context.env, request, '');
    return shown(context, card.id, [fact('CardAdded', { card })]);
  },
};

/** Cards of a loan, with those that were replaced. */
const MAX_CARDS = 100;

/** The issuer of a card, if its events go to the service. */
function syncedBy(env: DecideEnv, { issuerId }: LoanCard): CardIssuer | null {
  const issuer = issuerId === null ? null : issuerOf(env, issuerId, 'issuerId').stored;
  return issuer?.issuerEventsSubscriber === 'service' ? issuer : null;
}

const updateCard: CommandSpec<LoanState, UpdateCardRequest> = {
  kind: 'loan',
  type: 'card.update',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    const request = begin(context);
    const before = cardOf(state, command.params['cardId']);
    if (before.status === 'terminated') refuse('invalidState', `The card ${before.id} is terminated.`);
    if (readable(before.details) === null) refuse('notFound', 'The borrower was erased.');
    const issuerId =
      request.issuerId === undefined || request.issuerId === null ? request.issuerId : issuerOf(env, request.issuerId, 'issuerId').id;
    refuseFixed(state, before, request, issuerId);
    const newIssuerId = given(issuerId, before.issuerId);
    const issuer = orNull(
      (id: string) => (id === before.issuerId ? issuerOf(env, id, 'issuerId') : activeIssuer(env, id, 'issuerId')),
      newIssuerId,
    );
    if (request.cardDetails !== undefined && issuer?.stored.syncCardDetails === true)
      refuse('invalidState', 'The details of the card come from its issuer (`syncCardDetails`).', {
        errors: [{ path: 'cardDetails', expected: 'no value', message: 'come from the issuer' }],
      });
    const identifiers = identifiersAfter(before.details.identifiers, request);
    const isNamed = issuer?.stored.issuerEventsSubscriber === 'service';
    refuseFaults([...identifierFaults(identifiers, issuer, isNamed, ''), ...detailFaults(request.cardDetails, 'cardDetails.')]);
    if (request.externalId != null && request.externalId !== before.externalId) refuseTaken(env, request.externalId);
    const original = request.cardBalances?.originalAmount;
    const changes: CardFacts['CardChanged']['changes'] = {
      externalId: given(request.externalId, before.externalId),
      issuerId: newIssuerId,
      ...described(before, request.cardDetails ?? {}, identifiers, 'cardDetails.address'),
      originalCents: original === undefined ? before.originalCents : orNull(centsOf, original),
    };
    return shown(context, before.id, [fact('CardChanged', { cardId: before.id, changes })]);
  },
};

/** After activation the issuer of a card and its identifiers are fixed; those that are still missing may be added. */
function refuseFixed(state: LoanState, before: LoanCard, request: UpdateCardRequest, issuerId: string | null | undefined): void {
  if (activationOf(state) === null) return;
  const known = before.details.identifiers;
  const fixed: string[] = IDENTIFIERS.filter(
    (name) => request[name] !== undefined && known[name] !== undefined && request[name] !== known[name],
  );
  if (issuerId !== undefined && before.issuerId !== null && issuerId !== before.issuerId) fixed.unshift('issuerId');
  if (fixed.length === 0) return;
  refuse('invalidState', 'The loan was activated: the issuer of its cards and their identifiers are fixed.', {
    errors: fixed.map((path) => ({ path, expected: 'the same value, or none', message: 'is fixed since the loan was activated' })),
  });
}

/** The fact of a move, and the end of the card that an activated one replaces. */
export function movedTo(state: LoanState, card: LoanCard, status: CardStatus): readonly FactDraft[] {
  if (cardChart.moveBetween(card.status, status) === undefined)
    refuse('invalidTransition', `The card is ${card.status}; it cannot become ${status}.`, {
      errors: [
        {
          path: 'status',
          expected: cardChart.nextStates(card.status).join(', ') || 'no other status',
          message: `the card is ${card.status}`,
        },
      ],
    });
  if (status === 'active') refuseBarred(state);
  const replaced = status === 'active' ? state.cards.find(({ id }) => id === card.replacesCardId) : undefined;
  return [
    fact('CardStatusChanged', { cardId: card.id, status }),
    ...(replaced === undefined || replaced.status === 'terminated'
      ? []
      : [fact('CardStatusChanged', { cardId: replaced.id, status: 'terminated' })]),
  ];
}

const changeStatus: CommandSpec<LoanState, { readonly status: CardStatus }> = {
  kind: 'loan',
  type: 'card.changeStatus',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    const { status } = begin(context);
    const card = cardOf(state, command.params['cardId']);
    if (syncedBy(env, card) !== null)
      refuse('invalidState', 'The status of the card comes from the events of its issuer.', {
        errors: [{ path: 'status', expected: 'an event of the issuer', message: 'the events of the issuer go to the service' }],
      });
    return shown(context, card.id, movedTo(state, card, status));
  },
};

const replaceCard: CommandSpec<LoanState, ReplaceCardRequest> = {
  kind: 'loan',
  type: 'card.replace',
  place: { on: 'target' },
  decide(context) {
    const { state, env, command } = context;
    const { reason, address, expedite = false } = begin(context);
    const old = cardOf(state, command.params['cardId']);
    if (old.status === 'terminated') refuse('invalidState', `The card ${old.id} is terminated.`);
    const open = state.cards.find(({ replacesCardId }) => replacesCardId === old.id);
    if (open) refuse('duplicate', `The card ${old.id} is replaced by ${open.id} already.`);
    if (readable(old.details) === null) refuse('notFound', 'The borrower was erased.');
    if (state.cards.length >= MAX_CARDS) refuse('ruleViolation', `A loan can have at most ${MAX_CARDS} cards.`);
    const newCardId = env.newId('CK');
    const card: NewCard = {
      id: newCardId,
      externalId: null,
      issuerId: old.issuerId,
      type: old.type,
      status: 'unactivated',
      usageType: old.usageType,
      fulfillmentStatus: 'reordered',
      expirationYear: null,
      expirationMonth: null,
      network: old.network,
      details: {
        ...old.details,
        identifiers: {},
        cardNumberLastFour: null,
        address: addressAfter(old.details.address, address ?? undefined, 'address'),
      },
      originalCents: null,
      replacesCardId: old.id,
      replacementReason: reason,
    };
    const isGone = reason === 'lost' || reason === 'stolen';
    return shown(
      context,
      newCardId,
      [
        fact('CardReplacementRequested', { cardId: old.id, newCardId, reason, isExpedited: expedite }),
        fact('CardAdded', { card }),
        ...(isGone ? [fact('CardStatusChanged', { cardId: old.id, status: 'terminated' })] : []),
      ],
      201,
    );
  },
};

const detachCard: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'card.detach',
  place: { on: 'target' },
  decide(context) {
    const { state, command } = context;
    begin(context);
    const { id, status } = cardOf(state, command.params['cardId']);
    if (status === 'active')
      refuseProperty('cardId', 'a card that is not active', `The card ${id} is active: suspend or terminate it first.`);
    return { facts: [fact('CardDetached', { cardId: id })], reply: () => ({ data: undefined }) };
  },
};

export const cardCommands: readonly CommandSpec<LoanState>[] = [createCard, updateCard, changeStatus, replaceCard, detachCard];
