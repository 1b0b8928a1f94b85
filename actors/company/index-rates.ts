import { addDays, type Day, type IndexValue, type Rate, fieldOf } from '../../engine/index.js';
import { declaredCommands, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import type { CommandSpec, Emit, JobTrigger } from '../kernel/actor.js';
import { type Fact, fieldChanges } from '../kernel/fact.js';
import type { MassOrder, Selection } from '../kernel/jobs/mass-works.js';
import { operationIdOf } from '../kernel/jobs/operations.js';
import type { PageQuery } from '../list-order.js';
import {
  type DateText,
  dateText,
  type DateTimeText,
  dayOfText,
  type ExternalId,
  orNull,
  rateOf,
  rateValue,
  type SignedRateValue,
  type Text,
} from '../wire.js';
import type { tags } from 'typia';
import type { CompanyState, IndexEdition } from './state.js';

/** A value of the index of a loan type. It is valid from its day until the next value begins. */
export interface IndexRate {
  readonly externalId: string | null;
  readonly indexDescription: string | null;
  readonly country: string | null;
  readonly rate: Rate;
  readonly from: Day;
}

type IndexValueOfYear = SignedRateValue & tags.Minimum<-1> & tags.Maximum<99.99999999>;
type Country = string & tags.Pattern<'^[A-Z]{2}$'>;

interface Described {
  readonly externalId?: ExternalId | null;
  readonly indexDescription?: Text | null;
  readonly country?: Country | null;
}

export interface IndexRateCreateBody extends Described {
  readonly annualRate: IndexValueOfYear;
  readonly startDate: DateText;
}

export interface IndexRateUpdateBody extends Described {
  readonly annualRate?: IndexValueOfYear;
  readonly startDate?: DateText;
}

export interface IndexRateListQuery extends PageQuery {
  /** Only the value that is valid on this day. */
  readonly effectiveDate?: DateText;
}

export interface IndexRateView {
  readonly id: string;
  readonly object: 'indexRate';
  readonly companyId: string;
  readonly loanTypeId: string;
  readonly externalId: string | null;
  readonly indexDescription: string | null;
  readonly country: string | null;
  readonly annualRate: SignedRateValue;
  readonly startDate: DateText;
  /** The day before the next value begins; null = no later value is known. */
  readonly endDate: DateText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface LoanTypes {
  readonly loanTypes: ReadonlyMap<string, unknown>;
}

export const INDEX_RATE: Declaration<IndexRateCreateBody, IndexRateUpdateBody, IndexRate> = {
  type: 'indexRate',
  prefix: 'IX',
  param: 'indexRateId',
  parent: { param: 'loanTypeId', noun: 'loan type', exists: (host: ResourceHost & LoanTypes, id) => host.loanTypes.has(id) },
  unique: [
    { name: 'startDate', of: ({ from }) => dateText(from) },
    { name: 'externalId', of: ({ externalId }) => externalId },
  ],
  create: ({ externalId = null, indexDescription = null, country = null, annualRate, startDate }) => ({
    externalId,
    indexDescription,
    country,
    rate: rateOf(annualRate),
    from: dayOfText(startDate),
  }),
  change: (before, { annualRate, startDate, ...described }) => ({
    ...before,
    ...described,
    rate: annualRate === undefined ? before.rate : rateOf(annualRate),
    from: startDate === undefined ? before.from : dayOfText(startDate),
  }),
  matches(record, query: IndexRateListQuery, host) {
    const { effectiveDate } = query;
    if (effectiveDate === undefined) return true;
    const on = dayOfText(effectiveDate);
    const next = nextStart(host, record);
    return record.stored.from <= on && (next === null || on < next);
  },
  view: ({ rate, from, ...described }, record, host) => ({
    loanTypeId: record.parentId,
    ...described,
    annualRate: rateValue(rate),
    startDate: dateText(from),
    endDate: orNull((next: Day) => dateText(addDays(next, -1)), nextStart(host, record)),
  }),
};

/** The day on which a later value takes over; null when none is known. */
function nextStart(host: ResourceHost, { parentId, stored }: ResourceRecord<IndexRate>): Day | null {
  return indexValuesOf(host, parentId ?? '').find(({ from }) => from > stored.from)?.from ?? null;
}

/** The values of the index of a loan type, each from its day on, ascending: the same list until one changes. */
export function indexValuesOf(host: ResourceHost, loanTypeId: string): readonly IndexValue[] {
  const records = recordsOf<IndexRate>(host, INDEX_RATE.type);
  const byLoanType = cache.get(records) ?? new Map<string, readonly IndexValue[]>();
  cache.set(records, byLoanType);
  const known = byLoanType.get(loanTypeId);
  if (known !== undefined) return known;
  const own = [...records.values()].filter((record) => record.parentId === loanTypeId);
  const values = own.map(({ stored: { from, rate } }) => ({ from, rate })).sort((a, b) => a.from - b.from);
  byLoanType.set(loanTypeId, values);
  return values;
}

/** By the map of records: it is replaced at each change, so its identity serves as its version. */
const cache = new WeakMap<ReadonlyMap<string, unknown>, Map<string, readonly IndexValue[]>>();

/** The index rate that a fact is about, with its loan type, as it is now; null for other facts. */
export function indexRateOf(state: CompanyState, fact: Fact): ResourceRecord<IndexRate> | null {
  const { resource, id } = (fact.body ?? {}) as { readonly resource?: string; readonly id?: string };
  if (resource !== INDEX_RATE.type || id === undefined) return null;
  return recordsOf<IndexRate>(state, resource).get(id) ?? null;
}

/** Maximum number of editions kept for loans that have not applied them yet. A loan that is farther behind begins with the oldest. */
const MAX_EDITIONS = 64;

/**
 * Adds an edition if a fact has changed an index, and emits an event. An edition is all values of the index as they are from this fact on.
 * `before`: the index rate before the fact was applied (`indexRateOf`).
 */
export function noteEdition(state: CompanyState, fact: Fact, before: ResourceRecord<IndexRate> | null, emit: Emit | null): void {
  const after = indexRateOf(state, fact);
  const record = after ?? before;
  if (record === null) return;
  const loanTypeId = record.parentId ?? '';
  const editions = state.indexEditions[loanTypeId] ?? [];
  const edition: IndexEdition = { stamp: fact.stamp, values: indexValuesOf(state, loanTypeId) };
  state.indexEditions = { ...state.indexEditions, [loanTypeId]: [...editions, edition].slice(-MAX_EDITIONS) };
  emit?.({
    eventType: before === null ? 'indexrate.created' : 'indexrate.updated',
    objectType: 'loanType',
    objectId: loanTypeId,
    refs: {},
    data: {
      loanTypeId,
      indexRateId: record.id,
      rate: rateValue(record.stored.rate),
      effectiveDate: dateText(record.stored.from),
      changes: before === null ? [] : fieldChanges(shown(before), after === null ? GONE : shown(after)),
    },
  });
}

const shown = ({ stored }: ResourceRecord<IndexRate>): Readonly<Record<string, unknown>> => ({
  annualRate: rateValue(stored.rate),
  startDate: dateText(stored.from),
});
const GONE = { annualRate: null, startDate: null };

const VERBS: Readonly<Record<string, string>> = { ResourceCreated: 'create', ResourceChanged: 'update', ResourceRemoved: 'delete' };

/**
 * The mass work that a fact of the company triggers if it changes an index: active loans of the loan type apply it. `MassWorks.onFact` asks
 * for it (`triggers` in `module.ts`). Older facts do not name the loan type.
 */
export function indexWork(fact: Fact): JobTrigger | null {
  const verb = VERBS[fact.type];
  const {
    resource,
    id = null,
    parentId,
  } = (fact.body ?? {}) as { readonly resource?: string; readonly id?: string; readonly parentId?: string | null };
  if (verb === undefined || resource !== INDEX_RATE.type) return null;
  return { kind: `${INDEX_RATE.type}.${verb}`, objectId: id, selection: indexedLoans(parentId ?? null) };
}

/** Active loans of a loan type; null = of all loan types. */
const indexedLoans = (loanTypeId: string | null): Selection => ({
  kind: 'loan',
  filter: { statuses: ['active'], ...(loanTypeId === null ? {} : { loanTypeId }) },
});

/** `dryRun`: an operation computes a report of what the value would change; nothing is recorded. */
export interface IndexRateWriteQuery {
  readonly dryRun?: boolean;
}

/**
 * The declared commands, which record `ResourceCreated`, `ResourceChanged` or `ResourceRemoved`. If the loan type has active loans, the
 * reply is 202 and these apply the value in the background.
 */
export const indexRateCommands = (): readonly CommandSpec<CompanyState>[] =>
  declaredCommands<CompanyState>('company', INDEX_RATE).map((spec) => ({
    ...spec,
    decide(context) {
      const decision = spec.decide(context);
      const { env, command } = context;
      const operationId = operationIdOf(command.commandId);
      const loanTypeId = command.params['loanTypeId'] ?? '';
      if (fieldOf(command.query, 'dryRun') === true) {
        const order: MassOrder = {
          kind: spec.type,
          resultObjectId: null,
          task: { type: 'catchUp', selection: indexedLoans(loanTypeId) },
          isDryRun: true,
          isHeld: false,
          supposing: decision.facts,
        };
        return { facts: [{ type: 'MassOrdered', body: order }], reply: () => ({ data: { operationId }, status: 202, operationId }) };
      }
      return env.count(indexedLoans(loanTypeId)) === 0
        ? decision
        : { ...decision, reply: (after) => ({ ...decision.reply(after), status: 202, operationId }) };
    },
  }));

/** The stamp of the fact that last changed the index of a loan type; 0 = the loan type has no index. */
export const indexStampOf = (company: CompanyState, loanTypeId: string): number => company.indexEditions[loanTypeId]?.at(-1)?.stamp ?? 0;

/** The next edition of the index after a stamp, for a loan that has applied all up to it; undefined after the newest. */
export const indexEditionAfter = (company: CompanyState, loanTypeId: string, stamp: number): IndexEdition | undefined =>
  company.indexEditions[loanTypeId]?.find((edition) => edition.stamp > stamp);
