import { companyOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { fact } from './context.js';
import { requireProduct, typeOfCase } from './fields.js';
import { caseOfLoans, factsForLoans, loanTypeOf } from './loans.js';
import type { CaseState } from './state.js';

/**
 * The facts that add loans to a case, and those of the case for its loans. Loans that the case has already are unchanged. `path`: the
 * property of the request that names the loans.
 */
export function associating(env: DecideEnv, state: CaseState, loanIds: readonly string[], path: string): readonly FactDraft[] {
  const known = new Set(state.associations.map(({ objectId }) => objectId));
  const objectIds = loanIds.filter((id) => !known.has(id));
  if (objectIds.length === 0) return [];
  requireProduct(
    typeOfCase(companyOf(env, env.tenant), state),
    objectIds.map((id) => loanTypeOf(env, id)),
    path,
  );
  const before = caseOfLoans(state);
  return [
    { ...fact('CaseAssociated', { objectType: 'loan', objectIds }), target: { kind: 'case', id: state.id } },
    ...factsForLoans(env, before, { ...before, loanIds: [...before.loanIds, ...objectIds] }),
  ];
}
