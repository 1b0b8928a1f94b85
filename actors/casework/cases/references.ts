import { resolveId } from '../../kernel/any-id.js';
import { must } from '../../../engine/index.js';
import { type CompanyState, employeeOf, teamOf } from '../../company/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { LoanState } from '../../loan/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/tenant.js';
import { wrongId } from './context.js';

/** The id of the employee whom a body names. */
export const employeeNamed = (company: CompanyState, anyId: string, path: string): string =>
  employeeOf(company, anyId)?.id ?? wrongId(path, 'an employee', anyId);

export const teamNamed = (company: CompanyState, anyId: string, path: string): string =>
  teamOf(company, anyId)?.id ?? wrongId(path, 'a team', anyId);

/** Loans of the borrower, be it the main one or beside another. */
export function loansNamed(
  env: DecideEnv,
  tenant: Tenant,
  personId: string,
  anyIds: readonly string[],
  path: (index: number) => string,
): readonly string[] {
  const found = new Set<string>();
  const errors: Fault[] = [];
  for (const [index, anyId] of anyIds.entries()) {
    const id = resolveId(env, tenant, 'loan', anyId);
    if (id !== undefined && isOnLoan(env, personId, id)) found.add(id);
    else errors.push({ path: path(index), expected: 'a loan of the borrower', message: `the borrower has no loan ${anyId}` });
  }
  if (errors.length > 0) refuse('validationError', 'A case is about loans of its borrower.', { errors });
  return [...found];
}

function isOnLoan(env: EvolveEnv, personId: string, loanId: string): boolean {
  const record = env.read<LoanState>('loan', loanId)?.record;
  if (record == null) return false;
  return record.personId === personId || record.additionalPeople.some((person) => person.personId === personId);
}

export const loanTypeOf = (env: EvolveEnv, loanId: string): string =>
  must(env.read<LoanState>('loan', loanId)?.record, `the loan ${loanId} that was named`).loanTypeId;

/** Statuses in which a loan is being serviced. */
const SERVICED: ReadonlySet<unknown> = new Set(['active', 'frozen', 'accelerated', 'chargedOff']);

/** Loans of the borrower that a case is about which nobody has made by hand. */
export const servicedLoans = (env: DecideEnv, personId: string): readonly string[] =>
  env
    .list('loan', { parentId: personId, matches: ({ fields }) => SERVICED.has(fields['status']), limit: Number.MAX_SAFE_INTEGER })
    .rows.map(({ id }) => id);
