import { addDays, type Cents, type Day, type Rate } from '../../../engine/index.js';
import type { PromoKind } from '../../company/index.js';
import type { Agent } from '../../kernel/fact.js';
import type { MetaData } from '../../wire.js';
import type { PromoStatus } from './machine.js';

/** What a borrower may earn, or gets for a while, on a loan. */
export interface PromoProgram extends PromoDetails {
  readonly status: PromoStatus;
  /** The rate that it has brought into the loan; null before. */
  readonly rateId: string | null;
  /** Money that had come in when it was last weighed whether the program is earned. */
  readonly weighedCents: number;
  readonly exercise: Exercise | null;
  /** What was waived when it was exercised. */
  readonly waivedCents: Cents | null;
  readonly cancelReason: PromoCancelReason | null;
  readonly canceledBy: Agent | null;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly activatedAt: number | null;
  readonly reactivatedAt: number | null;
  readonly canceledAt: number | null;
  readonly exercisedAt: number | null;
}

/** What a program was exercised on. */
export interface Exercise {
  /** The day through which it was paid. */
  readonly throughDay: Day;
  /** How many facts the ledger had then: what is bought afterwards is none of the program's. */
  readonly knownFacts: number;
}

export interface PromoDetails extends PromoTerms {
  readonly id: string;
  /** The number of the draw of a line that it is for; null: the whole loan or line. */
  readonly draw: number | null;
  /** Milliseconds, where a line's program says when it starts. */
  readonly startAt: number | null;
  readonly externalId: string | null;
  readonly metaData: MetaData | null;
  readonly caseId: string | null;
  readonly promoTypeId: string;
  /** The type as it was when the program was made. */
  readonly promoType: PromoKind;
  readonly displayName: string;
  readonly description: string | null;
  /** Of a reduced rate: what is taken off. */
  readonly promoRate: Rate | null;
  /** Made together with the loan: it starts as soon as the loan is active. */
  readonly isStarting: boolean;
  /** Reserved for the rate that it brings. */
  readonly rateCounter: number;
}

export interface PromoTerms {
  readonly startDay: Day;
  /** Inclusive, without grace. */
  readonly endDay: Day;
  readonly graceDays: number;
  /** Days overdue that cancel it; null: none do. */
  readonly disqualifyOverdueDays: number | null;
}

export type PromoCancelReason = 'adminError' | 'borrowerRequest' | 'overdue' | 'loanStatusChanged';

/** The last day on which the program can be earned. */
export const effectiveEnd = ({ endDay, graceDays }: PromoTerms): Day => addDays(endDay, graceDays);

/** Whether interest comes back when the loan is paid in time. */
export const isEarned = ({ promoType }: Pick<PromoDetails, 'promoType'>): boolean => promoType !== 'reducedRate';
