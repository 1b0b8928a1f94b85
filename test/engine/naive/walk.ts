import type { Big } from 'big.js';
import {
  type AdvancePaidOut,
  DEFAULT_PAYMENT_WATERFALL,
  type FeeCharged,
  type LedgerFact,
  type LedgerSettings,
  type LedgerTerms,
  type Payment,
  type RateInput,
  type RatesChanged,
  type Refund,
  type Unfreeze,
} from '../../../engine/index.js';
import { bearing, reverseCosts } from './balances.js';
import { DueDates } from './due-dates.js';
import { fallDue } from './fall-due.js';
import { areHeld, isDuringScra, isLate, isRefunded, type Orders } from './history.js';
import { Holdings } from './holdings.js';
import { lateFeesOf } from './late-fees.js';
import type { Amounts, Bound, NaiveLife } from './life.js';
import { OwedBack } from './owed-back.js';
import {
  amountOf,
  dayFraction,
  feeByHand,
  HALF_UP,
  max,
  min,
  type NaiveLedger,
  type NewFee,
  type Obligation,
  raise,
  rounded,
  sum,
  ZERO,
} from './parts.js';
import { rateOn } from './rates.js';
import type { Amortization, FeeToCome, MostOn, NaiveRow } from './schedule.js';
import { refundBuckets, settingsOn, StatusHistory, waterfallOf } from './status-history.js';

/** Computes one loan day by day. */
export class Walk {
  readonly #terms: LedgerTerms;
  #settings: LedgerSettings;
  readonly #held: Holdings;
  #accrued = ZERO;
  #ahead = ZERO;
  /** Money that late fees took and that would otherwise have paid the open obligation. */
  #aheadWithoutLateFees = ZERO;
  /** The part of the origination fee that future rows include. */
  #feeAsked = ZERO;
  /** Late fees that a refund canceled or prevented; they are not charged again. */
  readonly #takenFees = new Set<string>();
  readonly #statuses = new StatusHistory();
  /** The obligations that an acceleration replaced. */
  #replaced: readonly Obligation[] = [];
  /** The amounts that would bear interest on the frozen days. */
  #frozenDays: { readonly day: number; readonly base: Big }[] = [];
  readonly #dates: DueDates;
  readonly #bounds: readonly Bound[];
  readonly #ratesByFact: ReadonlyMap<number | null, RateInput>;
  /** The rates in force that were recorded last. */
  #rates: RateInput;
  #ratesSequence = -1;
  /** The last day on which a change in force was not recorded yet, and the newest such change. */
  #unknownThrough = 0;
  #newestLate = -1;
  readonly set = new Map<number, Amounts>();
  #refunded = ZERO;
  readonly #owedBack = new OwedBack();
  /** Transactions that may still fail. */
  readonly #processing = new Set<number>();
  readonly #refunds: readonly Refund[];
  readonly #orders: Orders;

  constructor({ terms, rateRows }: NaiveLife, bounds: readonly Bound[], refunds: readonly Refund[], orders: Orders) {
    this.#orders = orders;
    this.#terms = terms;
    this.#bounds = bounds;
    this.#ratesByFact = rateRows;
    this.#rates = this.#ratesByFact.get(null) ?? { interest: [] };
    this.#refunds = refunds;
    this.#dates = new DueDates(terms);
    this.#settings = settingsOn(terms, terms.activation);
    this.#held = new Holdings(amountOf(terms.principalCents), amountOf(this.#settings.overdueToleranceCents));
    const fee = amountOf(terms.originationFee.amountCents);
    if (terms.originationFee.logic === 'separate') this.#held.separateFee = fee;
    else this.#held.originationFee = this.#feeAsked = fee;
  }

  /** The daily job of a day, in its fixed order. */
  morning(day: number): void {
    const statuses = this.#statuses;
    if (statuses.is('frozen')) this.#frozenDays.push({ day: day - 1, base: bearing(this.#held, this.#terms, this.#settings) });
    if (statuses.is('active')) this.#accrue(day - 1, bearing(this.#held, this.#terms, this.#settings));
    this.#settings = settingsOn(this.#terms, day);
    if (!statuses.is('paidOff', 'chargedOff')) this.#adoptTolerance();
    if (statuses.is('active') && this.#settings.capitalization === 'afterDueDate') this.#held.capitalize(day);
    if (statuses.is('active', 'accelerated')) this.#held.enforce(day);
    const row = this.#dates.next;
    if (statuses.is('active') && row?.date === day) this.#fallDue(day, row);
    this.#close(day);
    this.#lateFees(day);
    this.#payFromOverpaid(day);
    if (statuses.is('active', 'accelerated')) this.#thresholds(day);
  }

  readonly #adoptTolerance = (): void => this.#held.adopt(amountOf(this.#settings.overdueToleranceCents));

  /** Charges late fees; on frozen days only those that do not wait for the unfreeze. */
  #lateFees(day: number): void {
    if (!this.#statuses.is('active', 'frozen')) return;
    const lateFees = this.#settings.lateFees.filter(
      ({ isChargedWhileFrozen }) => isChargedWhileFrozen === true || this.#statuses.is('active'),
    );
    const { obligations } = this.#held;
    const periodStart = Math.max(this.#terms.activation, ...this.#dates.passed, ...obligations.map(({ dueDay }) => dueDay));
    const today = {
      day,
      held: this.#held,
      settings: this.#settings,
      lateFees,
      refunds: this.#refunds,
      orders: this.#orders,
      periodStart,
      taken: this.#takenFees,
    };
    for (const fee of lateFeesOf(today)) this.#charge(fee);
  }

  /** Accelerates the loan, or charges it off, at the thresholds of days overdue. */
  #thresholds(day: number): void {
    const oldest = this.#held.oldestOverdue;
    if (oldest === undefined || areHeld(this.#orders, day)) return;
    const days = day - oldest.dueDay - oldest.pausedDays;
    const { accelerationDueWithin, chargeOffDueWithin } = this.#settings;
    const isReached = (within: number | null, notThrough: number): boolean => within !== null && days >= within && day > notThrough;
    if (this.#statuses.is('active') && isReached(accelerationDueWithin, this.#orders.noAccelerationThrough)) this.#accelerate(day);
    if (isReached(chargeOffDueWithin, this.#orders.noChargeOffThrough)) this.#chargeOff(day);
  }

  #accelerate(day: number): void {
    this.#replaced = this.#held.mergeObligations(day);
    this.#ahead = this.#aheadWithoutLateFees = this.#feeAsked = ZERO;
    this.#statuses.become('accelerated', day);
  }

  /** An active loan is accelerated first; a frozen one is unfrozen before, without interest for the frozen days. */
  #chargeOff(day: number): void {
    if (this.#statuses.is('frozen')) this.#endFreeze(day);
    if (this.#statuses.is('active')) this.#accelerate(day);
    this.#statuses.become('chargedOff', day);
  }

  #freeze(day: number): void {
    this.#statuses.become('frozen', day);
    this.#frozenDays = [];
  }

  #endFreeze(day: number): void {
    for (const obligation of this.#held.obligations) {
      if (!this.#held.isFulfilled(obligation)) obligation.pausedDays += day - this.#statuses.frozenSince;
    }
    this.#statuses.become('active', day);
  }

  #unfreeze(day: number, fact: Unfreeze): void {
    this.#endFreeze(day);
    if (fact.retroactivelyAccrueInterest) {
      const before = this.#accrued;
      for (const frozen of this.#frozenDays) {
        const earned = this.#terms.accrualMethod === 'simple' ? ZERO : this.#accrued.minus(before);
        this.#accrue(frozen.day, frozen.base.plus(earned));
      }
    }
    if (!this.#dates.hasMissed(day)) return;
    if (fact.shiftDueDates) this.#dates.shift(day);
    else {
      this.#dates.skipThrough(day);
      if (this.#held.principal.gt(0)) this.#dates.relevel(this.#amortization(day), this.#keptAt(fact));
    }
  }

  take(day: number, fact: LedgerFact): void {
    this.#settings = settingsOn(this.#terms, day);
    this.#adoptTolerance();
    if (fact.type === 'payment') this.#pay(day, fact);
    if (fact.type === 'paymentSettled') this.#processing.delete(fact.transaction);
    if (fact.type === 'advance') this.#advance(day, fact);
    if (fact.type === 'reimbursed') this.#reimburse(day, amountOf(fact.amountCents));
    if (fact.type === 'refund') this.#refund(day, fact);
    if (fact.type === 'ratesChanged') this.#changeRates(day, fact);
    this.#order(day, fact);
    if (fact.type === 'scheduleChanged' && this.#statuses.is('active') && this.#held.principal.gt(0) && fact.dueDates.length > 0) {
      this.#dates.change(this.#amortization(day), fact, this.#heldAt(fact));
    }
    if (fact.type === 'dueDateDeferred' && this.#statuses.is('active')) this.#dates.defer(fact);
    if (fact.type === 'feeCharged' && !this.#isWaived(day, fact)) {
      const isCovered = this.#owedBack.spare.gte(amountOf(fact.amountCents));
      if (this.#statuses.is('paidOff') && !isCovered) this.#reopen(day);
      this.#charge(feeByHand(fact, day));
    }
    this.#payFromOverpaid(day);
    this.#forgive(day, fact);
    this.#close(day);
    this.set.set(fact.sequence, this.#dates.amounts);
  }

  #isWaived(day: number, { effective, isWaivedDuringScra }: FeeCharged): boolean {
    return isRefunded(this.#refunds, day, effective.seconds, false) || (isWaivedDuringScra === true && isDuringScra(this.#orders, day));
  }

  /** Forgives a small balance that a payment has left. */
  #forgive(day: number, { type }: LedgerFact): void {
    if (type !== 'payment' && type !== 'paymentSettled' && type !== 'refund') return;
    if (this.#processing.size > 0 || !this.#statuses.is('active', 'accelerated', 'frozen')) return;
    if (this.#held.fees.some(({ open, knownDay }) => open.gt(0) && knownDay > day)) return;
    const owed = this.#held.owed();
    if (owed.gt(amountOf(this.#settings.smallBalanceCents ?? 0))) return;
    const { met, shadow } = this.#held.allocate(day, owed, DEFAULT_PAYMENT_WATERFALL);
    this.#held.fulfil(met, shadow);
  }

  /** An order that is not possible in the current status has no effect. */
  #order(day: number, fact: LedgerFact): void {
    const { status } = this.#statuses;
    if (fact.type === 'freeze' && status === 'active') this.#freeze(day);
    if (fact.type === 'unfreeze' && status === 'frozen') this.#unfreeze(day, fact);
    if (status === 'paidOff' && fact.type === 'freeze' && this.#statuses.orderPaidOff('frozen', day)) this.#frozenDays = [];
    if (status === 'paidOff' && fact.type === 'unfreeze') this.#statuses.orderPaidOff('active', day);
    if (fact.type === 'accelerate' && status === 'active') this.#accelerate(day);
    if (fact.type === 'chargeOff' && status !== 'chargedOff' && status !== 'paidOff') this.#chargeOff(day);
  }

  /** The obligation of the whole balance after an acceleration. */
  get #whole(): Obligation | undefined {
    return this.#statuses.is('accelerated', 'chargedOff') ? this.#held.obligations.at(-1) : undefined;
  }

  #advance(day: number, fact: AdvancePaidOut): void {
    if (this.#statuses.is('paidOff')) this.#reopen(day);
    if (!this.#payOut(amountOf(fact.amountCents))) this.#relevel(day, fact);
  }

  /** The part of a reimbursement above the overpaid money becomes principal again. */
  #reimburse(day: number, amount: Big): void {
    const owed = this.#owedBack.reimburse(amount);
    if (owed.eq(0)) return;
    if (this.#statuses.is('paidOff')) this.#reopen(day);
    this.#payOut(owed);
  }

  /** Returns whether the amount was added to the obligation of the whole balance. */
  #payOut(amount: Big): boolean {
    const whole = this.#whole;
    const into = whole ?? this.#held;
    into.principal = into.principal.plus(amount);
    if (whole !== undefined) raise(whole, amount, amount);
    return whole !== undefined;
  }

  /** The rates that were recorded last apply, even if earlier recorded ones start later. */
  #changeRates(day: number, fact: RatesChanged): void {
    if (fact.sequence > this.#ratesSequence) {
      this.#rates = this.#ratesByFact.get(fact.sequence) ?? this.#rates;
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
    this.#dates.relevel(this.#amortization(day), this.#keptAt(fact));
  }

  /** Bounds for rows that had passed before late facts were recorded: their amounts as the fact has set them without the late facts. */
  #heldAt({ sequence }: LedgerFact): MostOn {
    const known =
      sequence === this.#newestLate
        ? this.#dates.amounts
        : this.#bounds.find(({ change }) => change === this.#newestLate)?.set.get(sequence);
    return (date) => (date > this.#unknownThrough ? null : (known?.get(date) ?? null));
  }

  /** The same bounds; such a row without a known amount keeps its current one. */
  #keptAt(fact: LedgerFact): MostOn {
    const held = this.#heldAt(fact);
    const { amounts } = this.#dates;
    return (date) => (date > this.#unknownThrough ? null : (held(date) ?? amounts.get(date) ?? null));
  }

  /** The rate of a day; zero from an acceleration to a charge-off that was reversed. */
  #rateOn(day: number): Big {
    return this.#orders.idle.some(({ from, until }) => from <= day && day < until) ? ZERO : rateOn(this.#rates, day);
  }

  /** The upper bound of what may fall due on a day; null: none. */
  #mostOn(date: number): Big | null {
    if (date > this.#unknownThrough) return null;
    const bounds = this.#bounds.filter(({ through }) => date <= through);
    return bounds.length === 0 ? null : bounds.map(({ asked }) => asked.get(date) ?? ZERO).reduce(min);
  }

  #amortization(day: number): Amortization {
    const cap = this.#terms.totalInterestCapCents;
    const room = cap === null ? null : amountOf(cap).minus(this.#accrued);
    const { principal, interest } = this.#held;
    return {
      terms: this.#terms,
      rateOn: (date) => this.#rateOn(date),
      from: day,
      owed: { principal, interest, room, ahead: this.#ahead, fee: this.#feeToCome() },
    };
  }

  /** A refund pays principal from the end of the schedule, then interest and fees; a full refund cancels interest and fees instead. */
  #refund(day: number, fact: Refund): void {
    const full = amountOf(fact.fullCents);
    const isFull = this.#refunded.lt(full) && this.#refunded.plus(amountOf(fact.amountCents)).gte(full);
    this.#refunded = this.#refunded.plus(amountOf(fact.amountCents));
    const { principal, costs } = refundBuckets(this.#statuses.status);
    const allocated = this.#held.allocate(day, amountOf(fact.amountCents), principal);
    const forgiven = !isFull && fact.isOriginationFeeRefunded && day === this.#terms.activation ? this.#forgiveOriginationFee() : ZERO;
    const rest = this.#held.allocate(day, allocated.left, isFull ? [] : costs);
    const gone = isFull ? reverseCosts(this.#held, this.#takenFees) : { met: ZERO, shadow: ZERO };
    if (isFull) this.#feeAsked = ZERO;
    if (isFull) this.#owedBack.giveAllCosts();
    this.#held.fulfil(sum([allocated.met, rest.met, gone.met, forgiven]), sum([allocated.shadow, rest.shadow, gone.shadow, forgiven]));
    if (this.#statuses.is('active', 'frozen')) this.#feeAsked = this.#feeAsked.plus(this.#held.moveToLaterDueDates().originationFee);
    this.#held.paid.over = this.#held.paid.over.plus(rest.left);
    this.#owedBack.refund(rest.left);
    this.#owedBack.keepOver(rest.left);
  }

  /** Its paid part is owed to the borrower; the rest is forgiven. Returns the part that obligations no longer include. */
  #forgiveOriginationFee(): Big {
    const within = sum(this.#held.obligations.map((obligation) => obligation.originationFee));
    const open = sum([this.#held.originationFee, this.#held.separateFee, within]);
    this.#owedBack.giveCosts(amountOf(this.#terms.originationFee.amountCents).minus(open));
    this.#held.originationFee = this.#held.separateFee = this.#feeAsked = ZERO;
    for (const obligation of this.#held.obligations) obligation.originationFee = ZERO;
    return within;
  }

  #accrue(day: number, base: Big): void {
    if (day < this.#terms.interestFrom) return;
    const earned = base.times(this.#rateOn(day)).times(dayFraction(this.#terms.dayCount, day));
    const cap = this.#terms.totalInterestCapCents;
    const interest = cap === null ? earned : min(earned, amountOf(cap).minus(this.#accrued));
    this.#held.interest = this.#held.interest.plus(interest);
    this.#accrued = this.#accrued.plus(interest);
  }

  #fallDue(day: number, row: NaiveRow): void {
    const { isLast, ordinal } = this.#dates;
    this.#dates.pass();
    if (row.kind === 'deferred') return;
    const isTakingAll = isLast && (row.kind === 'closing' || this.#terms.isLastAsScheduled !== true);
    const still = fallDue(this.#held, {
      day,
      row,
      ordinal,
      isLast,
      isTakingAll,
      ahead: this.#ahead,
      aheadWithoutLateFees: this.#aheadWithoutLateFees,
      most: this.#mostOn(day),
      fee: this.#feeToCome(),
    });
    this.#ahead = still.ahead;
    if (still.isAsking) this.#aheadWithoutLateFees = ZERO;
    this.#feeAsked = still.asked;
  }

  /** Rows include their shares of the fee even if money that counts toward them has already paid it. */
  #feeToCome(): FeeToCome {
    const fee = this.#terms.originationFee;
    const share = fee.logic === 'firstPayment' ? this.#feeAsked : amountOf(Math.floor(fee.amountCents / this.#terms.rows.length));
    return { share, asked: this.#feeAsked, open: this.#held.originationFee };
  }

  #charge(fee: NewFee): void {
    const hasRow = this.#dates.next !== undefined;
    const isDueAlone = fee.chargeLogic === 'immediate' || (!hasRow && fee.chargeLogic !== 'nonDue');
    const whole = this.#whole;
    this.#held.fees.push({ ...fee, open: fee.amount, within: whole ?? null, isDueAlone });
    if (whole !== undefined) raise(whole, fee.amount, fee.isLate ? ZERO : fee.amount);
  }

  /** Allocates money by the waterfall; what pays obligations fulfills the oldest first. */
  #pay(day: number, payment: Payment): void {
    if (payment.isProcessing) this.#processing.add(payment.transaction);
    const before = this.#costs;
    const feeBefore = this.#held.originationFee;
    const open = this.#open(day);
    const buckets = waterfallOf(this.#settings, this.#statuses.status, payment.kind === 'credit');
    const { left, met, shadow, early } = this.#held.allocate(day, amountOf(payment.amountCents), buckets);
    const feePaid = feeBefore.minus(this.#held.originationFee);
    // Money counts toward unpaid due amounts, whichever balances it has paid.
    const above = max(ZERO, early.minus(amountOf(payment.principalOnlyCents ?? 0)));
    const isCounting = this.#statuses.is('active', 'frozen');
    const behind = isCounting ? min(above, max(ZERO, this.#held.lacking().minus(met))) : ZERO;
    // Paid fees for which other money was counted before.
    const again = isCounting ? max(ZERO, met.minus(this.#held.remainingInAll())) : ZERO;
    const toLateFees = this.#held.fulfil(met.plus(behind), shadow.minus(again).plus(behind));
    const returned = isCounting ? this.#held.moveToLaterDueDates() : { originationFee: ZERO, counted: ZERO };
    const forObligations = above.minus(behind).plus(returned.counted).plus(again);
    const isForAll = payment.isPrepaymentEnabled ?? this.#settings.isPrepaymentEnabled;
    const forOpen = payment.kind === 'downPayment' ? ZERO : min(forObligations, open.lacking.plus(returned.originationFee));
    const counting = this.#statuses.is('active') ? (isForAll ? forObligations : forOpen) : ZERO;
    if (counting.gt(0) && payment.kind !== 'downPayment') this.#dates.expect(open.row, open.expected);
    this.#ahead = this.#ahead.plus(counting);
    if (payment.kind !== 'downPayment')
      this.#aheadWithoutLateFees = min(this.#aheadWithoutLateFees.plus(toLateFees), max(ZERO, open.lacking.minus(counting)));
    const feeAlone = max(min(feePaid, behind), feePaid.minus(counting));
    this.#feeAsked = max(ZERO, this.#feeAsked.minus(max(ZERO, feeAlone))).plus(returned.originationFee);
    this.#held.paid.over = this.#held.paid.over.plus(left);
    if (payment.kind !== 'credit') this.#owedBack.pay(amountOf(payment.amountCents), this.#costs.minus(before), left);
  }

  get #costs(): Big {
    return this.#held.paid.interest.plus(this.#held.paid.fees);
  }

  /** Overpaid money that is left pays fees, including fees that were recorded later. */
  #payFromOverpaid(day: number): void {
    const before = this.#costs;
    const { met, shadow } = this.#held.allocateToFees(this.#owedBack.spare);
    const used = this.#costs.minus(before);
    const toLateFees = this.#held.fulfil(met, shadow);
    if (used.gt(0) && this.#statuses.is('active')) {
      const { lacking } = this.#open(day);
      this.#aheadWithoutLateFees = min(this.#aheadWithoutLateFees.plus(toLateFees), lacking);
    }
    this.#held.paid.over = this.#held.paid.over.minus(used);
    this.#owedBack.use(used, used);
  }

  /**
   * The amount that the borrower would have to pay on the next due date with an amount. A payment of it fulfills that due date.
   * An interest-only row asks for the interest that will have accrued by then.
   */
  #open(day: number): { readonly row: NaiveRow | undefined; readonly expected: Big; readonly lacking: Big } {
    const row = this.#dates.coming.find(({ kind, amount }) => kind === 'interestOnly' || (kind !== 'deferred' && amount.gt(0)));
    if (row === undefined || !this.#statuses.is('active')) return { row, expected: ZERO, lacking: ZERO };
    const expected = row.kind === 'interestOnly' && this.#ahead.eq(0) ? this.#interestBy(day, row.date) : row.amount;
    const { share, asked } = this.#feeToCome();
    return { row, expected, lacking: max(ZERO, expected.plus(min(share, asked)).minus(this.#ahead)) };
  }

  /** The non-due interest on a later morning if nothing happens until then. */
  #interestBy(today: number, date: number): Big {
    const { interest } = this.#held;
    const accrued = this.#accrued;
    for (let day = today; day < date; day += 1) this.#accrue(day, bearing(this.#held, this.#terms, this.#settings));
    const expected = rounded(this.#held.interest, HALF_UP);
    this.#held.interest = interest;
    this.#accrued = accrued;
    return expected;
  }

  /** Pays the loan off, or adds a closing row if all rows have fallen due and a balance is left. */
  #close(day: number): void {
    if (this.#statuses.is('paidOff', 'chargedOff')) return;
    if (this.#held.owed().eq(0)) {
      this.#held.interest = ZERO;
      this.#ahead = this.#aheadWithoutLateFees = this.#feeAsked = ZERO;
      if (this.#processing.size === 0) this.#statuses.become('paidOff', day);
      return;
    }
    if (this.#dates.next !== undefined || !this.#statuses.is('active')) return;
    if (this.#held.obligations.some((obligation) => !this.#held.isFulfilled(obligation))) return;
    this.#dates.close(Math.max(day, this.#unknownThrough));
  }

  /** Reopens a paid-off loan. Due dates that have passed meanwhile are skipped. */
  #reopen(day: number): void {
    this.#statuses.reopen();
    this.#dates.skipThrough(day);
  }

  /** The amounts that fell due up to a day, without fees; after an acceleration there are none. */
  asked(through: number): Bound {
    const { acceleratedSince } = this.#statuses;
    const last = acceleratedSince === null ? through : Math.min(through, acceleratedSince - 1);
    const rows = acceleratedSince === null ? this.#held.obligations : [...this.#held.obligations.slice(0, -1), ...this.#replaced];
    const asked = new Map(rows.filter(({ dueDay }) => dueDay <= last).map(({ dueDay, base }) => [dueDay, base]));
    const set = new Map([...this.set].map(([fact, amounts]) => [fact, new Map([...amounts].filter(([date]) => date <= last))]));
    return { change: -1, through: last, asked, set };
  }

  /** The days since which a charged-off loan bears no interest. */
  get stopped(): { readonly acceleratedSince: number | null; readonly chargedOffSince: number | null } {
    const { acceleratedSince, chargedOffSince } = this.#statuses;
    return this.#statuses.is('chargedOff') ? { acceleratedSince, chargedOffSince } : { acceleratedSince: null, chargedOffSince: null };
  }

  report(): NaiveLedger {
    return {
      status: this.#statuses.status,
      ...this.#held.report(this.#owedBack.amount, this.#statuses.is('chargedOff')),
      interestAccrued: this.#accrued.toFixed(8),
    };
  }
}
