import type { Day, LedgerState, LineState } from '../../../engine/index.js';
import { recordOf } from '../context.js';
import type { CreditCases } from '../questions.js';
import type { LoanState } from '../state.js';

/** What the automatic comments of a record look at. */
interface Commented {
  readonly ledger: LedgerState | LineState;
  readonly cases: CreditCases;
  readonly activityDay: Day;
  readonly code: string;
  /** In whole dollars, as it is sent. */
  readonly balance: number;
  readonly isOpen: boolean;
}

interface CommentRow {
  readonly comment: string;
  applies(state: LoanState, commented: Commented): boolean;
}

/** Credits by which a debt is settled for less than what was owed. */
const SETTLING: ReadonlySet<string> = new Set(['settlementOfDebt', 'settlementOfDebtNoLoss', 'badDebt']);

/** In the order of their priority: a record has one comment. */
const COMMENTS: readonly CommentRow[] = [
  {
    comment: 'AU', // settled for less than the full balance
    applies: (state, { balance, code, activityDay }) => balance === 0 && (code === '13' || code === '64') && wasSettled(state, activityDay),
  },
  { comment: 'AC', applies: (state, { isOpen, activityDay }) => isOpen && paysLess(state, activityDay) }, // partial payment agreement
  { comment: 'AP', applies: (_state, { ledger, isOpen }) => isOpen && 'draws' in ledger && ledger.status === 'frozen' }, // line suspended
  {
    comment: 'CI', // line closed for inactivity
    applies: (state, { ledger, activityDay, isOpen, code }) =>
      (isOpen || code === '13') && 'draws' in ledger && wasClosedForInactivity(state, activityDay),
  },
  { comment: 'AI', applies: (_state, { cases, isOpen }) => isOpen && cases.isOnMilitaryDuty },
  { comment: 'AW', applies: (_state, { cases, isOpen }) => isOpen && cases.isInDisaster },
];

/** Null: the record has no comment. */
export const automaticComment = (state: LoanState, commented: Commented): string | null =>
  COMMENTS.find((row) => row.applies(state, commented))?.comment ?? null;

/** Whether such a credit counts: one that was reversed is no payment of the ledger any more. */
function wasSettled({ transactions }: LoanState, asOf: Day): boolean {
  for (const { status, serviceCredit, payment, effective } of transactions.values())
    if (status === 'succeeded' && serviceCredit !== null && SETTLING.has(serviceCredit.type) && payment !== null && effective.day <= asOf)
      return true;
  return false;
}

function wasClosedForInactivity(state: LoanState, asOf: Day): boolean {
  const { closing } = recordOf(state);
  return closing?.reason === 'inactivity' && closing.day <= asOf;
}

/** An active payment plan that asks for less than the amount that resumes after it. */
const paysLess = ({ modifications }: LoanState, asOf: Day): boolean =>
  modifications.plans.some(
    ({ status, amountCents, originalCents, startDay, endDay }) =>
      status === 'active' && startDay <= asOf && asOf <= endDay && (amountCents === null || amountCents < originalCents),
  );
