import type { Happening } from './happenings.js';
import { asLines, balancedBy, credit, debit, type Posted } from './lines.js';
import { type Books, feesOf, lossRoles, totalOf } from './parts.js';
import type { Posting } from './rules.js';

/**
 * All receivables leave the books. The claim stays as a memorandum. On cash basis only principal was on the books. A fee that is still
 * deferred lowers the loss: what is lost is the carrying amount.
 */
export function chargeOffLines(books: Books, chargeOff: Extract<Happening, { readonly type: 'chargeOff' }>): readonly Posting[] {
  const { parts, priorYearInterest, deferredFees, isFraud, hasMemoranda } = chargeOff;
  const roles = lossRoles(books, isFraud);
  const { principal = 0, interest = 0, fees = [] } = parts;
  const memoranda: Posting = { rule: 'chargedOffClaim', lines: asLines(claimed(totalOf(parts), parts)) };
  const isCash = books.basis === 'cash';
  const restToIncome = books.settings.deferredAtChargeOff === 'recognizeRest';
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
  return [{ rule: 'chargeOff', lines }, ...(hasMemoranda ? [memoranda] : [])];
}

/** The claim that stays, by component. */
export function claimed(total: number, parts: { readonly principal?: number; readonly interest?: number }): readonly Posted[] {
  const { principal = 0, interest = 0 } = parts;
  return [
    debit('memoChargedOff', principal, { component: 'principal' }),
    debit('memoChargedOff', interest, { component: 'interest' }),
    debit('memoChargedOff', total - principal - interest, { component: 'fees' }),
    credit('memoContra', total),
  ];
}

/** Interest that nobody may collect leaves the books; the contract's interest stays as a memorandum. */
export function nonaccrualLines(
  { settings }: Books,
  { interest, priorYearInterest }: Extract<Happening, { readonly type: 'nonaccrual' }>,
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
