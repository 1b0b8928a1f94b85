import { setup } from 'xstate';
import { Chart } from '../../statechart.js';
import type { Sealed } from '../state.js';

/** What is looked after for a borrower at sources outside. */
export type MonitoringKind = 'bankruptcy' | 'deceased' | 'militaryDuty' | 'disaster' | 'sanctions' | 'phoneReassigned';

/** Bankruptcy before death: the start of either tells of both. */
export const MONITORING_KINDS: readonly MonitoringKind[] = [
  'bankruptcy',
  'deceased',
  'militaryDuty',
  'disaster',
  'sanctions',
  'phoneReassigned',
];

export type MonitoringState = 'notMonitored' | 'missingData' | 'monitored' | 'hit' | 'cleared' | 'stopped';

/** How one kind stands for one borrower. */
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
  /** Who told of the newest hit. */
  readonly source: string | null;
  readonly hits: readonly MonitoringHit[];
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export type RecordedState = Exclude<MonitoringState, 'notMonitored'>;

export interface MonitoringHit {
  /** Of the source: the same hit is told under the same reference. */
  readonly externalReference: string;
  /** A date. */
  readonly effectiveDate: string;
  /** What the source told, as JSON with the names in order. */
  readonly details: Sealed;
  readonly caseId: string | null;
}

/**
 * How a kind of monitoring stands. `missingData` waits for what the source needs to know of the borrower; a hit that
 * was a mistake is cleared, and a later hit counts again.
 */
export const monitoringMachine = setup({
  types: { events: {} as { readonly type: MonitoringMove } },
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
