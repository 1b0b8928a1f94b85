import { addDays, type Day } from '../calendar/index.js';
import type { EntrySource, LedgerFact, LedgerTerms, Refund } from '../ledger/core/index.js';
import { interestOfEachDay } from '../ledger/core/index.js';
import { computeLedger } from '../ledger/installment/index.js';
import { FIRST_DAY } from '../rates/index.js';
import type { Believed, Cause, OwnersFrom } from './believed.js';
import { addedParts, beside, type Changes, Course, type CourseDays, type CourseItem, takenParts } from './course.js';
import { type Deferral, deferralOf } from './deferral.js';
import type { CreditSponsor, AccountingEvent } from './accounting-events.js';
import type { Account } from './lines.js';
import { type LoanEnd, type MerchantDiscount, merchantDiscountItems } from './merchant-discount.js';
import { type AnyFact, canceledItems, counterOfPayment, moneyFactsOf, moneyMoves, movesOf, voidedOf } from './money.js';
import { nonaccrualOf } from './nonaccrual.js';
import type { PaidPart } from './own-share-ledger.js';
import type { Keeping } from './parts.js';
import { believedOf, type Posted } from './believed.js';
import { daysToRead, knownItems, lastKnownDay, type Replay, type ReplayEnd, replayed } from './replay.js';
import type { CourseEntry } from './reports.js';

/** What the facts of a ledger do not say about the money of a loan. */
export interface LoanDetails {
  /** The fact or the day that caused an entry. */
  causeOf(source: EntrySource, day: Day): Cause;
  creditOf(transaction: number): { readonly creditType: string; readonly sponsor: CreditSponsor };
  atFaultOf(transaction: number): 'merchant' | 'serviceOperator' | 'loanOwner';
  /** The account that is owed for a purchase of a line. */
  payableOf(purchase: number): Account;
  drawIdOf(draw: number): string;
  readonly merchantDiscount?: MerchantDiscount | null;
  /** The loan came from another system: its activation is no payout of this one. */
  readonly isMigrated: boolean;
}

export interface BookedLoan<Terms, Fact> {
  readonly terms: Terms;
  /** Those that are known. */
  readonly facts: readonly Fact[];
  readonly details: LoanDetails;
  /** Who owned the loan when, the first owners first; absent: the lender alone. */
  readonly ownership?: readonly OwnersFrom[];
}

const OUT: Account = { role: 'clearingOutgoing' };
const IN: Account = { role: 'clearingIncoming' };
const CREDIT: Account = { role: 'borrowerCredit' };

/** All that is believed about an installment loan through the end of a day, on one basis. */
export const believedInstallment = (loan: BookedLoan<LedgerTerms, LedgerFact>, keeping: Keeping, through: Day): readonly Believed[] =>
  readInstallment(replayInstallment(loan, through, { areAllocationsAsked: loan.ownership !== undefined }), loan, keeping);

/** The ledger of an installment loan through the end of a day, computed once for all that is read of it. */
export function replayInstallment(
  { terms, facts }: Pick<BookedLoan<LedgerTerms, LedgerFact>, 'terms' | 'facts'>,
  through: Day,
  asked: { readonly areAllocationsAsked: boolean },
): InstallmentReplay {
  const until = lastKnownDay(facts, through);
  return replayed({ terms, facts, through, until }, asked, (watcher) => computeLedger(terms, facts, addDays(until, 1), watcher));
}

/** What is believed about an installment loan, on one basis. What is daily before `dailyFrom` may be left out. */
export function readInstallment(
  replay: InstallmentReplay,
  loan: Pick<BookedLoan<unknown, unknown>, 'details' | 'ownership'>,
  keeping: Keeping,
  dailyFrom: Day = FIRST_DAY,
): readonly Believed[] {
  if (replay.end === null) return [];
  const days = daysToRead(replay, loan, keeping, dailyFrom);
  const items = new InstallmentReader(replay, loan, { keeping, days }).read(replay.end);
  return believedOf(knownItems(replay, items), keeping, postedOf(loan, replay.through));
}

type InstallmentReplay = Replay<LedgerTerms, LedgerFact>;

/** How what has happened to a loan is posted. */
export const postedOf = ({ details, ownership }: Pick<BookedLoan<unknown, unknown>, 'details' | 'ownership'>, through: Day): Posted => ({
  drawIdOf: (draw) => details.drawIdOf(draw),
  through,
  ...(ownership === undefined ? {} : { ownership }),
});

/** The payments whose parts the owners of a loan get, with their effective days. */
export function sharedPaymentsOf(facts: readonly AnyFact[]): ReadonlyMap<number, Day> {
  const movedTo = movesOf(facts);
  return new Map(
    facts.flatMap((fact) =>
      fact.type === 'payment' && fact.kind !== 'credit'
        ? [[fact.transaction, movedTo.get(fact.transaction) ?? fact.effective.day] as const]
        : [],
    ),
  );
}

class InstallmentReader {
  readonly #course: Course;
  readonly #bySequence: ReadonlyMap<number, LedgerFact>;
  /** Payments whose parts are followed, with their days. */
  #shared: ReadonlyMap<number, Day> = new Map();
  #deferral: Deferral = { amount: 0, earnedThrough: () => 0 };
  /** The first day on which nothing more is earned. */
  #earnedUntil: Day | null = null;
  #chargedOff: LoanEnd['chargeOff'] = null;
  #refundedCents = 0;
  #lastSource: EntrySource = { type: 'activation' };

  readonly #loan: Pick<BookedLoan<LedgerTerms, LedgerFact>, 'terms' | 'facts' | 'details'>;
  readonly #keeping: Keeping;
  readonly #days: CourseDays;

  constructor(
    private readonly replay: InstallmentReplay,
    { details, ownership }: Pick<BookedLoan<unknown, unknown>, 'details' | 'ownership'>,
    { keeping, days }: { readonly keeping: Keeping; readonly days: CourseDays },
  ) {
    const { terms, facts } = replay;
    this.#loan = { terms, facts, details };
    this.#keeping = keeping;
    this.#days = days;
    this.#bySequence = new Map(facts.map((fact) => [fact.sequence, fact]));
    this.#course = new Course(
      days,
      {
        causeOf: (source, day) => details.causeOf(source, day),
        eachDay: (accrual, see) => interestOfEachDay(terms, accrual, see),
        eventsOf: (entry, changes, owedBackCents) => this.#eventsOf(entry, changes, owedBackCents),
      },
      nonaccrualOf(keeping),
      (day) => this.#earnRest(day),
    );
    if (ownership === undefined) return;
    this.#shared = sharedPaymentsOf(facts);
    this.#course.followPayments(this.#shared);
  }

  read(end: ReplayEnd): readonly CourseItem[] {
    const { facts, details } = this.#loan;
    const { through } = this.#days;
    if (end.status === 'canceled' && end.statusSince <= through) return canceledItems(facts, through, details);
    this.#course.read(this.replay.reports);
    this.#course.finish(end);
    this.#earnDays();
    const moves = moneyMoves(moneyFactsOf(facts), voidedOf(facts), { through, details, movedTo: movesOf(facts) });
    return [...this.#course.items, ...moves, ...this.#merchantDiscount()];
  }

  #merchantDiscount(): readonly CourseItem[] {
    const { details } = this.#loan;
    const { merchantDiscount } = details;
    if (merchantDiscount == null) return [];
    const end = this.#earnedUntil === null ? null : { day: this.#earnedUntil, chargeOff: this.#chargedOff };
    const dayCause = (day: Day): Cause => details.causeOf({ type: 'dailyJob' }, day);
    return merchantDiscountItems(merchantDiscount, { through: this.#days.through, end, keeping: this.#keeping, dayCause });
  }

  /** What is earned of the origination fee, day by day. */
  #earnDays(): void {
    const { terms, details } = this.#loan;
    const end = this.#earnedUntil ?? addDays(this.#days.through, 1);
    let earned = 0;
    for (let day = terms.activation; day < end && earned < this.#deferral.amount; day = addDays(day, 1)) {
      const through = this.#deferral.earnedThrough(day);
      if (through > earned && day >= this.#days.dailyFrom)
        this.#course.add({
          cause: details.causeOf({ type: 'dailyJob' }, day),
          day,
          isDaily: true,
          event: { type: 'amortization', of: 'originationFee', amount: through - earned },
        });
      earned = through;
    }
  }

  /** What is not earned when the loan ends. */
  #restOn(day: Day): number {
    if (this.#earnedUntil !== null) return 0;
    const { amount } = this.#deferral;
    return day === this.#loan.terms.activation ? amount : amount - this.#deferral.earnedThrough(addDays(day, -1));
  }

  #earnRest(day: Day): void {
    const amount = this.#restOn(day);
    this.#earnedUntil ??= day;
    if (amount === 0) return;
    const cause = this.#loan.details.causeOf(this.#lastSource, day);
    this.#course.add({ cause, day, isDaily: false, event: { type: 'amortization', of: 'originationFee', amount } });
  }

  #eventsOf(entry: CourseEntry, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
    this.#lastSource = entry.source;
    return [...this.#mainOf(entry, changes, owedBackCents), ...beside(changes)];
  }

  #mainOf(entry: CourseEntry, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
    const { details } = this.#loan;
    const { source, entryType, day } = entry;
    const fact = source.type === 'fact' ? this.#bySequence.get(source.sequence) : undefined;
    switch (entryType) {
      case 'disbursement':
        if (details.isMigrated) return [{ type: 'migrated', parts: addedParts(changes), deferredFees: 0 }];
        return [{ type: 'advance', amount: changes.principal, feeWithheld: 0, feeKind: 'origination', counter: OUT }];
      case 'advance':
        return [paidOut(changes)];
      case 'originationFee':
        return this.#originationFee(changes);
      case 'fee':
      case 'lateFee':
        return chargedFees(changes);
      case 'payment':
      case 'downPayment':
        return [
          {
            type: 'payment',
            parts: { ...takenParts(changes), credit: owedBackCents },
            counter: counterOfPayment(source, fact?.type === 'payment' ? fact : undefined),
          },
        ];
      case 'paidOverMet':
        return [{ type: 'payment', parts: takenParts(changes), counter: CREDIT }];
      case 'credit':
        return [
          { type: 'serviceCredit', parts: takenParts(changes), ...details.creditOf(fact?.type === 'payment' ? fact.transaction : 0) },
        ];
      case 'smallBalanceForgiven':
        return [{ type: 'smallBalanceForgiven', parts: takenParts(changes) }];
      case 'refund':
        return fact?.type === 'refund' ? this.#refund(fact, changes, owedBackCents) : [];
      case 'reimbursement':
        return [{ type: 'reimbursement', parts: addedParts(changes), counter: CREDIT }];
      case 'chargeback':
        if (fact?.type !== 'paymentChargedBack') return chargedBack(0, changes);
        this.#noteChargedBack(fact.transaction, changes);
        return chargedBack(fact.amountCents, changes);
      case 'interestCapitalization':
        return [{ type: 'capitalization', parts: { interest: -changes.wholeInterest } }];
      case 'interestAccrual':
        return changes.interest === 0 ? [] : [{ type: 'accrual', amount: changes.wholeInterest }];
      case 'chargeOff':
        return this.#chargeOff(day, changes);
      default:
        return [];
    }
  }

  #noteChargedBack(transaction: number, changes: Changes): void {
    const day = this.#shared.get(transaction);
    if (day !== undefined) this.#course.notePaid({ transaction, day, ...owedAgain(changes) });
  }

  #originationFee(changes: Changes): readonly AccountingEvent[] {
    const amount = changes.fees.reduce((sum, fee) => sum + fee.amount, 0);
    const { settings } = this.#keeping;
    this.#deferral = deferralOf(this.#loan.terms, amount, this.#keeping.basis === 'cash' ? 'atOnce' : settings.originationFeeRecognition);
    return [{ type: 'originationFee', amount }];
  }

  #chargeOff(day: Day, changes: Changes): readonly AccountingEvent[] {
    const { principal, interest, fees } = takenParts(changes);
    const deferredFees = this.#restOn(day);
    const isFraud = this.#loan.facts.some(
      (fact) => fact.type === 'chargeOff' && fact.reason === 'fraudulent' && fact.effective.day === day,
    );
    if (this.#earnedUntil === null) this.#chargedOff = { isFraud };
    this.#earnedUntil ??= day;
    const parts = { principal: principal ?? 0, interest: interest ?? 0, fees: fees ?? [] };
    return [{ type: 'chargeOff', parts, priorYearInterest: changes.earlierInterest, deferredFees, isFraud }];
  }

  /** A full refund drops unpaid interest and fees; every other one pays with the rest behind principal. */
  #refund(fact: Refund, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
    const isFull = this.#refundedCents < fact.fullCents && this.#refundedCents + fact.amountCents >= fact.fullCents;
    this.#refundedCents += fact.amountCents;
    const atFault = this.#loan.details.atFaultOf(fact.transaction);
    const taken = takenParts(changes);
    if (!isFull && !fact.isOriginationFeeRefunded) return [{ type: 'refund', parts: { ...taken, credit: owedBackCents }, atFault }];
    const { principal = 0, chargedOffPrincipal = 0, interest = 0, fees = [] } = taken;
    return [
      { type: 'refund', parts: { principal, chargedOffPrincipal, credit: owedBackCents }, atFault },
      { type: 'interestWaived', amount: interest },
      ...fees.map(({ kind, amount }): AccountingEvent => ({ type: 'feeLowered', feeKind: kind, parts: { fees: [{ kind, amount }] } })),
    ];
  }
}

/** What a payment has not paid after all, by component. */
function owedAgain(changes: Changes): Omit<PaidPart, 'transaction' | 'day'> {
  const {
    principal = 0,
    interest = 0,
    fees = [],
    chargedOffPrincipal = 0,
    chargedOffInterest = 0,
    chargedOffFees = 0,
  } = takenParts(changes);
  return {
    principal: principal + chargedOffPrincipal,
    interest: interest + chargedOffInterest,
    fees: fees.reduce((sum, { amount }) => sum + amount, chargedOffFees),
  };
}

/** Money that was charged back is owed again; what is not was overpaid. */
function chargedBack(amountCents: number, changes: Changes): readonly AccountingEvent[] {
  const parts = addedParts(changes);
  const { principal = 0, interest = 0, fees = [], chargedOffPrincipal = 0, chargedOffInterest = 0, chargedOffFees = 0 } = parts;
  const again = principal + interest + fees.reduce((sum, { amount }) => sum + amount, 0);
  const credit = Math.max(0, amountCents - again - chargedOffPrincipal - chargedOffInterest - chargedOffFees);
  return [{ type: 'takenBack', parts: { ...parts, credit }, counter: IN }];
}

/** An advance; of a charged-off loan it is lost at once. */
export function paidOut(changes: Changes): AccountingEvent {
  if (changes.chargedOffPrincipal > 0) {
    return { type: 'takenBack', parts: { chargedOffPrincipal: changes.chargedOffPrincipal }, counter: OUT };
  }
  return { type: 'advance', amount: changes.principal, feeWithheld: 0, feeKind: 'origination', counter: OUT };
}

export const chargedFees = ({ fees }: Changes): readonly AccountingEvent[] =>
  fees.map(({ kind, amount }) => ({ type: 'feeCharged', amount, feeKind: kind }));
