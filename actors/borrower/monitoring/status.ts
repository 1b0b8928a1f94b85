/** What is looked after for a borrower at sources outside (people 14). */
export type MonitoringKind = 'bankruptcy' | 'deceased' | 'militaryDuty' | 'disaster' | 'sanctions' | 'phoneReassigned';

export type MonitoringState = 'notMonitored' | 'missingData' | 'monitored' | 'hit' | 'cleared' | 'stopped';

/** How one kind stands for one borrower. */
export interface MonitoringStatus {
  readonly id: string;
  readonly kind: MonitoringKind;
  readonly status: MonitoringState;
  readonly startedAt: number | null;
  readonly lastCheckedAt: number | null;
  readonly lastHitAt: number | null;
  /** Of the newest hit. */
  readonly caseId: string | null;
  /** Which adapter told of the newest hit. */
  readonly source: string | null;
  /** Hits by the reference of their source. */
  readonly hits: readonly MonitoringHit[];
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export interface MonitoringHit {
  readonly externalReference: string;
  /** Digest of what was told, so that a repetition is known. */
  readonly digest: string;
  readonly caseId: string | null;
}
