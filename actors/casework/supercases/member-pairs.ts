import type { CatalogRow, DecideEnv } from '../../kernel/actor.js';
import type { MemberFacts } from './member.js';

/** The member that is this pair in any population of the supercase. */
export const pairOf = (
  env: DecideEnv,
  { supercaseId, personId, loanId }: Omit<MemberFacts['MemberAdded'], 'populationId'>,
): CatalogRow | undefined =>
  env.list('supercaseMember', {
    parentId: personId,
    matches: ({ parentId, fields }) => parentId === personId && fields['supercaseId'] === supercaseId && fields['loanId'] === loanId,
    limit: 1,
  }).rows[0];
