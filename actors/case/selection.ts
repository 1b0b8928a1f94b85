import type { CatalogRow } from '../runtime/actor.js';
import type { CaseStatus } from './words.js';

/** Which cases work on a supercase is about. */
export interface SubcaseFilter {
  readonly supercaseId: string;
  /** Of these populations alone. */
  readonly populationIds?: readonly string[];
  readonly status?: CaseStatus;
  readonly isActive?: boolean;
}

export function selectSubcases(filter: unknown): (row: CatalogRow) => boolean {
  const { supercaseId, populationIds, status, isActive } = filter as SubcaseFilter;
  return ({ fields, alsoUnder = [] }) =>
    fields['supercaseId'] === supercaseId &&
    (status === undefined || fields['status'] === status) &&
    (isActive === undefined || fields['isActive'] === isActive) &&
    (populationIds === undefined || populationIds.some((id) => alsoUnder.includes(id)));
}
