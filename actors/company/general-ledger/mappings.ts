import type { tags } from 'typia';
import { type Day, generalLedger, must } from '../../../engine/index.js';
import { type Fault, refuse, Refusal } from '../../errors.js';
import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { actorView, type ActorView } from '../../kernel/actor-logic.js';
import { type Agent, SYSTEM_AGENT } from '../../kernel/fact.js';
import { changed, recordsOf, type ResourceCreated, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dateTimeText, dayOfText, orNull, type ShortText } from '../../wire.js';
import { type CompanyState, EVER } from '../state.js';
import { accountNamed, accountsOf, defaultAccountId, type LedgerAccount } from './chart.js';
import { firstOpenDay } from './closed-days.js';
import { isPreview, refuseClosed } from './settings.js';
import { type FromDay, inForceOn, timelineOf } from './timeline.js';

type Role = generalLedger.Role;
type Dimensions = generalLedger.Dimensions;

const { DEFAULT_CHART } = generalLedger;

const MAPPING = 'generalLedgerMapping';

interface MappingRow {
  readonly role: Role;
  /** Absent ones: any. */
  readonly dimensions: Dimensions;
  readonly accountId: string;
}

interface StoredMapping extends FromDay {
  readonly version: number;
  readonly rows: readonly MappingRow[];
  readonly reclassify: boolean;
  readonly status: 'proposed' | 'approved';
  readonly proposedBy: Agent;
  readonly approvedBy: Agent | null;
  readonly approvedAt: number | null;
}

export interface LedgerMapping extends StoredMapping {
  readonly id: string;
}

/** By what an account may depend on besides the role, the strongest first. */
const DIMENSIONS = [
  'loanTypeId',
  'currency',
  'owner',
  'feeKind',
  'processor',
  'instrumentKind',
  'fundingAccount',
  'state',
  'accrualStatus',
  'creditType',
  'investor',
  'component',
] as const satisfies readonly (keyof Dimensions)[];

interface DimensionsBody {
  readonly loanTypeId?: ShortText;
  readonly currency?: ShortText;
  readonly owner?: ShortText;
  readonly feeKind?: ShortText;
  readonly processor?: ShortText;
  readonly instrumentKind?: ShortText;
  readonly fundingAccount?: ShortText;
  readonly state?: ShortText;
  readonly accrualStatus?: 'accrual' | 'nonaccrual';
  readonly creditType?: ShortText;
  readonly investor?: ShortText;
  readonly component?: 'principal' | 'interest' | 'fees';
}

interface MappingRowBody {
  readonly role: Role;
  readonly dimensions?: DimensionsBody;
  readonly accountId: AnyId;
}

export interface MappingCreateBody {
  /** The whole mapping: a role without a row has no account. */
  readonly rows: readonly MappingRowBody[] & tags.MinItems<1> & tags.MaxItems<1000>;
  /** The day from which it holds; default the first day that is open. */
  readonly fromDate?: DateText;
  /** Whether balances move to their new accounts on that day. */
  readonly reclassify?: boolean;
}

export interface MappingCreateQuery {
  readonly previewMode?: boolean;
}

export type MappingListQuery = PageQuery;

interface MappingRowView {
  readonly role: Role;
  readonly dimensions: Dimensions;
  readonly accountId: string;
  readonly accountNumber: string;
}

export interface MappingView {
  readonly id: string;
  readonly object: 'generalLedgerMapping';
  readonly companyId: string;
  readonly version: number;
  readonly status: 'proposed' | 'approved';
  /** Null: from the first day of the company. */
  readonly fromDate: DateText | null;
  readonly reclassify: boolean;
  readonly rows: readonly MappingRowView[];
  /** Roles that have no account, or one for some dimensions alone. */
  readonly rolesWithoutAccount: readonly Role[];
  readonly proposedBy: ActorView;
  readonly approvedBy: ActorView | null;
  readonly approvedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** Each role has the account of the default chart that was made for it. */
const DEFAULT_MAPPING: LedgerMapping = {
  id: 'GM-0000-0000',
  from: EVER,
  version: 0,
  rows: DEFAULT_CHART.map(({ role, number }) => ({ role, dimensions: {}, accountId: defaultAccountId(number) })),
  reclassify: false,
  status: 'approved',
  proposedBy: SYSTEM_AGENT,
  approvedBy: SYSTEM_AGENT,
  approvedAt: null,
};

type MappingRecord = ResourceRecord<StoredMapping>;

const mappingRecords = (host: ResourceHost): readonly MappingRecord[] => [...recordsOf<StoredMapping>(host, MAPPING).values()];

/** Approved mappings, each from its day on. */
function mappingTimeline(host: ResourceHost): readonly LedgerMapping[] {
  const approved = mappingRecords(host)
    .filter(({ stored }) => stored.status === 'approved')
    .sort((a, b) => (a.stored.approvedAt ?? 0) - (b.stored.approvedAt ?? 0) || a.stored.version - b.stored.version)
    .map(({ id, stored }) => ({ id, ...stored }));
  return timelineOf([DEFAULT_MAPPING, ...approved]);
}

export const mappingOn = (host: ResourceHost, day: Day): LedgerMapping =>
  must(inForceOn(mappingTimeline(host), day), 'the default mapping holds from the first day on');

/** The versions that name an account, and are in force or may come into force. */
export const mappingsWith = (host: ResourceHost, accountId: string): readonly string[] =>
  [...mappingTimeline(host), ...proposalsOf(host)]
    .filter(({ rows }) => rows.some((row) => row.accountId === accountId))
    .map(({ id }) => id);

const proposalsOf = (host: ResourceHost): readonly LedgerMapping[] =>
  mappingRecords(host)
    .filter(({ stored }) => stored.status === 'proposed')
    .map(({ id, stored }) => ({ id, ...stored }));

const byRole = new WeakMap<readonly MappingRow[], ReadonlyMap<Role, readonly MappingRow[]>>();

/** The rows of a role, the most specific first. */
function rowsOf({ rows }: LedgerMapping, role: Role): readonly MappingRow[] {
  let known = byRole.get(rows);
  if (known === undefined) {
    const sorted = [...rows].sort((a, b) => specificity(b.dimensions) - specificity(a.dimensions));
    const grouped = new Map<Role, MappingRow[]>();
    for (const row of sorted) grouped.set(row.role, [...(grouped.get(row.role) ?? []), row]);
    known = grouped;
    byRole.set(rows, known);
  }
  return known.get(role) ?? [];
}

/** More dimensions win; of as many, those that come first in the list. */
function specificity(dimensions: Dimensions): number {
  let count = 0;
  let strength = 0;
  for (const [at, name] of DIMENSIONS.entries()) {
    if (dimensions[name] === undefined) continue;
    count += 1;
    strength += 2 ** (DIMENSIONS.length - at);
  }
  return count * 2 ** (DIMENSIONS.length + 2) + strength;
}

const fits = (row: MappingRow, dimensions: Dimensions): boolean =>
  DIMENSIONS.every((name) => row.dimensions[name] === undefined || row.dimensions[name] === dimensions[name]);

/** The account of a role; undefined where the mapping has none. */
export function accountFor(
  host: ResourceHost,
  mapping: LedgerMapping,
  { role, dimensions }: { readonly role: Role; readonly dimensions: Dimensions },
): LedgerAccount | undefined {
  const row = rowsOf(mapping, role).find((each) => fits(each, dimensions));
  return row && accountsOf(host).get(row.accountId);
}

function rolesWithoutAccount(mapping: LedgerMapping): readonly Role[] {
  const isWhole = (role: Role): boolean => rowsOf(mapping, role).some(({ dimensions }) => Object.keys(dimensions).length === 0);
  return DEFAULT_CHART.map(({ role }) => role).filter((role) => !isWhole(role));
}

function mappingView(company: CompanyState, { id, ...stored }: LedgerMapping): MappingView {
  const record = recordsOf<StoredMapping>(company, MAPPING).get(id);
  return {
    id,
    object: 'generalLedgerMapping',
    companyId: company.id,
    version: stored.version,
    status: stored.status,
    fromDate: id === DEFAULT_MAPPING.id ? null : dateText(stored.from),
    reclassify: stored.reclassify,
    rows: stored.rows.map((row) => ({ ...row, accountNumber: accountsOf(company).get(row.accountId)?.number ?? '' })),
    rolesWithoutAccount: rolesWithoutAccount({ id, ...stored }),
    proposedBy: actorView(stored.proposedBy),
    approvedBy: orNull(actorView, stored.approvedBy),
    approvedAt: orNull(dateTimeText, stored.approvedAt),
    createdAt: dateTimeText(record?.createdAt ?? company.createdAt),
    updatedAt: orNull(dateTimeText, record?.updatedAt),
    deletedAt: null,
  };
}

const allMappings = (company: CompanyState): readonly LedgerMapping[] => [
  DEFAULT_MAPPING,
  ...mappingRecords(company).map(({ id, stored }) => ({ id, ...stored })),
];

const mappingNamed = (company: CompanyState, id: string): LedgerMapping =>
  allMappings(company).find((mapping) => mapping.id === id) ?? refuse('notFound', `There is no mapping ${id}.`);

const getMapping: QuerySpec<CompanyState> = {
  kind: 'company',
  type: 'generalLedgerMapping.get',
  on: 'target',
  read: ({ state, request }) => mappingView(state, mappingNamed(state, request.params['mappingId'] ?? '')),
};

const listMappings: QuerySpec<CompanyState, MappingListQuery> = {
  kind: 'company',
  type: 'generalLedgerMapping.list',
  on: 'target',
  read: ({ state, query }) => pageOf(allMappings(state).toReversed(), query, (mapping) => mappingView(state, mapping)),
};

export const mappingQueries: readonly QuerySpec<CompanyState>[] = [getMapping, listMappings];

const proposeMapping: CommandSpec<CompanyState, MappingCreateBody> = {
  kind: 'company',
  type: 'generalLedgerMapping.create',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env, command, body }) {
    const open = firstOpenDay(state, env);
    const from = body.fromDate === undefined ? open : dayOfText(body.fromDate);
    refuseClosed(from, open);
    if (body.reclassify === true)
      throw new Refusal('ruleViolation', 'Balances cannot be moved to other accounts in this release: they stay where they are.', {
        errors: [{ path: 'reclassify', expected: 'false', message: 'is not offered' }],
      });
    const id = env.newId('GM');
    const stored: StoredMapping = {
      from,
      version: recordsOf(state, MAPPING).size + 1,
      rows: checkedRows(state, body.rows),
      reclassify: body.reclassify ?? false,
      status: 'proposed',
      proposedBy: command.actor,
      approvedBy: null,
      approvedAt: null,
    };
    const made: ResourceCreated = { resource: MAPPING, id, parentId: null, stored };
    return {
      facts: [{ type: 'ResourceCreated', body: made }],
      preview: isPreview(command),
      reply: (after) => ({ data: mappingView(after, mappingNamed(after, id)) }),
    };
  },
};

function checkedRows(host: ResourceHost, rows: MappingCreateBody['rows']): readonly MappingRow[] {
  const faults: Fault[] = [];
  const seen = new Map<string, number>();
  const checked = rows.map(({ role, dimensions = {}, accountId }, at): MappingRow => {
    const account = accountNamed(host, accountId);
    if (account?.status !== 'active')
      faults.push({ path: `rows[${at}].accountId`, expected: 'an account that is active', message: `There is no account ${accountId}.` });
    const kept = Object.fromEntries(DIMENSIONS.flatMap((name) => (dimensions[name] === undefined ? [] : [[name, dimensions[name]]])));
    const key = JSON.stringify([role, kept]);
    const before = seen.get(key);
    if (before !== undefined)
      faults.push({ path: `rows[${at}]`, expected: 'one row for a role and its dimensions', message: `says what rows[${before}] says` });
    seen.set(key, at);
    return { role, dimensions: kept, accountId: account?.id ?? accountId };
  });
  if (faults.length > 0) throw new Refusal('validationError', 'The mapping cannot be proposed.', { errors: faults });
  return checked;
}

/** Keys and sessions of one user are one person. */
const personOf = ({ id, userId }: Agent): string => userId ?? id;

const approveMapping: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'generalLedgerMapping.approve',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env, command }) {
    const mapping = mappingNamed(state, command.params['mappingId'] ?? '');
    if (mapping.status === 'approved') return refuse('invalidState', `The mapping ${mapping.id} is approved already.`);
    if (personOf(mapping.proposedBy) === personOf(command.actor))
      return refuse('permissionDenied', 'Another person than the one who has proposed the mapping approves it.');
    refuseClosed(mapping.from, firstOpenDay(state, env));
    const { id, ...stored } = mapping;
    const gone = stored.rows.find(({ accountId }) => accountsOf(state).get(accountId)?.status !== 'active');
    if (gone !== undefined) refuse('invalidState', `The account ${gone.accountId} is archived.`);
    const record = must(recordsOf<StoredMapping>(state, MAPPING).get(id), 'a proposed mapping is a record');
    const approved: StoredMapping = { ...stored, status: 'approved', approvedBy: command.actor, approvedAt: env.now };
    return {
      facts: [changed(MAPPING, record, approved)],
      reply: (after) => ({ data: mappingView(after, mappingNamed(after, id)) }),
    };
  },
};

export const mappingCommands: readonly CommandSpec<CompanyState>[] = [proposeMapping, approveMapping];
