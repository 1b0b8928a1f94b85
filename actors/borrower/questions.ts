import type { CaseFields } from '../company/index.js';
import type { DecideEnv, EvolveEnv, QueryContext, QueryEnv, QuerySpec } from '../kernel/actor.js';
import type { Agent, FactDraft } from '../kernel/fact.js';
import { question } from '../kernel/policy.js';
import type { MonitoringKind } from './monitoring/status.js';
import type { InactiveReason, PersonState } from './state.js';
import type { AnswersEnv } from './verifications/decide.js';

/*
 * Questions of borrowers to loans and cases, which come later in the order of domains. The answers are rows of `actors/policies.ts`.
 */

/** Right answers to those questions of a verification that are about loans: amounts as `1234.50`, dates as `YYYY-MM-DD`. */
export interface AnswersOfLoans {
  readonly lastPaymentAmount: readonly string[];
  readonly lastPaymentDate: readonly string[];
  readonly loanAmount: readonly string[];
  readonly originationDate: readonly (string | null)[];
}

/** A monitoring hit, and the case that an earlier report of the same hit has opened. */
export interface HitOfBorrower {
  readonly personId: string;
  readonly kind: MonitoringKind;
  readonly details: CaseFields;
  readonly caseId: string | null;
}

/** What a hit does to cases: facts that are recorded after its own, in the same batch, and the case of the hit. */
export interface CaseOfHit {
  readonly caseId: string | null;
  readonly facts: readonly FactDraft[];
}

/** A document that nobody has stored: it is made of what the loan knows whenever it is read, and is the same each time. */
export interface StatementDocument {
  readonly id: string;
  readonly loanId: string;
  readonly statementId: string;
  readonly templateVersionId: string | null;
  readonly fileName: string;
  readonly createdBy: Agent;
  readonly createdAt: number;
}

/** What the answer reads. */
export type StatementEnv = EvolveEnv & Pick<DecideEnv, 'list'>;

export const borrowerAsks = {
  /** Documents of the statements of a borrower's loans, in the order of their making. */
  statementDocuments: question<StatementEnv, [personId: string], readonly StatementDocument[]>('loan.statementDocuments'),
  /** Whether money is on its way that is taken from a payment instrument of the borrower. */
  isPaymentUnderWay: question<DecideEnv, [personId: string, instrumentId: string], boolean>('loan.isPaymentUnderWay'),
  /** Of the loans with these ids. */
  answersOfLoans: question<AnswersEnv, [loanIds: readonly string[]], AnswersOfLoans>('loan.answers'),
  caseOfHit: question<DecideEnv, [hit: HitOfBorrower], CaseOfHit>('case.ofHit'),
  /** The court's number of a bankruptcy, in clear; null if the case has none or its text was destroyed. */
  courtCaseNumber: question<EvolveEnv & Pick<QueryEnv, 'stateOf'>, [caseId: string], string | null>('case.courtCaseNumber'),
};

/** A query about one borrower that exists and was not deleted. */
export const onPersonRead = <Query>(
  type: string,
  read: (context: QueryContext<PersonState, Query>) => unknown,
): QuerySpec<PersonState, Query> => ({
  kind: 'person',
  type,
  on: 'target',
  read,
});

/** Reasons why transactions fail or are canceled, and their texts. */

export type FailureReason =
  | 'insufficientFunds'
  | 'chargeback'
  | 'accountClosed'
  | 'invalidAccount'
  | 'unknownReason'
  | 'invalidCvv'
  | 'invalidExpirationDate'
  | 'avsFailed'
  | 'networkError'
  | 'cardDeclined'
  | 'accountFrozen'
  | 'deceased'
  | 'invalidRouting'
  | 'paymentStopped'
  | 'microdepositsFailed'
  | 'microdepositsAttemptFailed'
  | 'incorrectNumber'
  | 'fraudulent'
  | 'unauthorizedDebit';

export type CancelReason =
  | 'canceledByUser'
  | 'autopayCanceled'
  | 'loanPaidOff'
  | 'loanStatusChange'
  | 'instrumentInactive'
  | 'duplicate'
  | 'scheduleChanged'
  | 'borrowerDeceased'
  | 'bankruptcy';

/** Failures after which an instrument cannot be charged again, with the reason that it gets. */
export const DEACTIVATING: { readonly [Reason in FailureReason]?: InactiveReason } = {
  accountClosed: 'accountClosed',
  invalidAccount: 'invalidAccount',
  incorrectNumber: 'invalidAccount',
  invalidRouting: 'invalidAccount',
  unauthorizedDebit: 'unauthorized',
  paymentStopped: 'unauthorized',
  fraudulent: 'fraudAlert',
  deceased: 'other',
  accountFrozen: 'other',
  invalidExpirationDate: 'expired',
};

interface Description {
  readonly short: string;
  readonly long: string;
}

export const FAILURE_DESCRIPTIONS: Readonly<Record<FailureReason, Description>> = {
  insufficientFunds: { short: 'Insufficient funds', long: 'The account did not hold enough money for the payment.' },
  chargeback: { short: 'Charged back', long: 'The payer disputed the payment and the money was taken back.' },
  accountClosed: { short: 'Account closed', long: 'The account has been closed.' },
  invalidAccount: { short: 'Invalid account', long: 'The account does not exist, or does not accept debits.' },
  unknownReason: { short: 'Payment failed', long: 'The payment failed; no reason was given.' },
  invalidCvv: { short: 'Invalid security code', long: 'The security code of the card is wrong.' },
  invalidExpirationDate: { short: 'Invalid expiration date', long: 'The expiration date of the card is wrong or past.' },
  avsFailed: { short: 'Address check failed', long: 'The address does not match the one of the card.' },
  networkError: { short: 'Network error', long: 'The payment network could not be reached.' },
  cardDeclined: { short: 'Card declined', long: 'The issuer of the card declined the payment.' },
  accountFrozen: { short: 'Account frozen', long: 'The account is frozen and cannot be debited.' },
  deceased: { short: 'Account holder deceased', long: 'The holder of the account or the beneficiary has died.' },
  invalidRouting: { short: 'Invalid routing number', long: 'The routing number does not belong to a participating bank.' },
  paymentStopped: { short: 'Payment stopped', long: 'The payer has stopped the payment.' },
  microdepositsFailed: { short: 'Verification deposits failed', long: 'The deposits that verify the account were returned.' },
  microdepositsAttemptFailed: { short: 'Verification failed', long: 'The amounts of the verification deposits were wrong too often.' },
  incorrectNumber: { short: 'Incorrect account number', long: 'The account number is malformed or fails its check.' },
  fraudulent: { short: 'Fraud suspected', long: 'The payment was stopped because fraud is suspected.' },
  unauthorizedDebit: { short: 'Debit not authorized', long: 'The account holder says that the debit was not authorized.' },
};

export const CANCEL_DESCRIPTIONS: Readonly<Record<CancelReason, Description>> = {
  canceledByUser: { short: 'Canceled', long: 'The payment was canceled on request.' },
  autopayCanceled: { short: 'Autopay canceled', long: 'The autopay plan of the payment was canceled.' },
  loanPaidOff: { short: 'Loan paid off', long: 'The loan was paid off before the payment was due.' },
  loanStatusChange: { short: 'Loan status changed', long: 'The status of the loan does not allow this payment.' },
  instrumentInactive: { short: 'Payment method inactive', long: 'The payment method can no longer be charged.' },
  duplicate: { short: 'Duplicate', long: 'The same payment exists already.' },
  scheduleChanged: { short: 'Schedule changed', long: 'The payment schedule has changed.' },
  borrowerDeceased: { short: 'Borrower deceased', long: 'The borrower has died.' },
  bankruptcy: { short: 'Bankruptcy', long: 'The borrower is under bankruptcy protection.' },
};

/** NACHA return codes. */
const RETURN_CODES: Readonly<Record<string, FailureReason>> = {
  R01: 'insufficientFunds',
  R09: 'insufficientFunds',
  R02: 'accountClosed',
  R03: 'invalidAccount',
  R20: 'invalidAccount',
  R04: 'incorrectNumber',
  R05: 'unauthorizedDebit',
  R07: 'unauthorizedDebit',
  R10: 'unauthorizedDebit',
  R11: 'unauthorizedDebit',
  R29: 'unauthorizedDebit',
  R08: 'paymentStopped',
  R13: 'invalidRouting',
  R28: 'invalidRouting',
  R14: 'deceased',
  R15: 'deceased',
  R16: 'accountFrozen',
};

export const failureReasonOf = (returnCode: string): FailureReason => RETURN_CODES[returnCode] ?? 'unknownReason';

export const isReturnCode = (code: string): boolean => Object.hasOwn(RETURN_CODES, code);
