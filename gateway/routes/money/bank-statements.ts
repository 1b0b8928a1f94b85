import { createHash } from 'node:crypto';
import typia from 'typia';
import {
  type AnyId,
  bankEntryView,
  type BankStatementEntryQuery,
  type BankStatementEntryView,
  type BankStatementListQuery,
  type BankStatementView,
  type BankStatementWork,
  type Fault,
  type FundingAccount,
  type ImportStatementBody,
  keptEntries,
  loanOfPayout,
  matching,
  type MatchEntryRequest,
  noLongerKept,
  type OpenPayoutQuery,
  packStatement,
  pageOf,
  Refusal,
  refuseProperty,
  unpackEntryList,
  unpackResults,
  warningViews,
} from '../../../actors/index.js';
import {
  type AccountMismatch,
  type AccountStatement,
  type StatementCsvMapping,
  type StatementFormat,
  statementOfAccount,
  type StatementReading,
} from '../../../engine/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { recorded } from '../../documents/content-store.js';
import type { Renderer } from '../../rendering/renderer.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { UploadedFile } from '../../wire/upload.js';
import { ownCompany } from '../own-company.js';
import { csvMappingOf } from './csv-mapping.js';

const TAGS = ['Reconciliation'];
const ALL = '/bank-statements';
const ONE = '/bank-statements/{bankStatementId}';
const ENTRY = `${ONE}/entries/{entryId}` as const;
const reply = typia.json.schemas<[BankStatementView], '3.1'>();

interface BankStatementImportQuery {
  /** The account of the lender that the statement is of. */
  readonly fundingInstrumentId: AnyId;
  /** Default: as the file begins. */
  readonly format?: StatementFormat;
  /** Of a CSV file: what its columns are, as JSON. */
  readonly mapping?: string & typia.tags.MaxLength<4000>;
}

/** Statements of banks, and what their entries were matched with. */
export const bankStatementRoutes = (contents: ContentStore, renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: ALL,
    operation: 'importBankStatement',
    summary: "Import a bank's statement of an account of the lender",
    description:
      'The part `file` of a multipart body, or the file as the body: BAI2, camt.053, MT940, or CSV with a `mapping`. A file with a fault ' +
      'is refused, and every fault named. The same file again is answered with the statement that it made (200). Its entries are ' +
      'matched with expected money in the background.',
    tags: TAGS,
    permission: 'reconciliation:update',
    success: 201,
    takesFile: true,
    query: {
      validate: typia.misc.createValidatePrune<BankStatementImportQuery>(),
      schemas: typia.json.schemas<[BankStatementImportQuery], '3.1'>(),
    },
    reply,
    handle: (call) => importStatement(call, contents, renderer),
  }),
  defineRoute({
    method: 'GET',
    path: ALL,
    operation: 'listBankStatements',
    summary: 'List bank statements',
    tags: TAGS,
    permission: 'reconciliation:list',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<BankStatementListQuery>(),
      schemas: typia.json.schemas<[BankStatementListQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[BankStatementView[]], '3.1'>(),
    handle: (call) => call.read('bankStatement.list', null),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getBankStatement',
    summary: 'Get a bank statement with its balances',
    tags: TAGS,
    permission: 'reconciliation:list',
    reply,
    handle: (call) => call.read('bankStatement.get', call.params.bankStatementId),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    operation: 'withdrawBankStatement',
    summary: 'Withdraw a bank statement that was imported by mistake',
    description: 'As if it had not been imported: its differences are resolved, and the same file may be imported again.',
    tags: TAGS,
    permission: 'reconciliation:update',
    success: 204,
    handle: (call) => call.command('bankStatement.withdraw', call.params.bankStatementId, { body: {} }),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/entries`,
    operation: 'listBankStatementEntries',
    summary: 'List the entries of a bank statement, and what each was matched with',
    tags: TAGS,
    permission: 'reconciliation:list',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<BankStatementEntryQuery>(),
      schemas: typia.json.schemas<[BankStatementEntryQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[BankStatementEntryView[]], '3.1'>(),
    handle: async (call) => {
      const { status, ...page } = call.query;
      const { data: work } = await call.read('bankStatement.work', call.params.bankStatementId, { query: {} });
      const entries = await entriesOf(contents, work);
      return {
        data: pageOf(
          matching(entries, (entry) => status === undefined || entry.status === status),
          page,
          (entry) => entry,
        ),
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ENTRY}/match`,
    operation: 'matchBankStatementEntry',
    summary: 'Say what an entry of a bank statement is',
    description: 'An ACH file, a settlement, a transaction or a payout of a loan. The match by a person comes before that by the service.',
    tags: TAGS,
    permission: 'reconciliation:update',
    textParameters: ['entryId'],
    body: { validate: typia.misc.createValidatePrune<MatchEntryRequest>(), schemas: typia.json.schemas<[MatchEntryRequest], '3.1'>() },
    reply,
    handle: matchEntry,
  }),
  defineRoute({
    method: 'POST',
    path: `${ENTRY}/unmatch`,
    operation: 'unmatchBankStatementEntry',
    summary: 'Take back what an entry of a bank statement was matched with',
    description: 'The entry counts as unexpected until a person matches it.',
    tags: TAGS,
    permission: 'reconciliation:update',
    textParameters: ['entryId'],
    reply,
    handle: (call) => call.command('bankStatement.unmatchEntry', call.params.bankStatementId, { body: {} }),
  }),
];

async function importStatement(
  call: Call<Readonly<Record<never, string>>, BankStatementImportQuery>,
  contents: ContentStore,
  renderer: Renderer,
): Promise<Reply> {
  const file = call.body;
  if (!(file instanceof UploadedFile)) throw new TypeError('the route takes a file');
  const { format = null, mapping: mappingText } = call.query;
  const mapping: StatementCsvMapping | null = csvMappingOf(mappingText ?? null, format);
  const { fundingInstrumentId } = call.query;
  const { data: account } = await call.read('fundingInstrument.account', ownCompany(call), { query: { fundingInstrumentId } });
  const sha256 = createHash('sha256').update(file.content).digest('hex');
  const digest = { fundingInstrumentId: account.id, sha256 };
  const { data: known } = await call.read('bankStatement.ofDigest', ownCompany(call), { query: digest });
  // A retry with a key gets its first reply from the command below.
  if (known.id !== null && call.idempotencyKey === null)
    return { ...(await call.read('bankStatement.get', known.id, { query: {} })), status: 200 };
  const order = { format, mapping };
  const reading = await renderer.render<'statement'>(call.caller.company, { type: 'statement', content: file.content, order });
  if (reading.errors.length > 0) throw faultsOf(reading);
  const statement = statementOfAccount(reading, account.accountNumber);
  if (typeof statement === 'string') throw MISMATCHES[statement];
  const entries = keptEntries(statement.entries);
  return recorded(contents, packStatement(entries), async (stored) => {
    const imported = importedOf({ statement, account, reading, file, sha256 });
    const body: ImportStatementBody = { ...imported, entries: stored };
    const made = await call.command('bankStatement.import', ownCompany(call), { body });
    // Somebody has imported the same file meanwhile.
    if (made.status === 200) await contents.drop(stored.contentId);
    return made;
  });
}

interface Imported {
  readonly statement: AccountStatement;
  readonly account: FundingAccount;
  readonly reading: StatementReading;
  readonly file: UploadedFile;
  readonly sha256: string;
}

function importedOf({ statement, account, reading, file, sha256 }: Imported): Omit<ImportStatementBody, 'entries'> {
  const { entries, ...known } = statement;
  return {
    ...known,
    processorId: account.processorId,
    fundingInstrumentId: account.id,
    format: reading.format,
    fileName: file.fileName,
    sha256,
    entryCount: entries.length,
  };
}

function faultsOf({ errors, format }: StatementReading): Refusal {
  const faults = warningViews(errors).map(
    ({ code, line, message }): Fault => ({
      path: line === null ? 'file' : `file:${line}`,
      expected: `a statement in ${format}`,
      message: line === null ? `${message} (${code})` : `line ${line}: ${message} (${code})`,
    }),
  );
  return new Refusal('validationError', 'The statement cannot be used: see `errors`.', { errors: faults });
}

const mismatch = (expected: string, message: string): Refusal =>
  new Refusal('validationError', message, { errors: [{ path: 'fundingInstrumentId', expected, message }] });

const MISMATCHES: Readonly<Record<AccountMismatch, Refusal>> = {
  noSuchAccount: mismatch('the account that the file is of', 'No statement of the file is of this account.'),
  otherCurrency: mismatch('an account in USD', 'The statement is not in USD.'),
  noDay: mismatch('a statement with dates', 'Neither the entries nor the balances of the statement have a date.'),
};

async function entriesOf(
  contents: ContentStore,
  { state, entries, results }: BankStatementWork,
): Promise<readonly BankStatementEntryView[]> {
  if (entries === null) throw noLongerKept(`The entries of the bank statement ${state.id}`);
  const matched = results === null ? [] : unpackResults(await contents.get(results));
  const byNumber = new Map(matched.map((result) => [result.number, result]));
  return unpackEntryList(await contents.get(entries)).map((entry) => bankEntryView(entry, byNumber.get(entry.number)));
}

/** A transaction lies on the shard of its loan, which is asked first. */
async function matchEntry(
  call: Call<{ readonly bankStatementId: string; readonly entryId: string }, undefined, MatchEntryRequest>,
): Promise<Reply> {
  const { transactionId, loanId, payoutId } = call.body;
  if (transactionId !== undefined && loanId !== undefined) {
    const { company, mode, permissions } = call.caller;
    const params = { loanId, transactionId };
    await call.engine.query({ company, mode, type: 'transaction.get', target: loanId, params, query: {}, permissions });
  }
  if (payoutId !== undefined) {
    const { company, mode, permissions } = call.caller;
    const query: OpenPayoutQuery = { payoutId, bankStatementId: call.params.bankStatementId };
    const of = { company, mode, type: 'payout.open', target: loanOfPayout(payoutId), params: {}, query, permissions };
    if ((await call.engine.query(of)) === null) refuseProperty('payoutId', 'a payout of a loan', `There is no payout ${payoutId}.`);
  }
  return call.command('bankStatement.matchEntry', call.params.bankStatementId);
}
