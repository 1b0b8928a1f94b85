import typia from 'typia';
import {
  type CreateCreditFileRequest,
  type CreditFieldsRequest,
  type CreditFilesQuery,
  type CreditFileView,
  type CreditRecordsQuery,
  type CreditRecordView,
  type CreditReportingStatusView,
  type DeleteCreditReportingRequest,
  type ListCreditReportingQuery,
  type LoanView,
  type PreviewedRecord,
  Refusal,
  type StartCreditReportingRequest,
  type StopCreditReportingRequest,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { LIMITS } from '../../limits.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

const tags = ['Credit reporting'];
const OF_LOAN = '/people/{personId}/loans/{loanId}/credit-reporting';
const STATUS = '/people/{personId}/loans/{loanId}/credit-reporting/{reportingStatusId}';
const FILES = '/companies/{companyId}/credit-reporting/files';
const reply = typia.json.schemas<[CreditReportingStatusView], '3.1'>();
const fileReply = typia.json.schemas<[CreditFileView], '3.1'>();

/** The credit reporting of a loan. */
const routesOfLoans: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: OF_LOAN,
    operation: 'startCreditReporting',
    summary: 'Start to report a loan to a credit agency',
    tags,
    permission: 'credit.reporting.status:create',
    success: 200,
    body: {
      validate: typia.misc.createValidatePrune<StartCreditReportingRequest>(),
      schemas: typia.json.schemas<[StartCreditReportingRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('creditReporting.start', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: `${OF_LOAN}/fields`,
    operation: 'setCreditReportingFields',
    summary: 'Set fields of the next report of a loan',
    description: 'The fields are used once for each agency to which the loan is reported.',
    tags,
    permission: 'credit.reporting.status:update',
    body: { validate: typia.misc.createValidatePrune<CreditFieldsRequest>(), schemas: typia.json.schemas<[CreditFieldsRequest], '3.1'>() },
    reply: typia.json.schemas<[LoanView], '3.1'>(),
    handle: (call) => call.command('creditReporting.setFields', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: OF_LOAN,
    operation: 'listCreditReporting',
    summary: 'List the credit agencies to which a loan is reported',
    tags,
    permission: 'credit.reporting.status:list',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<ListCreditReportingQuery>(),
      schemas: typia.json.schemas<[ListCreditReportingQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[CreditReportingStatusView[]], '3.1'>(),
    handle: (call) => call.read('creditReporting.list', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: `${OF_LOAN}/records`,
    operation: 'listCreditReportingRecords',
    summary: 'List what was reported of a loan, month by month',
    tags,
    permission: 'credit.reporting.status:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<CreditRecordsQuery>(), schemas: typia.json.schemas<[CreditRecordsQuery], '3.1'>() },
    reply: typia.json.schemas<[CreditRecordView[]], '3.1'>(),
    handle: (call) => call.read('creditReporting.records', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: STATUS,
    operation: 'getCreditReporting',
    summary: 'Get the reporting of a loan to a credit agency',
    tags,
    permission: 'credit.reporting.status:list',
    reply,
    handle: (call) => call.read('creditReporting.get', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${STATUS}/stop`,
    operation: 'stopCreditReporting',
    summary: 'Stop to report a loan to a credit agency, with a final report',
    tags,
    permission: 'credit.reporting.status:update',
    success: 200,
    body: {
      validate: typia.misc.createValidatePrune<StopCreditReportingRequest>(),
      schemas: typia.json.schemas<[StopCreditReportingRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('creditReporting.stop', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE',
    path: STATUS,
    operation: 'deleteCreditReporting',
    summary: 'Delete the reports of a loan at a credit agency',
    description: 'Final: the next file deletes the account there, and the loan cannot be reported to the agency again.',
    tags,
    permission: 'credit.reporting.status:delete',
    success: 200,
    body: {
      validate: typia.misc.createValidatePrune<DeleteCreditReportingRequest>(),
      schemas: typia.json.schemas<[DeleteCreditReportingRequest], '3.1'>(),
    },
    reply,
    handle: (call) => call.command('creditReporting.delete', call.params.loanId),
  }),
];

interface PreviewQuery {
  /** Makes no file: shows the first records as they would be, with the borrowers masked. */
  readonly previewMode?: boolean;
}

interface CreditFilePreview {
  readonly object: 'creditReportingFilePreview';
  /** Loans that are reported to the agency; the first of them are shown. */
  readonly loanCount: number;
  readonly records: readonly PreviewedRecord[];
}

/** Records of a preview. */
const PREVIEWED = 25;

/** Files for credit agencies. */
const routesOfFiles = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: FILES,
    operation: 'listCreditReportingFiles',
    summary: 'List the files for credit agencies',
    tags,
    permission: 'credit.reporting.file:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<CreditFilesQuery>(), schemas: typia.json.schemas<[CreditFilesQuery], '3.1'>() },
    reply: typia.json.schemas<[CreditFileView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('creditFile.list', null);
    },
  }),
  defineRoute({
    method: 'POST',
    path: FILES,
    operation: 'createCreditReportingFile',
    summary: 'Make a file for a credit agency now',
    description:
      'The file reports the last calendar month. It is made in the background; `operationId` shows the progress of its first step.',
    tags,
    permission: 'credit.reporting.file:create',
    success: 201,
    query: { validate: typia.misc.createValidatePrune<PreviewQuery>(), schemas: typia.json.schemas<[PreviewQuery], '3.1'>() },
    body: {
      validate: typia.misc.createValidatePrune<CreateCreditFileRequest>(),
      schemas: typia.json.schemas<[CreateCreditFileRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[CreditFileView | CreditFilePreview], '3.1'>(),
    handle: (call) => (call.query.previewMode === true ? preview(call) : call.command('creditFile.start', ownCompany(call))),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILES}/{creditFileId}`,
    operation: 'getCreditReportingFile',
    summary: 'Get a file for a credit agency',
    tags,
    permission: 'credit.reporting.file:list',
    reply: fileReply,
    handle: (call) => {
      ownCompany(call);
      return call.read('creditFile.get', call.params.creditFileId);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${FILES}/{creditFileId}/content`,
    operation: 'downloadCreditReportingFile',
    summary: 'Download a file for a credit agency',
    description:
      'Metro 2 in character format, with personal data in clear, or encrypted for the agency if it has a key: for a lender that uploads ' +
      'its files itself.',
    tags,
    permission: 'credit.reporting.file:download',
    envelope: 'file',
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      const { data } = await call.read('creditFile.contents', call.params.creditFileId);
      const { name, sealed, head, parts, tail, bytes } = data;
      if (bytes > LIMITS.creditFileBytes)
        throw new Refusal('ruleViolation', `The file has ${bytes} bytes; ${LIMITS.creditFileBytes} can be downloaded. Send it by SFTP.`);
      const attached = { 'Content-Disposition': `attachment; filename="${name}"` };
      if (sealed !== null)
        return { data: await contents.get(sealed), headers: { 'Content-Type': 'application/octet-stream', ...attached } };
      const pieces: Buffer[] = [Buffer.from(head, 'latin1')];
      for (const part of parts) pieces.push(await contents.get(part));
      pieces.push(Buffer.from(tail, 'latin1'));
      return {
        data: Buffer.concat(pieces),
        headers: { 'Content-Type': 'text/plain; charset=us-ascii', ...attached },
      };
    },
  }),
];

async function preview(call: Call<{ readonly companyId: string }, unknown, CreateCreditFileRequest>): Promise<Reply> {
  const { creditAgencyId } = call.body;
  ownCompany(call);
  const { data } = await call.read('creditFile.preview', null, { query: { creditAgencyId, limit: PREVIEWED } });
  const { items, total } = data;
  const shown: CreditFilePreview = { object: 'creditReportingFilePreview', loanCount: total, records: items };
  return { data: shown, status: 200 };
}

export const creditReportingRoutes = (contents: ContentStore): readonly Route[] => [...routesOfLoans, ...routesOfFiles(contents)];
