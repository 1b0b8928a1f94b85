import { csvLine } from '../../../engine/index.js';
import typia from 'typia';
import {
  type CreateLedgerExportBody,
  type LedgerBatchDetailsView,
  type LedgerBatchListQuery,
  type LedgerBatchView,
  type LedgerEntryListQuery,
  type LedgerEntryTrace,
  type LedgerEntryView,
  type LedgerExportView,
  type LedgerFile,
  type LedgerPeriodListQuery,
  type LedgerPeriodView,
  type LedgerReport,
  type LedgerReportQuery,
  type OpenOfPeriod,
  toJsonText,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { defineRoute, type Reply, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';
import { LEDGER_TAGS } from './configuration.js';

const BATCHES = '/companies/{companyId}/general-ledger/batches';
const BATCH = '/companies/{companyId}/general-ledger/batches/{batchId}';
const ENTRIES = '/companies/{companyId}/general-ledger/entries';
const ENTRY = '/companies/{companyId}/general-ledger/entries/{entryId}';
const REPORT = '/companies/{companyId}/general-ledger/reports/{report}';
const PERIODS = '/companies/{companyId}/general-ledger/periods';
const PERIOD = '/companies/{companyId}/general-ledger/periods/{period}';

/** Reports and searches walk over all loans, in milliseconds. */
const WALK_MS = 120_000;

const tags = LEDGER_TAGS;
const periodReply = typia.json.schemas<[LedgerPeriodView], '3.1'>();

/** Sealed days of the books with their files, entries, reports and months. */
export const ledgerDayRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: BATCHES,
    operation: 'listGeneralLedgerBatches',
    summary: 'List the sealed days of the books, oldest first',
    tags,
    permission: 'generalledger:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<LedgerBatchListQuery>(),
      schemas: typia.json.schemas<[LedgerBatchListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[LedgerBatchView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('generalLedgerBatch.list', null);
    },
  }),
  defineRoute({
    method: 'GET',
    path: BATCH,
    operation: 'getGeneralLedgerBatch',
    summary: 'Get a sealed day of the books: totals, hash, and its files',
    tags,
    permission: 'generalledger:read',
    reply: typia.json.schemas<[LedgerBatchDetailsView], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('generalLedgerBatch.get', call.params.batchId);
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${BATCH}/export`,
    operation: 'exportGeneralLedgerBatch',
    summary: 'Write the file of a sealed day, and send it',
    description:
      'The file is written in the background, once for each format and detail: the same is sent again with the same bytes. It can be ' +
      'downloaded, and is put by SFTP where `deliverTo` names a server.',
    tags,
    permission: 'generalledger:export',
    success: 202,
    body: {
      validate: typia.misc.createValidatePrune<CreateLedgerExportBody>(),
      schemas: typia.json.schemas<[CreateLedgerExportBody], '3.1'>(),
    },
    reply: typia.json.schemas<[LedgerExportView], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.command('generalLedgerBatch.export', call.params.batchId);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BATCH}/exports/{exportId}/content`,
    operation: 'downloadGeneralLedgerExport',
    summary: 'Download the file of a sealed day',
    tags,
    permission: 'generalledger:export',
    envelope: 'file',
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      const { name, content }: LedgerFile = JSON.parse(toJsonText((await call.read('generalLedgerBatch.file', call.params.batchId)).data));
      return {
        data: await contents.get(content),
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `attachment; filename="${name}"` },
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: ENTRIES,
    operation: 'listGeneralLedgerEntries',
    summary: 'List the entries of sealed days with their lines, oldest first',
    tags,
    permission: 'generalledger:read',
    waitsMs: WALK_MS,
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<LedgerEntryListQuery>(),
      schemas: typia.json.schemas<[LedgerEntryListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[LedgerEntryView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('generalLedger.entries', null);
    },
  }),
  defineRoute({
    method: 'GET',
    path: ENTRY,
    operation: 'getGeneralLedgerEntry',
    summary: 'Get an entry, traced to its fact, request, case and documents',
    tags,
    permission: 'generalledger:read',
    reply: typia.json.schemas<[LedgerEntryTrace], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('generalLedger.entry', null);
    },
  }),
  defineRoute({
    method: 'GET',
    path: REPORT,
    operation: 'getGeneralLedgerReport',
    summary: 'Make a report of the books, as JSON or CSV',
    description:
      '`trialBalance`, `subledger`, `restated`, `rollForward`, `clearing`, `deferredFees` or `borrowerCredit`, of days that are closed.',
    tags,
    permission: 'generalledger:read',
    textParameters: ['report'],
    waitsMs: WALK_MS,
    query: { validate: typia.misc.createValidatePrune<LedgerReportQuery>(), schemas: typia.json.schemas<[LedgerReportQuery], '3.1'>() },
    reply: typia.json.schemas<[LedgerReport], '3.1'>(),
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      const reply = await call.read('generalLedger.report', null);
      return call.query.format === 'csv' ? csvOf(JSON.parse(toJsonText(reply.data))) : reply;
    },
  }),
  defineRoute({
    method: 'GET',
    path: PERIODS,
    operation: 'listGeneralLedgerPeriods',
    summary: 'List the months of the books with their state',
    tags,
    permission: 'generalledger:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<LedgerPeriodListQuery>(),
      schemas: typia.json.schemas<[LedgerPeriodListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[LedgerPeriodView[]], '3.1'>(),
    handle: (call) => call.read('generalLedgerPeriod.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${PERIOD}/close`,
    operation: 'closeGeneralLedgerPeriod',
    summary: 'Close a month',
    description: 'Refused with what is open: days that are not sealed, roles without an account, money that was not met, differences.',
    tags,
    permission: 'generalledger.period:close',
    textParameters: ['period'],
    waitsMs: WALK_MS,
    reply: periodReply,
    handle: async (call): Promise<Reply> => {
      const company = ownCompany(call);
      const open: OpenOfPeriod = JSON.parse(toJsonText((await call.read('generalLedger.openOfPeriod', null, { query: {} })).data));
      return call.command('generalLedgerPeriod.close', company, { body: open });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PERIOD}/reopen`,
    operation: 'reopenGeneralLedgerPeriod',
    summary: 'Open a month again; its sealed days stay as they are',
    tags,
    permission: 'generalledger.period:close',
    textParameters: ['period'],
    reply: periodReply,
    handle: (call) => call.command('generalLedgerPeriod.reopen', ownCompany(call), { body: {} }),
  }),
];

function csvOf({ report, date, columns, rows }: LedgerReport): Reply {
  const cell = (value: string | number | boolean | null | undefined): string => (value == null ? '' : String(value));
  const lines = [columns, ...rows.map((row) => columns.map((name) => cell(row[name])))];
  return {
    data: Buffer.from(lines.map((line) => `${csvLine(line)}\r\n`).join('')),
    isFile: true,
    headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${report}_${date}.csv"` },
  };
}
