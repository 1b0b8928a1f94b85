import type { Role } from './chart.js';
import type { Line } from './entry.js';
import type { CreditSponsor, AccountingEvent } from './accounting-events.js';
import { type Account, asLines, balancedBy, debit } from './lines.js';
import { type Keeping, creditedParts, feesOf, lossRoles, type Parts, recognizedParts } from './parts.js';

/** Credits that mend a mistake of the servicing: the lender bears their principal as a loss of operation. */
const MISTAKES: ReadonlySet<string> = new Set(['billingError', 'regulatory', 'interestAdjustment', 'feeAdjustment']);

/** Credits that settle a debt for less: a loss as at a charge-off. */
const LOSSES: ReadonlySet<string> = new Set(['settlementOfDebt', 'badDebt']);

type Component = 'principal' | 'interest' | 'fees';

/** A service credit: receivables fall, and by component another account bears it. Of a charged-off loan it counts as a recovery. */
export function creditLines(keeping: Keeping, credit: Extract<AccountingEvent, { readonly type: 'serviceCredit' }>): readonly Line[] {
  const parts = recognizedParts(keeping, credit.parts);
  const lowered = creditedParts(keeping, parts);
  const sponsor = sponsorOf(credit.creditType, credit.sponsor, credit.investor);
  if (sponsor !== null) return balancedBy(lowered, sponsor);
  const borne = creditRoles(keeping, credit.creditType);
  const amounts = byComponent(parts);
  return asLines([
    ...lowered,
    ...(['principal', 'interest', 'fees'] as const).map((component) => debit(borne[component], amounts[component])),
  ]);
}

function byComponent(parts: Parts): Readonly<Record<Component, number>> {
  return {
    principal: (parts.principal ?? 0) + (parts.chargedOffPrincipal ?? 0) + (parts.credit ?? 0),
    interest: (parts.interest ?? 0) + (parts.chargedOffInterest ?? 0),
    fees: feesOf(parts) + (parts.chargedOffFees ?? 0),
  };
}

/** Who owes the lender what it has credited; null: nobody. */
function sponsorOf(creditType: string, sponsor: CreditSponsor, investor: string | undefined): Account | null {
  if (creditType === 'merchantRefund') return { role: 'merchantReceivable' };
  switch (sponsor) {
    case 'merchant':
      return { role: 'merchantReceivable' };
    case 'serviceOperator':
      return { role: 'servicerReceivable' };
    case 'investor':
      return { role: 'investorPayable', ...(investor === undefined ? {} : { dimensions: { investor } }) };
    case 'lender':
      return null;
  }
}

function creditRoles(keeping: Keeping, creditType: string): Readonly<Record<Component, Role>> {
  const { serviceCredit } = keeping.settings;
  if (LOSSES.has(creditType)) return lossRoles(keeping, false);
  if (MISTAKES.has(creditType)) return { ...serviceCredit, principal: 'operatingLoss' };
  if (creditType === 'fraud') return { ...serviceCredit, principal: 'chargeOffLossFraud' };
  return serviceCredit;
}

/** Who bears a refund. */
export function refundCounter(atFault: 'merchant' | 'serviceOperator' | 'loanOwner'): Account {
  if (atFault === 'merchant') return { role: 'merchantReceivable' };
  return atFault === 'serviceOperator' ? { role: 'servicerReceivable' } : { role: 'serviceCreditExpense' };
}
