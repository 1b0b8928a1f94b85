import { addDays, type Day, latest } from '../calendar/index.js';
import type { EntrySource } from '../ledger/core/index.js';
import { interestOfEachDay } from '../ledger/core/index.js';
import { computeLine, type LineFact, type LineTerms } from '../ledger/line/index.js';
import { FIRST_DAY } from '../rates/index.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Believed } from './believed.js';
import { addedParts, beside, type Changes, Course, type CourseDays, type CourseItem, type CourseReader, takenParts } from './course.js';
import { type BookedLoan, chargedFees, type LoanDetails, paidOut, postedOf, sharedPaymentsOf } from './installment.js';
import { canceledItems, counterOfPayment, moneyFactsOf, moneyMoves, movesOf, voidedOf } from './money.js';
import { nonaccrualOf } from './nonaccrual.js';
import { daysToRead, knownItems, lastKnownDay, type Replay, type ReplayEnd, replayed } from './replay.js';
import type { CourseEntry } from './reports.js';
import type { Keeping } from './parts.js';
import { believedOf } from './believed.js';

/**
 * All that is believed about a line of credit through the end of a day, on one basis. `knownThrough`: the last day that has passed, if it
 * is a later one. The loss of a grace accrues the interest of days since the statement, and no fact says so: what has passed is read first.
 */
export const believedLine = (
  loan: BookedLoan<LineTerms, LineFact>,
  keeping: Keeping,
  through: Day,
  knownThrough: Day = through,
): readonly Believed[] =>
  readLine(replayLine(loan, { through, knownThrough, areAllocationsAsked: loan.ownership !== undefined }), loan, keeping);

/** The ledger of a line of credit through the end of a day, computed once for all that is read of it. */
export function replayLine(
  { terms, facts }: Pick<BookedLoan<LineTerms, LineFact>, 'terms' | 'facts'>,
  {
    through,
    knownThrough,
    areAllocationsAsked,
  }: { readonly through: Day; readonly knownThrough: Day; readonly areAllocationsAsked: boolean },
): LineReplay {
  const until = lastKnownDay(facts, latest(through, knownThrough));
  return replayed({ terms, facts, through, until }, { areAllocationsAsked }, (watcher) =>
    computeLine(terms, facts, addDays(until, 1), watcher),
  );
}

/** What is believed about a line of credit, on one basis. What is daily before `dailyFrom` may be left out. */
export function readLine(
  replay: LineReplay,
  loan: Pick<BookedLoan<unknown, unknown>, 'details' | 'ownership'>,
  keeping: Keeping,
  dailyFrom: Day = FIRST_DAY,
): readonly Believed[] {
  if (replay.end === null) return [];
  const days = daysToRead(replay, loan, keeping, dailyFrom);
  const items = new LineReader(replay, loan, { keeping, days }).read(replay.end);
  return believedOf(knownItems(replay, items), keeping, postedOf(loan, replay.through));
}

type LineReplay = Replay<LineTerms, LineFact>;

class LineReader {
  readonly #course: Course;
  readonly #bySequence: ReadonlyMap<number, LineFact>;
  readonly #days: CourseDays;
  readonly #details: LoanDetails;

  constructor(
    private readonly replay: LineReplay,
    { details, ownership }: Pick<BookedLoan<unknown, unknown>, 'details' | 'ownership'>,
    { keeping, days }: { readonly keeping: Keeping; readonly days: CourseDays },
  ) {
    const { terms, facts } = replay;
    this.#days = days;
    this.#details = details;
    this.#bySequence = new Map(facts.map((fact) => [fact.sequence, fact]));
    const reader: CourseReader = {
      causeOf: (source, day) => details.causeOf(source, day),
      eachDay: (accrual, see) => interestOfEachDay(terms, accrual, see),
      eventsOf: (entry, changes, owedBackCents) => [...this.#mainOf(entry, changes, owedBackCents), ...beside(changes)],
    };
    this.#course = new Course(days, reader, nonaccrualOf(keeping));
    if (ownership !== undefined) this.#course.followPayments(sharedPaymentsOf(facts));
  }

  read(end: ReplayEnd): readonly CourseItem[] {
    const { facts } = this.replay;
    const { through } = this.#days;
    const details = this.#details;
    if (end.status === 'canceled' && end.statusSince <= through) return canceledItems(facts, through, details);
    this.#course.read(this.replay.reports);
    this.#course.finish(end);
    const moves = moneyMoves(moneyFactsOf(facts), voidedOf(facts), { through, details, movedTo: movesOf(facts) });
    return [...this.#course.items, ...moves];
  }

  #mainOf({ source, entryType }: CourseEntry, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
    const details = this.#details;
    const fact = source.type === 'fact' ? this.#bySequence.get(source.sequence) : undefined;
    const taken = takenParts(changes);
    switch (entryType) {
      case 'originationFee':
      case 'drawFee':
      case 'fee':
      case 'lateFee':
        return chargedFees(changes);
      case 'purchase':
        return this.#purchase(fact, changes);
      case 'purchaseRefund':
        return this.#purchaseRefund(fact, changes, owedBackCents);
      case 'payment':
      case 'downPayment':
        return [{ type: 'payment', parts: { ...taken, credit: owedBackCents }, counter: this.#counterOf(source, fact) }];
      case 'paidOverMet':
        return [{ type: 'payment', parts: taken, counter: { role: 'borrowerCredit' } }];
      case 'credit':
        return [{ type: 'serviceCredit', parts: taken, ...details.creditOf(fact?.type === 'payment' ? fact.transaction : 0) }];
      case 'reimbursement':
        return [{ type: 'reimbursement', parts: addedParts(changes), counter: { role: 'borrowerCredit' } }];
      case 'interestCapitalization':
      case 'balancesDeferred': {
        const { interest = 0, fees = [] } = taken;
        return [{ type: 'capitalization', parts: { interest, fees } }];
      }
      case 'minimumInterest':
        return [{ type: 'accrual', amount: changes.wholeInterest }];
      case 'graceRestored':
        return [{ type: 'promoExercised', unpaid: -changes.wholeInterest, toPrincipal: -changes.principal, toCredit: owedBackCents }];
      case 'chargeOff': {
        const { principal = 0, interest = 0, fees = [] } = taken;
        const isFraud = fact?.type === 'chargeOff' && fact.reason === 'fraudulent';
        return [
          { type: 'chargeOff', parts: { principal, interest, fees }, priorYearInterest: changes.earlierInterest, deferredFees: 0, isFraud },
        ];
      }
      case 'cancellation':
        return canceledDraw(changes);
      case 'migration':
        return migration(fact, changes, owedBackCents);
      default:
        return [];
    }
  }

  #counterOf(source: EntrySource, fact: LineFact | undefined) {
    return counterOfPayment(source, fact?.type === 'payment' ? fact : undefined);
  }

  /** Purchases are owed to a network or merchant; a cash advance leaves by the lender's own payment. */
  #purchase(fact: LineFact | undefined, changes: Changes): readonly AccountingEvent[] {
    if (fact?.type !== 'purchase' || fact.kind === 'cashAdvance' || fact.kind === 'balanceTransfer') return [paidOut(changes)];
    const payable = fact.isPostedAgain === true ? ({ role: 'disputedPurchases' } as const) : this.#details.payableOf(fact.purchase);
    if (changes.chargedOffPrincipal > 0)
      return [{ type: 'takenBack', parts: { chargedOffPrincipal: changes.chargedOffPrincipal }, counter: payable }];
    return [{ type: 'purchaseSettled', amount: changes.principal, payable, discount: 0, reserve: 0 }];
  }

  #purchaseRefund(fact: LineFact | undefined, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
    const isCashBack = fact?.type === 'purchase' && fact.kind === 'cashBack';
    const payable = fact?.type === 'purchase' ? this.#details.payableOf(fact.purchase) : ({ role: 'networkPayable' } as const);
    const counter = isCashBack ? ({ role: 'serviceCreditExpense' } as const) : payable;
    return [{ type: 'payment', rule: 'purchaseRefund', parts: { ...takenParts(changes), credit: owedBackCents }, counter }];
  }
}

/** A canceled draw: its purchases leave, and its interest and fees are taken back. */
function canceledDraw(changes: Changes): readonly AccountingEvent[] {
  const { principal = 0, interest = 0, fees = [] } = takenParts(changes);
  return [
    { type: 'advance', amount: -principal, feeWithheld: 0, feeKind: 'draw', counter: { role: 'clearingOutgoing' } },
    { type: 'interestWaived', amount: interest },
    ...fees.map(({ kind, amount }): AccountingEvent => ({ type: 'feeLowered', feeKind: kind, parts: { fees: [{ kind, amount }] } })),
  ];
}

/** Balances of another system, and what becomes known of its time later. */
function migration(fact: LineFact | undefined, changes: Changes, owedBackCents: number): readonly AccountingEvent[] {
  if (fact?.type === 'principalRaised') {
    return [{ type: 'takenBack', parts: addedParts(changes), counter: { role: 'clearingIncoming' } }];
  }
  if (fact?.type === 'pastFeeCanceled') {
    const parts = { ...takenParts(changes), credit: owedBackCents };
    return [{ type: 'serviceCredit', parts, creditType: 'feeAdjustment', sponsor: 'lender' }];
  }
  const { chargedOffPrincipal: _principal, chargedOffInterest: _interest, chargedOffFees: _fees, ...opening } = addedParts(changes);
  return [{ type: 'migrated', parts: { ...opening, credit: -owedBackCents }, deferredFees: 0 }];
}
