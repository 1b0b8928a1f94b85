import type { CaseStatus } from '../../company/index.js';
import type { CatalogRow } from '../../kernel/actor.js';

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

export function selectCases({ populationIds, ...plain }: CaseFilter): (row: CatalogRow) => boolean {
  return ({ fields, alsoUnder = [] }) =>
    PLAIN.every((field) => plain[field] === undefined || fields[field] === plain[field]) &&
    (populationIds === undefined || populationIds.some((id) => alsoUnder.includes(id)));
}
