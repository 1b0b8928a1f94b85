import { caseOf, loanOf } from '../../contact/index.js';
import { resolveId } from '../../kernel/any-id.js';
import { personOf } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { DecideEnv, EvolveEnv, QueryEnv } from '../../kernel/actor.js';
import type { Tenant } from '../../kernel/tenant.js';
import type { NotePlace } from './facts.js';
import type { NoteState } from './state.js';

type Params = Readonly<Record<string, string>>;

/** What of an interaction a note asks. */
interface InteractionOfNote {
  readonly personId: string | null;
  readonly isDeleted: boolean;
}

/** What the path of a new note names below its borrower; 404 for what is not the borrower's. */
export function placeOf(env: DecideEnv, personId: string, { caseId, loanId, interactionId }: Params): Partial<NotePlace> {
  if (caseId !== undefined) return { caseId: caseOf(env, env.tenant, personId, caseId) };
  if (loanId !== undefined) return { loanId: loanOf(env, env.tenant, personId, loanId) };
  if (interactionId !== undefined) return { interactionId: interactionOf(env, env.tenant, personId, interactionId) };
  return {};
}

/** The service id of an interaction with the borrower. */
export function interactionOf(env: EvolveEnv, tenant: Tenant, personId: string, anyId: string): string {
  const id = resolveId(env, tenant, 'interaction', anyId);
  const found = id === undefined ? undefined : env.read<InteractionOfNote>('interaction', id);
  return id !== undefined && found?.personId === personId && !found.isDeleted
    ? id
    : refuse('notFound', `There is no interaction ${anyId} with the borrower ${personId}.`);
}

/** 404 for a note of something else than the path names. */
export function assertOfPath({ id, tenant, personId, caseId, interactionId }: NoteState, params: Params, env: EvolveEnv): void {
  const named = (kind: string, param: string): string | undefined =>
    params[param] === undefined ? undefined : resolveId(env, tenant, kind, params[param]);
  const isUnder = (kind: string, param: string, of: string | null): boolean => params[param] === undefined || named(kind, param) === of;
  const isOf =
    named('person', 'personId') === personId && isUnder('case', 'caseId', caseId) && isUnder('interaction', 'interactionId', interactionId);
  if (!isOf) refuse('notFound', `There is no note ${id} here.`);
  personOf(env, personId);
}

/** The borrower of a path; 404 for one that nobody knows. */
export function personOfPath(env: QueryEnv, params: Params): string {
  const anyId = params['personId'] ?? '';
  const id = resolveId(env, env.tenant, 'person', anyId);
  if (id === undefined) refuse('notFound', `There is no borrower ${anyId}.`);
  return env.isHere(id) ? personOf(env, id).id : id;
}
