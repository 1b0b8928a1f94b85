import { runningOf } from '../../loan/ledger/running.js';
import { activationOf, effectiveNow, recordOf, statusOf } from '../../loan/context.js';
import type { LedgerChanged } from '../../loan/facts.js';
import type { LoanState } from '../../loan/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type CaseOfLoans, caseOfLoans, isAboutLoan, loansOf } from './loans-meant.js';
import { isActive } from './machine.js';
import type { CaseState } from './state.js';

/*
 * Days overdue accelerate and charge off no loan as long as a case with a hold is active (servicing-behaviour 17). The ledger is told when
 * one begins and ends, so that every replay knows on which days it held.
 */

/** Cases with a hold. A claim of fraud is a case of identity theft. */
const HOLDING: ReadonlySet<CaseState['caseType']> = new Set(['bankruptcy', 'deceased', 'militaryDuty', 'identityTheft']);

/** What begins and what ends with a case as it now stands; loans that it holds already are told nothing. */
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

/** What a loan that comes into force finds: the cases that hold it from its first day on. */
export function heldAtActivation(env: DecideEnv, loan: LoanState): readonly FactDraft[] {
  const { personId } = recordOf(loan);
  const { rows } = env.list('case', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['isActive'] === true,
    limit: Number.MAX_SAFE_INTEGER,
  });
  const cases = rows.flatMap(({ id }) => env.read<CaseState>('case', id) ?? []).filter(({ caseType }) => HOLDING.has(caseType));
  return cases
    .filter((known) => isHolding(env, caseOfLoans(known), loan.id))
    .map(({ id }) => thresholdDraft(env, loan, 'thresholdsHeld', id));
}

const isHolding = (env: DecideEnv, known: CaseOfLoans, loanId: string): boolean =>
  isActive(known.status) && isAboutLoan(env, known, loanId);

function thresholdDraft(env: DecideEnv, loan: LoanState, type: 'thresholdsHeld' | 'thresholdsReleased', holder: string): FactDraft {
  const effective = effectiveNow(env, loan);
  const body: LedgerChanged = { change: { type, holder }, recordedDay: effective.day, caseId: holder, reason: null };
  return { type: 'LedgerChanged', body, effective };
}
