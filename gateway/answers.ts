import {
  type AchFileWork,
  type Amount,
  type ApiKeyView,
  type BankAccess,
  type BankStatementWork,
  type CardIssuerSecret,
  type CodeTemplate,
  type CommandRequest,
  type ContactView,
  type ContentLocation,
  type CountItem,
  type Credentials,
  type CreditFileContents,
  type DnsRecord,
  type DocumentView,
  type DraftValidation,
  type EventView,
  type FundingAccount,
  type InteractionView,
  JsonText,
  type LastSettled,
  type LinesOfLoan,
  type LinkAccess,
  type ListResult,
  type LoadItem,
  type LoanOwnerChangeView,
  type MailToUsers,
  type MemberView,
  type OpenTokenKey,
  type OperationView,
  type OrderedBulkView,
  type Outcome,
  type PayoffLetterDraft,
  type PersonErasure,
  type PersonView,
  type PlannedTrial,
  type PortalSession,
  type PreviewedRecord,
  type QueryRequest,
  type QueueParts,
  type RemittanceEntryView,
  type ReportAnswer,
  type RunContents,
  type RunFileContent,
  type SenderItem,
  type SettlementContents,
  type StatementContent,
  type StatementPage,
  type StepTaken,
  type Tally,
  type TapeFileContents,
  type WorkerView,
} from '../actors/index.js';
import { type MessageOrder, ownJson } from '../engine/index.js';
import type { StoredContent } from './documents/content-store.js';
import type { EngineCalls } from './engine-calls.js';

/**
 * The answers that the gateway itself reads, by the name of the query: the type that its `read` returns. All others go to the caller of the
 * interface as they come, and are `unknown` here.
 */
interface QueryAnswers {
  'achFile.work': AchFileWork;
  'bankStatement.ofDigest': { readonly id: string | null };
  'bankStatement.work': BankStatementWork;
  'campaignRun.contents': RunContents;
  'campaignRun.file': RunFileContent;
  'cardIssuer.eventSecret': CardIssuerSecret;
  'company.zone': string;
  'contact.get': ContactView;
  'creditFile.contents': CreditFileContents;
  'creditFile.preview': ListResult<PreviewedRecord> & { readonly total: number };
  'document.get': DocumentView;
  'document.mayAttach': { readonly replaces: string | null; readonly fileName: string | null };
  'document.place': ContentLocation | StatementContent;
  'event.get': EventView;
  'fundingInstrument.account': FundingAccount;
  'interaction.get': InteractionView;
  'loan.merchantRemittance': ListResult<RemittanceEntryView>;
  'loan.payoffLetter': PayoffLetterDraft;
  'loan.remittable': ListResult<LinesOfLoan>;
  'loan.zone': string;
  'loanOwnerChange.get': LoanOwnerChangeView;
  'loanOwnerChange.loans': ListResult<string>;
  'loanTapeFile.contents': TapeFileContents;
  'message.codeTemplate': CodeTemplate;
  'message.document': MessageOrder;
  'message.mailToUsers': MailToUsers;
  'message.preview': MessageOrder;
  'message.previewFreeForm': MessageOrder;
  'message.previewOfCompany': MessageOrder;
  'message.render': MessageOrder;
  'operation.get': OperationView;
  'operation.report': { readonly text: string; readonly parts: number };
  'paymentInstrument.linkAccess': LinkAccess;
  'paymentProcessor.access': BankAccess;
  'person.erasure': PersonErasure;
  'person.search': ListResult<PersonView> & { readonly search: object };
  'person.senders': ListResult<SenderItem>;
  'portalUser.credentials': Credentials | null;
  'portalUser.session': PortalSession | null;
  'reimbursement.list': ListResult & { readonly owedAmount: Amount };
  'report.file': StoredContent;
  'report.run': ReportAnswer;
  'sendingDomain.get': { readonly dnsRecords: readonly DnsRecord[] };
  'settlement.contents': SettlementContents;
  'settlement.last': LastSettled;
  'statement.page': StatementPage;
  'supercaseBulk.get': OrderedBulkView;
  'supercaseBulk.list': ListResult<OrderedBulkView>;
  'task.counts': ListResult<CountItem>;
  'task.loads': ListResult<LoadItem>;
  'task.tallies': ListResult<Tally>;
  'taskQueue.parts': QueueParts;
  'tokenKey.list': readonly OpenTokenKey[];
  'templateVersion.trial': PlannedTrial | null;
  'templateVersion.validate': DraftValidation;
  'user.credentials': Credentials | null;
  'user.find': Credentials | null;
  'worker.list': ListResult<WorkerView>;
}

/** The same of commands: the data of their replies, as `decide` returns it. */
interface CommandAnswers {
  'apiKey.create': ApiKeyView;
  'portalUser.takeStep': StepTaken;
  'supercaseMember.create': MemberView;
  'user.takeStep': StepTaken;
  'webhook.progress': { readonly firstId: number };
  'worker.setActivity': WorkerView;
}

export type AnswerOf<Type extends string> = Type extends keyof QueryAnswers ? QueryAnswers[Type] : unknown;

/** The reply to a retry is stored as text: `dataOf` reads both. */
export type DataOf<Type extends string> = Type extends keyof CommandAnswers ? CommandAnswers[Type] | JsonText : unknown;

/**
 * Asks the engine, with the type that the table above has for the answer. The engine finds a query by its name, on this worker or on
 * another, and so returns anything; this function alone says what it is.
 */
export function ask<const Type extends string>(
  engine: Pick<EngineCalls, 'query'>,
  request: QueryRequest & { readonly type: Type },
): Promise<AnswerOf<Type>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table says what the query answers
  return engine.query(request) as Promise<AnswerOf<Type>>;
}

/** Has the engine carry out a command, with the type of its data in the table above: the same for commands as `ask` for queries. */
export function execute<const Type extends string>(
  engine: Pick<EngineCalls, 'execute'>,
  request: CommandRequest & { readonly type: Type },
): Promise<Outcome & { readonly data: DataOf<Type> }> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table says what the command replies
  return engine.execute(request) as Promise<Outcome & { readonly data: DataOf<Type> }>;
}

/** The data of a reply in its parts. That of an earlier attempt was stored as text. */
export const dataOf = <Data>(data: Data | JsonText): Data => (data instanceof JsonText ? ownJson<Data>(data.text) : data);
