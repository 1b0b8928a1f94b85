import type { CatalogRow, SelectEnv } from '../../kernel/actor.js';
import { mayMove } from '../machine.js';
import type { LoanStatus } from '../machine.js';
import { every, type LoanFilter, loanFilters } from '../queries/filters.js';

/** Which loans mass work is about: by name, or as a list of loans filters them. */
export interface LoanSelection extends LoanFilter {
  readonly loanIds?: readonly string[];
  /** Only those whose status lets them be replayed. */
  readonly canReplay?: true;
}

export function selectLoans(filter: unknown, env: SelectEnv): (row: CatalogRow) => boolean {
  const { loanIds, canReplay, ...asked } = filter as LoanSelection;
  const named = loanIds && new Set(loanIds);
  return every([
    named === undefined ? null : ({ id }) => named.has(id),
    canReplay === true ? ({ fields }) => mayMove(fields['status'] as LoanStatus, 'replay') : null,
    ...loanFilters(asked, env),
  ]);
}
