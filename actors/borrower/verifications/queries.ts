import { agentName, companyOf, questionOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import { pageOf } from '../../page.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { dateTimeText, orNull } from '../../wire.js';
import { onPersonRead } from '../reads.js';
import type { PersonState } from '../state.js';
import { findVerification, isActiveAt, statusAt, succeededAt, type Verification } from './verification.js';
import type { VerificationListQuery, VerificationView } from './wire.js';

export const verificationQueries = [
  onPersonRead('verification.list', ({ state, query, env }) => {
    const { status, agentUserId, activeOnly = false, ...page } = (query ?? {}) as VerificationListQuery;
    const wanted = state.verifications.filter(
      (known) =>
        (status === undefined || statusAt(known, env.now) === status) &&
        (agentUserId === undefined || known.agentUserId === agentUserId) &&
        (!activeOnly || isActiveAt(known, env.now)),
    );
    return pageOf([...wanted].reverse(), page, (known) => verificationView(state, known, env));
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
