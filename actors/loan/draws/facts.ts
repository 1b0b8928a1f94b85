import type {
  Day,
  DrawActivated as ActivatedChange,
  DrawCanceled as CanceledChange,
  DrawClosed as ClosedChange,
  DrawRatesChanged,
} from '../../../engine/index.js';
import type { LedgerChange, LedgerChanged } from '../facts.js';
import type { RateRow } from '../rates/rows.js';
import type { Draw, NewDraw } from './draw.js';

export interface DrawCreated {
  readonly draw: NewDraw;
  readonly caseId: string | null;
}

/** The fields that changed, with their new values. */
export interface DrawUpdated {
  readonly drawId: string;
  readonly changes: Partial<
    Pick<
      Draw,
      'externalId' | 'drawType' | 'status' | 'nickname' | 'declineReason' | 'labels' | 'additionalPeople' | 'metaData' | 'atOrigination'
    >
  >;
}

/** The draw's contract, as the line's ledger has it. */
export interface DrawActivated extends LedgerChanged {
  readonly drawId: string;
  readonly change: LedgerChange<ActivatedChange>;
}

export interface DrawClosed extends LedgerChanged {
  readonly drawId: string;
  readonly change: LedgerChange<ClosedChange>;
  readonly isRequestedByBorrower: boolean;
}

/** The draw is as if it had never been; what was authorized on it is canceled with it. */
export interface DrawCanceled {
  readonly drawId: string;
  /** Null: it was never active. */
  readonly change: LedgerChange<CanceledChange> | null;
  readonly cancellationReason: string | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
}

/** Rates and caps of a draw that are new or other than before, each as it is from now on. */
export interface DrawRatesSet {
  readonly drawId: string;
  readonly rows: readonly RateRow[];
  /** Null when no day costs more or less. */
  readonly change: LedgerChange<DrawRatesChanged> | null;
  readonly recordedDay: Day;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export interface DrawFacts {
  readonly DrawRatesSet: DrawRatesSet;
  readonly DrawCreated: DrawCreated;
  readonly DrawUpdated: DrawUpdated;
  readonly DrawActivated: DrawActivated;
  readonly DrawClosed: DrawClosed;
  readonly DrawCanceled: DrawCanceled;
}
