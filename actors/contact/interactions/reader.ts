import { companyOf, employeeOfUser } from '../../company/index.js';
import { isPermitted } from '../../permission.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { InteractionState } from './state.js';

export const SENSITIVE = 'interaction:read.sensitive';

/** Who looks at an interaction. */
export interface Reader {
  readonly permissions: ReadonlySet<string>;
  readonly userId: string | null;
  /** The borrower itself, signed in to the portal. */
  readonly isBorrower: boolean;
}

/** What a read tells of its caller; the gateway puts it into the query. */
export interface ReaderQuery {
  readonly reader?: Omit<Reader, 'permissions'>;
}

export const readerOf = (permissions: ReadonlySet<string>, query: unknown): Reader => ({
  permissions,
  ...((query as ReaderQuery | null | undefined)?.reader ?? { userId: null, isBorrower: false }),
});

interface CaseOfInteraction {
  readonly owningEmployeeId: string | null;
}

/**
 * Whether a reader sees what was said. What is for the borrower alone is seen by the agent who has the
 * case as well, and never hidden from the borrower.
 */
export function maySeeContent(
  { sensitive, sensitiveBorrowerOnly, caseId, tenant }: InteractionState,
  env: Pick<EvolveEnv, 'read'>,
  { permissions, userId, isBorrower }: Reader,
): boolean {
  if (isBorrower || (!sensitive && !sensitiveBorrowerOnly)) return true;
  if (!isPermitted(permissions, SENSITIVE)) return false;
  if (!sensitiveBorrowerOnly) return true;
  const owner = caseId === null ? null : (env.read<CaseOfInteraction>('case', caseId)?.owningEmployeeId ?? null);
  return owner !== null && userId !== null && employeeOfUser(companyOf(env as EvolveEnv, tenant), userId)?.id === owner;
}
