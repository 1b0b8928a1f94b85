import { isUndecided } from '../purchases/machine.js';
import type { CreditCases } from '../questions.js';
import type { LoanState } from '../state.js';

/** What the code of a record follows from. */
interface Investigated {
  readonly disputes: LoanState['disputes'];
  /** Cases of the main borrower. */
  readonly cases: Pick<CreditCases, 'isDisputed' | 'isDisputeCanceled'>;
  /** What was sent for an earlier month. */
  readonly before: string | null;
}

/**
 * The compliance condition code: `XB` while the debt or what an agency has on file is disputed, else `XF` while a purchase is, by a billing
 * error notice (Fair Credit Billing Act). An investigation that has ended is reported once; the code on file stays until another one comes,
 * and `XR` removes it.
 */
export function complianceCondition({ disputes, cases, before }: Investigated): string | null {
  if (cases.isDisputed) return 'XB';
  if (disputes.some(({ status }) => isUndecided(status))) return 'XF';
  if (before === 'XB') return endedBy(cases.isDisputeCanceled);
  return before === 'XF' ? endedBy(disputes.every(({ status }) => status === 'canceled')) : null;
}

const endedBy = (isCanceled: boolean): string => (isCanceled ? 'XR' : 'XH');
