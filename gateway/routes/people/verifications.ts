import typia from 'typia';
import {
  type AttemptBody,
  VERIFICATION_QUESTIONS,
  type VerificationListQuery,
  type VerificationQuestion,
  type VerificationStartBody,
  type VerificationStartQuery,
  type VerificationTypeBody,
  verificationTypeFaults,
  type VerificationTypeListQuery,
  type VerificationTypeView,
  type VerificationView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';

const TAGS = ['Verifications'];
const LIST = '/people/{personId}/verifications';
const ONE = '/people/{personId}/verifications/{verificationId}';
const reply = typia.json.schemas<[VerificationView], '3.1'>();
const typeBody = {
  validate: typia.misc.createValidatePrune<VerificationTypeBody>(),
  schemas: typia.json.schemas<[VerificationTypeBody], '3.1'>(),
};

/** Verifications of callers by agents, and the questions. */
export const verificationRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: LIST,
    operation: 'startVerification',
    summary: 'Start a verification',
    description: 'With `dryRun` it only checks whether one may start.',
    tags: TAGS,
    permission: 'verification:create',
    query: {
      validate: typia.misc.createValidatePrune<VerificationStartQuery>(),
      schemas: typia.json.schemas<[VerificationStartQuery], '3.1'>(),
    },
    body: {
      validate: typia.misc.createValidatePrune<VerificationStartBody>(),
      schemas: typia.json.schemas<[VerificationStartBody], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('verification.start', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listVerifications',
    summary: 'List the verifications of a borrower, newest first',
    tags: TAGS,
    permission: 'verification:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<VerificationListQuery>(),
      schemas: typia.json.schemas<[VerificationListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[VerificationView[]], '3.1'>(),
    handle: (call) => call.read('verification.list', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getVerification',
    summary: 'Get a verification',
    tags: TAGS,
    permission: 'verification:read',
    reply,
    handle: (call) => call.read('verification.get', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/attempts`,
    operation: 'submitAnswers',
    summary: 'Submit the answers of a verification',
    tags: TAGS,
    permission: 'verification:create',
    description: 'All answers must be right. The reply does not show which were wrong.',
    body: { validate: typia.misc.createValidatePrune<AttemptBody>(), schemas: typia.json.schemas<[AttemptBody], '3.1'>() },
    reply,
    handle: (call) => call.command('verification.attempt', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/cancel`,
    operation: 'cancelVerification',
    summary: 'Abort a verification',
    tags: TAGS,
    permission: 'verification:create',
    reply,
    handle: (call) => call.command('verification.cancel', call.params.personId),
  }),
  defineRoute({
    method: 'GET',
    path: '/verification-questions',
    operation: 'listVerificationQuestions',
    summary: 'List the verification questions',
    tags: ['Verification types'],
    permission: 'verificationtype:read',
    envelope: 'list',
    reply: typia.json.schemas<[VerificationQuestion[]], '3.1'>(),
    handle: () => ({ data: { items: VERIFICATION_QUESTIONS, total: VERIFICATION_QUESTIONS.length, hasMore: false, hasPrevious: false } }),
  }),
  ...declaredRoutes({
    type: 'verificationType',
    name: 'VerificationType',
    noun: 'verification type',
    path: '/verification-types',
    param: 'verificationTypeId',
    tags: ['Verification types'],
    permissions: {
      list: 'verificationtype:read',
      read: 'verificationtype:read',
      create: 'verificationtype:create',
      update: 'verificationtype:update',
      delete: 'verificationtype:delete',
    },
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<VerificationTypeListQuery>(),
      schemas: typia.json.schemas<[VerificationTypeListQuery], '3.1'>(),
    },
    create: typeBody,
    newFaultsOf: verificationTypeFaults,
    update: typeBody,
    reply: typia.json.schemas<[VerificationTypeView], '3.1'>(),
    listReply: typia.json.schemas<[VerificationTypeView[]], '3.1'>(),
  }),
];
