import typia from 'typia';
import type {
  AdoptSettingsQuery,
  GeneralLedgerSettingsBody,
  GeneralLedgerSettingsQuery,
  GeneralLedgerSettingsView,
  LedgerAccountCreateBody,
  LedgerAccountListQuery,
  LedgerAccountUpdateBody,
  LedgerAccountView,
  MappingCreateBody,
  MappingCreateQuery,
  MappingListQuery,
  MappingView,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

export const LEDGER_TAGS = ['General ledger'];

const SETTINGS = '/companies/{companyId}/general-ledger/settings';
const ACCOUNTS = '/companies/{companyId}/general-ledger/accounts';
const ACCOUNT = '/companies/{companyId}/general-ledger/accounts/{accountId}';
const MAPPINGS = '/companies/{companyId}/general-ledger/mappings';
const MAPPING = '/companies/{companyId}/general-ledger/mappings/{mappingId}';

const tags = LEDGER_TAGS;
const settingsReply = typia.json.schemas<[GeneralLedgerSettingsView], '3.1'>();
const accountReply = typia.json.schemas<[LedgerAccountView], '3.1'>();
const mappingReply = typia.json.schemas<[MappingView], '3.1'>();

/** Settings, accounts and mappings of the books. */
export const ledgerConfigurationRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: SETTINGS,
    operation: 'getGeneralLedgerSettings',
    summary: 'Get the settings of the books, with the day each has begun',
    tags,
    permission: 'generalledger:read',
    query: {
      validate: typia.misc.createValidatePrune<GeneralLedgerSettingsQuery>(),
      schemas: typia.json.schemas<[GeneralLedgerSettingsQuery], '3.1'>(),
    },
    reply: settingsReply,
    handle: (call) => call.read('generalLedgerSettings.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: SETTINGS,
    operation: 'adoptGeneralLedgerSettings',
    summary: 'Adopt settings of the books from a day on',
    description: 'Settings that are left out stay as they are. Days that are closed keep theirs.',
    tags,
    permission: 'generalledger:update',
    query: {
      validate: typia.misc.createValidatePrune<AdoptSettingsQuery>(),
      schemas: typia.json.schemas<[AdoptSettingsQuery], '3.1'>(),
    },
    body: {
      validate: typia.misc.createValidatePrune<GeneralLedgerSettingsBody>(),
      schemas: typia.json.schemas<[GeneralLedgerSettingsBody], '3.1'>(),
    },
    reply: settingsReply,
    handle: (call) => call.command('generalLedgerSettings.adopt', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: ACCOUNTS,
    operation: 'listGeneralLedgerAccounts',
    summary: 'List the chart of accounts',
    tags,
    permission: 'generalledger:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<LedgerAccountListQuery>(),
      schemas: typia.json.schemas<[LedgerAccountListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[LedgerAccountView[]], '3.1'>(),
    handle: (call) => call.read('generalLedgerAccount.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: ACCOUNTS,
    operation: 'createGeneralLedgerAccount',
    summary: 'Add an account',
    tags,
    permission: 'generalledger:update',
    success: 201,
    body: {
      validate: typia.misc.createValidatePrune<LedgerAccountCreateBody>(),
      schemas: typia.json.schemas<[LedgerAccountCreateBody], '3.1'>(),
    },
    reply: accountReply,
    handle: (call) => call.command('generalLedgerAccount.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: ACCOUNT,
    operation: 'getGeneralLedgerAccount',
    summary: 'Get an account',
    tags,
    permission: 'generalledger:read',
    reply: accountReply,
    handle: (call) => call.read('generalLedgerAccount.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: ACCOUNT,
    operation: 'updateGeneralLedgerAccount',
    summary: 'Rename or renumber an account, or change its external id',
    tags,
    permission: 'generalledger:update',
    body: {
      validate: typia.misc.createValidatePrune<LedgerAccountUpdateBody>(),
      schemas: typia.json.schemas<[LedgerAccountUpdateBody], '3.1'>(),
    },
    reply: accountReply,
    handle: (call) => call.command('generalLedgerAccount.update', ownCompany(call)),
  }),
  defineRoute({
    method: 'DELETE',
    path: ACCOUNT,
    operation: 'archiveGeneralLedgerAccount',
    summary: 'Archive an account that no mapping names',
    tags,
    permission: 'generalledger:update',
    success: 204,
    handle: (call) => call.command('generalLedgerAccount.delete', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: MAPPINGS,
    operation: 'listGeneralLedgerMappings',
    summary: 'List the versions of the mapping from roles to accounts',
    tags,
    permission: 'generalledger:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<MappingListQuery>(), schemas: typia.json.schemas<[MappingListQuery], '3.1'>() },
    reply: typia.json.schemas<[MappingView[]], '3.1'>(),
    handle: (call) => call.read('generalLedgerMapping.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: MAPPINGS,
    operation: 'proposeGeneralLedgerMapping',
    summary: 'Propose a version of the mapping',
    description: 'It holds from its first day on, once another person has approved it. Of the rows of a role the most specific one wins.',
    tags,
    permission: 'generalledger:update',
    success: 201,
    query: {
      validate: typia.misc.createValidatePrune<MappingCreateQuery>(),
      schemas: typia.json.schemas<[MappingCreateQuery], '3.1'>(),
    },
    body: { validate: typia.misc.createValidatePrune<MappingCreateBody>(), schemas: typia.json.schemas<[MappingCreateBody], '3.1'>() },
    reply: mappingReply,
    handle: (call) => call.command('generalLedgerMapping.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: MAPPING,
    operation: 'getGeneralLedgerMapping',
    summary: 'Get a version of the mapping, with the roles that have no account',
    tags,
    permission: 'generalledger:read',
    reply: mappingReply,
    handle: (call) => call.read('generalLedgerMapping.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${MAPPING}/approve`,
    operation: 'approveGeneralLedgerMapping',
    summary: 'Approve a mapping that another person has proposed',
    tags,
    permission: 'generalledger.mapping:approve',
    reply: mappingReply,
    handle: (call) => call.command('generalLedgerMapping.approve', ownCompany(call), { body: {} }),
  }),
];
