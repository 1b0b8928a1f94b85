import type { CaseStatus } from '../../company/index.js';
import type { CatalogRow } from '../../kernel/actor.js';

/** Which cases mass work is about: each word that is named narrows it. */
interface CaseFilter {
  readonly supercaseId?: string;
  /** Of these populations alone. */
  readonly populationIds?: readonly string[];
  readonly caseTypeId?: string;
  readonly status?: CaseStatus;
  readonly isActive?: boolean;
}

/** Which cases work on a supercase is about. */
export interface SubcaseFilter extends CaseFilter {
  readonly supercaseId: string;
}

const PLAIN = ['supercaseId', 'caseTypeId', 'status', 'isActive'] as const satisfies readonly (keyof CaseFilter)[];

export function selectCases(filter: unknown): (row: CatalogRow) => boolean {
  const { populationIds, ...plain } = filter as CaseFilter;
  return ({ fields, alsoUnder = [] }) =>
    PLAIN.every((field) => plain[field] === undefined || fields[field] === plain[field]) &&
    (populationIds === undefined || populationIds.some((id) => alsoUnder.includes(id)));
}
