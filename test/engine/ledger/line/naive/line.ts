import type { LineFact, LinePayment, LineSettings, LineTerms, Day, PeriodView, Purchase } from '../../../../../engine/index.js';
import { must } from '../../../../../engine/index.js';
import { accrue, accrueFrozen, type FrozenDay, frozenDays } from './accrue.js';
import { type NaiveState, closeFulfilled, isWhole, type NaiveLineStatus, type NaivePayment } from './state.js';
import { charge, logicOf } from './charge.js';
import { decideGrace } from './grace.js';
import { happened, type RetroactiveAdjustments, withoutInterestOn } from './history.js';
import {
  becomeOverdue,
  type Holder,
  holderOf,
  laterDues,
  least,
  money,
  most,
  type NaiveObligation,
  owedBy,
  share,
  sum,
  sure,
  ZERO,
} from './holder.js';
import { chargeLateFees, remainingOf } from './late-fees.js';
import { allocate, type Allocated, countFulfilled, keepAhead, type NaiveAllocation, payFromOverpaid, waterfallFor } from './money.js';
import { accelerate, cancelDraw, chargeOff, checkThresholds, deferBalances, endFreeze, joinWhole, settle } from './orders.js';
import { takePastFeeBack } from './past-fees.js';
import { dueDatesFrom, firstPeriods, nextPeriod, roll, runningPeriod } from './periods.js';
import { seed } from './seed.js';
import { moveRows } from './rows.js';
import { amortize, makeStatement, resumeRows } from './statement.js';

/*
 * A line of credit computed as one would by hand: day by day, in decimals.
 * Late knowledge (reversals, facts recorded after a due date for a day before it) comes as retroactive adjustments.
 */
export class NaiveLine implements NaiveState {
  readonly line: Holder = holderOf(null, null);
  readonly draws: Holder[] = [];
  settings: LineSettings;
  today: Day;
  status: NaiveLineStatus = 'active';
  statusBefore: NaiveLineStatus = 'active';
  isClosed = false;
  frozenSince = 0 as Day;
  acceleratedSince: Day | null = null;
  chargedOffSince: Day | null = null;
  limit;
  schedule;
  periods: PeriodView[];
  obligations: NaiveObligation[] = [];
  replaced: readonly NaiveObligation[] = [];
  payments: NaivePayment[] = [];
  readonly processing = new Set<number>();
  readonly thresholdHolders = new Set<string>();
  ahead = ZERO;
  forNext = ZERO;
  forNextButForLateFees = ZERO;
  reimbursement = ZERO;
  #reimbursed = ZERO;
  #frozen: FrozenDay[] = [];
  readonly #newestRates = new Map<Holder, number>();
  /** Payments that were settled before they were made, at the time to which they were moved. */
  readonly #settled = new Set<number>();

  constructor(
    readonly terms: LineTerms,
    facts: readonly LineFact[],
    through: Day,
    readonly adjustments: RetroactiveAdjustments,
  ) {
    this.settings = settingsOn(terms, terms.activation);
    this.limit = money(terms.creditLimitCents);
    this.schedule = terms.schedule;
    this.periods = firstPeriods(terms);
    this.today = terms.activation;
    const { amountCents, logic } = terms.originationFee;
    charge(this, this.line, {
      cents: adjustments.originationFeeCents ?? amountCents,
      chargeLogic: logicOf(logic),
      recordedDay: this.today,
      isOfDraw: false,
    });
    const inOrder = happened(facts);
    for (let day = terms.activation; day <= through; day = (day + 1) as Day) {
      this.today = day;
      if (day > terms.activation) this.#job();
      for (const fact of inOrder) {
        if (fact.effective.day !== day) continue;
        this.#take(fact);
        this.#allocateOverpaid();
        settle(this);
      }
    }
  }

  get holders(): readonly Holder[] {
    return [...this.draws, this.line];
  }

  /** The daily job. */
  #job(): void {
    const yesterday = (this.today - 1) as Day;
    if (this.status === 'active') accrue(this, yesterday);
    if (this.status === 'frozen') this.#frozen.push(...frozenDays(this, yesterday));
    this.settings = settingsOn(this.terms, this.today);
    if (this.status === 'active' || this.status === 'accelerated') this.#enforce();
    if (this.status === 'paidOff' && this.acceleratedSince === null) {
      decideGrace(this);
      this.#allocateReturned();
    }
    if ((this.status === 'active' || this.status === 'frozen') && runningPeriod(this).statementDay === this.today) {
      const ended = roll(this);
      if (this.status === 'active') makeStatement(this, ended);
    }
    if (this.status === 'active') chargeLateFees(this);
    this.#allocateReturned();
    if (this.status === 'active' || this.status === 'accelerated') checkThresholds(this);
  }

  /** The day after a due date: capitalization, grace, then due balances become overdue. */
  #enforce(): void {
    const enforced = this.obligations.filter((one) => !one.isEnforced && remainingOf(one).gt(0) && one.due + 1 + one.paused <= this.today);
    if (this.status === 'active') {
      if (this.settings.capitalization === 'afterDueDate' && enforced.length > 0) this.#capitalize(enforced);
      decideGrace(this);
      this.#allocateReturned();
    }
    if (!this.obligations.some((one) => one.due + 1 + one.paused === this.today) && enforced.length === 0) return;
    for (const obligation of enforced) obligation.isEnforced = true;
    const later = this.obligations.filter((one) => one.due + 1 + one.paused > this.today);
    for (const holder of this.holders) becomeOverdue(holder, later);
  }

  /** Lowers the obligations of the day by the capitalized interest, those within the tolerance last. */
  #capitalize(enforced: readonly NaiveObligation[]): void {
    const later = this.obligations.filter((one) => one.due + 1 + one.paused > this.today);
    const tolerated = this.obligations.filter((one) => one.isFulfilled && !enforced.includes(one));
    for (const obligation of [...enforced, ...tolerated]) {
      for (const part of obligation.parts) {
        const { holder } = part;
        const interest = least(part.remaining, holder.interest.due.minus(laterDues(holder, later).interest));
        holder.principal.nonDue = holder.principal.nonDue.plus(interest);
        part.remaining = part.remaining.minus(interest);
        obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(interest));
        holder.interest.due = holder.interest.due.minus(interest);
      }
    }
    closeFulfilled(this, remainingOf);
  }

  #take(fact: LineFact): void {
    const draw = 'draw' in fact && fact.draw !== null ? (this.draws.find(({ terms }) => terms?.draw === fact.draw) ?? null) : null;
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the naive reading names what it reads
    switch (fact.type) {
      case 'drawActivated': {
        const made = holderOf(fact, withoutInterestOn(fact.rates, this.adjustments.idle));
        this.draws.push(made);
        const cents = this.adjustments.drawFeesCents.get(fact.draw) ?? fact.fee.amountCents;
        return charge(this, made, { cents, chargeLogic: logicOf(fact.fee.logic), recordedDay: this.today, isOfDraw: true });
      }
      case 'purchase':
        return draw === null ? undefined : this.#buy(draw, fact);
      case 'principalRaised':
        return draw === null ? undefined : this.#raise(draw, money(fact.amountCents));
      case 'pastFeeCanceled':
        return draw === null ? undefined : takePastFeeBack(this, draw, fact);
      case 'payment':
        return this.#pay(fact, draw);
      case 'reimbursed':
        return this.#reimburse(money(fact.amountCents));
      case 'paymentSettled':
        if (this.payments.some(({ transaction }) => transaction === fact.transaction)) this.processing.delete(fact.transaction);
        else this.#settled.add(fact.transaction);
        return;
      case 'feeCharged':
        if (draw === null && fact.draw !== null) return;
        if (this.#spare.lt(money(fact.amountCents))) this.#reopen();
        return charge(this, draw ?? this.line, {
          cents: fact.amountCents,
          chargeLogic: fact.chargeLogic,
          recordedDay: fact.recordedDay,
          isOfDraw: false,
        });
      case 'limitChanged':
        if (fact.draw === null) this.limit = fact.limitCents === null ? this.limit : money(fact.limitCents);
        else if (draw !== null) draw.limit = fact.limitCents === null ? null : money(fact.limitCents);
        return;
      case 'drawAmortized':
        if (draw === null || draw.isCanceled || this.status !== 'active') return;
        draw.rows = [];
        amortize(this, draw, { principal: draw.principal.nonDue, payment: fact.payment, from: runningPeriod(this) });
        draw.bought = ZERO;
        return;
      case 'drawRatesChanged':
        // It was replaced by rates that were recorded later for an earlier time.
        if (draw === null || fact.sequence < (this.#newestRates.get(draw) ?? 0)) return;
        this.#newestRates.set(draw, fact.sequence);
        draw.rates = withoutInterestOn(fact.rates, this.adjustments.idle);
        return;
      case 'lineScheduleChanged':
        this.schedule = fact.schedule;
        for (const drawn of this.draws) moveRows(drawn, runningPeriod(this).dueDay, (count) => dueDatesFrom(this, nextPeriod(this), count));
        return;
      case 'thresholdsHeld':
        this.thresholdHolders.add(fact.holder);
        return;
      case 'thresholdsReleased':
        this.thresholdHolders.delete(fact.holder);
        return;
      case 'lineClosed':
        this.isClosed = true;
        return;
      case 'lineSeeded':
        return seed(this, fact);
      default:
        return this.#order(fact);
    }
  }

  #order(fact: LineFact): void {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the naive reading names what it reads
    switch (fact.type) {
      case 'freeze':
        if (this.status !== 'active') return;
        this.status = 'frozen';
        this.frozenSince = this.today;
        this.#frozen = [];
        return;
      case 'unfreeze':
        if (this.status !== 'frozen') return;
        endFreeze(this);
        if (fact.retroactivelyAccrueInterest) accrueFrozen(this, this.#frozen);
        for (const drawn of this.draws) resumeRows(this, drawn, fact);
        return;
      case 'accelerate':
        if (this.status === 'active') accelerate(this);
        return;
      case 'chargeOff':
        if (this.status === 'frozen') endFreeze(this);
        if (this.status === 'active' || this.status === 'accelerated') chargeOff(this);
        return;
      case 'balancesDeferred':
        if (this.status === 'active') deferBalances(this);
        return;
      case 'drawClosed':
        return;
      case 'drawCanceled':
        for (const draw of this.draws) if (draw.terms?.draw === fact.draw) cancelDraw(this, draw);
        return;
      default:
        throw new Error(`not kept by hand: ${fact.type}`);
    }
  }

  /** A new debt reopens a paid-off line in the status that it had before. */
  #reopen(): void {
    if (this.status !== 'paidOff') return;
    while (runningPeriod(this).statementDay <= this.today) roll(this);
    for (const drawn of this.draws) resumeRows(this, drawn, { shiftDueDates: true });
    this.status = this.statusBefore;
    if (this.status === 'frozen') this.frozenSince = this.today;
  }

  #raise(draw: Holder, amount: typeof ZERO): void {
    if (draw.isCanceled) return;
    this.#reopen();
    const dueStatus = isWhole(this) ? joinWhole(this, draw, amount) : 'nonDue';
    draw.principal[dueStatus] = draw.principal[dueStatus].plus(amount);
  }

  /** The part of a reimbursement above the overpaid money becomes principal again. */
  #reimburse(amount: typeof ZERO): void {
    this.#reimbursed = this.#reimbursed.plus(amount);
    const owed = this.#reimbursed.minus(this.reimbursement);
    const kept = this.draws.filter(({ isCanceled }) => !isCanceled);
    const draw = kept.find(({ terms }) => terms?.drawType !== 'static') ?? kept[0];
    if (owed.lte(0) || draw === undefined) return;
    this.reimbursement = this.#reimbursed;
    this.#raise(draw, owed);
  }

  #buy(draw: Holder, fact: Purchase): void {
    if (draw.isCanceled) return;
    const amount = money(fact.amountCents);
    if (fact.kind === 'refund' || fact.kind === 'cashBack') return this.#refund(draw, fact);
    this.#raise(draw, amount);
    draw.bought = draw.bought.plus(amount);
    const { fee, amortization } = sure(draw.terms);
    const cents = fact.isPostedAgain === true ? 0 : Number(share(amount, fee.percentageOfPrincipal).times(100));
    charge(this, draw, { cents, chargeLogic: logicOf(fee.logic), recordedDay: fact.recordedDay, isOfDraw: true });
    if (amortization?.logic === 'perPurchase' && this.status === 'active')
      amortize(this, draw, { principal: amount, payment: amortization.payment, from: runningPeriod(this) });
  }

  /** A refund pays non-due principal of its draw first; the rest is allocated like a payment, to this draw before all others. */
  #refund(draw: Holder, fact: Purchase): void {
    const amount = money(fact.amountCents);
    const direct = least(amount, draw.principal.nonDue);
    draw.principal.nonDue = draw.principal.nonDue.minus(direct);
    draw.bought = most(ZERO, draw.bought.minus(direct));
    countFulfilled(this, draw, direct);
    if (amount.gt(direct))
      this.#allocate({
        transaction: must(fact.transaction, 'a transaction'),
        amount: amount.minus(direct),
        kind: 'refund',
        directed: draw,
      });
  }

  /** Overpaid money that was neither reimbursed nor is on its way back. */
  get #spare(): typeof ZERO {
    return most(ZERO, this.reimbursement.minus(this.#reimbursed));
  }

  /** The oldest overpaid money first: the overpayment that came with a migration is older than all payments. */
  #allocateOverpaid(): void {
    const payments = this.payments.filter(({ isCredit }) => !isCredit);
    const overs = sum(payments.map(({ over }) => over));
    const seeded: NaivePayment = { transaction: -1, isCredit: false, splits: new Map(), over: most(ZERO, this.#spare.minus(overs)) };
    let gone = most(ZERO, overs.minus(this.#spare));
    for (const payment of [seeded, ...payments]) {
      const skipped = payment === seeded ? ZERO : least(gone, payment.over);
      gone = gone.minus(skipped);
      if (payment.over.eq(skipped) || sum(this.holders.map(owedBy)).eq(0)) continue;
      const { early, toLateFees } = payFromOverpaid(this, payment, payment.over.minus(skipped));
      keepAhead(this, early, { isEnabled: this.settings.isPrepaymentEnabled, isPeriodic: true, toLateFees, principalOnly: ZERO });
    }
  }

  /** Money that grace gives back pays what a statement or the day has charged. */
  #allocateReturned(): void {
    if (this.#spare.eq(0)) return;
    this.#allocateOverpaid();
    settle(this);
  }

  #pay(fact: LinePayment, directed: Holder | null): void {
    const { transaction, kind } = fact;
    const { early, toLateFees } = this.#allocate({
      transaction,
      amount: money(fact.amountCents),
      kind: kind === 'credit' ? 'credit' : 'payment',
      directed,
      principalOnly: money(fact.principalOnlyCents ?? 0),
    });
    keepAhead(this, early, {
      isEnabled: fact.isPrepaymentEnabled ?? this.settings.isPrepaymentEnabled,
      isPeriodic: kind !== 'downPayment',
      toLateFees,
      principalOnly: money(fact.principalOnlyCents ?? 0),
    });
    if (fact.isProcessing && !this.#settled.has(transaction)) this.processing.add(transaction);
  }

  readonly #allocate = (money: Omit<NaiveAllocation, 'waterfall'>): Allocated =>
    allocate(this, { ...money, waterfall: waterfallFor(this, money.kind) });
}

/** The settings of the product on a day. */
const settingsOn = ({ settings }: LineTerms, day: Day): LineSettings =>
  must(
    settings.findLast(({ from }) => from <= day),
    'settings',
  ).value;
