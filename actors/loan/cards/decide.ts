import type { CardIssuer } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { centsOf, orNull } from '../../wire.js';
import { activationOf, readable, recordOf, requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { type CardFacts, isBarred } from './evolve.js';
import { cardChart, type CardStatus } from './machine.js';
import {
  activeIssuer,
  addressAfter,
  described,
  detailFaults,
  fact,
  given,
  identifierFaults,
  identifiersAfter,
  issuerOf,
  type NewCard,
  newCard,
  refuseFaults,
  refuseTaken,
} from './read.js';
import { type CreateCardRequest, IDENTIFIERS, type LoanCard, type ReplaceCardRequest, type UpdateCardRequest } from './types.js';
import { cardOf, cardView } from './view.js';

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
  const replaced = status === 'active' ? replacedBy(state, card) : [];
  return [
    fact('CardStatusChanged', { cardId: card.id, status }),
    ...replaced.map(({ id }) => fact('CardStatusChanged', { cardId: id, status: 'terminated' })),
  ];
}

/** The cards that end with the activation of a card: the one that it replaces, and those before, where that one was never activated. */
function replacedBy({ cards }: Pick<LoanState, 'cards'>, { replacesCardId }: LoanCard): readonly LoanCard[] {
  const replaced = replacesCardId === null ? undefined : cards.find(({ id }) => id === replacesCardId);
  if (replaced === undefined) return [];
  const before = cards.filter(({ id }) => id !== replaced.id);
  return [...(replaced.status === 'terminated' ? [] : [replaced]), ...replacedBy({ cards: before }, replaced)];
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
    const open = state.cards.find(({ replacesCardId, status }) => replacesCardId === old.id && status !== 'terminated');
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
