import { resolveId } from '../../kernel/any-id.js';
import type { LoanState } from '../../loan/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { CaseState } from './state.js';

/** What of a case decides what it does to loans. */
export interface CaseOfLoans extends Pick<CaseState, 'id' | 'personId' | 'caseType' | 'status' | 'outcome' | 'fields'> {
  /** Loans that it is associated with; none: all of the borrower's. */
  readonly loanIds: readonly string[];
}

export const caseOfLoans = (state: CaseState): CaseOfLoans => ({ ...state, loanIds: state.associations.map(({ objectId }) => objectId) });

/** Loans of which the borrower is the main one: they lie on the shard of the case. */
export function loansOf(env: DecideEnv, personId: string): readonly LoanState[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => env.read<LoanState>('loan', id) ?? []);
}

/** Whether the case is about a loan of its borrower. */
export function isAboutLoan(env: DecideEnv, known: CaseOfLoans, loanId: string): boolean {
  const loanIds = loansMeant(env, known);
  return loanIds.length === 0 || loanIds.includes(loanId);
}

/** The loans that a petition names come before those that the case is listed with; a name that nobody has may be any. */
function loansMeant(env: DecideEnv, { fields, loanIds }: CaseOfLoans): readonly string[] {
  const included = fields['loansIncluded'];
  if (!Array.isArray(included) || included.length === 0) return loanIds;
  const found = included.map((anyId) => resolveId(env, env.tenant, 'loan', String(anyId)));
  return found.every((id) => id !== undefined) ? found : [];
}
