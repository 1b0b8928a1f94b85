import type { Day } from '../../../engine/index.js';
import type { StatementRecord } from './record.js';

export interface StatementFacts {
  readonly StatementIssued: StatementIssued;
  readonly StatementUpdated: StatementUpdated;
  readonly StatementOmitted: StatementOmitted;
}

/** A period of a line in which nothing was owed and nothing happened has no statement (money 5, rule 7). */
export interface StatementOmitted {
  readonly dueDay: Day;
}

/** What a statement says; who made it and when is in the envelope. */
export type NewStatement = Omit<StatementRecord, 'createdBy' | 'createdAt' | 'updatedAt'>;

export interface StatementIssued {
  readonly statement: NewStatement;
  readonly caseId: string | null;
}

export type StatementChanges = Partial<Pick<StatementRecord, 'documentDescriptorId' | 'isExternal' | 'metaData' | 'figures'>>;

export interface StatementUpdated {
  readonly id: string;
  readonly changes: StatementChanges;
  readonly caseId: string | null;
}
