import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, type LoanState, recordOf, runningOf, statusOf, thresholdDraft } from '../../loan/index.js';
import { caseOfLoans, type CaseOfLoans, isAboutLoan, loansOf } from './documents.js';
import { isActive } from './machine.js';
import type { CaseState } from './state.js';

/** Case types that hold the thresholds of days overdue (acceleration and charge-off). A claim of fraud is a case of identity theft. */
const HOLDING: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased', 'militaryDuty', 'identityTheft']);

/** The facts by which holds on loans begin and end with the case in its new state. Loans whose hold does not change get none. */
export function thresholdsFollow(env: DecideEnv, known: CaseOfLoans): readonly FactDraft[] {
  if (!HOLDING.has(known.caseType)) return [];
  return loansOf(env, known.personId).flatMap((loan) => {
    if (activationOf(loan) === null || statusOf(loan) === 'canceled') return [];
    const isHeld = runningOf(loan, env).thresholdHolders.includes(known.id);
    const holds = isHolding(env, known, loan.id);
    return holds === isHeld
      ? []
      : [
          {
            ...thresholdDraft(env, loan, holds ? 'thresholdsHeld' : 'thresholdsReleased', known.id),
            target: { kind: 'loan', id: loan.id },
          },
        ];
  });
}

/** Ids of the open cases that hold a loan. */
export function casesHolding(env: DecideEnv, loan: LoanState): readonly string[] {
  const { personId } = recordOf(loan);
  const { rows } = env.list('case', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['isActive'] === true,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const cases = rows.flatMap(({ id }) => env.read<CaseState>('case', id) ?? []).filter(({ caseType }) => HOLDING.has(caseType));
  return cases.filter((known) => isHolding(env, caseOfLoans(known), loan.id)).map(({ id }) => id);
}

const isHolding = (env: DecideEnv, known: CaseOfLoans, loanId: string): boolean =>
  isActive(known.status) && isAboutLoan(env, known, loanId);
