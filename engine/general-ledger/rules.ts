import { divideRounded, RATE_ONE } from '../money/index.js';
import type { Line } from './entry.js';
import { chargeOffLines, claimLines, nonaccrualLines } from './charge-off.js';
import { creditLines, refundCounter } from './credits.js';
import type { Happening } from './happenings.js';
import { asLines, balancedBy, credit, debit, opposite, type Posted } from './lines.js';
import { movedToOwner, ownersReceipt, saleLines } from './owners.js';
import { type Books, creditedParts, isIncomeWhenPaid, lossParts, type Parts, paidParts, recognizedParts } from './parts.js';

/** Lines of one rule. A happening may follow several, each of which balances. */
export interface Posting {
  readonly rule: string;
  readonly lines: readonly Line[];
}

/** What a happening books on a basis: nothing, one entry, or one for each rule. */
export function postingsOf(books: Books, happening: Happening): readonly Posting[] {
  return rulesOf(books, happening).filter(({ lines }) => lines.length > 0);
}

function rulesOf(books: Books, happening: Happening): readonly Posting[] {
  const { basis, settings } = books;
  const isCash = basis === 'cash';
  const one = (lines: readonly Line[]): readonly Posting[] => [{ rule: happening.type, lines }];
  const between = (posted: Posted): readonly Posting[] => one(balancedBy([posted], COUNTERS[happening.type] ?? { role: 'bank' }));
  switch (happening.type) {
    case 'advance': {
      const { amount, feeWithheld, feeKind, counter } = happening;
      return one(balancedBy([debit('principalReceivable', amount), deferred(books, feeKind, feeWithheld)], counter));
    }
    case 'financedFee':
      return one(balancedBy([deferred(books, happening.feeKind, happening.amount)], { role: 'principalReceivable' }));
    case 'originationFee':
      if (isCash) return [];
      return one(
        balancedBy([debit('feesReceivable', happening.amount, { feeKind: 'origination' })], accountOf(deferred(books, 'origination', 0))),
      );
    case 'feeKeptAtDisbursement':
      return one(balancedBy([deferred(books, happening.feeKind, happening.amount)], { role: 'clearingOutgoing' }));
    case 'amortization':
      return isCash ? [] : one(amortized(happening.of, happening.amount));
    case 'accrual':
      if (isCash) return [];
      if (happening.isNonaccrual === true)
        return one(balancedBy([debit('memoNonaccrualInterest', happening.amount)], { role: 'memoContra' }));
      return between(debit('interestReceivable', happening.amount));
    case 'interestRounding':
    case 'interestWaived':
      return isCash ? [] : between(credit('interestReceivable', happening.amount));
    case 'capitalization':
      return isCash
        ? one(capitalizedOnCash(books, happening.parts))
        : one(balancedBy(paidParts(books, happening.parts), { role: 'principalReceivable' }));
    case 'feeCharged':
      return one(feeLines(books, happening.feeKind, happening.amount));
    case 'feeLowered':
      return one(loweredFee(books, happening.feeKind, happening.parts));
    case 'payment':
      return paymentLines(books, happening);
    case 'takenBack':
      return takenBackLines(books, happening);
    case 'settledAtBank': {
      const { amount, netFee, from, bank } = happening;
      return one(balancedBy([credit(from.role, amount, from.dimensions), debit('processingExpense', netFee)], bank));
    }
    case 'processingFee':
      return one(balancedBy([debit('processingExpense', happening.amount)], happening.bank));
    case 'serviceCredit':
      return one(creditLines(books, happening));
    case 'smallBalanceForgiven':
      return one(balancedBy(creditedParts(books, recognizedParts(books, happening.parts)), { role: 'smallBalanceExpense' }));
    case 'interestRefund':
      return one(refundedInterest(books, happening.parts));
    case 'refund':
      return one(refundLines(books, happening));
    case 'paidBack': {
      const { interest, fees, atFault } = happening;
      const given = [credit('borrowerCredit', interest + fees)];
      if (atFault !== 'loanOwner') return one(balancedBy(given, refundCounter(atFault)));
      return one(asLines([...given, debit('interestIncomeReversal', interest), debit('feeIncomeReversal', fees)]));
    }
    case 'reimbursement':
      return one(reimbursementLines(books, happening));
    case 'chargeOff':
      return chargeOffLines(books, happening);
    case 'claim':
      return one(claimLines(happening));
    case 'nonaccrual':
      return isCash ? [] : nonaccrualLines(books, happening);
    case 'promoExercised':
      return one(exercisedPromo(books, happening));
    case 'sale':
      return saleLines(books, happening);
    case 'moveToOwner':
      return one(movedToOwner(books, happening));
    case 'purchaseSettled': {
      const { amount, payable, discount, reserve } = happening;
      const isDeferred = settings.merchantDiscount === 'deferred' && !isCash;
      const lines = [
        debit('principalReceivable', amount),
        credit('merchantReserve', reserve),
        credit(isDeferred ? 'merchantDiscountDeferred' : 'merchantDiscountIncome', discount),
      ];
      return one(balancedBy(lines, payable));
    }
    case 'purchaseDisputed':
      return between(credit('principalReceivable', happening.amount));
    case 'disputeWon':
      return one(balancedBy([credit('disputedPurchases', happening.amount)], happening.from));
    case 'moved': {
      const { amount, from, to, rule } = happening;
      return [{ rule, lines: balancedBy([credit(from.role, amount, from.dimensions)], to) }];
    }
    case 'migrated':
      return one(migratedLines(books, happening));
    case 'unusedCommitment':
      return one(balancedBy([debit('memoUnusedCommitment', happening.amount)], { role: 'memoContra' }));
  }
}

const COUNTERS: Partial<
  Record<Happening['type'], { readonly role: 'interestIncome' | 'interestRounding' | 'interestIncomeReversal' | 'disputedPurchases' }>
> = {
  accrual: { role: 'interestIncome' },
  interestRounding: { role: 'interestRounding' },
  interestWaived: { role: 'interestIncomeReversal' },
  purchaseDisputed: { role: 'disputedPurchases' },
};

const accountOf = ({ role, dimensions }: Posted) => (dimensions === undefined ? { role } : { role, dimensions });

/** A fee of origination: earned over the life of the loan, or at once. On cash basis it is income when it is paid. */
function deferred({ basis, settings }: Books, feeKind: string, amount: number): Posted {
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

function feeLines(books: Books, feeKind: string, amount: number): readonly Line[] {
  if (isIncomeWhenPaid(books, feeKind)) return [];
  const isDeferred = feeKind === 'membership' && books.settings.membershipFee === 'overPeriod';
  const counter = isDeferred ? ({ role: 'deferredMembershipFees' } as const) : ({ role: 'feeIncome', dimensions: { feeKind } } as const);
  return balancedBy([debit('feesReceivable', amount, { feeKind })], counter);
}

/** A fee that is lowered takes income back; one of origination what is still deferred. */
function loweredFee(books: Books, feeKind: string, parts: Parts): readonly Line[] {
  const lowered = books.basis === 'cash' || isIncomeWhenPaid(books, feeKind) ? onlyCredit(parts) : parts;
  const isOrigination = feeKind === 'origination' && books.basis === 'accrual';
  return balancedBy(
    creditedParts(books, lowered),
    isOrigination ? { role: 'deferredFees' } : { role: 'feeIncome', dimensions: { feeKind } },
  );
}

const onlyCredit = ({ credit: over = 0 }: Parts) => ({ credit: over });

/** On cash basis capitalized interest is income, or stays out of principal, as the lender has decided. */
function capitalizedOnCash(books: Books, parts: Parts): readonly Line[] {
  if (books.settings.capitalizationOnCashBasis === 'none') return [];
  return balancedBy(paidParts(books, parts), { role: 'principalReceivable' });
}

function paymentLines(books: Books, { parts, counter, isNonaccrual = false, owners = [] }: HappeningOf<'payment'>): readonly Posting[] {
  if (owners.length > 0) return ownersReceipt(books, parts, counter, owners);
  const postings: Posting[] = [{ rule: 'payment', lines: balancedBy(paidParts(books, parts, isNonaccrual), counter) }];
  if (isNonaccrual && books.basis === 'accrual') {
    postings.push({
      rule: 'nonaccrualPaid',
      lines: balancedBy([credit('memoNonaccrualInterest', parts.interest ?? 0)], { role: 'memoContra' }),
    });
  }
  return postings;
}

function takenBackLines(books: Books, { parts, counter, owners = [] }: HappeningOf<'takenBack'>): readonly Posting[] {
  if (owners.length > 0) {
    return ownersReceipt(books, parts, counter, owners).map(({ lines }) => ({ rule: 'takenBack', lines: asLines(opposite(lines)) }));
  }
  const { principal = 0, interest = 0, fees = [], credit: over = 0 } = parts;
  const posted = [...opposite(paidParts(books, { principal, interest, fees, credit: over })), ...lossParts(books, parts)];
  return [{ rule: 'takenBack', lines: balancedBy(posted, counter) }];
}

/** Of a charged-off loan it gives back interest that was reversed. */
function refundedInterest(books: Books, parts: Parts): readonly Line[] {
  const { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0, ...rest } = parts;
  const reversed = credit('interestIncomeReversal', chargedOffPrincipal + chargedOffInterest + chargedOffFees);
  return balancedBy([...creditedParts(books, recognizedParts(books, rest)), reversed], { role: 'interestIncome' });
}

/** A refund of a charged-off loan lowers the loss. */
function refundLines(books: Books, { parts, atFault }: HappeningOf<'refund'>): readonly Line[] {
  const { chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0, ...rest } = parts;
  const charged = opposite(lossParts(books, { chargedOffPrincipal, chargedOffInterest, chargedOffFees }));
  const lowered = recognizedParts(books, rest);
  if (atFault !== 'loanOwner') return balancedBy([...creditedParts(books, lowered), ...charged], refundCounter(atFault));
  const { interest = 0, fees = [] } = lowered;
  const reversed = [
    debit('interestIncomeReversal', interest),
    debit(
      'feeIncomeReversal',
      fees.reduce((sum, { amount }) => sum + amount, 0),
    ),
  ];
  return balancedBy([...creditedParts(books, lowered), ...charged, ...reversed], refundCounter(atFault));
}

/** Money sent beyond the credit is owed again; after a charge-off it is a loss. */
function reimbursementLines(books: Books, { parts, counter }: HappeningOf<'reimbursement'>): readonly Line[] {
  const { principal = 0, credit: over = 0 } = parts;
  const posted = [debit('borrowerCredit', over), debit('principalReceivable', principal), ...lossParts(books, parts)];
  return balancedBy(posted, counter);
}

/** Deferred interest that is not owed after all: what was recognized comes off income. */
function exercisedPromo({ basis, settings }: Books, { unpaid, toPrincipal, toCredit }: HappeningOf<'promoExercised'>): readonly Line[] {
  const given = [credit('principalReceivable', toPrincipal), credit('borrowerCredit', toCredit)];
  if (basis === 'cash') return balancedBy(given, { role: 'interestIncome' });
  const counter = settings.deferredInterestPromo === 'deferUntilLost' ? 'deferredPromoInterest' : 'interestIncome';
  return balancedBy([credit('interestReceivable', unpaid), ...given], { role: counter });
}

/** Balances that another system has kept until now. */
function migratedLines(books: Books, { parts, deferredFees }: HappeningOf<'migrated'>): readonly Line[] {
  const opening = opposite(creditedParts(books, recognizedParts(books, parts)));
  const rest = books.basis === 'cash' ? [] : [credit('deferredFees', deferredFees)];
  return balancedBy([...opening, ...rest], { role: 'migrationOpening' });
}

type HappeningOf<Type extends Happening['type']> = Extract<Happening, { readonly type: Type }>;

/** A share of an amount, to the nearest cent: the one place where a discount or a reserve is rounded. */
export const shareOf = (amount: number, share: number): number =>
  Number(divideRounded(BigInt(amount) * BigInt(share), BigInt(RATE_ONE), 'halfUp'));
