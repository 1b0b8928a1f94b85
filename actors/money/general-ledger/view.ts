import type { tags } from 'typia';
import { amountText, day, type Day, must } from '../../../engine/index.js';
import { closedThrough, companyOf, openSecrets, type SftpAddress } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import { ALL_ROWS, type QueryEnv, type QueryOf, type QuerySpec } from '../../kernel/actor.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import {
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  dayOfText,
  type ListResult,
  orNull,
  type PrintedText,
} from '../../wire.js';
import {
  type BatchExport,
  type BatchState,
  type BatchStatus,
  type ExportDetail,
  type ExportFormat,
  type ExportStatus,
  LEDGER_BATCH,
  openedFile,
  statusOf,
} from './batch.js';
import { type Basis, type Dimensions, type Role } from './entries.js';

/** Money with two decimals, as text. */
export type MoneyText = string & tags.Pattern<'^-?\\d+\\.\\d{2}$'>;

export const moneyText = (cents: number): PrintedText => amountText(cents);

export interface LedgerExportView {
  readonly id: string;
  readonly object: 'generalLedgerExport';
  readonly batchId: string;
  readonly format: ExportFormat;
  readonly detail: ExportDetail;
  readonly status: ExportStatus;
  readonly operationId: string;
  /** Null until it is made. */
  readonly fileName: string | null;
  readonly rowCount: number | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Null: the file is not sent, but waits to be downloaded. */
  readonly deliverTo: { readonly sftp: SftpAddress } | null;
  readonly failureDescription: string | null;
  readonly orderedBy: ActorView;
  readonly createdAt: DateTimeText;
  /** When it was written, or sent. */
  readonly finishedAt: DateTimeText | null;
}

interface RoleTotalView {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly debit: MoneyText;
  readonly credit: MoneyText;
}

export interface LedgerBatchView {
  readonly id: string;
  readonly object: 'generalLedgerBatch';
  readonly companyId: string;
  readonly basis: Basis;
  readonly accountingDate: DateText;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly status: BatchStatus;
  readonly entryCount: number;
  readonly lineCount: number;
  readonly loanCount: number;
  /** Entries that correct earlier ones. */
  readonly correctionCount: number;
  readonly debitTotal: MoneyText;
  readonly creditTotal: MoneyText;
  /** SHA-256 of what the batch says of itself, its entries and the hash before. */
  readonly hash: string;
  readonly contentHash: string;
  readonly previousBatchId: string | null;
  readonly previousHash: string | null;
  readonly mappingId: string;
  /** The version of how entries are written for the hash. */
  readonly rulesVersion: number;
  /** What was found where the entries compute to something else. */
  readonly difference: { readonly contentHash: string; readonly entryCount: number; readonly foundAt: DateTimeText } | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export interface LedgerBatchDetailsView extends LedgerBatchView {
  readonly totals: readonly RoleTotalView[];
  readonly exports: readonly LedgerExportView[];
}

export interface LedgerBatchListQuery extends PageQuery {
  readonly basis?: Basis;
  readonly status?: BatchStatus;
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

export const exportView = (batch: BatchState, exportId: string): LedgerExportView =>
  viewOfExport(
    batch,
    must(
      batch.exports.find(({ id }) => id === exportId),
      exportId,
    ),
  );

const viewOfExport = (batch: BatchState, one: BatchExport): LedgerExportView => ({
  id: one.id,
  object: 'generalLedgerExport',
  batchId: batch.id,
  format: one.format,
  detail: one.detail,
  status: one.status,
  operationId: one.operationId,
  fileName: one.made?.name ?? null,
  rowCount: one.made?.rowCount ?? null,
  bytes: one.made?.bytes ?? null,
  sha256: one.made?.sha256 ?? null,
  deliverTo: one.sftp && { sftp: one.sftp },
  failureDescription: one.failureDescription,
  orderedBy: actorView(one.orderedBy),
  createdAt: dateTimeText(one.orderedAt),
  finishedAt: orNull(dateTimeText, one.finishedAt),
});

const batchView = (state: BatchState): LedgerBatchView => ({
  id: state.id,
  object: 'generalLedgerBatch',
  companyId: state.tenant.company,
  basis: state.basis,
  accountingDate: dateText(state.day),
  sequence: state.sequence,
  status: statusOf(state),
  entryCount: state.entryCount,
  lineCount: state.lineCount,
  loanCount: state.loanCount,
  correctionCount: state.correctionCount,
  debitTotal: moneyText(state.debitCents),
  creditTotal: moneyText(state.creditCents),
  hash: state.hash,
  contentHash: state.contentHash,
  previousBatchId: state.previousBatchId,
  previousHash: state.previousHash,
  mappingId: state.mappingId,
  rulesVersion: state.format,
  difference: state.difference && {
    contentHash: state.difference.contentHash,
    entryCount: state.difference.entryCount,
    foundAt: dateTimeText(state.difference.foundAt),
  },
  createdAt: dateTimeText(state.createdAt),
  updatedAt: dateTimeText(state.updatedAt),
  deletedAt: null,
});

const detailsView = (state: BatchState): LedgerBatchDetailsView => ({
  ...batchView(state),
  totals: state.totals.map(({ role, dimensions, debitCents, creditCents }) => ({
    role,
    dimensions,
    debit: moneyText(debitCents),
    credit: moneyText(creditCents),
  })),
  exports: state.exports.map((one) => viewOfExport(state, one)),
});

const known = (state: BatchState): BatchState => (state.createdStamp === 0 ? refuse('notFound', `There is no batch ${state.id}.`) : state);

/** What is to be sealed next. */
export interface NextDays {
  /** The last day that is over in all zones of the company. */
  readonly closedThrough: Day;
  /** By basis; null: nothing was sealed yet. */
  readonly last: Readonly<Record<Basis, { readonly id: string; readonly day: Day } | null>>;
}

/** A file that is to be made or sent, with its secrets: it goes to nobody but the runner. */
export interface ExportWork {
  readonly batch: BatchState;
  readonly exports: readonly {
    readonly id: string;
    readonly content: OpenContent | null;
    readonly sftp: (SftpAddress & { readonly password: string | null }) | null;
  }[];
  /** A file of the same format and detail that was written already, by format and detail. */
  readonly written: readonly { readonly format: ExportFormat; readonly detail: ExportDetail; readonly content: OpenContent }[];
}

export interface LedgerFile {
  readonly name: string;
  readonly content: OpenContent;
}

function lastOf(env: QueryEnv, basis: Basis): { readonly id: string; readonly day: Day } | null {
  const [row] = env.listAll(LEDGER_BATCH, { limit: 1, matches: ({ fields }) => fields['basis'] === basis }).rows;
  return row === undefined ? null : { id: row.id, day: day(Number(row.fields['day'])) };
}

/** The batches of days, oldest first; of one day accrual before cash. */
export function batchesIn(
  env: QueryEnv,
  { basis, from, to }: { readonly basis?: Basis; readonly from: number; readonly to: number },
): readonly BatchState[] {
  const { rows } = env.listAll(LEDGER_BATCH, {
    limit: ALL_ROWS,
    matches: ({ fields }) =>
      (basis === undefined || fields['basis'] === basis) && Number(fields['day']) >= from && Number(fields['day']) <= to,
  });
  return rows.toReversed().flatMap(({ id }) => env.stateOf<BatchState>(LEDGER_BATCH, id) ?? []);
}

export const batchQueries: readonly QuerySpec<BatchState>[] = [
  { kind: LEDGER_BATCH, type: 'generalLedgerBatch.get', on: 'target', read: ({ state }) => detailsView(known(state)) },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedgerBatch.list',
    on: 'tenant',
    read({ query, env }: QueryOf<LedgerBatchListQuery>): ListResult<LedgerBatchView> {
      const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, basis, status, fromDate, toDate } = query;
      const [from, to] = [orNull(dayOfText, fromDate) ?? -Infinity, orNull(dayOfText, toDate) ?? Infinity];
      const page = env.list(LEDGER_BATCH, {
        limit,
        sort: [
          { field: 'day', descending: false },
          { field: 'basis', descending: false },
        ],
        ...(startingAfter === undefined ? {} : { startingAfter }),
        ...(endingBefore === undefined ? {} : { endingBefore }),
        matches: ({ fields }) =>
          (basis === undefined || fields['basis'] === basis) &&
          (status === undefined || fields['status'] === status) &&
          Number(fields['day']) >= from &&
          Number(fields['day']) <= to,
      });
      const items = page.rows.map(({ id }) => batchView(must(env.stateOf<BatchState>(LEDGER_BATCH, id), id)));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedgerBatch.file',
    on: 'target',
    read({ state, request, env }): LedgerFile {
      const exportId = request.params['exportId'] ?? '';
      const one = known(state).exports.find(({ id }) => id === exportId) ?? refuse('notFound', `The batch has no file ${exportId}.`);
      if (one.made === null) return refuse('notFound', `The file ${exportId} is not written.`);
      return { name: one.made.name, content: must(openedFile(env, state.id, one.made), 'the key of a batch is never destroyed') };
    },
  },
  // The service's own: no route leads here.
  {
    kind: LEDGER_BATCH,
    type: 'generalLedger.next',
    on: 'company',
    read({ env }): NextDays {
      return {
        closedThrough: closedThrough(companyOf(env, env.tenant), env),
        last: { accrual: lastOf(env, 'accrual'), cash: lastOf(env, 'cash') },
      };
    },
  },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedger.batches',
    on: 'company',
    read({ env, query }: QueryOf<{ readonly basis?: Basis; readonly from: number; readonly to: number }>): readonly BatchState[] {
      return batchesIn(env, query);
    },
  },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedger.open',
    on: 'company',
    read({ env }): readonly string[] {
      const { rows } = env.listAll(LEDGER_BATCH, {
        limit: ALL_ROWS,
        matches: ({ fields }) => fields['hasPending'] === true,
      });
      return rows.map(({ id }) => id).reverse(); // oldest first
    },
  },
  {
    kind: LEDGER_BATCH,
    type: 'generalLedgerBatch.work',
    on: 'target',
    read({ state, env }): ExportWork {
      const opened = (one: BatchExport): OpenContent | null => one.made && openedFile(env, state.id, one.made);
      return {
        batch: state,
        exports: state.exports
          .filter(({ status }) => status === 'pending')
          .map((one) => ({
            id: one.id,
            content: opened(one),
            sftp: one.sftp && { ...one.sftp, password: openSecrets(env, state.id, one.secrets).sftpPassword ?? null },
          })),
        written: state.exports.flatMap((one) => {
          const content = opened(one);
          return content === null ? [] : [{ format: one.format, detail: one.detail, content }];
        }),
      };
    },
  },
];
