import typia from 'typia';
import type {
  BulkSenderCreateBody,
  BulkSenderListQuery,
  BulkSenderUpdateBody,
  BulkSenderView,
  CampaignCreateBody,
  CampaignListQuery,
  CampaignUpdateBody,
  CampaignView,
  ContactExporterCreateBody,
  ContactExporterListQuery,
  ContactExporterUpdateBody,
  ContactExporterView,
} from '../../../actors/index.js';
import type { Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { withCheckedSql } from './checked-sql.js';

const TAGS = ['Campaigns'];

const PERMISSIONS = {
  list: 'campaign:read',
  read: 'campaign:read',
  create: 'campaign:create',
  update: 'campaign:update',
  delete: 'campaign:delete',
};

/** Stored queries for borrowers, and the workers that get the lists. */
export const campaignRoutes: readonly Route[] = [
  ...withCheckedSql(
    'query',
    declaredRoutes({
      type: 'campaign',
      name: 'Campaign',
      noun: 'campaign',
      path: '/campaigns',
      param: 'borrowerCampaignId',
      tags: TAGS,
      permissions: PERMISSIONS,
      createStatus: 200,
      writeDescription:
        'A contact exporter whose columns hold personal data also needs the permission person:read, and so does a change of where its ' +
        'file goes.',
      query: {
        validate: typia.misc.createValidatePrune<CampaignListQuery>(),
        schemas: typia.json.schemas<[CampaignListQuery], '3.1'>(),
      },
      create: {
        validate: typia.misc.createValidatePrune<CampaignCreateBody>(),
        schemas: typia.json.schemas<[CampaignCreateBody], '3.1'>(),
      },
      update: {
        validate: typia.misc.createValidatePrune<CampaignUpdateBody>(),
        schemas: typia.json.schemas<[CampaignUpdateBody], '3.1'>(),
      },
      reply: typia.json.schemas<[CampaignView], '3.1'>(),
      listReply: typia.json.schemas<[CampaignView[]], '3.1'>(),
    }),
  ),
  ...declaredRoutes({
    type: 'contactExporter',
    name: 'ContactExporter',
    noun: 'contact exporter',
    path: '/campaign-workers/contact-exporters',
    param: 'contactExporterId',
    tags: TAGS,
    permissions: PERMISSIONS,
    createStatus: 200,
    writeDescription: 'Columns that hold personal data also need the permission person:read, and so does a change of where the file goes.',
    query: {
      validate: typia.misc.createValidatePrune<ContactExporterListQuery>(),
      schemas: typia.json.schemas<[ContactExporterListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<ContactExporterCreateBody>(),
      schemas: typia.json.schemas<[ContactExporterCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<ContactExporterUpdateBody>(),
      schemas: typia.json.schemas<[ContactExporterUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[ContactExporterView], '3.1'>(),
    listReply: typia.json.schemas<[ContactExporterView[]], '3.1'>(),
  }),
  ...declaredRoutes({
    type: 'bulkSender',
    name: 'BulkSender',
    noun: 'bulk sender',
    path: '/campaign-workers/bulk-senders',
    param: 'bulkSenderId',
    tags: TAGS,
    permissions: PERMISSIONS,
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<BulkSenderListQuery>(),
      schemas: typia.json.schemas<[BulkSenderListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<BulkSenderCreateBody>(),
      schemas: typia.json.schemas<[BulkSenderCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<BulkSenderUpdateBody>(),
      schemas: typia.json.schemas<[BulkSenderUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[BulkSenderView], '3.1'>(),
    listReply: typia.json.schemas<[BulkSenderView[]], '3.1'>(),
  }),
];
