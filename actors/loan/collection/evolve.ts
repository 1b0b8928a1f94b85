import type { Day } from '../../../engine/index.js';
import { recordOf } from '../context.js';
import type { Applying } from '../applying.js';
import type { LoanState } from '../state.js';
import type { Placement } from './placements.js';

export interface CollectionFacts {
  /** A collection agency gets the loan, or begins with it. It replaces the placement before. */
  readonly AgencyAssigned: AgencyAssigned;
  readonly AgencyUnassigned: AgencyUnassigned;
}

export type AgencyAssigned = Omit<Placement, 'recordedAt' | 'endedOn' | 'endedAt'>;

export interface AgencyUnassigned {
  /** The first day on which the agency does not have the loan any more. */
  readonly endedOn: Day;
  /** Who services the loan from now on. */
  readonly servicedBy: string;
  readonly caseId: string | null;
}

/** Applies the facts about collection agencies. */
export const APPLY_COLLECTION: { readonly [Type in keyof CollectionFacts]: (applying: Applying, body: CollectionFacts[Type]) => void } = {
  AgencyAssigned: assigned,
  AgencyUnassigned: unassigned,
};

function assigned({ state, fact }: Applying, body: AgencyAssigned): void {
  const placements = ended(state, body.assignedOn, fact.businessAt);
  const placement: Placement = { ...body, recordedAt: fact.businessAt, endedOn: null, endedAt: null };
  state.parties = { ...state.parties, placements: [...placements, placement] };
  state.record = { ...recordOf(state), servicedBy: 'debtCollectionAgency' };
}

function unassigned({ state, fact }: Applying, { endedOn, servicedBy }: AgencyUnassigned): void {
  state.parties = { ...state.parties, placements: ended(state, endedOn, fact.businessAt) };
  state.record = { ...recordOf(state), servicedBy };
}

const ended = ({ parties }: LoanState, endedOn: Day, endedAt: number): readonly Placement[] =>
  parties.placements.map((known) => (known.endedOn === null ? { ...known, endedOn, endedAt } : known));
