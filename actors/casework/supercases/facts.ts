import type { CaseOutcome, CaseStatus } from '../../company/index.js';
import type { BulkOperation, SupercaseFields } from './state.js';

/** What happens to a supercase. Work on many subcases is ordered beside these, as mass work. */
export interface SupercaseFacts {
  readonly SupercaseOpened: SupercaseFields;
  /** Only what changed. */
  readonly SupercaseChanged: { readonly changes: Partial<SupercaseFields> };
  readonly SupercaseMoved: { readonly status: CaseStatus; readonly outcome: CaseOutcome | null };
  readonly SupercaseDeleted: Readonly<Record<string, never>>;
  readonly PopulationDrafted: { readonly id: string; readonly name: string | null; readonly gathersMatches?: true };
  readonly PopulationRenamed: { readonly id: string; readonly name: string | null };
  readonly PopulationCommitted: { readonly id: string; readonly operationId: string };
  readonly PopulationDropped: { readonly id: string };
  readonly BulkOrdered: Pick<BulkOperation, 'id' | 'type'>;
}
