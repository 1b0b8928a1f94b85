import type { BaseCaseType, CaseOutcome, CaseStatus } from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { fact } from '../context.js';
import { isActive, nextStatuses } from '../machine.js';
import { type CaseState, openEscalation, type Sealed } from '../state.js';

export interface Move {
  readonly status: CaseStatus;
  readonly outcome: CaseOutcome | null;
  readonly outcomeNote?: Sealed | null;
}

/** 409 for a status that does not follow on the present one. */
export function requireNext(state: Pick<CaseState, 'status'>, status: CaseStatus): void {
  const next = nextStatuses(state.status);
  if (next.includes(status)) return;
  refuse('invalidCaseTransition', `A case that is ${state.status} cannot become ${status}.`, {
    errors: [
      {
        path: 'status',
        expected: next.length === 0 ? 'no other status' : `one of ${next.join(', ')}`,
        message: `the case is ${state.status}`,
      },
    ],
  });
}

/** An outcome comes with `completed`, and only with it. */
export function requireOutcome(status: CaseStatus, outcome: CaseOutcome | null): void {
  if (status === 'completed' && outcome === null) {
    refuse('missingOutcome', 'A completed case has an outcome.', {
      errors: [{ path: 'outcome', expected: 'how the case has ended', message: 'is missing' }],
    });
  }
  if (status !== 'completed' && outcome !== null)
    refuseProperty('outcome', 'no outcome but with the status completed', 'Only a completed case has an outcome.');
}

/** A borrower has one active collection case. */
export function refuseSecondCollection(env: DecideEnv, personId: string, caseType: BaseCaseType, ownId: string | null): void {
  if (caseType !== 'collection') return;
  const [other] = env.list('case', {
    parentId: personId,
    matches: ({ id, parentId, fields }) =>
      parentId === personId && id !== ownId && fields['caseType'] === 'collection' && fields['isActive'] === true,
    limit: 1,
  }).rows;
  if (other) refuse('activeCollectionCaseExists', `The borrower has an active collection case: ${other.id}.`);
}

/** The move, and before it the end of what a closed case has no use for: snooze, calls, escalation. Blocks stay. */
export function movedTo(state: CaseState, move: Move): readonly FactDraft[] {
  const ends = isActive(move.status) ? [] : endsOf(state);
  return [...ends, fact('CaseMoved', move)];
}

function endsOf(state: CaseState): readonly FactDraft[] {
  const escalation = openEscalation(state);
  return [
    ...(state.snooze ? [fact('CaseWoken', { id: state.snooze.id })] : []),
    ...state.calls.filter(({ status }) => status === 'scheduled').map(({ id }) => fact('CallEnded', { id, status: 'canceled' })),
    ...(escalation ? [fact('EscalationEnded', { id: escalation.id, status: 'canceled', reason: null })] : []),
  ];
}
