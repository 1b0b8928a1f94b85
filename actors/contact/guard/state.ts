import { lists } from '../../kernel/lists/row-fields.js';
import {
  type BlockReason,
  type Channel,
  type ContactOrigin,
  type Direction,
  type InteractionTheme,
  must,
  type RuleOutcome,
  type Subject,
  textIn,
} from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { ALL_ROWS, type CatalogRow, type QueryEnv, type QuerySpec, type QueryOf } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import type { Tenant } from '../../kernel/fact.js';
import { DEFAULT_LIMIT, pageOf } from '../../list-order.js';
import { dateTimeText, type ListResult, millisecondsOf, millisecondsUntil, orNull } from '../../wire.js';
import type { ComplianceDecisionQuery, ComplianceDecisionView } from './requests.js';

/** The `kind` of the log's actors. */
export const COMPLIANCE_DECISION = 'complianceDecision';

/** A verdict of the guard about one contact: an actor on the borrower's shard. It has ids and values of the contract, nothing personal. */
export interface DecisionState {
  readonly id: string;
  readonly tenant: Tenant;
  /** Null before the verdict is recorded, and after the entry left the log in an earlier release. */
  said: Said | null;
  /**
   * Set after the entry has left the list index: it is on disk only. `previousId` is the entry that was shelved before it and is read
   * next.
   */
  shelved?: { readonly previousId: string | null };
  /** Milliseconds of the company's clock. */
  createdAt: number;
  /** Microseconds; 0 before it is recorded. */
  createdStamp: number;
}

/** The contact that the guard was asked about, and its answer. */
export interface Said {
  readonly personId: string;
  /** What asked the guard: a check, or a send. */
  readonly source: 'canInteract' | 'send';
  readonly origin: ContactOrigin;
  readonly contactId: string | null;
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  readonly interactionId: string | null;
  readonly channel: Channel | null;
  readonly direction: Direction;
  readonly subject: Subject | null;
  readonly theme: InteractionTheme;
  readonly isTransactional: boolean;
  readonly isAutodialed: boolean;
  readonly result: boolean;
  readonly blockReason: BlockReason | null;
  readonly ruleId: string | null;
  readonly ruleCode: string | null;
  readonly doNotInteractId: string | null;
  /** Milliseconds, as the next. */
  readonly sendAt: number | null;
  readonly judgedAt: number;
  readonly rules: readonly RuleOutcome[];
  /** Version of the seed rules. Absent: 1. */
  readonly rulesVersion?: number;
  /** The borrower's shelf when this entry was recorded: its newest entry, and their number. Absent if the shelf is empty. */
  readonly shelf?: Shelf;
}

export interface Shelf {
  readonly headId: string;
  readonly count: number;
}

export const newDecision = (id: string, tenant: Tenant): DecisionState => ({ id, tenant, said: null, createdAt: 0, createdStamp: 0 });

/**
 * The log, newest first. A list for one borrower has all entries: the newest from the list index, the others from disk. A
 * list for all borrowers has only the entries in the index.
 */
export const decisionQueries: readonly QuerySpec<DecisionState>[] = [
  {
    kind: COMPLIANCE_DECISION,
    type: 'complianceDecision.list',
    on: 'tenant',
    below: ({ query }) => ({ kind: 'person', target: textIn(query, 'personId') }),
    read({ query, env }: QueryOf<ComplianceDecisionQuery>) {
      const asked = query;
      return asked.personId === undefined ? listed(asked, env) : listedOf(asked, asked.personId, env);
    },
  },
];

/** Maximum number of entries that one read takes from disk. A read that begins behind an entry reaches older ones. */
export const LOOKED_AT = 20_000;

function listedOf(query: ComplianceDecisionQuery, anyId: string, env: QueryEnv): ListResult {
  const parentId = resolveId(env, env.tenant, 'person', anyId) ?? anyId;
  const { rows } = env.list(COMPLIANCE_DECISION, { parentId, limit: ALL_ROWS });
  const limit = query.limit ?? DEFAULT_LIMIT;
  const found: DecisionState[] = [];
  for (const entry of entriesOf(rows, { parentId, from: query.startingAfter ?? null }, env)) {
    const isCursor = entry.id === query.startingAfter;
    if (!isCursor && isBefore(entry, query)) break;
    // The entry behind which a page begins need not be asked for.
    if (isCursor || isAskedFor(entry, query)) found.push(entry);
    // Stop after a page and one more entry, which shows that there are more. A page before a cursor needs all entries before it.
    if (query.endingBefore === undefined && found.length > limit + (query.startingAfter === undefined ? 0 : 1)) break;
    if (entry.id === query.endingBefore) break;
  }
  const isFiltered = [query.result, query.ruleId, query.createdAtAfter, query.createdAtBefore].some((filter) => filter !== undefined);
  const shelfHolds = rows[0] === undefined ? 0 : (entryOf(env, rows[0].id).said?.shelf?.count ?? 0);
  return { ...pageOf(found, query, decisionView), total: isFiltered ? null : rows.length + shelfHolds };
}

interface Walk {
  /** The borrower. */
  readonly parentId: string;
  /** The entry with which the walk begins; null: the newest. */
  readonly from: string | null;
}

/** Entries of a borrower, newest first: those of the index, then those of the shelf. None, where there is no entry `from`. */
function* entriesOf(rows: readonly CatalogRow[], walk: Walk, env: QueryEnv): Iterable<DecisionState> {
  const begun = walk.from === null ? 0 : rows.findIndex(({ id }) => id === walk.from);
  if (begun >= 0) for (const { id } of rows.slice(begun)) yield entryOf(env, id);
  const [newest] = rows;
  let id = begun >= 0 ? newest && (entryOf(env, newest.id).said?.shelf?.headId ?? null) : shelvedOf(walk, env);
  let last = walk.from;
  for (let looked = 0; id != null; looked += 1) {
    if (looked >= LOOKED_AT)
      refuse('businessValidation', `${LOOKED_AT} entries were looked at, and there are older ones: go on with \`startingAfter=${last}\`.`);
    const entry = entryOf(env, id);
    yield entry;
    last = id;
    id = entry.shelved?.previousId ?? null;
  }
}

/** The id of an entry on the shelf of the borrower; null where there is none. */
function shelvedOf({ parentId, from }: Walk, env: QueryEnv): string | null {
  const entry = from === null ? undefined : env.stateOf<DecisionState>(COMPLIANCE_DECISION, from);
  return entry?.said?.personId === parentId && entry.shelved !== undefined ? entry.id : null;
}

/** Whether this entry and all after it are older than the requested dates. */
const isBefore = ({ createdAt }: DecisionState, { createdAtAfter }: ComplianceDecisionQuery): boolean =>
  createdAtAfter !== undefined && createdAt <= millisecondsOf(createdAtAfter);

const entryOf = (env: QueryEnv, id: string): DecisionState =>
  must(env.stateOf<DecisionState>(COMPLIANCE_DECISION, id), `the decision ${id}`);

function isAskedFor(
  { said, createdAt }: DecisionState,
  { result, ruleId, createdAtAfter, createdAtBefore }: ComplianceDecisionQuery,
): boolean {
  return (
    said !== null &&
    (result === undefined || said.result === result) &&
    (createdAtAfter === undefined || createdAt > millisecondsOf(createdAtAfter)) &&
    (createdAtBefore === undefined || createdAt < millisecondsUntil(createdAtBefore)) &&
    (ruleId === undefined || said.ruleId === ruleId || said.rules.some((rule) => rule.blocks && rule.ruleId === ruleId))
  );
}

function listed(
  { personId: _everybody, result, ruleId, createdAtAfter, createdAtBefore, limit = DEFAULT_LIMIT, ...cursor }: ComplianceDecisionQuery,
  env: QueryEnv,
): ListResult {
  const after = createdAtAfter === undefined ? -Infinity : millisecondsOf(createdAtAfter);
  const before = createdAtBefore === undefined ? Infinity : millisecondsUntil(createdAtBefore);
  const matches = ({ fields }: CatalogRow): boolean => {
    const createdAt = Number(fields['createdAt']);
    return (
      (result === undefined || fields['result'] === result) &&
      createdAt > after &&
      createdAt < before &&
      (ruleId === undefined || lists(fields['ruleIds'], ruleId))
    );
  };
  const page = env.list(COMPLIANCE_DECISION, { matches, limit, ...cursor });
  const items = page.rows.map(({ id }) =>
    decisionView(must(env.stateOf<DecisionState>(COMPLIANCE_DECISION, id), `the listed decision ${id}`)),
  );
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

function decisionView({ id, tenant, said, createdAt }: DecisionState): ComplianceDecisionView {
  const { sendAt, judgedAt, shelf: _shelf, ...plain } = must(said, `the listed decision ${id}`);
  return {
    id,
    object: 'complianceDecision',
    companyId: tenant.company,
    ...plain,
    rulesVersion: plain.rulesVersion ?? 1,
    sendAt: orNull(dateTimeText, sendAt),
    evaluatedAt: dateTimeText(judgedAt),
    createdAt: dateTimeText(createdAt),
    updatedAt: null,
    deletedAt: null,
  };
}
