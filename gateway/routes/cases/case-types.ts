import typia from 'typia';
import type {
  CaseTypeCreateBody,
  CaseTypeListQuery,
  CaseTypeUpdateBody,
  CaseTypeView,
  DoNotInteractTypeCreateBody,
  DoNotInteractTypeListQuery,
  DoNotInteractTypeUpdateBody,
  CaseView,
  DoNotInteractTypeView,
  NotificationTypeCreateBody,
  NotificationTypeListQuery,
  NotificationTypeUpdateBody,
  NotificationTypeView,
  ReviewPreviewBody,
  SmartReviewsBody,
  VersionQuery,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery } from '../../routing/shared-queries.js';
import { versionedRoutes } from './versioned.js';

const caseTypeReply = typia.json.schemas<[CaseTypeView], '3.1'>();
const blockTypeReply = typia.json.schemas<[DoNotInteractTypeView], '3.1'>();
const blockTypesReply = typia.json.schemas<[DoNotInteractTypeView[]], '3.1'>();
const notificationTypeReply = typia.json.schemas<[NotificationTypeView], '3.1'>();
const TAGS = ['Case types'];

/** The configuration of cases: their types, and what acts on them automatically. */
export const caseTypeRoutes: readonly Route[] = [
  ...versionedRoutes({
    type: 'caseType',
    name: 'CaseType',
    noun: 'case type',
    path: '/case-types',
    param: 'caseTypeId',
    tags: TAGS,
    resource: 'casetype',
    query: { validate: typia.misc.createValidatePrune<CaseTypeListQuery>(), schemas: typia.json.schemas<[CaseTypeListQuery], '3.1'>() },
    create: { validate: typia.misc.createValidatePrune<CaseTypeCreateBody>(), schemas: typia.json.schemas<[CaseTypeCreateBody], '3.1'>() },
    update: { validate: typia.misc.createValidatePrune<CaseTypeUpdateBody>(), schemas: typia.json.schemas<[CaseTypeUpdateBody], '3.1'>() },
    reply: caseTypeReply,
    listReply: typia.json.schemas<[CaseTypeView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'GET',
    path: '/case-type/{caseTypeId}',
    operation: 'getCaseTypeByOldPath',
    summary: 'Get a case type in one version',
    tags: TAGS,
    permission: 'casetype:read',
    query: { validate: typia.misc.createValidatePrune<VersionQuery>(), schemas: typia.json.schemas<[VersionQuery], '3.1'>() },
    reply: caseTypeReply,
    handle: (call) => call.read('caseType.get', call.caller.company),
  }),
  defineRoute({
    method: 'PUT',
    path: '/case-types/{caseTypeId}/smart-reviews',
    operation: 'setSmartReviews',
    summary: 'Set when cases of a type are reviewed',
    tags: TAGS,
    permission: 'casetype:update',
    reply: caseTypeReply,
    body: { validate: typia.misc.createValidatePrune<SmartReviewsBody>(), schemas: typia.json.schemas<[SmartReviewsBody], '3.1'>() },
    handle: (call) => call.command('caseType.setSmartReviews', call.caller.company),
  }),
  defineRoute({
    method: 'POST',
    path: '/case-types/{caseTypeId}/smart-reviews/preview',
    operation: 'previewSmartReviews',
    summary: 'List the cases that are due for review on a day',
    tags: TAGS,
    permission: 'casetype:read',
    envelope: 'list',
    query: pageQuery,
    reply: typia.json.schemas<[CaseView[]], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<ReviewPreviewBody>(), schemas: typia.json.schemas<[ReviewPreviewBody], '3.1'>() },
    handle: (call) => call.read('case.previewReviews', null, { query: { ...call.query, ...call.body } }),
  }),
  ...versionedRoutes({
    type: 'doNotInteractType',
    name: 'DoNotInteractType',
    noun: 'Do Not Interact type',
    path: '/do-not-interact-types',
    param: 'typeId',
    tags: TAGS,
    resource: 'casetype',
    query: {
      validate: typia.misc.createValidatePrune<DoNotInteractTypeListQuery>(),
      schemas: typia.json.schemas<[DoNotInteractTypeListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<DoNotInteractTypeCreateBody>(),
      schemas: typia.json.schemas<[DoNotInteractTypeCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<DoNotInteractTypeUpdateBody>(),
      schemas: typia.json.schemas<[DoNotInteractTypeUpdateBody], '3.1'>(),
    },
    reply: blockTypeReply,
    listReply: blockTypesReply,
  }),
  ...versionedRoutes({
    type: 'notificationType',
    name: 'NotificationType',
    noun: 'notification type',
    path: '/notification-types',
    param: 'typeId',
    tags: TAGS,
    resource: 'casetype',
    query: {
      validate: typia.misc.createValidatePrune<NotificationTypeListQuery>(),
      schemas: typia.json.schemas<[NotificationTypeListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<NotificationTypeCreateBody>(),
      schemas: typia.json.schemas<[NotificationTypeCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<NotificationTypeUpdateBody>(),
      schemas: typia.json.schemas<[NotificationTypeUpdateBody], '3.1'>(),
    },
    reply: notificationTypeReply,
    listReply: typia.json.schemas<[NotificationTypeView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'GET',
    path: '/case-types/{caseTypeId}/do-not-interact-types',
    operation: 'listDoNotInteractTypesOfCaseType',
    summary: 'List the Do Not Interact types of a case type',
    tags: TAGS,
    permission: 'casetype:read',
    envelope: 'list',
    query: pageQuery,
    reply: blockTypesReply,
    handle: (call) => call.read('doNotInteractType.listLinked', call.caller.company),
  }),
  ...[
    {
      type: 'doNotInteractType',
      name: 'DoNotInteractType',
      noun: 'Do Not Interact type',
      path: 'do-not-interact-types',
      reply: blockTypeReply,
    },
    {
      type: 'notificationType',
      name: 'NotificationType',
      noun: 'notification type',
      path: 'notification-types',
      reply: notificationTypeReply,
    },
  ].flatMap(({ type, name, noun, path, reply }) => [
    defineRoute({
      method: 'PUT',
      path: `/case-types/{caseTypeId}/${path}/{typeId}`,
      operation: `link${name}`,
      summary: `Add a ${noun} to a case type`,
      tags: TAGS,
      permission: 'casetype:update',
      reply,
      handle: (call) => call.command(`${type}.link`, call.caller.company),
    }),
    defineRoute({
      method: 'DELETE',
      path: `/case-types/{caseTypeId}/${path}/{typeId}`,
      operation: `unlink${name}`,
      summary: `Remove a ${noun} from a case type`,
      tags: TAGS,
      permission: 'casetype:update',
      reply,
      handle: (call) => call.command(`${type}.unlink`, call.caller.company),
    }),
  ]),
];
