import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { doneToLoans } from '../at-loans.js';
import { setOffByMove } from '../automatic.js';
import { fact } from '../context.js';
import { deskAfterMove } from '../desk.js';
import { caseOfLoans } from '../loans-meant.js';
import { isClosed, nextStatuses } from '../machine.js';
import type { CaseState } from '../state.js';
import { type Move, movedTo } from './moves.js';

/**
 * The end of an open case and all that it brings, through `processing` where it cannot be completed from where it stands.
 */
export function closing(
  env: DecideEnv,
  state: CaseState,
  move: Move & { readonly status: 'completed' | 'canceled' },
): readonly FactDraft[] {
  const passing = nextStatuses(state.status).includes(move.status) ? [] : [fact('CaseMoved', { status: 'processing', outcome: null })];
  const atLoans = doneToLoans(env, caseOfLoans(state), caseOfLoans({ ...state, ...move }));
  return [...passing, ...movedTo(state, move), ...atLoans, ...setOffByMove(env, state, move), ...deskAfterMove(env, state, move.status)];
}

/**
 * The end of a case that lasts as long as something else: beside the facts of that, on the borrower's shard. One that is closed stays as
 * it is.
 */
export function closedBySystem(env: DecideEnv, state: CaseState, move: Parameters<typeof closing>[2]): readonly FactDraft[] {
  if (isClosed(state.status) || state.status === 'deleted') return [];
  return closing(env, state, move).map((draft) => ({ target: { kind: 'case', id: state.id }, ...draft }));
}
