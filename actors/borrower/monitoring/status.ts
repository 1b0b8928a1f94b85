import { setup } from 'xstate';
import { Chart, moves } from '../../statechart.js';
import type { Sealed } from '../state.js';

/** What external sources monitor about a borrower. */
export type MonitoringKind = 'bankruptcy' | 'deceased' | 'militaryDuty' | 'disaster' | 'sanctions' | 'phoneReassigned';

/** Bankruptcy comes before death, since one event reports the start of either. */
export const MONITORING_KINDS: readonly MonitoringKind[] = [
  'bankruptcy',
  'deceased',
  'militaryDuty',
  'disaster',
  'sanctions',
  'phoneReassigned',
];

export type MonitoringState = 'notMonitored' | 'missingData' | 'monitored' | 'hit' | 'cleared' | 'stopped';

/** The status of one kind for one borrower. */
export interface MonitoringStatus {
  readonly id: string;
  readonly kind: MonitoringKind;
  readonly status: RecordedState;
  /** A date. */
  readonly startDate: string | null;
  readonly lastCheckedAt: number | null;
  readonly lastHitAt: number | null;
  /** Of the newest hit. */
  readonly caseId: string | null;
  /** The source of the newest hit. */
  readonly source: string | null;
  readonly hits: readonly MonitoringHit[];
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export type RecordedState = Exclude<MonitoringState, 'notMonitored'>;

export interface MonitoringHit {
  /** Reference at the source: a hit keeps its reference when it is reported again. */
  readonly externalReference: string;
  /** A date. */
  readonly effectiveDate: string;
  /** The details that the source reported, as JSON with sorted names. */
  readonly details: Sealed;
  readonly caseId: string | null;
}

/**
 * The lifecycle of a kind of monitoring. `missingData` waits for data that the source needs. A mistaken hit is cleared; a
 * later hit sets the status again.
 */
export const monitoringMachine = setup({
  types: moves<MonitoringMove>(),
}).createMachine({
  id: 'monitoring',
  initial: 'monitored',
  states: {
    missingData: { on: { resume: 'monitored', stop: 'stopped', report: 'hit' } },
    monitored: { on: { stop: 'stopped', report: 'hit' } },
    hit: { on: { clear: 'cleared', stop: 'stopped', report: 'hit' } },
    cleared: { on: { resume: 'monitored', stop: 'stopped', report: 'hit' } },
    stopped: { on: { resume: 'monitored' } },
  },
});

export type MonitoringMove = 'resume' | 'stop' | 'clear' | 'report';

export const monitoringChart = new Chart<RecordedState, MonitoringMove>(monitoringMachine);

export const mayMoveMonitoring = (status: RecordedState, move: MonitoringMove): boolean => monitoringChart.allows(status, move);
