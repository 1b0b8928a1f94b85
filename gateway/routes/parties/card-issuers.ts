import typia from 'typia';
import type { CardIssuerCreateBody, CardIssuerListQuery, CardIssuerUpdateBody, CardIssuerView } from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { newSecret } from '../../webhooks/try-once.js';
import { declaredRoutes } from '../declared.js';

/** Platforms that issue the cards of loans. */
export const cardIssuerRoutes: readonly Route[] = declaredRoutes({
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
