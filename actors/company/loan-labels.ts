import type { tags } from 'typia';
import type { QueryEnv } from '../kernel/actor.js';
import type { Tenant } from '../kernel/fact.js';
import { type Declaration, findRecord } from '../kernel/resources/index.js';
import { type ExternalId, type ShortText, type Text, type DateTimeText, type AnyId, millisecondsOf, millisecondsUntil } from '../wire.js';
import type { CompanyState } from './state.js';

/** A label that loans may have. Deleting it removes it from all loans. */
export interface LoanLabel {
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string | null;
}

export interface LoanLabelCreateBody {
  readonly externalId?: ExternalId | null;
  readonly name: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
}

export interface LoanLabelUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly name?: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
}

export interface LoanLabelListQuery {
  readonly createdBefore?: DateTimeText;
  readonly createdAfter?: DateTimeText;
  /** Only labels of this loan. */
  readonly loanId?: AnyId;
}

export interface LoanLabelView {
  readonly id: string;
  readonly object: 'loanLabel';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

interface LabeledLoan {
  readonly tenant: Tenant;
  readonly record: { readonly labels: readonly string[] } | null;
}

/** The labels of a loan; none if there is no such loan. */
function labelsOf(env: QueryEnv, anyId: string): readonly string[] {
  const id = anyId.startsWith('ext-') ? env.findExternal(env.tenant, 'loan', anyId.slice(4)) : anyId;
  const loan = id === undefined ? undefined : env.stateOf<LabeledLoan>('loan', id);
  const isOwn = loan?.tenant.company === env.tenant.company && loan.tenant.mode === env.tenant.mode;
  return isOwn ? (loan.record?.labels ?? []) : [];
}

export const LOAN_LABEL: Declaration<LoanLabelCreateBody, LoanLabelUpdateBody, LoanLabel> = {
  type: 'loanLabel',
  prefix: 'LL',
  param: 'labelId',
  unique: [
    { name: 'externalId', of: ({ externalId }) => externalId },
    { name: 'name', of: ({ name }) => name },
  ],
  create: ({ externalId = null, name, description = null }) => ({ externalId, name, description }),
  change: (before, body) => ({ ...before, ...body }),
  matches({ id, createdAt }, query: LoanLabelListQuery, _host, env) {
    const { createdBefore, createdAfter, loanId } = query;
    if (loanId !== undefined && !labelsOf(env, loanId).includes(id)) return false;
    if (createdBefore !== undefined && createdAt >= millisecondsUntil(createdBefore)) return false;
    return createdAfter === undefined || createdAt > millisecondsOf(createdAfter);
  },
  view: (stored) => stored,
};

export interface KnownLabel extends LoanLabel {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

/** A loan label by service id or `ext-` id. */
export function loanLabelOf(company: CompanyState, anyId: string): KnownLabel | undefined {
  const record = findRecord<LoanLabel>(company, LOAN_LABEL, anyId);
  return record && { id: record.id, createdAt: record.createdAt, updatedAt: record.updatedAt, ...record.stored };
}
