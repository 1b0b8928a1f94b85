import type { CollectingBar, Day } from '../../engine/index.js';
import type { CancelReason } from '../borrower/index.js';
import type { DecideEnv, EvolveEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/policy.js';
import type { LoanState } from './state.js';

/*
 * Questions of loans about cases, a domain that loans do not depend on. The answers are rows of `actors/policies.ts`.
 */

/** The fields of a case that a loan needs. */
export interface NamedCase {
  readonly id: string;
  readonly personId: string;
  readonly status: string;
  /** Whether it is completed, canceled or deleted. */
  readonly isClosed: boolean;
}

/** A disputed purchase in its case. */
export interface DisputedPurchase {
  readonly disputeId: string;
  readonly purchaseId: string;
  readonly personId: string;
  readonly loanId: string;
  /** `YYYY-MM-DD`. */
  readonly provisionalCreditDate: string;
  readonly reason: string | null;
}

/** What the cases of a person say about the credit reporting of a loan. */
export interface CreditCases {
  /** The consumer information indicator of a bankruptcy. */
  readonly indicator: string | null;
  readonly petitionOn: Day | null;
  /** The first day of a petition in a case that was an error: it was canceled or deleted, or its outcome says that nobody filed. */
  readonly wrongPetitionOn: Day | null;
  readonly isDeceased: boolean;
  readonly isOnMilitaryDuty: boolean;
  readonly isInDisaster: boolean;
  /** A dispute of the debt, or one that came through a credit agency, is being investigated. */
  readonly isDisputed: boolean;
  /** All disputes that there were have been canceled: nobody has disputed anything. */
  readonly isDisputeCanceled: boolean;
}

/** An automatic or scheduled payment to which its payer has agreed. */
export interface AgreedPayment {
  readonly payerId: string;
  /** Milliseconds of the company's clock. */
  readonly agreedAt: number;
}

/** A case that bars a payment, and why: as the reason of a plan and of a transaction. */
export interface PaymentBar {
  readonly caseId: string;
  readonly bar: CollectingBar;
  readonly cancelReason: CancelReason;
}

/** What a question needs of a command or of a read. */
export type CreditEnv = EvolveEnv & Pick<DecideEnv, 'readBelow' | 'tenant' | 'now'>;

export const loanAsks = {
  creditCases: question<CreditEnv, [loan: LoanState, personId: string, activityDay: Day], CreditCases>('case.creditReporting'),
  /** The case that an id names; undefined if there is none, or it is deleted. */
  caseNamed: question<DecideEnv, [anyId: string], NamedCase | undefined>('case.named'),
  /** Ids of open cases that prevent the acceleration and charge-off of a loan by days overdue. */
  casesHoldingThresholds: question<DecideEnv, [loan: LoanState], readonly string[]>('case.holdingThresholds'),
  /** The case of another person on the loan that bars a payment of a day; null if none does. */
  paymentBar: question<DecideEnv, [loan: LoanState, agreed: AgreedPayment, day: Day], PaymentBar | null>('case.barringPayment'),
  /** A new case of the borrower for a dispute: its id, and the facts that open it. */
  disputeCaseOpened: question<DecideEnv, [disputed: DisputedPurchase], { readonly caseId: string; readonly facts: readonly FactDraft[] }>(
    'case.disputeOpened',
  ),
  /** Whether the bank has confirmed an ACH file. */
  isFileConfirmed: question<EvolveEnv, [achFileId: string], boolean>('money.isFileConfirmed'),
};
