import type { Big } from 'big.js';
import type { AdvancePaidOut, Day, LateFeeTerms, LedgerFact, LedgerSettings, LedgerTerms, Payment, RateInput, RatesChanged, Refund } from '../../../engine/index.js';
import { DueDates } from './due-dates.js';
import { asChanged, history, isRefunded } from './history.js';
import {
  amountOf, dayFraction, DOWN, earlyPot, type Fee, feeByHand, feeOf, feePot, HALF_UP, max, min, type NaiveLedger, type Obligation, obligationPot,
  type Pot, rounded, standingOf, sum, ZERO,
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
 * A second ledger, written from the contract and not from the engine: it walks day by day, keeps decimals, and holds
 * the unpaid parts of each obligation instead of buckets. Slow and plain on purpose. It knows accrual, rates, due dates and
 * their changes, the waterfall, late fees, advances and refunds, and what is backdated or taken back; it knows nothing of
 * freezing, acceleration and charge-off.
 */
export function naiveLedger(life: NaiveLife, through: Day): NaiveLedger {
  return walked(life, boundsOf(life), through).report(through);
}

function walked(life: NaiveLife, bounds: readonly Bound[], through: Day): Walk {
  const happened = history(life.facts);
  const ledger = new Walk({ ...life, terms: asChanged(life.terms, life.facts) }, bounds, happened.filter((fact) => fact.type === 'refund'));
  for (let day: number = life.terms.activation; day <= through; day += 1) {
    if (day > life.terms.activation) ledger.morning(day);
    for (const fact of happened) {
      if (fact.effective.day === day) ledger.take(day, fact);
    }
  }
  return ledger;
}

/**
 * What was asked before rates or advances were recorded too late for it: no due date that had passed by then asks for more, and
 * one on which nothing had fallen due for nothing (README 18). One for each late record, newest last.
 */
interface Bound {
  readonly change: number;
  readonly through: number;
  readonly asked: Amounts;
  /** What each fact left on the rows, by its number. */
  readonly set: ReadonlyMap<number, Amounts>;
}

/** By due date. */
type Amounts = ReadonlyMap<number, Big>;

function boundsOf(life: NaiveLife): readonly Bound[] {
  const bounds: Bound[] = [];
  const late = history(life.facts).filter(isLate).sort((a, b) => a.sequence - b.sequence);
  for (const change of late) {
    const facts = life.facts.filter((fact) => !late.some(({ sequence }) => sequence === fact.sequence && sequence >= change.sequence));
    const before = walked({ ...life, facts }, [...bounds], change.recordedDay);
    bounds.push({ change: change.sequence, through: change.recordedDay, asked: before.asked(), set: before.set });
  }
  return bounds;
}

const isLate = (fact: LedgerFact): boolean => (fact.type === 'ratesChanged' || fact.type === 'advance') && fact.recordedDay > fact.effective.day;

/** Late fees are booked at 00:50 (servicing-behaviour 1.3). */
const LATE_FEE_SECONDS = 3_000;

class Walk {
  readonly #terms: LedgerTerms;
  readonly #settings: LedgerSettings;
  #principal: Big;
  #interest = ZERO;
  #originationFee = ZERO;
  #accrued = ZERO;
  #ahead = ZERO;
  #obligations: Obligation[] = [];
  #fees: Fee[] = [];
  /** Late fees that a refund took back or kept away: an obligation earns none again. */
  #takenFees: Fee[] = [];
  #paid = { principal: ZERO, interest: ZERO, fees: ZERO, over: ZERO };
  #isPaidOff = false;
  #separateFee = ZERO;
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
    this.#principal = amountOf(terms.principalCents);
    const fee = amountOf(terms.originationFee.amountCents);
    if (terms.originationFee.logic === 'separate') this.#separateFee = fee;
    else this.#originationFee = fee;
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
    if (fact.type === 'scheduleChanged' && !this.#isPaidOff && this.#principal.gt(0) && fact.dueDates.length > 0) {
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
    this.#principal = this.#principal.plus(amountOf(fact.amountCents));
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
    if (fact.reamortization === 'keepAmounts' || this.#principal.eq(0)) return;
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
    return { terms: this.#terms, rates: this.#rates, from: day, owed: { principal: this.#principal, interest: this.#interest, room } };
  }

  /** Principal from its end first; above it interest and fees, which a refund of all takes back instead. */
  #refund(day: number, fact: Refund): void {
    const full = amountOf(fact.fullCents);
    const isFull = this.#refunded.lt(full) && this.#refunded.plus(amountOf(fact.amountCents)).gte(full);
    this.#refunded = this.#refunded.plus(amountOf(fact.amountCents));
    const buckets = isFull ? [] : ['overdueInterest', 'dueInterest', 'nonDueInterest', 'overdueFees', 'dueFees', 'nonDueFees'];
    const poured = this.#pour(day, amountOf(fact.amountCents), ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal']);
    if (!isFull && fact.isOriginationFeeRefunded && day === this.#terms.activation) {
      const open = this.#originationFee.plus(this.#separateFee);
      this.#giveBack(amountOf(this.#terms.originationFee.amountCents).minus(open));
      this.#originationFee = ZERO;
      this.#separateFee = ZERO;
    }
    const rest = this.#pour(day, poured.left, buckets);
    const gone = isFull ? this.#reverse() : { met: ZERO, shadow: ZERO };
    if (isFull) this.#giveBack(this.#costPaid.minus(this.#givenBack));
    this.#fulfil(poured.met.plus(rest.met).plus(gone.met), poured.shadow.plus(rest.shadow).plus(gone.shadow));
    this.#paid.over = this.#paid.over.plus(rest.left);
    this.#owedBack = this.#owedBack.plus(rest.left);
  }

  #giveBack(amount: Big): void {
    this.#givenBack = this.#givenBack.plus(amount);
    this.#owedBack = this.#owedBack.plus(amount);
  }

  /** Unpaid interest and fees are gone, and obligations ask for them no more. */
  #reverse(): { readonly met: Big; readonly shadow: Big } {
    const costs = this.#obligations.map((obligation) => obligation.interest.plus(obligation.originationFee));
    const within = sum(costs).plus(sum(this.#fees.filter((fee) => fee.within !== null).map((fee) => fee.open)));
    const loose = sum(this.#fees.filter((fee) => fee.within === null && fee.isLate).map((fee) => fee.open));
    for (const obligation of this.#obligations) obligation.interest = obligation.originationFee = ZERO;
    this.#interest = this.#originationFee = this.#separateFee = ZERO;
    this.#takenFees = [...this.#takenFees, ...this.#fees.filter((fee) => fee.isLate)];
    this.#fees = [];
    return { met: within, shadow: within.plus(loose) };
  }

  /** Interest of one day on the balances at its end. */
  #accrue(day: number): void {
    const overdue = this.#obligations.filter((obligation) => obligation.dueDay < day);
    let base = this.#principal.plus(sum(this.#obligations.map((obligation) => obligation.principal)));
    if (!this.#settings.isAccruingOnOverdue) base = base.minus(sum(overdue.map((obligation) => obligation.principal)));
    if (this.#terms.accrualMethod !== 'simple') {
      base = base.plus(this.#interest).plus(sum(this.#obligations.map((obligation) => obligation.interest)));
    }
    if (this.#terms.accrualMethod === 'compoundWithFees') {
      base = base
        .plus(this.#originationFee)
        .plus(this.#separateFee)
        .plus(sum(this.#obligations.map((obligation) => obligation.originationFee)))
        .plus(sum(this.#fees.map((fee) => fee.open)));
    }
    let interest = base.times(rateOn(this.#rates, day)).times(dayFraction(this.#terms.dayCount, day));
    const cap = this.#terms.totalInterestCapCents;
    if (cap !== null) interest = min(interest, amountOf(cap).minus(this.#accrued));
    this.#interest = this.#interest.plus(interest);
    this.#accrued = this.#accrued.plus(interest);
  }

  #fallDue(day: number, row: NaiveRow): void {
    const { isLast } = this.#dates;
    this.#dates.pass();
    if (row.kind === 'deferred') return;
    this.#interest = rounded(this.#interest, HALF_UP);
    const left = this.#principal.plus(this.#interest);
    const asked = row.kind === 'interestOnly' && this.#ahead.eq(0) ? this.#interest : row.amount;
    const wanted = min(asked, left.plus(this.#ahead));
    const whole = isLast ? max(left, wanted) : wanted;
    const base = min(whole, this.#mostOn(day) ?? whole);
    const share = isLast ? this.#originationFee : min(this.#feeShare(), this.#originationFee);
    const prepaid = min(this.#ahead, isLast ? max(ZERO, base.minus(left)) : base.plus(share));
    const joining = this.#fees.filter((fee) => {
      if (fee.open.eq(0) || fee.within !== null || fee.knownDay >= day) return false;
      return fee.isDueAlone || isLast || fee.chargeLogic === 'nextDueDate';
    });
    const separate = this.#obligations.length === 0 ? this.#separateFee : ZERO;
    const joined = sum(joining.map((fee) => fee.open)).plus(separate);
    const amount = base.plus(share).plus(joined);
    if (amount.eq(0)) return;
    let toMove = base.plus(share).minus(prepaid);
    const originationFee = min(share, toMove);
    toMove = toMove.minus(originationFee);
    const interest = min(this.#interest, toMove);
    const principal = toMove.minus(interest);
    this.#ahead = this.#ahead.minus(prepaid);
    this.#originationFee = this.#originationFee.minus(originationFee);
    this.#interest = this.#interest.minus(interest);
    this.#principal = this.#principal.minus(principal);
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
    if (separate.gt(0)) this.#separateFee = ZERO;
    for (const fee of joining) fee.within = obligation;
    this.#obligations.push(obligation);
  }

  #feeShare(): Big {
    const fee = this.#terms.originationFee;
    if (fee.logic === 'firstPayment') return this.#originationFee;
    return amountOf(Math.floor(fee.amountCents / this.#terms.rows.length));
  }

  #remaining(obligation: Obligation): Big {
    return obligation.amount.minus(obligation.fulfilled);
  }

  #isFulfilled(obligation: Obligation): boolean {
    return this.#remaining(obligation).lte(amountOf(this.#settings.overdueToleranceCents));
  }

  #lateFees(day: number, terms: LateFeeTerms): void {
    this.#obligations.forEach((obligation) => {
      if (!obligation.isRow || obligation.dueDay + terms.triggerDays !== day) return;
      if (this.#isPaidOff || this.#isFulfilled(obligation)) return;
      const name = `late ${obligation.dueDay}`;
      if ([...this.#fees, ...this.#takenFees].some((fee) => fee.name === name)) return;
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
    const older = this.#obligations.filter((other) => other.dueDay < obligation.dueDay);
    return rule === 'blockOnOldestObligation' && older.some((other) => !this.#isFulfilled(other));
  }

  #lateFeeAmount(day: number, obligation: Obligation, terms: LateFeeTerms): Big {
    const earlier = this.#fees.filter((fee) => fee.isLate);
    const dueDates = this.#dates.until(day);
    const periodStart = Math.max(this.#terms.activation, ...dueDates, ...this.#obligations.map((other) => other.dueDay));
    const inPeriod = earlier.filter((fee) => fee.chargeDay >= periodStart).length;
    if (terms.capPerPeriodCount !== null && inPeriod >= terms.capPerPeriodCount) return ZERO;
    const whole = this.#principal.plus(sum(this.#obligations.map((other) => other.principal)));
    const bases = { principal: whole, obligationAmount: obligation.amount, overdueAmount: this.#remaining(obligation) };
    const wanted = feeOf(terms.amount, bases);
    if (terms.capPerLoanCents === null) return wanted;
    return min(wanted, amountOf(terms.capPerLoanCents).minus(sum(earlier.map((fee) => fee.amount))));
  }

  #charge(fee: Pick<Fee, 'name' | 'amount' | 'isLate' | 'chargeLogic' | 'chargeDay' | 'knownDay'>): void {
    const hasRow = this.#dates.next !== undefined;
    const isDueAlone = fee.chargeLogic === 'immediate' || (!hasRow && fee.chargeLogic !== 'nonDue');
    this.#fees.push({ ...fee, open: fee.amount, within: null, isDueAlone });
  }

  /** Money into buckets in the waterfall's order; what met obligations fulfils the oldest first. */
  #pay(day: number, payment: Payment): void {
    const { paymentWaterfall, creditWaterfall, isPrepaymentEnabled } = this.#settings;
    const isCredit = payment.kind === 'credit';
    const before = this.#paid.interest.plus(this.#paid.fees);
    const { left, met, shadow, early } = this.#pour(day, amountOf(payment.amountCents), isCredit ? creditWaterfall : paymentWaterfall);
    this.#fulfil(met, shadow);
    const forObligations = max(ZERO, early.minus(amountOf(payment.principalOnlyCents ?? 0)));
    if (!this.#isPaidOff && (payment.isPrepaymentEnabled ?? isPrepaymentEnabled)) this.#ahead = this.#ahead.plus(forObligations);
    this.#paid.over = this.#paid.over.plus(left);
    if (isCredit) return;
    this.#costPaid = this.#costPaid.plus(this.#paid.interest).plus(this.#paid.fees).minus(before);
    this.#owedBack = this.#owedBack.plus(left);
  }

  #pour(day: number, amount: Big, buckets: readonly string[]): { left: Big; met: Big; shadow: Big; early: Big } {
    const poured = { left: amount, met: ZERO, shadow: ZERO, early: ZERO };
    for (const bucket of buckets) {
      for (const pot of this.#pots(day, bucket)) {
        const part = min(poured.left, pot.get());
        if (part.eq(0)) continue;
        pot.set(pot.get().minus(part));
        poured.left = poured.left.minus(part);
        this.#paid[pot.kind] = this.#paid[pot.kind].plus(part);
        if (pot.isMet) poured.met = poured.met.plus(part);
        if (pot.isMet || pot.isLate) poured.shadow = poured.shadow.plus(part);
        if (pot.isEarly) poured.early = poured.early.plus(part);
      }
    }
    return poured;
  }

  #fulfil(met: Big, metWithoutLateFees: Big): void {
    let shadow = metWithoutLateFees;
    for (const obligation of this.#obligations) {
      const part = min(shadow, max(ZERO, obligation.amountWithoutLateFees.minus(obligation.fulfilledWithoutLateFees)));
      obligation.fulfilledWithoutLateFees = obligation.fulfilledWithoutLateFees.plus(part);
      shadow = shadow.minus(part);
    }
    let left = met;
    const open = this.#obligations.filter((obligation) => !this.#isFulfilled(obligation));
    for (const obligation of [...open, ...this.#obligations]) {
      const part = min(left, this.#remaining(obligation));
      obligation.fulfilled = obligation.fulfilled.plus(part);
      left = left.minus(part);
    }
  }

  /** The places that a bucket's money goes to, oldest obligation first and fees by charge time. */
  #pots(day: number, bucket: string): readonly Pot[] {
    const standing = bucket.startsWith('overdue') ? 'overdue' : bucket.startsWith('due') ? 'due' : 'nonDue';
    const within = this.#obligations.filter((obligation) => (obligation.dueDay < day ? 'overdue' : 'due') === standing);
    if (bucket.endsWith('Principal')) {
      if (standing === 'nonDue') return [earlyPot('principal', () => this.#principal, (value) => (this.#principal = value))];
      return within.map((obligation) => obligationPot(obligation, 'principal', 'principal'));
    }
    if (bucket.endsWith('Interest')) {
      if (standing !== 'nonDue') return within.map((obligation) => obligationPot(obligation, 'interest', 'interest'));
      const fraction = this.#interest.minus(rounded(this.#interest, DOWN));
      return [earlyPot('interest', () => this.#interest.minus(fraction), (value) => (this.#interest = value.plus(fraction)))];
    }
    const origination = within.map((obligation) => obligationPot(obligation, 'originationFee', 'fees'));
    const early = standing === 'nonDue' ? [earlyPot('fees', () => this.#originationFee, (value) => (this.#originationFee = value))] : [];
    const alone =
      standing === 'due' ? [{ ...earlyPot('fees', () => this.#separateFee, (value) => (this.#separateFee = value)), isEarly: false }] : [];
    const known = this.#fees.filter((fee) => fee.knownDay <= day);
    const fees = known.filter((fee) => standingOf(fee, day) === standing).map(feePot);
    return [...origination, ...alone, ...early, ...fees];
  }

  /** Paid off, or everything that fell due is paid and a rest waits for a date of its own. */
  #close(day: number): void {
    if (this.#isPaidOff) return;
    const held = this.#obligations.flatMap((obligation) => [obligation.principal, obligation.interest, obligation.originationFee]);
    const fees = this.#fees.map((fee) => fee.open);
    const owed = sum([...held, ...fees, this.#principal, rounded(this.#interest, DOWN), this.#originationFee, this.#separateFee]);
    if (owed.eq(0)) {
      this.#interest = ZERO;
      this.#ahead = ZERO;
      this.#isPaidOff = true;
      return;
    }
    if (this.#dates.next !== undefined) return;
    if (this.#obligations.some((obligation) => !this.#isFulfilled(obligation))) return;
    this.#dates.close(Math.max(day, this.#unknownThrough));
  }

  /** Due dates that passed after the loan was paid off are gone. */
  #reopen(day: number): void {
    this.#isPaidOff = false;
    this.#dates.letGo(day);
  }

  /** What has fallen due, without fees. */
  asked(): Amounts {
    return new Map(this.#obligations.map(({ dueDay, base }) => [dueDay, base]));
  }

  report(through: number): NaiveLedger {
    const print = (value: Big): string => value.toFixed(2);
    const of = (standing: string, part: 'principal' | 'interest' | 'originationFee'): Big =>
      sum(this.#obligations.filter((o) => (o.dueDay < through ? 'overdue' : 'due') === standing).map((o) => o[part]));
    const feesOf = (standing: string): Big => sum(this.#fees.filter((fee) => standingOf(fee, through) === standing).map((fee) => fee.open));
    return {
      status: this.#isPaidOff ? 'paidOff' : 'active',
      balances: {
        nonDuePrincipal: print(this.#principal),
        duePrincipal: print(of('due', 'principal')),
        overduePrincipal: print(of('overdue', 'principal')),
        nonDueInterest: this.#interest.toFixed(8),
        dueInterest: print(of('due', 'interest')),
        overdueInterest: print(of('overdue', 'interest')),
        nonDueFees: print(this.#originationFee.plus(feesOf('nonDue'))),
        dueFees: print(of('due', 'originationFee').plus(feesOf('due')).plus(this.#separateFee)),
        overdueFees: print(of('overdue', 'originationFee').plus(feesOf('overdue'))),
      },
      paid: Object.fromEntries(Object.entries({ ...this.#paid, owedBack: this.#owedBack }).map(([part, value]) => [part, print(value)])),
      obligations: this.#obligations.map(
        (o) => `${o.dueDay} ${print(o.amount)} ${print(this.#remaining(o))} ${this.#isFulfilled(o)} ${o.isBlocked}`,
      ),
      fees: this.#fees.map((fee) => `${fee.name} ${fee.chargeDay} ${print(fee.amount)} ${print(fee.open)}`),
      interestAccrued: this.#accrued.toFixed(8),
    };
  }
}
