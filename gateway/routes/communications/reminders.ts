import typia from 'typia';
import type {
  ReminderCreateBody,
  ReminderListQuery,
  ReminderPreviewQuery,
  ReminderPreviewView,
  ReminderUpdateBody,
  ReminderView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Repayment engine'];
const PATH = '/companies/{companyId}/repayment-engine/notifications';
const LIST = 'repaymentengine.notification:list';

/** What reminds borrowers of due dates, automatic payments and overdue amounts. */
export const reminderRoutes: readonly Route[] = [
  ...declaredRoutes({
    type: 'repaymentNotification',
    name: 'RepaymentNotification',
    noun: 'repayment notification',
    path: PATH,
    param: 'notificationId',
    tags: TAGS,
    permissions: {
      list: LIST,
      read: LIST,
      create: 'repaymentengine.notification:create',
      update: 'repaymentengine.notification:update',
      delete: 'repaymentengine.notification:delete',
    },
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<ReminderListQuery>(),
      schemas: typia.json.schemas<[ReminderListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<ReminderCreateBody>(),
      schemas: typia.json.schemas<[ReminderCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<ReminderUpdateBody>(),
      schemas: typia.json.schemas<[ReminderUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[ReminderView], '3.1'>(),
    listReply: typia.json.schemas<[ReminderView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/{notificationId}/preview`,
    operation: 'previewRepaymentNotification',
    summary: 'List the loans that a repayment notification would reach on a day, and why not the others',
    tags: TAGS,
    permission: LIST,
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<ReminderPreviewQuery>(),
      schemas: typia.json.schemas<[ReminderPreviewQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[ReminderPreviewView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('reminder.preview', null);
    },
  }),
];
