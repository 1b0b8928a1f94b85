import Big from 'big.js';
import {
  type AmortizedPayment, type Bucket, type Day, type LineFact, linePeriodsOf, type LineSettings, type LineTerms, must, type PeriodView, startLine,
} from '../../../../engine/index.js';
import {
  bearingOf, becomeOverdue, fallDue, fallingFees, type Holder, holderOf, laterDues, least, money, most, type NaiveObligation, overOwnLimit, owedBy, type Part, share, type Standing, sum, withWaiting, ZERO,
} from './holder.js';
import { annualRate, dailyRate } from './daily-rate.js';
import { bookLateFees, fulfilWithoutLate, remainingOf } from './late-fees.js';
import { accelerate, bucketsOf, chargeOff, joinWhole, type NaiveBook, thaw } from './orders.js';
import { addPlan } from './rows.js';

/*
 * A line of credit kept as one would by hand: day by day, in decimals, from servicing-behaviour.md 4, 6 to 10 and 13. It knows draws,
 * purchases and what gives them back, payments and credits, fees of line and draws, late fees, amortized draws, freezing, acceleration, charge-off, changed rates, grace, floors and limits, simple and compound interest.
 */

const DIGITS = 34; // that stay: compounding doubles them each day

interface Money {
  readonly waterfall: readonly Bucket[];
  readonly isCredit: boolean;
  readonly directed: Holder | null;
  readonly day: Day;
}

export class NaiveLine implements NaiveBook {
  readonly line: Holder = holderOf(null);
  readonly draws: Holder[] = [];
  obligations: NaiveObligation[] = [];
  status: NaiveBook['status'] = 'active';
  frozenSince = 0 as Day;
  readonly #newestRates = new Map<Holder, number>();
  /** On what each day of the freezing would have borne interest, at its end. */
  #frozenDays: { readonly draw: Holder; readonly day: Day; readonly bearing: Big }[] = [];
  reimbursement = ZERO;
  readonly #interestPaid: { readonly holder: Holder; readonly isCredit: boolean; amount: Big }[] = [];
  readonly #settings: LineSettings;
  #periods: readonly PeriodView[];
  #today = 0 as Day;
  /** What the money that is being poured has met, loose late fees with it. */
  #met = ZERO;

  constructor(readonly terms: LineTerms, facts: readonly LineFact[], through: Day) {
    this.#settings = must(terms.settings[0], 'settings').value;
    this.#periods = linePeriodsOf(startLine(terms), through);
    const { amountCents, logic } = terms.originationFee;
    if (amountCents > 0) this.#charge(this.line, amountCents, logic);
    const inOrder = [...facts].sort((a, b) => a.effective.day - b.effective.day || a.effective.seconds - b.effective.seconds || a.sequence - b.sequence);
    for (let day = terms.activation; day <= through; day = (day + 1) as Day) {
      this.#today = day;
      if (day > terms.activation) this.#job(day);
      for (const fact of inOrder) if (fact.effective.day === day) this.#take(fact, day);
    }
  }

  get holders(): readonly Holder[] {
    return [...this.draws, this.line];
  }

  #charge(holder: Holder, cents: number, logic: string): void {
    const standing = logic === 'separate' ? 'due' : 'nonDue';
    if (cents === 0) return;
    const fee = { open: money(cents), isNext: true, from: null, isOfDraw: holder.terms !== null, late: null, fellDue: null };
    if (this.#isWhole) holder.fees.push({ ...fee, standing: joinWhole(this, holder, money(cents)), isCarried: true });
    else holder.fees.push({ ...fee, standing, isCarried: false });
  }

  /** A balance of a draw is to be paid off on the line's due dates, from that of a period on. */
  #amortize(holder: Holder, principal: Big, payment: AmortizedPayment, { day, period }: { readonly day: Day; readonly period: number }): void {
    const dueDates = (count: number): readonly Day[] => {
      const first = must(this.#periods[period], 'a period').endDay;
      for (let ahead = 800; this.#periods.length < period + count; ahead *= 2) this.#periods = linePeriodsOf(startLine(this.terms), (first + ahead) as Day);
      return this.#periods.slice(period, period + count).map(({ dueDay }) => dueDay);
    };
    addPlan(holder, { terms: this.terms, draw: must(holder.terms, 'a draw'), rates: must(holder.rates, 'a draw'), principal, payment, day, dueDates });
  }

  #runningPeriod = (day: Day): number => this.#periods.findIndex(({ statementDay }) => day < statementDay);

  /** All is owed as one. */
  get #isWhole(): boolean {
    return this.status === 'accelerated' || this.status === 'chargedOff';
  }

  #job(day: Day): void {
    if (this.status === 'active') for (const draw of this.draws) this.#accrue(draw, (day - 1) as Day);
    if (this.status === 'frozen') for (const draw of this.draws) this.#frozenDays.push({ draw, day: (day - 1) as Day, bearing: bearingOf(draw, this.#settings, this.terms) });
    const isFollowed = this.status === 'active' || this.status === 'accelerated';
    for (const obligation of this.obligations) if (isFollowed && obligation.due + 1 + obligation.paused === day) this.#enforce(obligation, day);
    if (this.status !== 'active') return;
    const ended = this.#periods.find((period) => period.statementDay === day);
    if (ended !== undefined) this.#state(ended, day);
    const periodStart = must(this.#periods[this.#runningPeriod(day)], 'a period').startDay;
    const principal = sum(this.draws.flatMap((draw) => Object.values(draw.principal)));
    bookLateFees({ settings: this.#settings, day, periodStart, line: this.line, obligations: this.obligations, principal });
  }

  #accrue(draw: Holder, day: Day): void {
    if (draw.inGrace || day < must(draw.terms, 'a draw').effective.day) return;
    this.#addInterest(draw, bearingOf(draw, this.#settings, this.terms).times(this.#dailyRate(draw, day)));
  }

  /** The interest of the frozen days, as if they had not been: it bears interest itself where that compounds. */
  #accrueFrozen(): void {
    const before = new Map(this.draws.map((draw) => [draw, draw.accrued]));
    for (const { draw, day, bearing } of this.#frozenDays) {
      if (draw.inGrace || day < must(draw.terms, 'a draw').effective.day) continue;
      const added = this.terms.accrualMethod === 'simple' ? ZERO : draw.accrued.minus(before.get(draw) ?? ZERO);
      this.#addInterest(draw, bearing.plus(added).times(this.#dailyRate(draw, day)));
    }
  }

  #addInterest(draw: Holder, exact: Big): void {
    const interest = exact.round(DIGITS);
    draw.interest.nonDue = draw.interest.nonDue.plus(interest);
    draw.accrued = draw.accrued.plus(interest);
  }

  readonly #dailyRate = (draw: Holder, day: Day): Big => dailyRate(this.terms, must(draw.rates, 'a draw'), day);

  /** Due date + 1: capitalization, grace, then due becomes overdue. */
  #enforce(obligation: NaiveObligation, day: Day): void {
    const isActive = this.status === 'active';
    if (isActive && this.#settings.capitalization === 'afterDueDate') this.#capitalize(obligation);
    const isLast = isActive && obligation === this.obligations.at(-1);
    for (const part of obligation.parts) if (isLast && part.holder.terms?.grace.isApplicable === true) this.#decideGrace(obligation, part, day);
    obligation.isEnforced = true;
    for (const holder of this.holders) becomeOverdue(holder, this.obligations.filter(({ isEnforced }) => !isEnforced));
  }

  #capitalize(obligation: NaiveObligation): void {
    for (const part of obligation.parts) {
      const { holder } = part;
      const later = laterDues(holder, this.obligations.slice(this.obligations.indexOf(obligation) + 1));
      const interest = least(part.remaining, holder.interest.due.minus(later.interest));
      holder.principal.nonDue = holder.principal.nonDue.plus(interest);
      part.remaining = part.remaining.minus(interest);
      obligation.withoutLate = most(ZERO, obligation.withoutLate.minus(interest));
      holder.interest.due = holder.interest.due.minus(interest);
    }
  }

  #decideGrace(obligation: NaiveObligation, part: Part, day: Day): void {
    const { holder } = part;
    const isPaid = part.fulfilled.gte(part.full);
    if (holder.inGrace && !isPaid) {
      holder.inGrace = false;
      const unpaid = part.full.minus(part.fulfilled);
      const isSimple = this.terms.accrualMethod === 'simple';
      let base = isSimple ? least(unpaid, part.principal) : unpaid;
      for (let past = (obligation.statement + obligation.paused) as Day; past < day; past = (past + 1) as Day) {
        const interest = base.times(this.#dailyRate(holder, past)).round(DIGITS);
        this.#addInterest(holder, interest);
        if (!isSimple) base = base.plus(interest);
      }
    } else if (!holder.inGrace && isPaid) {
      const count = must(holder.terms, 'a draw').grace.periodsToRestore;
      const last = this.obligations.slice(-count);
      const isEnough = last.length === count && last.every(({ parts }) => parts.some((other) => other.holder === holder && other.fulfilled.gte(other.full)));
      if (isEnough) this.#restoreGrace(holder);
    }
  }

  /** Interest since the statement is taken back; what was paid of it has paid principal, or is owed to the borrower. */
  #restoreGrace(holder: Holder): void {
    holder.inGrace = true;
    const paid = most(ZERO, holder.accrued.minus(holder.interest.nonDue));
    holder.interest.nonDue = most(ZERO, holder.interest.nonDue.minus(holder.accrued));
    let left = paid;
    for (const payment of [...this.#interestPaid].reverse()) {
      if (payment.holder !== holder) continue;
      const moved = least(left, payment.amount);
      const toPrincipal = least(moved, holder.principal.nonDue);
      holder.principal.nonDue = holder.principal.nonDue.minus(toPrincipal);
      payment.amount = payment.amount.minus(moved);
      // A credit is nobody's to have back.
      if (!payment.isCredit) this.reimbursement = this.reimbursement.plus(moved.minus(toPrincipal));
      left = left.minus(moved);
    }
    holder.accrued = ZERO;
  }

  /** The statement date: interest truncated, the minimum fixed and moved to due. */
  #state(period: PeriodView, day: Day): void {
    const { minimumInterestChargeCents } = this.#settings;
    for (const draw of this.draws) {
      const lacking = minimumInterestChargeCents === null ? ZERO : money(minimumInterestChargeCents).minus(draw.accrued);
      if (!draw.inGrace && draw.accrued.gt(0) && lacking.gt(0)) this.#addInterest(draw, lacking);
      draw.interest.nonDue = draw.interest.nonDue.round(2, Big.roundDown);
    }
    for (const draw of this.draws) {
      const { amortization } = must(draw.terms, 'a draw');
      if (amortization?.logic !== 'aggregatePurchasesInPeriod') continue;
      this.#amortize(draw, least(draw.bought, draw.principal.nonDue), amortization.payment, { day, period: period.ordinal });
    }
    const asked = new Map<Holder, Big>(this.holders.map((holder) => [holder, this.#asked(holder, period.dueDay)]));
    this.#raiseToLine(asked, period.dueDay);
    const loose = sum(this.line.fees.map((fee) => (fee.late !== null && !fee.isCarried ? fee.open : ZERO)));
    const parts = this.holders.map((holder): Part => {
      const full = owedBy(holder);
      const principal = sum(Object.values(holder.principal));
      const remaining = must(asked.get(holder), 'asked');
      const before = holder.interest.due;
      fallDue(holder, remaining, period.dueDay);
      return { holder, full, principal, interest: holder.interest.due.minus(before), remaining, fulfilled: ZERO };
    });
    const late = loose.minus(sum(this.line.fees.map((fee) => (fee.late !== null && !fee.isCarried ? fee.open : ZERO))));
    const amount = sum(parts.map(({ remaining }) => remaining));
    this.obligations.push({ due: period.dueDay, amount, statement: day, parts, withoutLate: amount.minus(late), paused: 0, isEnforced: false });
    for (const draw of this.draws) {
      draw.accrued = ZERO;
      draw.bought = ZERO;
      draw.rows = draw.rows.filter(({ date }) => date > period.dueDay);
    }
  }

  #asked(holder: Holder, due: Day): Big {
    const fees = sum(fallingFees(holder, due).map(({ open }) => open));
    const body = holder.principal.nonDue.plus(holder.interest.nonDue);
    const whole = fees.plus(body);
    if (holder.terms === null) return withWaiting(holder, fees, whole, due);
    const row = holder.rows.find(({ date }) => date === due);
    if (row !== undefined) {
      const isLast = holder.rows.every(({ date }) => date <= due);
      return withWaiting(holder, isLast ? whole : least(whole, fees.plus(row.amount)), whole, due);
    }
    if (holder.isAmortized) return withWaiting(holder, holder.rows.length === 0 ? whole : fees, whole, due);
    const { minimum } = holder.terms;
    const { isInterestInMinimum, areFeesInMinimum } = this.#settings;
    let minimal = share(sum(Object.values(holder.principal)), minimum.percentageOfPrincipal);
    if (isInterestInMinimum) minimal = minimal.plus(holder.interest.nonDue);
    if (areFeesInMinimum) minimal = minimal.plus(fees);
    if (minimum.isOverLimitIncluded) minimal = minimal.plus(overOwnLimit(holder));
    return withWaiting(holder, most(fees, least(whole, most(minimal, money(minimum.minCents)))), whole, due);
  }

  /** The line's floor, and what stands above its limit, are taken from the draws in order. */
  #raiseToLine(asked: Map<Holder, Big>, due: Day): void {
    const { minimum, creditLimitCents } = this.terms;
    const included = sum(this.draws.map((draw) => (draw.terms?.minimum.isOverLimitIncluded === true ? overOwnLimit(draw) : ZERO)));
    const over = most(ZERO, sum(this.holders.map(owedBy)).minus(money(creditLimitCents)).minus(included));
    const isIncluded = this.#settings.isOverLimitInMinimum || minimum.isOverLimitIncluded;
    const total = sum([...asked.values()]);
    let extra = most(money(minimum.minCents), total.plus(isIncluded ? over : ZERO)).minus(total);
    for (const draw of this.#inOrder()) {
      if (extra.lte(0)) return;
      const before = must(asked.get(draw), 'asked');
      const whole = sum(fallingFees(draw, due).map(({ open }) => open)).plus(draw.principal.nonDue).plus(draw.interest.nonDue);
      const raised = withWaiting(draw, least(whole, least(before, whole).plus(extra)), whole, due);
      asked.set(draw, raised);
      extra = extra.minus(raised.minus(before));
    }
  }

  #inOrder(): readonly Holder[] {
    const standing = (draw: Holder, of: Standing): Big => draw.principal[of].plus(draw.interest[of]).plus(sum(draw.fees.map((fee) => (fee.standing === of ? fee.open : ZERO))));
    const rate = (draw: Holder): Big => annualRate(must(draw.rates, 'a draw'), this.#today);
    const started = (draw: Holder): Big => new Big(-must(draw.terms, 'a draw').effective.day);
    const keys = { overdueAmount: (draw: Holder) => standing(draw, 'overdue'), dueAmount: (draw: Holder) => standing(draw, 'due'), highestRate: rate, oldest: started };
    const { drawOrder } = this.#settings;
    return [...this.draws].sort((a, b) => drawOrder.map((step) => keys[step](b).cmp(keys[step](a))).find((compared) => compared !== 0) ?? 0);
  }

  #take(fact: LineFact, day: Day): void {
    switch (fact.type) {
      case 'drawActivated': {
        const draw = holderOf(fact);
        this.draws.push(draw);
        this.#charge(draw, fact.fee.amountCents, fact.fee.logic);
        return;
      }
      case 'purchase': {
        const draw = this.draws.find(({ terms }) => terms?.draw === fact.draw);
        if (draw === undefined) return;
        const amount = money(fact.amountCents);
        if (fact.kind !== 'refund' && fact.kind !== 'cashBack') {
          const standing = this.#isWhole ? joinWhole(this, draw, amount) : 'nonDue';
          draw.principal[standing] = draw.principal[standing].plus(amount);
          const { percentageOfPrincipal, logic } = must(draw.terms, 'a draw').fee;
          this.#charge(draw, Number(share(amount, percentageOfPrincipal).times(100)), logic);
          draw.bought = draw.bought.plus(amount);
          const amortization = draw.terms?.amortization ?? null;
          if (amortization?.logic === 'perPurchase' && this.status === 'active') this.#amortize(draw, amount, amortization.payment, { day, period: this.#runningPeriod(day) });
          return;
        }
        const direct = least(amount, draw.principal.nonDue);
        draw.principal.nonDue = draw.principal.nonDue.minus(direct);
        draw.bought = most(ZERO, draw.bought.minus(direct));
        this.#count(draw, direct, day);
        const rest = amount.minus(direct);
        if (rest.gt(0)) this.reimbursement = this.reimbursement.plus(this.#pour(rest, { waterfall: this.#settings.paymentWaterfall, isCredit: false, directed: draw, day }));
        return;
      }
      case 'payment': {
        const directed = this.draws.find(({ terms }) => terms?.draw === fact.draw) ?? null;
        const { creditWaterfall, paymentWaterfall } = this.#settings;
        const isCredit = fact.kind === 'credit';
        const left = this.#pour(money(fact.amountCents), { waterfall: isCredit ? creditWaterfall : paymentWaterfall, isCredit, directed, day });
        if (!isCredit) this.reimbursement = this.reimbursement.plus(left);
        return;
      }
      case 'drawAmortized': {
        const draw = this.draws.find(({ terms }) => terms?.draw === fact.draw);
        if (draw === undefined || this.status !== 'active') return;
        draw.rows = [];
        this.#amortize(draw, draw.principal.nonDue, fact.payment, { day, period: this.#runningPeriod(day) });
        return;
      }
      case 'principalRaised': {
        const draw = this.draws.find(({ terms }) => terms?.draw === fact.draw);
        if (draw === undefined) return;
        const standing = this.#isWhole ? joinWhole(this, draw, money(fact.amountCents)) : 'nonDue';
        draw.principal[standing] = draw.principal[standing].plus(money(fact.amountCents));
        return;
      }
      case 'drawRatesChanged': {
        const draw = this.draws.find(({ terms }) => terms?.draw === fact.draw);
        // What was told later, of a time before, has replaced it.
        if (draw === undefined || fact.sequence < (this.#newestRates.get(draw) ?? 0)) return;
        this.#newestRates.set(draw, fact.sequence);
        draw.rates = fact.rates;
        return;
      }
      case 'freeze':
        if (this.status !== 'active') return;
        this.status = 'frozen';
        this.frozenSince = day;
        this.#frozenDays = [];
        return;
      case 'unfreeze':
        if (this.status !== 'frozen') return;
        thaw(this, day);
        if (fact.retroactivelyAccrueInterest) this.#accrueFrozen();
        return;
      case 'accelerate':
        if (this.status === 'active') accelerate(this, day);
        return;
      case 'chargeOff':
        if (this.status === 'frozen') thaw(this, day);
        if (this.status !== 'chargedOff') chargeOff(this, day);
        return;
      default:
        throw new Error(`not kept by hand: ${fact.type}`);
    }
  }

  #pour(amount: Big, money: Money): Big {
    let left = amount;
    const { directed } = money;
    const waterfall = bucketsOf(this.status, this.#settings, money.waterfall);
    const first = this.obligations.findIndex((obligation) => remainingOf(obligation).gt(0));
    this.#met = ZERO;
    if (directed !== null) for (const bucket of waterfall) left = this.#pourInto(directed, bucket, left, money);
    for (const bucket of waterfall) {
      const draws = this.#inOrder();
      for (const holder of this.#settings.areLineFeesFirst ? [this.line, ...draws] : [...draws, this.line]) left = this.#pourInto(holder, bucket, left, money);
    }
    if (first >= 0) fulfilWithoutLate(this.obligations, first, this.#met);
    return left;
  }

  #pourInto(holder: Holder, bucket: string, left: Big, { isCredit, day }: Money): Big {
    const standing = (['nonDue', 'overdue', 'due', 'chargedOff'] as const).find((name) => bucket.startsWith(name)) ?? 'due';
    let taken = ZERO;
    let met = ZERO;
    if (bucket.endsWith('Fees')) {
      for (const fee of holder.fees) {
        const part = fee.standing === standing ? least(fee.open, left.minus(taken)) : ZERO;
        fee.open = fee.open.minus(part);
        taken = taken.plus(part);
        if (fee.isCarried) met = met.plus(part);
        else if (fee.late !== null) this.#met = this.#met.plus(part);
      }
    } else {
      const amounts = bucket.endsWith('Principal') ? holder.principal : holder.interest;
      taken = least(left, amounts[standing].round(2, Big.roundDown));
      amounts[standing] = amounts[standing].minus(taken);
      if (standing !== 'nonDue') met = taken;
      if (amounts === holder.interest && taken.gt(0)) this.#interestPaid.push({ holder, isCredit, amount: taken });
    }
    this.#count(holder, taken, day);
    this.#met = this.#met.plus(met);
    for (const { parts } of this.obligations) {
      for (const part of parts) {
        const paid = part.holder === holder ? least(met, part.remaining) : ZERO;
        part.remaining = part.remaining.minus(paid);
        met = met.minus(paid);
      }
    }
    return left.minus(taken);
  }

  /** Counts toward the last statement's full balance, up to its due date. */
  #count(holder: Holder, amount: Big, day: Day): void {
    const last = this.obligations.at(-1);
    if (last === undefined || day > last.due + last.paused) return;
    for (const part of last.parts) if (part.holder === holder) part.fulfilled = part.fulfilled.plus(amount);
  }
}
