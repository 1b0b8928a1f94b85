import type { AccountingEvent } from './accounting-events.js';
import type { Line } from './entry.js';
import { balancedBy, credit, debit } from './lines.js';
import { type Keeping, feesOf, lossRoles } from './parts.js';
import type { Posting } from './entry.js';

/**
 * All receivables leave the general ledger. On cash basis only principal was on the general ledger. A fee that is still
 * deferred lowers the loss: what is lost is the carrying amount.
 */
export function chargeOffLines(keeping: Keeping, chargeOff: Extract<AccountingEvent, { readonly type: 'chargeOff' }>): readonly Posting[] {
  const { parts, priorYearInterest, deferredFees, isFraud } = chargeOff;
  const roles = lossRoles(keeping, isFraud);
  const { principal = 0, interest = 0, fees = [] } = parts;
  const isCash = keeping.basis === 'cash';
  const restToIncome = keeping.settings.deferredAtChargeOff === 'recognizeRest';
  const lines = isCash
    ? balancedBy([credit('principalReceivable', principal)], { role: roles.principal })
    : balancedBy(
        [
          credit('principalReceivable', principal),
          credit('interestReceivable', interest),
          ...fees.map(({ kind, amount }) => credit('feesReceivable', amount, { feeKind: kind })),
          debit('deferredFees', deferredFees),
          credit('feeAmortizationIncome', restToIncome ? deferredFees : 0),
          debit(roles.interest, interest - priorYearInterest),
          debit(roles.priorYearInterest, priorYearInterest),
          debit(roles.fees, feesOf(parts)),
        ],
        { role: roles.principal },
      );
  return [{ rule: 'chargeOff', lines }];
}

/** The claim that stays, by component. */
export const claimLines = ({ principal, interest, fees }: Extract<AccountingEvent, { readonly type: 'claim' }>): readonly Line[] =>
  balancedBy(
    [
      debit('memoChargedOff', principal, { component: 'principal' }),
      debit('memoChargedOff', interest, { component: 'interest' }),
      debit('memoChargedOff', fees, { component: 'fees' }),
    ],
    { role: 'memoContra' },
  );

/** Interest that nobody may collect leaves the general ledger; the contract's interest stays as a memorandum. */
export function nonaccrualLines(
  { settings }: Keeping,
  { interest, priorYearInterest }: Extract<AccountingEvent, { readonly type: 'nonaccrual' }>,
): readonly Posting[] {
  const earlier = { loss: 'chargeOffLoss', allowance: 'allowance', reverseIncome: 'interestIncomeReversal' } as const;
  return [
    {
      rule: 'nonaccrual',
      lines: balancedBy([credit('interestReceivable', interest), debit(earlier[settings.nonaccrualPriorYearInterest], priorYearInterest)], {
        role: 'interestIncomeReversal',
      }),
    },
    { rule: 'nonaccrualClaim', lines: balancedBy([debit('memoNonaccrualInterest', interest)], { role: 'memoContra' }) },
  ];
}
