import type { tags } from 'typia';
import { companyOf, loanLabelOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CatalogRow, SelectEnv } from '../../kernel/actor.js';
import { type AnyId, type DateText, type DateTimeText, millisecondsOf } from '../../wire.js';
import { LOAN_STATUSES } from '../machine.js';

/** Statuses, labels or fields of a query, each of them a word. */
export type Words = readonly (string & tags.MaxLength<100>)[];

/** Which loans are meant, by what their rows in the list index say. */
export interface LoanFilter {
  readonly statuses?: Words;
  /** Whether the loan type is managed by the service operator; null filters nothing. */
  readonly managedByService?: boolean | null;
  /** Ids or `ext-` ids; any match. */
  readonly labels?: Words;
  readonly loanTypeId?: AnyId;
  readonly dueDate?: DateText;
  readonly createdAtAfter?: DateTimeText;
  readonly createdAtBefore?: DateTimeText;
  readonly updatedAtAfter?: DateTimeText;
  readonly updatedAtBefore?: DateTimeText;
  readonly originatedAtAfter?: DateTimeText;
  readonly originatedAtBefore?: DateTimeText;
  readonly activatedAtAfter?: DateTimeText;
  readonly activatedAtBefore?: DateTimeText;
}

export type Filter = ((row: CatalogRow) => boolean) | null;

/** All that were given; null = everybody passes. */
export function every(filters: readonly Filter[]): (row: CatalogRow) => boolean {
  const given = filters.filter((filter) => filter !== null);
  return (row) => given.every((filter) => filter(row));
}

/** The filters of a list of loans. */
export function loanFilters(asked: LoanFilter, env: SelectEnv): readonly Filter[] {
  return [
    statusFilter(asked.statuses, 'statuses'),
    typeFilter(asked.loanTypeId),
    asked.managedByService == null ? null : (row) => row.fields['managedByService'] === asked.managedByService,
    labelFilter(asked.labels, env),
    asked.dueDate === undefined ? null : (row) => row.fields['dueDate'] === asked.dueDate,
    ...TIMES.flatMap((field) => timeFilters(field, asked[`${field}After`], asked[`${field}Before`])),
  ];
}

const TIMES = ['createdAt', 'updatedAt', 'originatedAt', 'activatedAt'] as const;

/** `After` leaves out what is at or before the time, `Before` what is at or after it. */
function timeFilters(field: (typeof TIMES)[number], after: string | undefined, before: string | undefined): readonly Filter[] {
  const at = (row: CatalogRow): number | null => row.fields[field] as number | null;
  return [
    after === undefined ? null : (row) => (at(row) ?? -Infinity) > millisecondsOf(after),
    before === undefined ? null : (row) => (at(row) ?? Infinity) < millisecondsOf(before),
  ];
}

export function statusFilter(statuses: readonly string[] | undefined, path: string): Filter {
  if (statuses === undefined || statuses.length === 0 || statuses.includes('all')) return null;
  const known: readonly string[] = LOAN_STATUSES;
  const unknown = statuses.filter((status) => !known.includes(status));
  if (unknown.length > 0) {
    refuse('badRequest', `There is no loan status ${unknown.join(', ')}.`, {
      errors: [{ path, expected: `${known.join(', ')} or all`, message: 'unknown status' }],
    });
  }
  const wanted = new Set(statuses);
  return (row) => wanted.has(row.fields['status'] as string);
}

export const typeFilter = (loanTypeId: string | undefined): Filter =>
  loanTypeId === undefined ? null : (row) => row.fields['loanTypeId'] === loanTypeId;

function labelFilter(labels: readonly string[] | undefined, env: SelectEnv): Filter {
  if (labels === undefined || labels.length === 0) return null;
  const company = companyOf(env, env.tenant);
  const wanted = new Set(labels.map((anyId) => loanLabelOf(company, anyId)?.id));
  return (row) => (row.fields['labels'] as readonly string[]).some((id) => wanted.has(id));
}
