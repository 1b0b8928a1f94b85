import type { CaseStatus } from '../../company/index.js';
import type { CatalogRow, SelectEnv } from '../../kernel/actor.js';

/** The cases of mass work: each given field narrows the selection. */
interface CaseFilter {
  readonly supercaseId?: string;
  /** Only subcases of these populations. */
  readonly populationIds?: readonly string[];
  readonly caseTypeId?: string;
  readonly status?: CaseStatus;
  readonly isActive?: boolean;
}

/** The subcases of mass work on a supercase. */
export interface SubcaseFilter extends CaseFilter {
  readonly supercaseId: string;
}

const PLAIN = ['supercaseId', 'caseTypeId', 'status', 'isActive'] as const satisfies readonly (keyof CaseFilter)[];

export function selectCases({ populationIds, ...plain }: CaseFilter, env: SelectEnv): (row: CatalogRow) => boolean {
  return (row) =>
    isOfReachable(row, env) &&
    PLAIN.every((field) => plain[field] === undefined || row.fields[field] === plain[field]) &&
    (populationIds === undefined || populationIds.some((id) => row.alsoUnder?.includes(id)));
}

/** Whether the borrower of a listed case was neither deleted nor erased. Both are on one shard. */
export const isOfReachable = ({ parentId }: CatalogRow, env: SelectEnv): boolean => parentId !== null && env.hasRow('person', parentId);
