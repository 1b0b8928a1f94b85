import type { Line, Posting } from './entry.js';
import { chargeOffLines, claimLines, nonaccrualLines } from './charge-off.js';
import { creditLines, refundCounter } from './credits.js';
import type { AccountingEvent } from './accounting-events.js';
import { asLines, balancedBy, credit, debit, opposite, type Posted } from './lines.js';
import { movedToOwner } from './owners.js';
import { type Keeping, creditedParts, isIncomeWhenPaid, lossParts, type Parts, paidParts, recognizedParts } from './parts.js';

/** What an event posts on a basis: nothing, one entry, or one for each rule. */
export function postingsOf(keeping: Keeping, event: AccountingEvent): readonly Posting[] {
  return rulesOf(keeping, event).filter(({ lines }) => lines.length > 0);
}

function rulesOf(keeping: Keeping, event: AccountingEvent): readonly Posting[] {
  const { basis, settings } = keeping;
  const isCash = basis === 'cash';
  const one = (lines: readonly Line[]): readonly Posting[] => [{ rule: event.type, lines }];
  const between = (posted: Posted): readonly Posting[] => one(balancedBy([posted], COUNTERS[event.type] ?? { role: 'bank' }));
  switch (event.type) {
    case 'advance': {
      const { amount, feeWithheld, feeKind, counter } = event;
      return one(balancedBy([debit('principalReceivable', amount), deferred(keeping, feeKind, feeWithheld)], counter));
    }
    case 'financedFee':
      return one(balancedBy([deferred(keeping, event.feeKind, event.amount)], { role: 'principalReceivable' }));
    case 'originationFee':
      if (isCash) return [];
      return one(
        balancedBy([debit('feesReceivable', event.amount, { feeKind: 'origination' })], accountOf(deferred(keeping, 'origination', 0))),
      );
    case 'feeKeptAtDisbursement':
      return one(balancedBy([deferred(keeping, event.feeKind, event.amount)], { role: 'clearingOutgoing' }));
    case 'amortization':
      return isCash ? [] : one(amortized(event.of, event.amount));
    case 'accrual':
      if (isCash) return [];
      if (event.isNonaccrual === true) return one(balancedBy([debit('memoNonaccrualInterest', event.amount)], { role: 'memoContra' }));
      return between(debit('interestReceivable', event.amount));
    case 'interestRounding':
    case 'interestWaived':
      return isCash ? [] : between(credit('interestReceivable', event.amount));
    case 'capitalization':
      return isCash
        ? one(capitalizedOnCash(keeping, event.parts))
        : one(balancedBy(paidParts(keeping, event.parts), { role: 'principalReceivable' }));
    case 'feeCharged':
      return one(feeLines(keeping, event.feeKind, event.amount));
    case 'feeLowered':
      return one(loweredFee(keeping, event.feeKind, event.parts));
    case 'payment':
      return paymentLines(keeping, event);
    case 'takenBack':
      return takenBackLines(keeping, event);
    case 'settledAtBank': {
      const { amount, netFee, from, bank } = event;
      return one(balancedBy([credit(from.role, amount, from.dimensions), debit('processingExpense', netFee)], bank));
    }
    case 'processingFee':
      return one(balancedBy([debit('processingExpense', event.amount)], event.bank));
    case 'serviceCredit':
      return one(creditLines(keeping, event));
    case 'smallBalanceForgiven':
      return one(balancedBy(creditedParts(keeping, recognizedParts(keeping, event.parts)), { role: 'smallBalanceExpense' }));
    case 'interestRefund':
      return one(refundedInterest(keeping, event.parts));
    case 'refund':
      return one(refundLines(keeping, event));
    case 'paidBack': {
      const { interest, fees, atFault } = event;
      const given = [credit('borrowerCredit', interest + fees)];
      if (atFault !== 'loanOwner') return one(balancedBy(given, refundCounter(atFault)));
      return one(asLines([...given, debit('interestIncomeReversal', interest), debit('feeIncomeReversal', fees)]));
    }
    case 'reimbursement':
      return one(reimbursementLines(keeping, event));
    case 'chargeOff':
      return chargeOffLines(keeping, event);
    case 'claim':
      return one(claimLines(event));
    case 'nonaccrual':
      return isCash ? [] : nonaccrualLines(keeping, event);
    case 'promoExercised':
      return one(exercisedPromo(keeping, event));
    case 'moveToOwner':
      return one(movedToOwner(keeping, event));
    case 'purchaseSettled': {
      const { amount, payable, discount, reserve } = event;
      const isDeferred = settings.merchantDiscount === 'deferred' && !isCash;
      const lines = [
        debit('principalReceivable', amount),
        credit('merchantReserve', reserve),
        credit(isDeferred ? 'merchantDiscountDeferred' : 'merchantDiscountIncome', discount),
      ];
      return one(balancedBy(lines, payable));
    }
    case 'merchantDiscount': {
      const to = event.isDeferred ? 'merchantDiscountDeferred' : 'merchantDiscountIncome';
      return one(balancedBy([credit(to, event.amount)], { role: 'clearingOutgoing' }));
    }
    case 'purchaseDisputed':
      return between(credit('principalReceivable', event.amount));
    case 'disputeWon':
      return one(balancedBy([credit('disputedPurchases', event.amount)], event.from));
    case 'moved': {
      const { amount, from, to, rule } = event;
      return [{ rule, lines: balancedBy([credit(from.role, amount, from.dimensions)], to) }];
    }
    case 'migrated':
      return one(migratedLines(keeping, event));
    case 'unusedCommitment':
      return one(balancedBy([debit('memoUnusedCommitment', event.amount)], { role: 'memoContra' }));
  }
}

const COUNTERS: Partial<
  Record<AccountingEvent['type'], { readonly role: 'interestIncome' | 'interestRounding' | 'interestIncomeReversal' | 'disputedPurchases' }>
> = {
  accrual: { role: 'interestIncome' },
  interestRounding: { role: 'interestRounding' },
  interestWaived: { role: 'interestIncomeReversal' },
  purchaseDisputed: { role: 'disputedPurchases' },
};

const accountOf = ({ role, dimensions }: Posted) => (dimensions === undefined ? { role } : { role, dimensions });

/** A fee of origination: earned over the life of the loan, or at once. On cash basis it is income when it is paid. */
function deferred({ basis, settings }: Keeping, feeKind: string, amount: number): Posted {
  const isAtOnce = basis === 'cash' || settings.originationFeeRecognition === 'atOnce';
  return isAtOnce ? credit('feeIncome', amount, { feeKind }) : credit('deferredFees', amount);
}

function amortized(of: 'originationFee' | 'membershipFee' | 'merchantDiscount', amount: number): readonly Line[] {
  switch (of) {
    case 'originationFee':
      return balancedBy([debit('deferredFees', amount)], { role: 'feeAmortizationIncome' });
    case 'membershipFee':
      return balancedBy([debit('deferredMembershipFees', amount)], { role: 'feeIncome', dimensions: { feeKind: 'membership' } });
    case 'merchantDiscount':
      return balancedBy([debit('merchantDiscountDeferred', amount)], { role: 'merchantDiscountIncome' });
  }
}

function feeLines(keeping: Keeping, feeKind: string, amount: number): readonly Line[] {
  if (isIncomeWhenPaid(keeping, feeKind)) return [];
  const isDeferred = feeKind === 'membership' && keeping.settings.membershipFee === 'overPeriod';
  const counter = isDeferred ? ({ role: 'deferredMembershipFees' } as const) : ({ role: 'feeIncome', dimensions: { feeKind } } as const);
  return balancedBy([debit('feesReceivable', amount, { feeKind })], counter);
}

/** A fee that is lowered takes income back; one of origination what is still deferred. */
function loweredFee(keeping: Keeping, feeKind: string, parts: Parts): readonly Line[] {
  const lowered = keeping.basis === 'cash' || isIncomeWhenPaid(keeping, feeKind) ? onlyCredit(parts) : parts;
  const isOrigination = feeKind === 'origination' && keeping.basis === 'accrual';
  return balancedBy(
    creditedParts(keeping, lowered),
    isOrigination ? { role: 'deferredFees' } : { role: 'feeIncome', dimensions: { feeKind } },
  );
}

const onlyCredit = ({ credit: over = 0 }: Parts) => ({ credit: over });

/** On cash basis capitalized interest is income, or stays out of principal, as the lender has decided. */
function capitalizedOnCash(keeping: Keeping, parts: Parts): readonly Line[] {
  if (keeping.settings.capitalizationOnCashBasis === 'none') return [];
  return balancedBy(paidParts(keeping, parts), { role: 'principalReceivable' });
}

function paymentLines(keeping: Keeping, { parts, counter, rule, isNonaccrual = false }: EventOf<'payment'>): readonly Posting[] {
  const postings: Posting[] = [{ rule: rule ?? 'payment', lines: balancedBy(paidParts(keeping, parts, isNonaccrual), counter) }];
  if (isNonaccrual && keeping.basis === 'accrual') {
    postings.push({
      rule: 'nonaccrualPaid',
      lines: balancedBy([credit('memoNonaccrualInterest', parts.interest ?? 0)], { role: 'memoContra' }),
    });
  }
  return postings;
}

function takenBackLines(keeping: Keeping, { parts, counter }: EventOf<'takenBack'>): readonly Posting[] {
  const { principal = 0, interest = 0, fees = [], credit: over = 0 } = parts;
  const posted = [...opposite(paidParts(keeping, { principal, interest, fees, credit: over })), ...lossParts(keeping, parts)];
  return [{ rule: 'takenBack', lines: balancedBy(posted, counter) }];
}

/** Of a charged-off loan it gives back interest that was reversed. */
function refundedInterest(keeping: Keeping, parts: Parts): readonly Line[] {
  const { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0, ...rest } = parts;
  const reversed = credit('interestIncomeReversal', chargedOffPrincipal + chargedOffInterest + chargedOffFees);
  return balancedBy([...creditedParts(keeping, recognizedParts(keeping, rest)), reversed], { role: 'interestIncome' });
}

/** A refund of a charged-off loan lowers the loss. */
function refundLines(keeping: Keeping, { parts, atFault }: EventOf<'refund'>): readonly Line[] {
  const { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0, ...rest } = parts;
  const charged = opposite(lossParts(keeping, { chargedOffPrincipal, chargedOffInterest, chargedOffFees }));
  const lowered = recognizedParts(keeping, rest);
  if (atFault !== 'loanOwner') return balancedBy([...creditedParts(keeping, lowered), ...charged], refundCounter(atFault));
  const { interest = 0, fees = [] } = lowered;
  const reversed = [
    debit('interestIncomeReversal', interest),
    debit(
      'feeIncomeReversal',
      fees.reduce((sum, { amount }) => sum + amount, 0),
    ),
  ];
  return balancedBy([...creditedParts(keeping, lowered), ...charged, ...reversed], refundCounter(atFault));
}

/** Money sent beyond the credit is owed again; after a charge-off it is a loss. */
function reimbursementLines(keeping: Keeping, { parts, counter }: EventOf<'reimbursement'>): readonly Line[] {
  const { principal = 0, credit: over = 0 } = parts;
  const posted = [debit('borrowerCredit', over), debit('principalReceivable', principal), ...lossParts(keeping, parts)];
  return balancedBy(posted, counter);
}

/** Deferred interest that is not owed after all: what was recognized comes off income. */
function exercisedPromo({ basis, settings }: Keeping, { unpaid, toPrincipal, toCredit }: EventOf<'promoExercised'>): readonly Line[] {
  const given = [credit('principalReceivable', toPrincipal), credit('borrowerCredit', toCredit)];
  if (basis === 'cash') return balancedBy(given, { role: 'interestIncome' });
  const counter = settings.deferredInterestPromo === 'deferUntilLost' ? 'deferredPromoInterest' : 'interestIncome';
  return balancedBy([credit('interestReceivable', unpaid), ...given], { role: counter });
}

/** Balances that another system has kept until now. */
function migratedLines(keeping: Keeping, { parts, deferredFees }: EventOf<'migrated'>): readonly Line[] {
  const opening = opposite(creditedParts(keeping, recognizedParts(keeping, parts)));
  const rest = keeping.basis === 'cash' ? [] : [credit('deferredFees', deferredFees)];
  return balancedBy([...opening, ...rest], { role: 'migrationOpening' });
}

type EventOf<Type extends AccountingEvent['type']> = Extract<AccountingEvent, { readonly type: Type }>;
