import typia from 'typia';
import {
  type AchFileListQuery,
  type AchFileTransactionView,
  type AchFileView,
  type AchFileWork,
  amount,
  noLongerKept,
  pageOf,
  type PageQuery,
  unpackIncoming,
  unpackOutgoing,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['ACH files'];
const FILES = '/ach-files';
const FILE = '/ach-files/{achFileId}';
const reply = typia.json.schemas<[AchFileView], '3.1'>();

/** Files that went to banks and came from them. */
export const achFileRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: FILES,
    operation: 'listAchFiles',
    summary: 'List ACH files',
    tags: TAGS,
    permission: 'ach.file:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<AchFileListQuery>(), schemas: typia.json.schemas<[AchFileListQuery], '3.1'>() },
    reply: typia.json.schemas<[AchFileView[]], '3.1'>(),
    handle: (call) => call.read('achFile.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: FILE,
    operation: 'getAchFile',
    summary: 'Get an ACH file',
    tags: TAGS,
    permission: 'ach.file:read',
    reply,
    handle: (call) => call.read('achFile.get', call.params.achFileId),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILE}/transactions`,
    operation: 'listAchFileTransactions',
    summary: 'List the entries of an ACH file, and the transactions that they stand for',
    tags: TAGS,
    permission: 'ach.file:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<PageQuery>(), schemas: typia.json.schemas<[PageQuery], '3.1'>() },
    reply: typia.json.schemas<[AchFileTransactionView[]], '3.1'>(),
    handle: async (call) => {
      const { data: work } = await call.read('achFile.work', call.params.achFileId, { query: {} });
      return { data: pageOf(await entriesOf(contents, work), call.query, (entry) => entry) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${FILE}/resend`,
    operation: 'resendAchFile',
    summary: 'Send an ACH file again that has failed',
    description: 'The same bytes under the same name. First ask the bank whether it has the file: nothing is sent twice by itself.',
    tags: TAGS,
    permission: 'ach.file:update',
    reply,
    handle: (call) => call.command('achFile.resend', call.params.achFileId),
  }),
  defineRoute({
    method: 'POST',
    path: `${FILE}/retry`,
    operation: 'retryAchFile',
    summary: 'Process a file from the bank again that could not be processed',
    description: 'Such a file has `status` `failed` and stands aside, while those behind it are processed. What it says is recorded once.',
    tags: TAGS,
    permission: 'ach.file:update',
    reply,
    handle: (call) => call.command('achFile.retry', call.params.achFileId),
  }),
];

async function entriesOf(contents: ContentStore, { state, content, entries }: AchFileWork): Promise<readonly AchFileTransactionView[]> {
  const isReturn = state.direction === 'return';
  if (entries === null && (state.direction === 'outgoing' || (isReturn && state.isApplied && content === null)))
    throw noLongerKept(`The entries of the ACH file ${state.id}`);
  if (entries === null) return [];
  const bytes = await contents.get(entries);
  const common = (at: number): Pick<AchFileTransactionView, 'id' | 'object'> => ({ id: String(at + 1), object: 'achFileTransaction' });
  if (state.direction === 'outgoing')
    return unpackOutgoing(bytes).map(({ trace, direction, amountCents, payment, personId, instrumentId, isPrenote = false }, at) => ({
      ...common(at),
      traceNumber: trace,
      direction,
      amount: amount(amountCents),
      transactionId: payment?.transactionId ?? null,
      loanId: payment?.loanId ?? null,
      personId,
      paymentInstrumentId: instrumentId,
      isPrenote,
      achCode: null,
      problem: null,
    }));
  return unpackIncoming(bytes).map(
    ({ trace, code, direction, amountCents, payment, personId, instrumentId, isPrenote = false, problem }, at) => ({
      ...common(at),
      traceNumber: trace,
      direction,
      amount: amount(amountCents),
      transactionId: payment?.transactionId ?? null,
      loanId: payment?.loanId ?? null,
      personId,
      paymentInstrumentId: instrumentId,
      isPrenote,
      achCode: code,
      problem,
    }),
  );
}
