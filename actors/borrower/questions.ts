import type { HitDetails } from '../company/index.js';
import type { DecideEnv, EvolveEnv, QueryEnv } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/question.js';
import type { AnswersEnv } from './verifications/answers.js';
import type { MonitoringKind } from './monitoring/status.js';

/*
 * What borrowers need to know of loans and cases, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** Right answers to the questions of a verification that loans know: amounts as `1234.50`, dates as `YYYY-MM-DD`. */
export interface AnswersOfLoans {
  readonly lastPaymentAmount: readonly string[];
  readonly lastPaymentDate: readonly string[];
  readonly loanAmount: readonly string[];
  readonly originationDate: readonly (string | null)[];
}

/** A monitoring hit, and the case that an earlier hit under the same reference has led to. */
export interface HitOfBorrower {
  readonly personId: string;
  readonly kind: MonitoringKind;
  readonly details: HitDetails;
  readonly caseId: string | null;
}

/** What a hit does to cases: facts behind its own, in the same batch, and the case that it belongs to. */
export interface CaseOfHit {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

export const borrowerAsks = {
  /** Whether money is on its way that is taken from a payment instrument of the borrower. */
  isPaymentUnderWay: question<DecideEnv, [personId: string, instrumentId: string], boolean>('loan.isPaymentUnderWay'),
  /** Of the loans with these ids. */
  answersOfLoans: question<AnswersEnv, [loanIds: readonly string[]], AnswersOfLoans>('loan.answers'),
  caseOfHit: question<DecideEnv, [hit: HitOfBorrower], CaseOfHit>('case.ofHit'),
  /** The number that the court has given to a bankruptcy, in clear; null where the case has none or its text was destroyed. */
  courtCaseNumber: question<EvolveEnv & Pick<QueryEnv, 'stateOf'>, [caseId: string], string | null>('case.courtCaseNumber'),
};
