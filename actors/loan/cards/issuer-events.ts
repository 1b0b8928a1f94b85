import type { tags } from 'typia';
import { must } from '../../../engine/index.js';
import { cardIssuerOf, companyOf } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type AnyId, centsOf, type ExternalId, type Whole } from '../../wire.js';
import { readable } from '../context.js';
import { purchaseTaken } from '../purchases/change.js';
import { refuseReference } from '../purchases/credit.js';
import { isHeld, statusDraft } from '../purchases/machine.js';
import { findPurchase, type IssuerEvent } from '../purchases/posting.js';
import type { CreatePurchaseRequest } from '../purchases/requests.js';
import type { LoanState } from '../state.js';
import { movedTo } from './decide.js';
import type { CardFacts } from './evolve.js';
import type { CardStatus } from './machine.js';
import { changedDetails } from './read.js';
import type { CardNetwork, FulfillmentStatus, IssuerText, LoanCard } from './types.js';
import { isBoughtWith } from './view.js';

/** What an issuer reports about a card whose events go to the service. */
export interface CardIssuerEvent {
  /** An event that is sent again changes nothing. */
  readonly eventId: ExternalId;
  readonly loanId: AnyId;
  /** The issuer's token of the card, or its identifier. */
  readonly card: IssuerText;
  readonly type: 'cardStatus' | 'cardDetails' | 'purchase' | 'authorizationEnd';
  /** With `cardStatus`. */
  readonly status?: CardStatus;
  /** With `cardDetails`, for issuers with `syncCardDetails`. */
  readonly cardDetails?: {
    readonly fulfillmentStatus?: FulfillmentStatus;
    readonly cardNumberLastFour?: string & tags.Pattern<'^[0-9]{4}$'>;
    readonly expirationYear?: Whole & tags.Minimum<2000> & tags.Maximum<2100>;
    readonly expirationMonth?: Whole & tags.Minimum<1> & tags.Maximum<12>;
    readonly network?: CardNetwork;
  };
  /** With `purchase`: the draw, and the purchase or refund on it. */
  readonly drawId?: AnyId;
  readonly purchase?: Pick<
    CreatePurchaseRequest,
    'type' | 'status' | 'amount' | 'purchaseDate' | 'authorizationPurchaseId' | 'originalPurchaseId' | 'declineReason'
  > & { readonly merchantName?: string & tags.MaxLength<100> };
  /** With `authorizationEnd`: the authorized or pending purchase that was reversed or has expired. It holds no credit any more. */
  readonly authorizationPurchaseId?: AnyId;
  /** Seconds since 1970. */
  readonly at: number & tags.Type<'uint32'>;
  /** Default: 1, whose text has fewer fields than that of version 2. New senders use version 2. */
  readonly signatureVersion?: 1 | 2;
  /** HMAC-SHA256 with the secret of the issuer, in hexadecimal. */
  readonly signature: string & tags.Pattern<'^[0-9a-f]{64}$'>;
}

const AUTHORIZATION = 'authorizationPurchaseId';

type ReportedPurchase = NonNullable<CardIssuerEvent['purchase']>;

export interface CardIssuerEventView {
  readonly object: 'cardIssuerEvent';
  readonly eventId: string;
  readonly cardId: string;
}

/** The gateway has checked the signature. */
export const takeIssuerEvent: CommandSpec<LoanState, CardIssuerEvent> = {
  kind: 'loan',
  type: 'card.takeIssuerEvent',
  place: { on: 'target' },
  decide(context) {
    const { body, state } = context;
    const card = cardNamed(context);
    const reply = (): ReturnType<Decision<LoanState>['reply']> => ({
      data: { object: 'cardIssuerEvent', eventId: body.eventId, cardId: card.id } satisfies CardIssuerEventView,
    });
    return { facts: factsOf(context, card, state), reply };
  },
};

function factsOf(context: CommandContext<LoanState, CardIssuerEvent>, card: LoanCard, state: LoanState): readonly FactDraft[] {
  const { body } = context;
  if (body.type === 'purchase') return purchased(context, card);
  // One that comes again must not undo what later ones have changed.
  if (card.takenEvents?.includes(body.eventId) === true) return [];
  return [
    ...changesOf(state, card, body),
    { type: 'CardEventTaken', body: { cardId: card.id, eventId: body.eventId } satisfies CardFacts['CardEventTaken'] },
  ];
}

function changesOf(state: LoanState, card: LoanCard, body: CardIssuerEvent): readonly FactDraft[] {
  if (body.type === 'cardStatus') return statusFacts(state, card, body);
  return body.type === 'cardDetails' ? [detailsFact(card, body)] : endFacts(state, card, body);
}

function statusFacts(state: LoanState, card: LoanCard, { status }: CardIssuerEvent): readonly FactDraft[] {
  if (status === undefined) return refuseProperty('status', 'the new status of the card', '`status` is missing.');
  return status === card.status ? [] : movedTo(state, card, status);
}

function detailsFact(card: LoanCard, { cardDetails }: CardIssuerEvent): FactDraft {
  const details = cardDetails ?? refuseProperty('cardDetails', 'the new details of the card', '`cardDetails` is missing.');
  const changes: CardFacts['CardChanged']['changes'] = changedDetails(card, details);
  return { type: 'CardChanged', body: { cardId: card.id, changes } satisfies CardFacts['CardChanged'] };
}

/**
 * The issuer reports what has happened, whatever the status of the line. An authorization that holds no credit any more stays as it is: it
 * was cleared or canceled before.
 */
function endFacts(state: LoanState, card: LoanCard, { authorizationPurchaseId: anyId }: CardIssuerEvent): readonly FactDraft[] {
  if (anyId === undefined) return refuseProperty(AUTHORIZATION, 'the authorization that has ended', `\`${AUTHORIZATION}\` is missing.`);
  const purchase = findPurchase(state, authorizationNamed(state, card, anyId));
  if (purchase === undefined) return refuseReference(AUTHORIZATION, 'a purchase of the line');
  return isHeld(purchase.status) ? [statusDraft(purchase.id, 'canceled', null)] : [];
}

/**
 * The purchase keeps its event, by which one that is sent again is known. The id of the event is its external id as well, unless something
 * else has that one. The issuer reports what has happened: its purchases are booked above the credit limit, too, and so is a clearing whose
 * authorization was released by an earlier one.
 */
function purchased(context: CommandContext<LoanState, CardIssuerEvent>, card: LoanCard): readonly FactDraft[] {
  const { state, env, command } = context;
  const { eventId, drawId, purchase } = context.body;
  if (drawId === undefined) return refuseProperty('drawId', 'a draw of the line', '`drawId` is missing.');
  if (purchase === undefined) return refuseProperty('purchase', 'the purchase', '`purchase` is missing.');
  const event: IssuerEvent = { issuerId: issuerIdOf(card), eventId };
  if (state.purchases.ofIssuerEvent(event) !== undefined || isKnownByExternalId(state, card, eventId, purchase)) return [];
  const { merchantName = null, authorizationPurchaseId, originalPurchaseId, ...sent } = purchase;
  const body: CreatePurchaseRequest = {
    ...sent,
    authorizationPurchaseId: authorizationPurchaseId == null ? null : authorizationNamed(state, card, authorizationPurchaseId),
    originalPurchaseId: originalPurchaseId == null ? null : namedBy(state, card, originalPurchaseId),
    externalId: env.findExternal(env.tenant, 'purchase', eventId) === undefined ? eventId : null,
    purchaseDetails: { externalCardId: card.id, merchantName },
  };
  const params = { loanId: context.id, drawId };
  return purchaseTaken({ ...context, body, command: { ...command, body, query: {}, params } }, event).facts;
}

/** Purchases of earlier releases do not keep their event: the same card, amount and external id stand for it. */
function isKnownByExternalId(state: LoanState, card: LoanCard, eventId: string, { amount }: ReportedPurchase): boolean {
  const known = state.purchases.find(`ext-${eventId}`);
  if (known === undefined || known.issuerEvent !== undefined) return false;
  return known.details?.externalCardId === card.id && known.originalCents === centsOf(amount);
}

const issuerIdOf = ({ issuerId }: LoanCard): string => must(issuerId, 'the card was found by its issuer');

/** An `ext-` id of an event means the purchase of that event of the same issuer, if there is one. */
function namedBy(state: LoanState, card: LoanCard, anyId: string): string {
  if (!anyId.startsWith('ext-')) return anyId;
  return state.purchases.ofIssuerEvent({ issuerId: issuerIdOf(card), eventId: anyId.slice('ext-'.length) })?.id ?? anyId;
}

/** The authorization that an event of a card names. 422 for a purchase with another card. */
function authorizationNamed(state: LoanState, card: LoanCard, anyId: string): string {
  const id = namedBy(state, card, anyId);
  const purchase = findPurchase(state, id);
  const used = purchase && state.cards.find((known) => isBoughtWith(known, purchase));
  if (used !== undefined && firstOf(state, used) !== firstOf(state, card)) refuseReference(AUTHORIZATION, 'a purchase with the same card');
  return id;
}

/** The id of the first card of those that replaced one another: an event of one may name what was bought with one before. */
function firstOf({ cards }: Pick<LoanState, 'cards'>, { id, replacesCardId }: LoanCard): string {
  const replaced = cards.find((card) => card.id === replacesCardId);
  return replaced === undefined ? id : firstOf({ cards: cards.filter((card) => card !== replaced) }, replaced);
}

/** The card of the issuer of the path that the event names. */
function cardNamed({ state, env, command, body }: CommandContext<LoanState, CardIssuerEvent>): LoanCard {
  const issuer = cardIssuerOf(companyOf(env, env.tenant), command.params['cardIssuerId'] ?? '');
  if (issuer === undefined) return refuse('notFound', `There is no card issuer ${command.params['cardIssuerId'] ?? ''}.`);
  if (issuer.stored.issuerEventsSubscriber !== 'service')
    refuse('invalidState', `The events of the card issuer ${issuer.id} go to the lender (\`issuerEventsSubscriber\`).`);
  if (body.type === 'cardDetails' && !issuer.stored.syncCardDetails)
    refuse('invalidState', `The lender updates the details of the cards of ${issuer.id} (\`syncCardDetails\`).`);
  const isNamed = ({ issuerId, details }: LoanCard): boolean => {
    const { issuerCardToken, issuerCardIdentifier } = readable(details)?.identifiers ?? {};
    return issuerId === issuer.id && (issuerCardToken ?? issuerCardIdentifier) === body.card;
  };
  return state.cards.find(isNamed) ?? refuse('notFound', `The loan ${state.id} has no such card of the issuer ${issuer.id}.`);
}
