import type { OpenContent } from '../../kernel/sealed-contents.js';
import { dayAt, metro2, must } from '../../../engine/index.js';
import { companyOf, creditAgencyOf, openSecrets, type SftpServer, sftpServerOf, zoneOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { actorView } from '../../kernel/actor-logic.js';
import { noLongerKept, outlivedQuery } from '../../kernel/retention.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../list-order.js';
import { type AnyId, type DateText, dateText, dateTimeText, type DateTimeText, dayOfText, type ListResult, orNull } from '../../wire.js';
import { lineInFile, type ReportCredit } from '../credit-reporting/index.js';
import { isReportedTo } from '../mass.js';
import type { LoanState } from '../state.js';
import {
  CREDIT_FILE,
  CREDIT_FILE_RETENTION,
  type CreditFileState,
  type CreditFileStatus,
  type HeldRecord,
  openedPart,
} from './credit-file.js';
import { previewOf, type PreviewedRecord } from './preview.js';
import { agencyNamed, reportedTo, requireFile } from './requirements.js';

export interface CreditFileView {
  readonly id: string;
  readonly object: 'creditReportingFile';
  readonly creditAgencyIds: readonly string[];
  readonly companyIds: readonly string[];
  readonly agencyName: CreditFileState['agencyName'];
  readonly status: CreditFileStatus;
  readonly activityDate: DateText;
  readonly fileName: string | null;
  readonly failureDescription: string | null;
  readonly trigger: CreditFileState['trigger'];
  /** The mass work that records the months of the loans, with its progress. */
  readonly operationId: string;
  readonly recordCount: number;
  /** How many records have each account status. */
  readonly statusCounts: Readonly<Record<string, number>>;
  /** Records that are not in the file, and the first of them. */
  readonly heldCount: number;
  readonly held: readonly HeldRecord[];
  /** How often records in the file have met each check. */
  readonly warnings: Readonly<Record<string, number>>;
  readonly partNames: readonly string[];
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly createdBy: ReturnType<typeof actorView>;
  readonly createdAt: DateTimeText;
  readonly finishedAt: DateTimeText | null;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export interface CreditFilesQuery extends PageQuery {
  readonly creditAgencyId?: AnyId;
  readonly status?: CreditFileStatus;
  readonly activityDate?: DateText;
}

const STATUS_COUNTER = 'totalStatus';

export function creditFileView(state: CreditFileState): CreditFileView {
  const { gathered, file } = state;
  const totals = gathered?.totals ?? {};
  return {
    id: state.id,
    object: 'creditReportingFile',
    creditAgencyIds: [state.creditAgencyId],
    companyIds: [state.tenant.company],
    agencyName: state.agencyName,
    status: state.status,
    activityDate: dateText(must(state.activityDay, 'a file that was ordered')),
    fileName: file?.name ?? null,
    failureDescription: state.failureDescription,
    trigger: state.trigger,
    operationId: state.operationId,
    recordCount: totals['totalBaseRecords'] ?? 0,
    statusCounts: Object.fromEntries(
      Object.entries(totals).flatMap(([name, total]) =>
        name.startsWith(STATUS_COUNTER) ? [[name.slice(STATUS_COUNTER.length), total]] : [],
      ),
    ),
    heldCount: gathered?.heldCount ?? 0,
    held: gathered?.held ?? [],
    warnings: gathered?.warnings ?? {},
    partNames: state.parts.flatMap(({ name, metadataName }) => [name, metadataName]),
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
    createdBy: actorView(must(state.createdBy, 'a file that was ordered')),
    createdAt: dateTimeText(state.createdAt),
    finishedAt: orNull(dateTimeText, state.finishedAt),
    updatedAt: orNull(dateTimeText, state.updatedAt),
    deletedAt: null,
  };
}

/** All that the runner needs, secrets among it: it goes to nobody else. */
export interface CreditFileWork {
  readonly state: CreditFileState;
  readonly parts: readonly OpenContent[];
  /** What leaves instead of head, parts and tail. */
  readonly sealed: OpenContent | null;
  /** Null: the lender uploads the file itself. */
  readonly server: SftpServer | null;
}

/** A file as it was sent. */
export interface CreditFileContents {
  readonly name: string;
  /** The whole of a file that is encrypted; null: it is head, parts and tail. */
  readonly sealed: OpenContent | null;
  readonly head: string;
  readonly parts: readonly OpenContent[];
  readonly tail: string;
  readonly bytes: number;
}

/** A loan of a file: its line, or why it has none. */
export interface GatheredLoan {
  readonly id: string;
  readonly line: string | null;
  /** Checks that the record has met. */
  readonly checks: readonly string[];
  readonly isHeld: boolean;
}

export interface LinesQuery extends ReportCredit {
  readonly limit: number;
  readonly startingAfter?: string;
}

export const creditFileQueries: readonly QuerySpec<CreditFileState>[] = [
  outlivedQuery(CREDIT_FILE_RETENTION),
  {
    kind: CREDIT_FILE,
    type: 'creditFile.get',
    on: 'target',
    read: ({ state }) => (state.createdStamp === 0 ? refuse('notFound', `There is no file ${state.id}.`) : creditFileView(state)),
  },
  {
    kind: CREDIT_FILE,
    type: 'creditFile.list',
    on: 'tenant',
    read({ query, env }: QueryOf<CreditFilesQuery>): ListResult<CreditFileView> {
      const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, status, creditAgencyId, activityDate } = query;
      const activityDay = activityDate === undefined ? null : dayOfText(activityDate);
      const page = env.list(CREDIT_FILE, {
        limit,
        ...(startingAfter === undefined ? {} : { startingAfter }),
        ...(endingBefore === undefined ? {} : { endingBefore }),
        matches: ({ fields }) =>
          (status === undefined || fields['status'] === status) &&
          (creditAgencyId === undefined || fields['creditAgencyId'] === creditAgencyId) &&
          (activityDay === null || fields['activityDay'] === activityDay),
      });
      const items = page.rows.map(({ id }) => creditFileView(must(env.stateOf<CreditFileState>(CREDIT_FILE, id), id)));
      return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
    },
  },
  // The service's own: no route shows their answers as they are.
  {
    kind: CREDIT_FILE,
    type: 'creditFile.work',
    on: 'target',
    read({ state, env }): CreditFileWork {
      const { stored } = must(creditAgencyOf(companyOf(env, env.tenant), state.creditAgencyId), 'an agency with files is not removed');
      return {
        state,
        parts: partsOf(env, state),
        sealed: sealedOf(env, state),
        server: stored.sftp && sftpServerOf(stored.sftp, openSecrets(env, state.creditAgencyId, stored.secrets)),
      };
    },
  },
  {
    kind: CREDIT_FILE,
    type: 'creditFile.contents',
    on: 'target',
    read({ state, env }): CreditFileContents {
      const { file } = state;
      if (file === null) return refuse('notFound', `The file ${state.id} is not complete.`);
      const parts = partsOf(env, state);
      if (parts.length < state.parts.length) throw noLongerKept(`The contents of the file ${state.id}`);
      return { name: file.name, sealed: sealedOf(env, state), head: file.head, parts, tail: file.tail, bytes: file.bytes };
    },
  },
  {
    kind: CREDIT_FILE,
    type: 'creditFile.open',
    on: 'tenant',
    read({ env }): ListResult<string> {
      const page = env.listAll(CREDIT_FILE, { limit: Number.MAX_SAFE_INTEGER, matches: ({ fields }) => fields['isOpen'] === true });
      const items = page.rows.map(({ id }) => id).reverse(); // oldest first
      return { items, total: items.length, hasMore: false, hasPrevious: false };
    },
  },
];

/** Questions about all loans of an agency. */
export const creditFileQueriesOfLoans: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'creditFile.lines',
    on: 'tenant',
    read({ query, env }: QueryOf<LinesQuery>): ListResult<GatheredLoan> {
      const asked = query;
      const { creditAgencyId, ...page } = asked;
      return pageOfLoans(env, { reportedTo: { creditAgencyId, orLoanTypes: [] }, ...page }, (state) => {
        const record = state.creditReporting.records.findLast(({ fileId }) => fileId === asked.fileId);
        return {
          id: state.id,
          line: lineInFile(env, state, asked),
          checks: [...new Set(record?.checks.map(({ check }) => check))],
          isHeld: record?.outcome === 'held',
        };
      });
    },
  },
  {
    kind: 'loan',
    type: 'creditFile.preview',
    on: 'tenant',
    read({ query, env }: QueryOf<Pick<LinesQuery, 'creditAgencyId' | 'limit'>>): ListResult<PreviewedRecord> {
      const company = companyOf(env, env.tenant);
      const agency = agencyNamed(company, query.creditAgencyId);
      const activityDay = metro2.endOfLastMonth(dayAt(zoneOf(company), env.now));
      requireFile(env, company, agency, activityDay);
      const asked: ReportCredit = { fileId: '', creditAgencyId: agency.id, activityDay };
      return pageOfLoans(env, { reportedTo: reportedTo(company, agency), limit: query.limit }, (state) => previewOf(env, state, asked));
    },
  },
];

const partsOf = (env: QueryEnv, { id, parts }: CreditFileState): readonly OpenContent[] =>
  parts.flatMap(({ content }) => (content === undefined ? [] : (openedPart(env, id, content) ?? [])));

const sealedOf = (env: QueryEnv, { id, file }: CreditFileState): OpenContent | null =>
  file?.sealed === undefined ? null : openedPart(env, id, file.sealed);

interface PageOfLoans extends Pick<LinesQuery, 'limit' | 'startingAfter'> {
  readonly reportedTo: Parameters<typeof isReportedTo>[1];
}

function pageOfLoans<Item>(
  env: QueryEnv,
  { reportedTo: to, limit, startingAfter }: PageOfLoans,
  itemOf: (state: LoanState) => Item,
): ListResult<Item> {
  const page = env.listAll('loan', {
    limit,
    ...(startingAfter === undefined ? {} : { startingAfter }),
    matches: (row) => isReportedTo(row, to),
  });
  const items = page.rows.map(({ id }) => itemOf(must(env.stateOf<LoanState>('loan', id), id)));
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}
