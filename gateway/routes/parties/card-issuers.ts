import { createHmac, timingSafeEqual } from 'node:crypto';
import typia from 'typia';
import {
  type CardIssuerCreateBody,
  type CardIssuerEvent,
  type CardIssuerEventView,
  type CardIssuerListQuery,
  type CardIssuerUpdateBody,
  type CardIssuerView,
  Refusal,
} from '../../../actors/index.js';
import { LIMITS } from '../../limits.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { newSecret } from '../../webhooks/signature.js';
import { declaredRoutes } from '../declared.js';

/** Platforms that issue the cards of loans. */
const issuers: readonly Route[] = declaredRoutes({
  type: 'cardIssuer',
  name: 'CardIssuer',
  noun: 'card issuer',
  path: '/card-issuers',
  param: 'cardIssuerId',
  tags: ['Card issuers'],
  permissions: {
    list: 'card.issuer:list',
    read: 'card.issuer:read',
    create: 'card.issuer:create',
    update: 'card.issuer:update',
    delete: 'card.issuer:update',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: { validate: typia.misc.createValidatePrune<CardIssuerListQuery>(), schemas: typia.json.schemas<[CardIssuerListQuery], '3.1'>() },
  create: {
    validate: typia.misc.createValidatePrune<CardIssuerCreateBody>(),
    schemas: typia.json.schemas<[CardIssuerCreateBody], '3.1'>(),
  },
  commandBody: (body: CardIssuerCreateBody) => Promise.resolve({ ...body, webhookSecret: newSecret() }),
  update: {
    validate: typia.misc.createValidatePrune<CardIssuerUpdateBody>(),
    schemas: typia.json.schemas<[CardIssuerUpdateBody], '3.1'>(),
  },
  reply: typia.json.schemas<[CardIssuerView], '3.1'>(),
  listReply: typia.json.schemas<[CardIssuerView[]], '3.1'>(),
});

/** The signed text: each field on its own line. */
function signedText({ at, eventId, loanId, card, type, status, drawId, purchase, ...event }: Omit<CardIssuerEvent, 'signature'>): string {
  const parts = [at, eventId, loanId, card, type, status, drawId, purchase?.type, purchase?.status, purchase?.amount];
  const ended = type === 'authorizationEnd' ? [event.authorizationPurchaseId] : [];
  return [...parts, ...ended].map((part) => part ?? '').join('\n');
}

export const signatureOfIssuer = (event: Omit<CardIssuerEvent, 'signature'>, secret: string): string =>
  createHmac('sha256', secret).update(signedText(event)).digest('hex');

function requireSigned(event: CardIssuerEvent, secret: string | null): void {
  const isTimely = Math.abs(Date.now() / 1000 - event.at) <= LIMITS.callbackSeconds;
  const isSigned =
    secret !== null && timingSafeEqual(Buffer.from(signatureOfIssuer(event, secret), 'hex'), Buffer.from(event.signature, 'hex'));
  if (!isSigned || !isTimely)
    throw new Refusal('unauthenticated', `The signature is not valid, or \`at\` is more than ${LIMITS.callbackSeconds} seconds off.`);
}

export const cardIssuerRoutes: readonly Route[] = [
  ...issuers,
  defineRoute({
    method: 'POST',
    path: '/card-issuers/{cardIssuerId}/events',
    operation: 'takeCardIssuerEvent',
    summary: 'Take an event of a card issuer',
    description:
      'For issuers whose events go to the service. `signature` is HMAC-SHA256 with the `webhookSecret` of the issuer, in hexadecimal, of ' +
      '`at`, `eventId`, `loanId`, `card`, `type`, `status`, `drawId`, and of the purchase `type`, `status` and `amount`, each on its own ' +
      'line; an `authorizationEnd` has `authorizationPurchaseId` on one more. An event that comes again changes nothing.',
    tags: ['Card issuers'],
    permission: 'card.issuer:update',
    success: 202,
    body: { validate: typia.misc.createValidatePrune<CardIssuerEvent>(), schemas: typia.json.schemas<[CardIssuerEvent], '3.1'>() },
    reply: typia.json.schemas<[CardIssuerEventView], '3.1'>(),
    handle: async (call) => {
      const { data } = await call.read('cardIssuer.eventSecret', call.caller.company);
      requireSigned(call.body, data.secret);
      return call.command('card.takeIssuerEvent', call.body.loanId);
    },
  }),
];
