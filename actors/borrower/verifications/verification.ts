import { agentName, companyOf, type QuestionId, questionOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { Fact } from '../../kernel/fact.js';
import { matching, pageOf } from '../../list-order.js';
import { dateTimeText, orNull } from '../../wire.js';
import { onPersonRead } from '../questions.js';
import type { PersonState } from '../state.js';
import type { VerificationListQuery, VerificationView } from './wire.js';

/** A session in which an agent asks whether the caller is the borrower. No answer is kept. */
export interface Verification {
  readonly id: string;
  /** Null when a key without a user has started it. */
  readonly agentUserId: string | null;
  /** Null: `DEFAULT_VERIFICATION`, since neither the caller nor the company named a type. */
  readonly verificationTypeId: string | null;
  readonly startedAt: number;
  readonly expiresAt: number;
  readonly maxAttempts: number;
  readonly questionIds: readonly QuestionId[];
  readonly attempts: readonly VerificationAttempt[];
  /** The recorded outcome. A session that has run out of time without an outcome is shown as `expired`. */
  readonly outcome: 'started' | 'succeeded' | 'failed' | 'canceled';
  readonly updatedAt: number | null;
}

interface VerificationAttempt {
  readonly id: string;
  readonly isSuccess: boolean;
  readonly createdAt: number;
}

export type VerificationStatus = Verification['outcome'] | 'expired';

/** The state keeps this many of the newest sessions; older ones are in the journal only. */
const KEPT_VERIFICATIONS = 200;

/** A successful session is active for this long. */
const VERIFIED_MS = 15 * 60_000;

export const statusAt = ({ outcome, expiresAt }: Verification, now: number): VerificationStatus =>
  outcome === 'started' && now >= expiresAt ? 'expired' : outcome;

/** When the session succeeded; null for all others. */
const succeededAt = ({ attempts }: Verification): number | null => attempts.find(({ isSuccess }) => isSuccess)?.createdAt ?? null;

function isActiveAt(verification: Verification, now: number): boolean {
  const at = succeededAt(verification);
  return at !== null && now < at + VERIFIED_MS;
}

export const findVerification = ({ verifications }: PersonState, id: string): Verification | undefined =>
  verifications.find((known) => known.id === id);

export interface VerificationFacts {
  readonly VerificationStarted: {
    readonly verification: Pick<Verification, 'id' | 'agentUserId' | 'verificationTypeId' | 'maxAttempts' | 'questionIds'> & {
      readonly lastsMs: number;
    };
  };
  /** `isLast`: the answers were wrong and no attempt is left. */
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

export const verificationQueries = [
  onPersonRead('verification.list', ({ state, query, env }) => {
    const { status, agentUserId, activeOnly = false, ...page } = (query ?? {}) as VerificationListQuery;
    const wanted = matching(
      state.verifications.toReversed(),
      (known) =>
        (status === undefined || statusAt(known, env.now) === status) &&
        (agentUserId === undefined || known.agentUserId === agentUserId) &&
        (!activeOnly || isActiveAt(known, env.now)),
    );
    return pageOf(wanted, page, (known) => verificationView(state, known, env));
  }),
  onPersonRead('verification.get', ({ state, request, env }) => {
    const id = request.params['verificationId'] ?? '';
    return verificationView(state, findVerification(state, id) ?? refuse('notFound', `There is no verification ${id}.`), env);
  }),
];

export function verificationView(state: PersonState, known: Verification, env: EvolveEnv & { readonly now: number }): VerificationView {
  const { agentUserId, maxAttempts, attempts } = known;
  return {
    id: known.id,
    object: 'verification',
    personId: state.id,
    companyId: state.tenant.company,
    agentUserId,
    agentName: agentUserId && agentName(companyOf(env, state.tenant), agentUserId),
    verificationTypeId: known.verificationTypeId,
    status: statusAt(known, env.now),
    expiresAt: dateTimeText(known.expiresAt),
    maxAttempts,
    attemptsRemaining: statusAt(known, env.now) === 'started' ? maxAttempts - attempts.length : 0,
    questions: known.questionIds.flatMap((id) => questionOf(id) ?? []),
    attempts: attempts.map(({ id, createdAt, isSuccess }) => ({ id, createdAt: dateTimeText(createdAt), isSuccess })),
    isActive: isActiveAt(known, env.now),
    succeededAt: orNull(dateTimeText, succeededAt(known)),
    createdAt: dateTimeText(known.startedAt),
    updatedAt: orNull(dateTimeText, known.updatedAt),
    deletedAt: null,
  };
}
