import { shareOfCents, cents, RATE_ONE, rate } from '../money/index.js';
import { splitByShares } from '../ownership/index.js';
import type { Line } from './entry.js';
import type { AccountingEvent, OwnerShare } from './accounting-events.js';
import { type Account, asLines, balancedBy, credit, debit } from './lines.js';
import { type Keeping, feesOf, type Parts, paidParts } from './parts.js';
import type { Posting } from './entry.js';

/** Amounts of a loan by component, of all owners or of one. */
interface ByComponent {
  readonly principal: number;
  readonly interest: number;
  readonly fees: number;
}

/** The part of each owner of the list, then what is left for the lender. */
function ownersParts(whole: number, owners: readonly OwnerShare[]): readonly number[] {
  const own = RATE_ONE - owners.reduce((sum, { share }) => sum + share, 0);
  return splitByShares(cents(whole), [...owners.map(({ share }) => rate(share)), rate(own)]);
}

/** The investors' part of an amount. */
const investorsPart = (whole: number, owners: readonly OwnerShare[]): number => whole - (ownersParts(whole, owners).at(-1) ?? 0);

/**
 * A receipt of a loan with investors: their parts are owed to them, and their memoranda fall. The lender's own part is booked as a
 * payment.
 */
export function ownersReceipt(keeping: Keeping, parts: Parts, counter: Account, owners: readonly OwnerShare[]): readonly Posting[] {
  const { principal = 0, interest = 0, fees = [], credit: over = 0, ...chargedOff } = parts;
  const ofFees = fees.map(({ kind, amount }) => ({ kind, parts: ownersParts(amount, owners) }));
  const ofPrincipal = ownersParts(principal, owners);
  const ofInterest = ownersParts(interest, owners);
  const lenders = owners.length;
  const own: Parts = {
    ...chargedOff,
    principal: ofPrincipal[lenders] ?? 0,
    interest: ofInterest[lenders] ?? 0,
    fees: ofFees.map(({ kind, parts: amounts }) => ({ kind, amount: amounts[lenders] ?? 0 })),
    credit: over,
  };
  const payable = owners.map(({ owner }, at) => {
    const amount = (ofPrincipal[at] ?? 0) + (ofInterest[at] ?? 0) + ofFees.reduce((sum, { parts: amounts }) => sum + (amounts[at] ?? 0), 0);
    return credit('investorPayable', amount, { investor: owner });
  });
  const serviced = {
    principal: principal - (ofPrincipal[lenders] ?? 0),
    interest: interest - (ofInterest[lenders] ?? 0),
    fees: feesOf(parts) - feesOf(own),
  };
  return [
    { rule: 'payment', lines: balancedBy([...paidParts(keeping, own), ...payable], counter) },
    { rule: 'servicedPaid', lines: servicedMemo(serviced, -1) },
  ];
}

/** Moves the memoranda of the investors' parts, up or down. */
function servicedMemo({ principal, interest, fees }: ByComponent, sign: 1 | -1): readonly Line[] {
  const posted = [
    debit('memoServicedPrincipal', sign * principal),
    debit('memoServicedInterest', sign * interest),
    debit('memoServicedFees', sign * fees),
  ];
  return balancedBy(posted, { role: 'memoContra' });
}

/**
 * A share of the loan is sold: it leaves the lender's general ledger with its part of what is deferred, and becomes a
 * memorandum. Interest and fees are sold at par, principal at the price.
 */
export function saleLines(
  keeping: Keeping,
  { share, priceRatio, carrying }: Extract<AccountingEvent, { readonly type: 'sale' }>,
): readonly Posting[] {
  const owners = [{ owner: 'buyer', share }];
  const isCash = keeping.basis === 'cash';
  const sold = {
    principal: investorsPart(carrying.principal, owners),
    interest: investorsPart(carrying.interest, owners),
    fees: investorsPart(carrying.fees, owners),
  };
  const ofDeferred = isCash ? 0 : investorsPart(carrying.deferredFees, owners);
  const price = shareOfCents(sold.principal, priceRatio, 'halfUp') + sold.interest + sold.fees;
  const lines = balancedBy(
    [
      debit('investorReceivable', price),
      debit('deferredFees', ofDeferred),
      credit('principalReceivable', sold.principal),
      credit(isCash ? 'interestIncome' : 'interestReceivable', sold.interest),
      credit(isCash ? 'feeIncome' : 'feesReceivable', sold.fees),
    ],
    { role: 'gainOnSale' },
  );
  return [
    { rule: 'sale', lines },
    { rule: 'servicedSold', lines: servicedMemo(sold, 1) },
  ];
}

/** If each owner has a general ledger of its own, a loan leaves that of one owner through a transfer account and enters the other's. */
export function movedToOwner(
  { basis }: Keeping,
  { from, to, carrying }: Extract<AccountingEvent, { readonly type: 'moveToOwner' }>,
): readonly Line[] {
  const { principal, interest, fees } = basis === 'cash' ? { ...carrying, interest: 0, fees: 0 } : carrying;
  const entering = asLines([
    debit('principalReceivable', principal),
    debit('interestReceivable', interest),
    debit('feesReceivable', fees),
    credit('transferClearing', principal + interest + fees),
  ]);
  return [
    ...entering.map((line) => ({ ...line, amount: cents(-line.amount), owner: from })),
    ...entering.map((line) => ({ ...line, owner: to })),
  ];
}

/** The same lines in the general ledger of an owner. */
export const forOwner = (lines: readonly Line[], owner: string): readonly Line[] =>
  lines.map((line) => (line.owner === undefined ? { ...line, owner } : line));
