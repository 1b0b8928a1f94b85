import type { Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import { KEPT_VERIFICATIONS, type Verification } from './verification.js';

export interface VerificationFacts {
  readonly VerificationStarted: {
    readonly verification: Pick<Verification, 'id' | 'agentUserId' | 'verificationTypeId' | 'maxAttempts' | 'questionIds'> & {
      readonly lastsMs: number;
    };
  };
  /** `isLast`: it was wrong and no try is left. */
  readonly VerificationAttempted: {
    readonly id: string;
    readonly attemptId: string;
    readonly isSuccess: boolean;
    readonly isLast: boolean;
  };
  readonly VerificationCanceled: { readonly id: string };
}

type Apply = { readonly [Type in keyof VerificationFacts]: (state: PersonState, body: VerificationFacts[Type], fact: Fact) => void };

export const APPLY_VERIFICATIONS: Apply = {
  VerificationStarted(state, { verification: { lastsMs, ...fields } }, { businessAt }) {
    const started: Verification = {
      ...fields,
      startedAt: businessAt,
      expiresAt: businessAt + lastsMs,
      attempts: [],
      outcome: 'started',
      updatedAt: null,
    };
    state.verifications = [...state.verifications, started].slice(-KEPT_VERIFICATIONS);
  },
  VerificationAttempted(state, { id, attemptId, isSuccess, isLast }, fact) {
    change(state, id, fact, (before) => ({
      attempts: [...before.attempts, { id: attemptId, isSuccess, createdAt: fact.businessAt }],
      outcome: isSuccess ? 'succeeded' : isLast ? 'failed' : before.outcome,
    }));
  },
  VerificationCanceled(state, { id }, fact) {
    change(state, id, fact, () => ({ outcome: 'canceled' }));
  },
};

function change(state: PersonState, id: string, { businessAt }: Fact, to: (before: Verification) => Partial<Verification>): void {
  state.verifications = state.verifications.map((known) => (known.id === id ? { ...known, ...to(known), updatedAt: businessAt } : known));
}
