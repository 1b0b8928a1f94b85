import type { Tenant } from '../kernel/tenant.js';
import { refuse } from '../errors.js';
import type { LoanState } from '../loan/index.js';
import { resolveId } from '../kernel/any-id.js';
import type { EvolveEnv } from '../kernel/actor.js';

/** The service id of a case of the borrower. A closed one takes notes as well. */
export function caseOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'case', anyId);
  const found = id === undefined ? undefined : env.read<CaseOfBorrower>('case', id);
  return id !== undefined && found?.personId === personId && found.status !== 'deleted'
    ? id
    : refuse('notFound', `There is no case ${anyId} of the borrower ${personId}.`);
}

/** The service id of a loan of the borrower, be it the main one or beside another. */
export function loanOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'loan', anyId);
  const record = id === undefined ? undefined : env.read<LoanState>('loan', id)?.record;
  const isOn = record?.personId === personId || record?.additionalPeople.some((other) => other.personId === personId) === true;
  return id !== undefined && isOn ? id : refuse('notFound', `There is no loan ${anyId} of the borrower ${personId}.`);
}

/** What of a case is asked here. */
interface CaseOfBorrower {
  readonly personId: string;
  readonly status: string;
}
