import typia from 'typia';
import type {
  CardStatusRequest,
  CreateCardRequest,
  ListCardsQuery,
  LoanCardView,
  ReplaceCardRequest,
  UpdateCardRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Cards'];
const CARDS = '/people/{personId}/loans/{loanId}/cards';
const CARD = '/people/{personId}/loans/{loanId}/cards/{cardId}';
const reply = typia.json.schemas<[LoanCardView], '3.1'>();

/** Cards of loans and lines of credit. */
export const cardRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: CARDS,
    operation: 'createCard',
    summary: 'Create a card of a loan',
    description:
      "By the issuer's identifiers, or by `cardDetails`, which the lender keeps equal. Only the last four digits of a number are kept.",
    tags,
    permission: 'card:create',
    success: 200,
    body: { validate: typia.misc.createValidatePrune<CreateCardRequest>(), schemas: typia.json.schemas<[CreateCardRequest], '3.1'>() },
    reply,
    handle: (call) => call.command('card.create', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: CARDS,
    operation: 'listCards',
    summary: 'List the cards of a loan',
    tags,
    permission: 'card:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListCardsQuery>(), schemas: typia.json.schemas<[ListCardsQuery], '3.1'>() },
    reply: typia.json.schemas<[LoanCardView[]], '3.1'>(),
    handle: (call) => call.read('card.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: CARD,
    operation: 'getCard',
    summary: 'Get a card of a loan',
    tags,
    permission: 'card:read',
    reply,
    handle: (call) => call.read('card.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: CARD,
    operation: 'updateCard',
    summary: 'Update a card of a loan',
    description: 'Once the loan is activated, the issuer of the card and its identifiers are fixed; missing ones may be added.',
    tags,
    permission: 'card:update',
    body: { validate: typia.misc.createValidatePrune<UpdateCardRequest>(), schemas: typia.json.schemas<[UpdateCardRequest], '3.1'>() },
    reply,
    handle: (call) => call.command('card.update', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${CARD}/status`,
    operation: 'changeCardStatus',
    summary: 'Change the status of a card',
    description: 'An activated card ends the one that it replaces.',
    tags,
    permission: 'card:update',
    success: 200,
    body: { validate: typia.misc.createValidatePrune<CardStatusRequest>(), schemas: typia.json.schemas<[CardStatusRequest], '3.1'>() },
    reply,
    handle: (call) => call.command('card.changeStatus', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${CARD}/replace`,
    operation: 'replaceCard',
    summary: 'Request the replacement of a card',
    description: 'The reply is the new card. A lost or stolen card is terminated at once, another one when the new card is activated.',
    tags,
    permission: 'card:replace',
    success: 201,
    body: { validate: typia.misc.createValidatePrune<ReplaceCardRequest>(), schemas: typia.json.schemas<[ReplaceCardRequest], '3.1'>() },
    reply,
    handle: (call) => call.command('card.replace', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${CARD}/sensitive-token`,
    operation: 'getCardSensitiveToken',
    summary: 'Get a token that shows the number of a card',
    description: 'Refused: only the issuer has the number of a card, and the service is connected to no issuer.',
    tags,
    permission: 'card:read',
    reply,
    handle: (call) => call.read('card.sensitiveToken', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path: CARD,
    operation: 'detachCard',
    summary: 'Detach a card from a loan',
    tags,
    permission: 'card:update',
    success: 204,
    handle: (call) => call.command('card.detach', call.params.loanId),
  }),
];
