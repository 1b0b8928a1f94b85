import type { Big } from 'big.js';
import type { AdvancePaidOut, LateFeeTerms, LedgerFact, LedgerSettings, LedgerTerms, Payment, RateInput, RatesChanged, Refund } from '../../../engine/index.js';
import { DueDates } from './due-dates.js';
import { isLate, isRefunded } from './history.js';
import { Holdings } from './holdings.js';
import {
  amountOf, dayFraction, DOWN, type Fee, feeByHand, feeOf, HALF_UP, max, min, type NaiveLedger, type Obligation, rounded, sum, ZERO,
} from './parts.js';
import { rateOn } from './rates.js';
import type { Amortization, MostOn, NaiveRow } from './schedule.js';

/** A loan's life: what was recorded, and the rates as they were told, by the number of their fact; `null` is the origination. */
export interface NaiveLife {
  readonly terms: LedgerTerms;
  readonly facts: readonly LedgerFact[];
  readonly rateRows: ReadonlyMap<number | null, RateInput>;
}

/**
 * What was asked before rates or advances were recorded too late for it: no due date that had passed by then asks for more, and
 * one on which nothing had fallen due for nothing (README 18). One for each late record, newest last.
 */
export interface Bound {
  readonly change: number;
  readonly through: number;
  readonly asked: Amounts;
  /** What each fact left on the rows, by its number. */
  readonly set: ReadonlyMap<number, Amounts>;
}

/** By due date. */
export type Amounts = ReadonlyMap<number, Big>;

/** Late fees are booked at 00:50 (servicing-behaviour 1.3). */
const LATE_FEE_SECONDS = 3_000;

/** One loan on its way through its days. */
export class Walk {
  readonly #terms: LedgerTerms;
  readonly #settings: LedgerSettings;
  readonly #held: Holdings;
  #accrued = ZERO;
  #ahead = ZERO;
  /** Late fees that a refund took back or kept away: an obligation earns none again. */
  #takenFees: Fee[] = [];
  #isPaidOff = false;
  readonly #dates: DueDates;
  readonly #bounds: readonly Bound[];
  readonly #told: ReadonlyMap<number | null, RateInput>;
  /** The rates that were recorded last of those that hold by now. */
  #rates: RateInput;
  #ratesSequence = -1;
  /** Up to this day nobody knew of a change that is in force, and of which one last. */
  #unknownThrough = 0;
  #newestLate = -1;
  readonly set = new Map<number, Amounts>();
  #refunded = ZERO;
  /** Interest and fees that the borrower's money has paid. */
  #costPaid = ZERO;
  #givenBack = ZERO;
  #owedBack = ZERO;
  readonly #refunds: readonly Refund[];

  constructor({ terms, rateRows }: NaiveLife, bounds: readonly Bound[], refunds: readonly Refund[]) {
    this.#terms = terms;
    this.#bounds = bounds;
    this.#told = rateRows;
    this.#rates = this.#told.get(null) ?? { interest: [] };
    this.#refunds = refunds;
    this.#dates = new DueDates(terms);
    const settings = terms.settings[0]?.value;
    if (settings === undefined) throw new Error('terms have settings');
    this.#settings = settings;
    this.#held = new Holdings(amountOf(terms.principalCents), amountOf(settings.overdueToleranceCents));
    const fee = amountOf(terms.originationFee.amountCents);
    if (terms.originationFee.logic === 'separate') this.#held.separateFee = fee;
    else this.#held.originationFee = fee;
  }

  /** The daily job of a day, in the order of servicing-behaviour 1.3. */
  morning(day: number): void {
    if (this.#isPaidOff) return;
    this.#accrue(day - 1);
    const row = this.#dates.next;
    if (row?.date === day) this.#fallDue(day, row);
    this.#close(day);
    for (const fee of this.#settings.lateFees) this.#lateFees(day, fee);
  }

  take(day: number, fact: LedgerFact): void {
    if (fact.type === 'payment') this.#pay(day, fact);
    if (fact.type === 'advance') this.#advance(day, fact);
    if (fact.type === 'refund') this.#refund(day, fact);
    if (fact.type === 'ratesChanged') this.#changeRates(day, fact);
    if (fact.type === 'scheduleChanged' && !this.#isPaidOff && this.#held.principal.gt(0) && fact.dueDates.length > 0) {
      this.#dates.change(this.#amortization(day), fact, this.#heldAt(fact));
    }
    if (fact.type === 'dueDateDeferred' && !this.#isPaidOff) this.#dates.defer(fact);
    if (fact.type === 'feeCharged' && !isRefunded(this.#refunds, day, fact.effective.seconds, false)) {
      if (this.#isPaidOff) this.#reopen(day);
      this.#charge(feeByHand(fact, day));
    }
    this.#close(day);
    this.set.set(fact.sequence, this.#dates.amounts);
  }

  #advance(day: number, fact: AdvancePaidOut): void {
    if (this.#isPaidOff) this.#reopen(day);
    this.#held.principal = this.#held.principal.plus(amountOf(fact.amountCents));
    this.#relevel(day, fact);
  }

  /** What was recorded last holds, even where an earlier record begins later. */
  #changeRates(day: number, fact: RatesChanged): void {
    if (fact.sequence > this.#ratesSequence) {
      this.#rates = this.#told.get(fact.sequence) ?? this.#rates;
      this.#ratesSequence = fact.sequence;
    }
    this.#relevel(day, fact);
  }

  #relevel(day: number, fact: AdvancePaidOut | RatesChanged): void {
    if (isLate(fact)) {
      this.#unknownThrough = Math.max(this.#unknownThrough, fact.recordedDay);
      this.#newestLate = Math.max(this.#newestLate, fact.sequence);
    }
    if (fact.reamortization === 'keepAmounts' || this.#held.principal.eq(0)) return;
    this.#dates.relevel(this.#amortization(day), this.#heldAt(fact));
  }

  /** What rows of a time of which not all was known keep rather than rise: as the fact has set them without what came late. */
  #heldAt({ sequence }: LedgerFact): MostOn {
    const known = sequence === this.#newestLate ? this.#dates.amounts : this.#bounds.find(({ change }) => change === this.#newestLate)?.set.get(sequence);
    return (date) => (date > this.#unknownThrough ? null : (known?.get(date) ?? null));
  }

  /** The most that may fall due on a day; null: as much as it will. */
  #mostOn(date: number): Big | null {
    if (date > this.#unknownThrough) return null;
    const bounds = this.#bounds.filter(({ through }) => date <= through);
    return bounds.length === 0 ? null : bounds.map(({ asked }) => asked.get(date) ?? ZERO).reduce(min);
  }

  #amortization(day: number): Amortization {
    const cap = this.#terms.totalInterestCapCents;
    const room = cap === null ? null : amountOf(cap).minus(this.#accrued);
    const { principal, interest, originationFee } = this.#held;
    const feeShare = min(this.#feeShare(), originationFee);
    return { terms: this.#terms, rates: this.#rates, from: day, owed: { principal, interest, room, ahead: this.#ahead, feeShare } };
  }

  /** Principal from its end first; above it interest and fees, which a refund of all takes back instead. */
  #refund(day: number, fact: Refund): void {
    const full = amountOf(fact.fullCents);
    const isFull = this.#refunded.lt(full) && this.#refunded.plus(amountOf(fact.amountCents)).gte(full);
    this.#refunded = this.#refunded.plus(amountOf(fact.amountCents));
    const buckets = isFull ? [] : ['overdueInterest', 'dueInterest', 'nonDueInterest', 'overdueFees', 'dueFees', 'nonDueFees'];
    const poured = this.#held.pour(day, amountOf(fact.amountCents), ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal']);
    if (!isFull && fact.isOriginationFeeRefunded && day === this.#terms.activation) {
      const open = this.#held.originationFee.plus(this.#held.separateFee);
      this.#giveBack(amountOf(this.#terms.originationFee.amountCents).minus(open));
      this.#held.originationFee = ZERO;
      this.#held.separateFee = ZERO;
    }
    const rest = this.#held.pour(day, poured.left, buckets);
    const gone = isFull ? this.#reverse() : { met: ZERO, shadow: ZERO };
    if (isFull) this.#giveBack(this.#costPaid.minus(this.#givenBack));
    this.#held.fulfil(poured.met.plus(rest.met).plus(gone.met), poured.shadow.plus(rest.shadow).plus(gone.shadow));
    this.#held.paid.over = this.#held.paid.over.plus(rest.left);
    this.#owedBack = this.#owedBack.plus(rest.left);
  }

  #giveBack(amount: Big): void {
    this.#givenBack = this.#givenBack.plus(amount);
    this.#owedBack = this.#owedBack.plus(amount);
  }

  /** Unpaid interest and fees are gone, and obligations ask for them no more. */
  #reverse(): { readonly met: Big; readonly shadow: Big } {
    const costs = this.#held.obligations.map((obligation) => obligation.interest.plus(obligation.originationFee));
    const within = sum(costs).plus(sum(this.#held.fees.filter((fee) => fee.within !== null).map((fee) => fee.open)));
    const loose = sum(this.#held.fees.filter((fee) => fee.within === null && fee.isLate).map((fee) => fee.open));
    for (const obligation of this.#held.obligations) obligation.interest = obligation.originationFee = ZERO;
    this.#held.interest = this.#held.originationFee = this.#held.separateFee = ZERO;
    this.#takenFees = [...this.#takenFees, ...this.#held.fees.filter((fee) => fee.isLate)];
    this.#held.fees = [];
    return { met: within, shadow: within.plus(loose) };
  }

  /** Interest of one day on the balances at its end. */
  #accrue(day: number): void {
    const overdue = this.#held.obligations.filter((obligation) => obligation.dueDay < day);
    let base = this.#held.principal.plus(sum(this.#held.obligations.map((obligation) => obligation.principal)));
    if (!this.#settings.isAccruingOnOverdue) base = base.minus(sum(overdue.map((obligation) => obligation.principal)));
    if (this.#terms.accrualMethod !== 'simple') {
      base = base.plus(this.#held.interest).plus(sum(this.#held.obligations.map((obligation) => obligation.interest)));
    }
    if (this.#terms.accrualMethod === 'compoundWithFees') {
      base = base
        .plus(this.#held.originationFee)
        .plus(this.#held.separateFee)
        .plus(sum(this.#held.obligations.map((obligation) => obligation.originationFee)))
        .plus(sum(this.#held.fees.map((fee) => fee.open)));
    }
    let interest = base.times(rateOn(this.#rates, day)).times(dayFraction(this.#terms.dayCount, day));
    const cap = this.#terms.totalInterestCapCents;
    if (cap !== null) interest = min(interest, amountOf(cap).minus(this.#accrued));
    this.#held.interest = this.#held.interest.plus(interest);
    this.#accrued = this.#accrued.plus(interest);
  }

  #fallDue(day: number, row: NaiveRow): void {
    const { isLast } = this.#dates;
    this.#dates.pass();
    if (row.kind === 'deferred') return;
    this.#held.interest = rounded(this.#held.interest, HALF_UP);
    const left = this.#held.principal.plus(this.#held.interest);
    const asked = row.kind === 'interestOnly' && this.#ahead.eq(0) ? this.#held.interest : row.amount;
    const wanted = min(asked, left.plus(this.#ahead));
    const whole = isLast ? max(left, wanted) : wanted;
    const base = min(whole, this.#mostOn(day) ?? whole);
    const share = isLast ? this.#held.originationFee : min(this.#feeShare(), this.#held.originationFee);
    const prepaid = min(this.#ahead, isLast ? max(ZERO, base.minus(left)) : base.plus(share));
    const joining = this.#held.fees.filter((fee) => {
      if (fee.open.eq(0) || fee.within !== null || fee.knownDay >= day) return false;
      return fee.isDueAlone || isLast || fee.chargeLogic === 'nextDueDate';
    });
    const separate = this.#held.obligations.length === 0 ? this.#held.separateFee : ZERO;
    const joined = sum(joining.map((fee) => fee.open)).plus(separate);
    const amount = base.plus(share).plus(joined);
    if (amount.eq(0)) return;
    let toMove = base.plus(share).minus(prepaid);
    const originationFee = min(share, toMove);
    toMove = toMove.minus(originationFee);
    const interest = min(this.#held.interest, toMove);
    const principal = toMove.minus(interest);
    this.#ahead = this.#ahead.minus(prepaid);
    this.#held.originationFee = this.#held.originationFee.minus(originationFee);
    this.#held.interest = this.#held.interest.minus(interest);
    this.#held.principal = this.#held.principal.minus(principal);
    const late = sum(joining.filter((fee) => fee.isLate).map((fee) => fee.open));
    const obligation: Obligation = {
      dueDay: day,
      amount,
      fulfilled: prepaid,
      fulfilledWithoutLateFees: prepaid,
      amountWithoutLateFees: amount.minus(late),
      principal,
      interest,
      originationFee: originationFee.plus(separate),
      isBlocked: false,
      isRow: row.kind !== 'closing',
      base,
    };
    if (separate.gt(0)) this.#held.separateFee = ZERO;
    for (const fee of joining) fee.within = obligation;
    this.#held.obligations.push(obligation);
  }

  #feeShare(): Big {
    const fee = this.#terms.originationFee;
    if (fee.logic === 'firstPayment') return this.#held.originationFee;
    return amountOf(Math.floor(fee.amountCents / this.#terms.rows.length));
  }

  #lateFees(day: number, terms: LateFeeTerms): void {
    this.#held.obligations.forEach((obligation) => {
      if (!obligation.isRow || obligation.dueDay + terms.triggerDays !== day) return;
      if (this.#isPaidOff || this.#held.isFulfilled(obligation)) return;
      const name = `late ${obligation.dueDay}`;
      if ([...this.#held.fees, ...this.#takenFees].some((fee) => fee.name === name)) return;
      if (this.#pyramids(obligation)) {
        obligation.isBlocked = true;
        return;
      }
      const amount = this.#lateFeeAmount(day, obligation, terms);
      if (amount.lte(0)) return;
      if (isRefunded(this.#refunds, day, LATE_FEE_SECONDS, true)) return;
      this.#charge({ name, amount, isLate: true, chargeLogic: terms.chargeLogic, chargeDay: day, knownDay: day });
    });
  }

  #pyramids(obligation: Obligation): boolean {
    const rule = this.#settings.lateFeePyramiding;
    if (rule === 'none') return false;
    if (obligation.fulfilledWithoutLateFees.gte(obligation.amountWithoutLateFees)) return true;
    const older = this.#held.obligations.filter((other) => other.dueDay < obligation.dueDay);
    return rule === 'blockOnOldestObligation' && older.some((other) => !this.#held.isFulfilled(other));
  }

  #lateFeeAmount(day: number, obligation: Obligation, terms: LateFeeTerms): Big {
    const earlier = this.#held.fees.filter((fee) => fee.isLate);
    const dueDates = this.#dates.until(day);
    const periodStart = Math.max(this.#terms.activation, ...dueDates, ...this.#held.obligations.map((other) => other.dueDay));
    const inPeriod = earlier.filter((fee) => fee.chargeDay >= periodStart).length;
    if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
    const whole = this.#held.principal.plus(sum(this.#held.obligations.map((other) => other.principal)));
    const bases = { principal: whole, obligationAmount: obligation.amount, overdueAmount: this.#held.remaining(obligation) };
    const wanted = feeOf(terms.amount, bases);
    if (terms.capPerLoanCents === null) return wanted;
    return min(wanted, amountOf(terms.capPerLoanCents).minus(sum(earlier.map((fee) => fee.amount))));
  }

  #charge(fee: Pick<Fee, 'name' | 'amount' | 'isLate' | 'chargeLogic' | 'chargeDay' | 'knownDay'>): void {
    const hasRow = this.#dates.next !== undefined;
    const isDueAlone = fee.chargeLogic === 'immediate' || (!hasRow && fee.chargeLogic !== 'nonDue');
    this.#held.fees.push({ ...fee, open: fee.amount, within: null, isDueAlone });
  }

  /** Money into buckets in the waterfall's order; what met obligations fulfils the oldest first. */
  #pay(day: number, payment: Payment): void {
    const { paymentWaterfall, creditWaterfall, isPrepaymentEnabled } = this.#settings;
    const isCredit = payment.kind === 'credit';
    const before = this.#held.paid.interest.plus(this.#held.paid.fees);
    const { left, met, shadow, early } = this.#held.pour(day, amountOf(payment.amountCents), isCredit ? creditWaterfall : paymentWaterfall);
    this.#held.fulfil(met, shadow);
    const forObligations = max(ZERO, early.minus(amountOf(payment.principalOnlyCents ?? 0)));
    if (!this.#isPaidOff && (payment.isPrepaymentEnabled ?? isPrepaymentEnabled)) this.#ahead = this.#ahead.plus(forObligations);
    this.#held.paid.over = this.#held.paid.over.plus(left);
    if (isCredit) return;
    this.#costPaid = this.#costPaid.plus(this.#held.paid.interest).plus(this.#held.paid.fees).minus(before);
    this.#owedBack = this.#owedBack.plus(left);
  }

  /** Paid off, or everything that fell due is paid and a rest waits for a date of its own. */
  #close(day: number): void {
    if (this.#isPaidOff) return;
    const held = this.#held.obligations.flatMap((obligation) => [obligation.principal, obligation.interest, obligation.originationFee]);
    const fees = this.#held.fees.map((fee) => fee.open);
    const owed = sum([...held, ...fees, this.#held.principal, rounded(this.#held.interest, DOWN), this.#held.originationFee, this.#held.separateFee]);
    if (owed.eq(0)) {
      this.#held.interest = ZERO;
      this.#ahead = ZERO;
      this.#isPaidOff = true;
      return;
    }
    if (this.#dates.next !== undefined) return;
    if (this.#held.obligations.some((obligation) => !this.#held.isFulfilled(obligation))) return;
    this.#dates.close(Math.max(day, this.#unknownThrough));
  }

  /** Due dates that passed after the loan was paid off are gone. */
  #reopen(day: number): void {
    this.#isPaidOff = false;
    this.#dates.letGo(day);
  }

  /** What has fallen due, without fees. */
  asked(): Amounts {
    return new Map(this.#held.obligations.map(({ dueDay, base }) => [dueDay, base]));
  }

  report(through: number): NaiveLedger {
    return { status: this.#isPaidOff ? 'paidOff' : 'active', ...this.#held.report(through, this.#owedBack), interestAccrued: this.#accrued.toFixed(8) };
  }
}
