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

type Signed = Omit<CardIssuerEvent, 'signature'>;
type Line = string | number | null | undefined;

/** Version 1, as issuers sign that have signed before version 2. It has no date of a purchase, no other purchase and no details. */
function firstLines({ at, eventId, loanId, card, type, status, drawId, purchase, ...event }: Signed): readonly Line[] {
  const lines = [at, eventId, loanId, card, type, status, drawId, purchase?.type, purchase?.status, purchase?.amount];
  return type === 'authorizationEnd' ? [...lines, event.authorizationPurchaseId] : lines;
}

/** Version 2: all fields but the texts of a `declineReason`. Its first line is no time, so that no text is one of both versions. */
function secondLines({ at, eventId, loanId, card, type, status, drawId, purchase, cardDetails, ...event }: Signed): readonly Line[] {
  return [
    ...['version 2', at, eventId, loanId, card, type, status, drawId, event.authorizationPurchaseId],
    ...[purchase?.type, purchase?.status, purchase?.amount, purchase?.purchaseDate],
    ...[purchase?.authorizationPurchaseId, purchase?.originalPurchaseId, purchase?.merchantName],
    ...[cardDetails?.fulfillmentStatus, cardDetails?.cardNumberLastFour],
    ...[cardDetails?.expirationYear, cardDetails?.expirationMonth, cardDetails?.network],
  ];
}

/** The lines of the signed text: a field on each. */
const signedLines = (event: Signed): readonly string[] =>
  (event.signatureVersion === 2 ? secondLines(event) : firstLines(event)).map((line) => String(line ?? ''));

/** A line break in a field would let the text of one event be that of another. */
const isUnambiguous = (event: Signed): boolean => event.signatureVersion !== 2 || signedLines(event).every((line) => !line.includes('\n'));

export const signatureOfIssuer = (event: Signed, secret: string): string =>
  createHmac('sha256', secret).update(signedLines(event).join('\n')).digest('hex');

function requireSigned(event: CardIssuerEvent, secret: string | null): void {
  const isTimely = Math.abs(Date.now() / 1000 - event.at) <= LIMITS.callbackSeconds;
  const isSigned =
    secret !== null && timingSafeEqual(Buffer.from(signatureOfIssuer(event, secret), 'hex'), Buffer.from(event.signature, 'hex'));
  if (!isSigned || !isTimely || !isUnambiguous(event))
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
      'For issuers whose events go to the service. `signature` is HMAC-SHA256 with the `webhookSecret` of the issuer, in hexadecimal. ' +
      'With `signatureVersion` 2 it is that of the text `version 2`, and of `at`, `eventId`, `loanId`, `card`, `type`, `status`, ' +
      '`drawId`, `authorizationPurchaseId`, of the purchase `type`, `status`, `amount`, `purchaseDate`, `authorizationPurchaseId`, ' +
      '`originalPurchaseId` and `merchantName`, and of the details `fulfillmentStatus`, `cardNumberLastFour`, `expirationYear`, ' +
      '`expirationMonth` and `network`, each on its own line, which is empty if the field is not sent; fields have no line breaks. ' +
      'Version 1 is that of `at` to `drawId` and of the purchase `type`, `status` and `amount`; an `authorizationEnd` has ' +
      '`authorizationPurchaseId` on one more. It does not protect the other fields. Amounts are signed without zeros at their end: ' +
      '`12.50` as `12.5`. An event that comes again changes nothing.',
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
