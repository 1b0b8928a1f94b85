import { cents, generalLedger, must, rate, shareOfCents } from '../../../engine/index.js';
import { dayFrom } from '../numbers.js';
import type { Balances } from './vector-ledger.js';
import type { JournalVector, VectorEvent } from './vector-types.js';

type AccountingEvent = generalLedger.AccountingEvent;
type Parts = generalLedger.Parts;

/** A rate or share as an integer of 1e-8. */
export const rate8 = (text: string): number => Math.round(Number(text) * 1e8);

const OUT = { role: 'clearingOutgoing' } as const;
const IN = { role: 'clearingIncoming' } as const;
const BANK = { role: 'bank' } as const;

/** The parts of a split; what the source calls interest and fees pays fees first. */
function partsOf(
  { type, split = {}, feeKind = 'other', amount = 0, ofPayment }: VectorEvent,
  balances: Balances,
  known: readonly VectorEvent[],
): Parts {
  const payments = known.filter((one) => one.type === 'payment' || one.type === 'downPayment');
  if (type === 'chargeback' && balances.isChargedOff && split.chargedOff === undefined) {
    const { split: paid = {} } = must(payments[(ofPayment ?? 0) - 1], 'a payment');
    return { chargedOffPrincipal: paid.principal ?? 0, chargedOffFees: (paid.fees ?? 0) + (paid.interestAndFees ?? 0) };
  }
  if (type === 'serviceCredit' && split.chargedOff !== undefined) {
    const chargedOffInterest = balances.dueInterest ?? 0;
    return { chargedOffFees: balances.fees, chargedOffInterest, chargedOffPrincipal: amount - balances.fees - chargedOffInterest };
  }
  const ofBoth = split.interestAndFees ?? 0;
  const fees = (split.fees ?? 0) + Math.min(ofBoth, balances.fees);
  return {
    principal: split.principal ?? 0,
    interest: (split.interest ?? 0) + ofBoth - Math.min(ofBoth, balances.fees),
    fees: fees === 0 ? [] : [{ kind: feeKind, amount: fees }],
    credit: split.credit ?? 0,
    chargedOffPrincipal: (split.chargedOffPrincipal ?? 0) + (split.chargedOff ?? 0),
    chargedOffInterest: split.chargedOffInterest ?? 0,
  };
}

function counterOf({ collectedBy, fromUnapplied }: VectorEvent): generalLedger.Account {
  if (collectedBy !== undefined) return { role: 'agencyReceivable' };
  return fromUnapplied === true ? { role: 'unappliedCash' } : IN;
}

/** What an event of a vector means to the general ledger; null: nothing. */
export function accountingEventOf(
  vector: JournalVector,
  event: VectorEvent,
  balances: Balances,
  known: readonly VectorEvent[],
): AccountingEvent | null {
  const { amount = 0, split = {}, feeKind = 'other', investor } = event;
  const parts = partsOf(event, balances, known);
  const payable = { role: 'investorPayable', dimensions: { investor: investor ?? '' } } as const;
  const moved = (
    rule: Extract<AccountingEvent, { type: 'moved' }>['rule'],
    from: generalLedger.Account,
    to: generalLedger.Account,
  ): AccountingEvent => ({
    type: 'moved',
    rule,
    amount,
    from,
    to,
  });
  switch (event.type) {
    case 'disbursement':
      return { type: 'advance', amount, feeWithheld: event.feeWithheld ?? 0, feeKind: 'origination', counter: OUT };
    case 'financedFee':
    case 'discountFee':
      return { type: 'financedFee', amount, feeKind };
    case 'feePaidAtDisbursement':
      return { type: 'feeKeptAtDisbursement', amount, feeKind };
    case 'feeCharged':
      return { type: 'feeCharged', amount: event.percent === undefined ? amount : 10_300, feeKind };
    case 'feeAdjusted':
      return { type: 'feeLowered', feeKind, parts };
    case 'accrual':
      return { type: 'accrual', amount };
    case 'amortization':
      return amortization(vector, event);
    case 'payment':
    case 'downPayment':
      return { type: 'payment', parts, counter: counterOf(event), isNonaccrual: event.accrualStatus === 'nonaccrual' };
    case 'chargeback':
      return { type: 'takenBack', parts, counter: IN };
    case 'paymentReturned':
      return { type: 'takenBack', parts, counter: IN };
    case 'payoutRefund':
    case 'merchantRefund':
    case 'refund':
      return { type: 'refund', parts, atFault: event.atFaultParty ?? 'merchant' };
    case 'refundOfInterestAndFees':
      return { type: 'paidBack', interest: split.paidInterest ?? 0, fees: split.paidFees ?? 0, atFault: 'merchant' };
    case 'serviceCredit':
      return { type: 'serviceCredit', parts, creditType: event.creditType ?? 'courtesy', sponsor: event.sponsor ?? 'lender' };
    case 'interestRefund':
    case 'interestPaymentWaiver':
      return { type: 'interestRefund', parts };
    case 'interestWaived':
      return { type: 'interestWaived', amount };
    case 'reimbursement':
      return { type: 'reimbursement', parts, counter: OUT };
    case 'chargeOff':
      return {
        type: 'chargeOff',
        parts: event.split === undefined || Object.keys(event.split).length === 0 ? owedParts(balances) : parts,
        priorYearInterest: split.interestOfPriorYear ?? 0,
        deferredFees: balances.deferredFees,
        isFraud: event.reason === 'fraud',
      };
    case 'nonaccrual':
      return { type: 'nonaccrual', interest: split.interest ?? 0, priorYearInterest: split.interestOfPriorYear ?? 0 };
    case 'promoExercised':
      return { type: 'promoExercised', unpaid: split.accruedUnpaid ?? 0, toPrincipal: split.toPrincipal ?? 0, toCredit: 0 };
    case 'paidOff':
      return { type: 'amortization', of: 'originationFee', amount: balances.deferredFees };
    case 'ownerChange':
      return ownerChange(event, balances);
    case 'purchaseSettled': {
      const share = (text = '0'): number => shareOfCents(amount, rate8(text), 'halfUp');
      return {
        type: 'purchaseSettled',
        amount,
        payable: { role: 'merchantPayable' },
        discount: share(event.mdrRate),
        reserve: share(event.reserveRate),
      };
    }
    case 'settledAtBank':
      return { type: 'settledAtBank', amount, netFee: event.processingFee ?? 0, from: IN, bank: BANK };
    case 'agencyCommission':
      return moved('agencyCommission', { role: 'agencyReceivable' }, { role: 'agencyCommissionExpense' });
    case 'agencyRemittance':
      return moved('agencyRemittance', { role: 'agencyReceivable' }, BANK);
    case 'merchantPayout':
      return moved('merchantPayout', OUT, { role: 'merchantPayable' });
    case 'payoutSettledAtBank':
    case 'settlementSettledAtBank':
      return moved('payoutSettledAtBank', BANK, OUT);
    case 'servicingFee':
      return moved('servicingFee', { role: 'servicingIncome' }, payable);
    case 'settlement':
      return moved('settlement', OUT, payable);
    case 'unidentifiedReceipt':
      return moved('unidentifiedReceipt', { role: 'unappliedCash' }, BANK);
    case 'checkStale':
      return moved('checkStale', { role: 'escheatPayable' }, OUT);
    case 'escheat':
      return moved('escheat', BANK, { role: 'escheatPayable' });
    case 'activation':
      return { type: 'advance', amount: event.principal ?? 0, feeWithheld: 0, feeKind: 'origination', counter: OUT };
    default:
      throw new Error(`an event that the test does not know: ${event.type}`);
  }
}

const owedParts = ({ principal, interest, fees }: Balances): Parts => ({
  principal,
  interest,
  fees: Number.isFinite(fees) ? [{ kind: 'other', amount: fees }] : [],
});

/** The whole loan goes to another owner. Of a share that is sold the books of the lender post what it sells. */
function ownerChange({ to }: VectorEvent, { owner, principal, interest, fees }: Balances): AccountingEvent | null {
  const carrying = { principal, interest, fees: Number.isFinite(fees) ? fees : 0 };
  return to === undefined ? null : { type: 'moveToOwner', from: owner, to, carrying };
}

const LENDER = 'lender';

/** Events whose money or balances the owners share. */
const SHARED: ReadonlySet<string> = new Set(['payment', 'downPayment', 'paymentReturned']);

/** The lender's own books of a vector in which others own shares; null: they own none. */
export function ownLedgerOf({ inputs }: JournalVector, keeping: generalLedger.Keeping): OwnLedgerOfVector | null {
  const { events, balancesBefore = {} } = inputs;
  const owned = events.find(({ type, owners, to }) => owners !== undefined || type === 'paymentReturned' || isSale({ type, to }));
  if (owned === undefined) return null;
  const { investor, owners = investor === undefined ? [] : [{ investor, share: '1' }] } = owned;
  const own = new generalLedger.OwnShareLedger(
    { ...keeping, settings: { ...keeping.settings, lenderInvestorId: LENDER } },
    owners.map((one) => ownerOf(one.investor, rate8(one.share))),
  );
  own.begin(
    generalLedger.DEFAULT_CHART.map(({ role }) => ({ role, dimensions: {}, amount: cents(balancesBefore[role] ?? 0) })).filter(
      ({ amount }) => amount !== 0,
    ),
  );
  return {
    post(event, accountingEvent) {
      if (isSale(event)) {
        const share = rate8(event.share ?? '1');
        return own.changeOwners([ownerOf('buyer', share, event.priceRatio), ownerOf(LENDER, 1e8 - share)], dayFrom(event.effectiveDate));
      }
      return accountingEvent === null || !SHARED.has(event.type) ? null : own.post(accountingEvent, [paidOf(event)]);
    },
  };
}

export interface OwnLedgerOfVector {
  /** Null: the owners share nothing of it. */
  post(event: VectorEvent, accountingEvent: AccountingEvent | null): ReturnType<typeof generalLedger.postingsOf> | null;
}

const isSale = ({ type, to }: Pick<VectorEvent, 'type' | 'to'>): boolean => type === 'ownerChange' && to === undefined;

const ownerOf = (investor: string, share: number, priceRatio = '1'): generalLedger.ShareOwner => ({
  investor,
  share: rate(share),
  priceRatio: rate8(priceRatio),
});

function paidOf({ n, type, effectiveDate, split = {} }: VectorEvent): generalLedger.PaidPart {
  const sign = type === 'paymentReturned' ? -1 : 1;
  const { principal = 0, interest = 0, fees = 0 } = split;
  return { transaction: n, day: dayFrom(effectiveDate), principal: sign * principal, interest: sign * interest, fees: sign * fees };
}

/** A period of what is earned over time, from the schedules that the vectors' derivations name. */
function amortization({ id }: JournalVector, { period = 1 }: VectorEvent): AccountingEvent {
  const earned = id === 'gl-c32' ? (at: number): number => generalLedger.earnedStraight(9900, at, 12) : atLevelYield(id);
  return { type: 'amortization', of: id === 'gl-c32' ? 'membershipFee' : 'originationFee', amount: earned(period) - earned(period - 1) };
}

function atLevelYield(id: string): (period: number) => number {
  const earned = id === 'gl-c15' ? earnedByMonth() : earnedByDay();
  return (period) => (period === 0 ? 0 : (earned[period - 1] ?? 0));
}

/** 200 daily payments of 50.00 for 9,000.00. */
export const earnedByDay = (): readonly number[] =>
  generalLedger.earnedAtLevelYield(
    100_000,
    900_000,
    Array.from({ length: 200 }, () => ({ length: 1, paid: 5000, interest: 0 })),
  );

/** 10,000.00 at 1 % a month, 11 payments of 888.49 and a last one of 888.47, less a fee of 300.00. */
function earnedByMonth(): readonly number[] {
  let balance = 1_000_000;
  const periods = Array.from({ length: 12 }, (_, at) => {
    const interest = Math.round(balance / 100);
    const paid = at === 11 ? 88_847 : 88_849;
    balance -= paid - interest;
    return { length: 1, paid, interest };
  });
  return generalLedger.earnedAtLevelYield(30_000, 970_000, periods);
}
