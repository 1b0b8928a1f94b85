import { addDays, type Day, dayAt, type EntrySource, formatDay, type generalLedger, startOfDay } from '../../../engine/index.js';
import type { Agent } from '../../kernel/fact.js';
import { activationOf, recordOf } from '../context.js';
import { storedFact } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord } from '../transactions/record.js';
import type { RecordedFact } from './booked.js';
import { merchantDiscountOf } from './parties.js';

type Sponsor = generalLedger.CreditSponsor;

const SPONSORS: readonly Sponsor[] = ['lender', 'merchant', 'investor', 'serviceOperator'];

/** What the general ledger ask of a loan beside its ledger. */
export function loanDetails(state: LoanState): generalLedger.LoanDetails {
  const { zone } = recordOf(state);
  return {
    causeOf: (source, day) => causeOf(state, zone, source, day),
    creditOf: (transaction) => creditOf(state, transaction),
    atFaultOf: (transaction) => atFaultOf(state, transaction),
    payableOf: (purchase) => payableOf(state, purchase),
    drawIdOf: (draw) => state.draws.find((one) => one.draw === draw)?.id ?? `${draw}`,
    isMigrated: false,
    merchantDiscount: merchantDiscountOf(state),
  };
}

function causeOf(state: LoanState, zone: string, source: EntrySource, day: Day): generalLedger.Cause {
  if (source.type === 'dailyJob') {
    return { factId: `day-${formatDay(day)}`, factType: 'dayClosed', recordedAt: startOfDay(zone, addDays(day, 1)) };
  }
  if (source.type === 'activation')
    return { factId: `${state.id}-0`, factType: 'activation', recordedAt: activationOf(state)?.recordedAt ?? 0 };
  const stored = storedFact(state, source.sequence);
  return {
    factId: `${state.id}-${source.sequence}`,
    factType: stored?.fact.type ?? 'fact',
    recordedAt: stored?.recordedAt ?? 0,
    ...(stored === undefined ? {} : { actor: nameOf(stored.by) }),
    ...(stored?.caseId == null ? {} : { caseId: stored.caseId }),
  };
}

export const nameOf = ({ type, id, userId }: Agent): string => `${type}:${userId ?? id}`;

/**
 * The type and sponsor of a credit. One that the ledger does not count any more has lost its number: it is found by what the ledger knew of
 * it.
 */
function creditOf(state: LoanState, transaction: number): { readonly creditType: string; readonly sponsor: Sponsor } {
  const id = state.transactions.idOfPayment(transaction);
  const record = id === undefined ? voidedCredit(state, transaction) : state.transactions.get(id);
  const sponsor = SPONSORS.find((known) => known === record?.serviceCredit?.sponsor) ?? 'lender';
  return { creditType: record?.serviceCredit?.type ?? 'courtesy', sponsor };
}

function voidedCredit(state: LoanState, transaction: number): TransactionRecord | undefined {
  const fact = storedFact(state, transaction)?.fact;
  if (fact?.type !== 'payment') return undefined;
  const credits = [...state.transactions.uncounted()].filter(({ serviceCredit }) => serviceCredit !== null);
  return credits.find(({ effective }) => effective.day === fact.effective.day) ?? credits[0];
}

const AT_FAULT = { loanOwner: 'loanOwner', loanServicer: 'serviceOperator', merchant: 'merchant' } as const;

/** Who bears a refund. A changed refund has a new number: it is found by its time. */
function atFaultOf(state: LoanState, transaction: number): 'merchant' | 'serviceOperator' | 'loanOwner' {
  const { refunds } = state;
  const effective = storedFact(state, transaction)?.fact.effective;
  const found =
    refunds.find((refund) => refund.transaction === transaction) ??
    refunds.find((refund) => refund.effective.day === effective?.day) ??
    refunds[0];
  return AT_FAULT[found?.atFaultParty ?? 'loanOwner'];
}

/** A disputed amount is neither the borrower's debt nor owed to a network until the dispute is decided. */
function payableOf({ purchases, disputes }: LoanState, number: number): generalLedger.Account {
  const id = purchases.all().find(({ purchase }) => purchase === number)?.id;
  const isDisputed =
    id !== undefined && disputes.some(({ refundPurchaseId, repostedPurchaseId }) => refundPurchaseId === id || repostedPurchaseId === id);
  return { role: isDisputed ? 'disputedPurchases' : 'networkPayable' };
}

/** Disputes that the borrower has won: the network owes the amount. */
export const disputesWon = ({ id, disputes }: LoanState, zone: string): readonly RecordedFact[] =>
  disputes.flatMap((dispute): readonly RecordedFact[] => {
    if (dispute.wonAt === null) return [];
    const day = dayAt(zone, dispute.wonAt);
    const cause: generalLedger.Cause = { factId: `${id}-${dispute.id}`, factType: 'purchaseDisputeWon', recordedAt: dispute.wonAt };
    const event = { type: 'disputeWon', amount: dispute.disputedCents, from: { role: 'networkReceivable' } } as const;
    return [{ recordedDay: day, cause, fact: null, items: [{ cause, day, isDaily: false, event }] }];
  });
