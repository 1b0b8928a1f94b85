import type { StatementRecord } from './record.js';

export interface StatementFacts {
  readonly StatementIssued: StatementIssued;
  readonly StatementUpdated: StatementUpdated;
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
