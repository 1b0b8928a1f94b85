import type { Cents, Day } from '../../../engine/index.js';
import type { PromoMove } from './machine.js';
import type { Exercise, PromoCancelReason, PromoDetails } from './program.js';

/** What happens to promo programs. The rate that one brings is a fact of rates, which follows in the same batch. */
export interface PromoFacts {
  readonly PromoProgramMade: PromoDetails;
  readonly PromoProgramChanged: PromoProgramChanged;
  readonly PromoProgramMoved: PromoProgramMoved;
}

export interface PromoProgramChanged {
  readonly programId: string;
  /** The fields that change, with their new values. */
  readonly changes: Partial<Pick<PromoDetails, 'externalId' | 'metaData' | 'startDay' | 'endDay' | 'graceDays' | 'disqualifyOverdueDays'>>;
  readonly caseId: string | null;
}

export interface PromoProgramMoved {
  readonly programId: string;
  readonly move: Exclude<PromoMove, 'change'>;
  readonly day: Day;
  /** The rate that it brings with this move. */
  readonly rateId: string | null;
  /** Money that had come in. */
  readonly weighedCents: number;
  readonly exercise: Exercise | null;
  readonly waivedCents: Cents | null;
  readonly cancelReason: PromoCancelReason | null;
  readonly caseId: string | null;
}
