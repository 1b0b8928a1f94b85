import { cents } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { matching, pageOf } from '../../list-order.js';
import { amount, dateTimeText, orNull } from '../../wire.js';
import { readable, requirePerson } from '../context.js';
import { isCounted, isHeld } from '../purchases/machine.js';
import { type PurchaseRecord, raisesBalance } from '../purchases/posting.js';
import type { LoanState } from '../state.js';
import { IDENTIFIERS, type ListCardsQuery, type LoanCard, type LoanCardView } from './types.js';

/** The card of a path; 404 when there is none. */
export const cardOf = (state: LoanState, anyId = ''): LoanCard =>
  state.cards.find(({ id, externalId }) => id === anyId || (externalId !== null && `ext-${externalId}` === anyId)) ??
  refuse('notFound', `The loan ${state.id} has no card ${anyId}.`);

/** Whether a purchase names the card in `externalCardId`. */
export function isBoughtWith({ id, externalId }: LoanCard, { details }: Pick<PurchaseRecord, 'details'>): boolean {
  const named = readable(details)?.externalCardId ?? null;
  return named !== null && (named === id || named === externalId);
}

/** What was bought with a card, and what was refunded to it: purchases that name it and are not canceled. */
function usedWith({ purchases }: LoanState, card: LoanCard): Pick<LoanCardView['cardBalances'], 'usedAmount' | 'refundedAmount'> {
  let [used, refunded] = [0, 0];
  for (const purchase of purchases.all()) {
    const { status, kind, amountCents } = purchase;
    if (!isBoughtWith(card, purchase) || !(isHeld(status) || isCounted(status))) continue;
    if (raisesBalance(kind)) used += amountCents;
    else if (kind === 'refund') refunded += amountCents;
  }
  return { usedAmount: amount(cents(used)), refundedAmount: amount(cents(refunded)) };
}

export function cardView(state: LoanState, card: LoanCard): LoanCardView {
  const details = readable(card.details);
  const named = (name: (typeof IDENTIFIERS)[number]): string | null => details?.identifiers[name] ?? null;
  return {
    id: card.id,
    object: 'card',
    loanId: state.id,
    externalId: card.externalId,
    issuerId: card.issuerId,
    issuerUserToken: named('issuerUserToken'),
    issuerBusinessToken: named('issuerBusinessToken'),
    issuerCardToken: named('issuerCardToken'),
    issuerCardProductToken: named('issuerCardProductToken'),
    issuerAccountToken: named('issuerAccountToken'),
    issuerAccountNumber: named('issuerAccountNumber'),
    issuerCardIdentifier: named('issuerCardIdentifier'),
    type: card.type,
    cardDetails: {
      status: card.status,
      usageType: card.usageType,
      fulfillmentStatus: card.fulfillmentStatus,
      cardNumberLastFour: details?.cardNumberLastFour ?? null,
      expirationYear: card.expirationYear,
      expirationMonth: card.expirationMonth,
      network: card.network,
      firstName: details?.firstName ?? null,
      lastName: details?.lastName ?? null,
      nickname: details?.nickname ?? null,
      address: orNull((address) => ({ object: 'address' as const, ...address }), details?.address),
    },
    cardBalances: { originalAmount: orNull(amount, card.originalCents), ...usedWith(state, card) },
    replacesCardId: card.replacesCardId,
    replacementReason: card.replacementReason,
    createdAt: dateTimeText(card.createdAt),
    updatedAt: orNull(dateTimeText, card.updatedAt),
    deletedAt: null,
  };
}

const listCards: QuerySpec<LoanState, ListCardsQuery> = {
  kind: 'loan',
  type: 'card.list',
  on: 'target',
  read({ state, env, query, request }) {
    requirePerson(state, request.params['personId'], env);
    const { status, ...page } = query;
    const wanted = matching(state.cards.toReversed(), (card) => status === undefined || card.status === status);
    return pageOf(
      wanted,
      page,
      (card) => cardView(state, card),
      ({ externalId }) => externalId,
    );
  },
};

const getCard: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'card.get',
  on: 'target',
  read({ state, env, request }) {
    requirePerson(state, request.params['personId'], env);
    return cardView(state, cardOf(state, request.params['cardId']));
  },
};

/** Only the issuer has the number and the verification value of a card: the service keeps neither. */
const getSensitiveToken: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'card.sensitiveToken',
  on: 'target',
  read({ state, env, request }) {
    requirePerson(state, request.params['personId'], env);
    const { id } = cardOf(state, request.params['cardId']);
    return refuse('validationError', `The service keeps no number of the card ${id}. Ask its issuer for a token that shows it.`, {
      errors: [{ path: 'cardId', expected: 'a card whose issuer the service is connected to', message: 'there is no connection' }],
    });
  },
};

export const cardQueries: readonly QuerySpec<LoanState>[] = [listCards, getCard, getSensitiveToken];
