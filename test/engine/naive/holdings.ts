import type { Big } from 'big.js';
import {
  DOWN,
  earlyPot,
  type Fee,
  feePot,
  HALF_UP,
  max,
  min,
  type NaiveLedger,
  type Obligation,
  obligationPot,
  type Pot,
  rounded,
  dueStatusOf,
  sum,
  ZERO,
} from './parts.js';

/** The result of an allocation. */
export interface Allocated {
  readonly left: Big;
  readonly met: Big;
  readonly shadow: Big;
  readonly early: Big;
}

const DUE_STATUSES = ['overdue', 'due', 'chargedOff'] as const;

/** The balances of a loan and what was paid: non-due balances, obligations with their unpaid parts, and fees. */
export class Holdings {
  interest = ZERO;
  originationFee = ZERO;
  /** A separate origination fee, due on its own from activation on. */
  separateFee = ZERO;
  obligations: Obligation[] = [];
  fees: Fee[] = [];
  paid = { principal: ZERO, interest: ZERO, fees: ZERO, over: ZERO };

  constructor(
    public principal: Big,
    public tolerance: Big,
  ) {}

  /** Sets a new tolerance. Obligations that were fulfilled by the old one stay fulfilled. */
  adopt(tolerance: Big): void {
    for (const obligation of this.obligations) obligation.isMet = this.isFulfilled(obligation);
    this.tolerance = tolerance;
  }

  /** Replaces unfulfilled obligations by one of the whole balance, with the due date of the oldest. Returns those that were replaced. */
  mergeObligations(day: number): readonly Obligation[] {
    const fulfilled = this.obligations.filter((obligation) => this.isFulfilled(obligation));
    const unfulfilled = this.obligations.filter((obligation) => !this.isFulfilled(obligation));
    const [oldest] = unfulfilled;
    const parts = {
      principal: this.principal.plus(sum(this.obligations.map((obligation) => obligation.principal))),
      interest: rounded(this.interest, HALF_UP).plus(sum(this.obligations.map((obligation) => obligation.interest))),
      originationFee: this.originationFee.plus(this.separateFee).plus(sum(this.obligations.map((obligation) => obligation.originationFee))),
    };
    const open = this.fees.filter((fee) => fee.open.gt(0));
    const base = parts.principal.plus(parts.interest);
    const amount = base.plus(parts.originationFee).plus(sum(open.map((fee) => fee.open)));
    const whole: Obligation = {
      ordinal: null,
      ...parts,
      base,
      amount,
      amountWithoutLateFees: amount.minus(sum(open.filter((fee) => fee.isLate).map((fee) => fee.open))),
      dueDay: oldest?.dueDay ?? day,
      pausedDays: oldest?.pausedDays ?? 0,
      isOverdue: oldest?.isOverdue ?? false,
      fulfilled: ZERO,
      fulfilledWithoutLateFees: ZERO,
      isBlocked: false,
      isRow: false,
    };
    this.principal = this.interest = this.originationFee = this.separateFee = ZERO;
    for (const obligation of fulfilled) {
      obligation.principal = obligation.interest = obligation.originationFee = ZERO;
      obligation.amount = obligation.fulfilled;
    }
    for (const fee of open) fee.within = whole;
    this.obligations = [...fulfilled, whole];
    return unfulfilled;
  }

  /**
   * Marks obligations as overdue whose due date passed unpaid the day before. An obligation of the whole balance with nothing
   * remaining does not become overdue: what is added to it waits for the next day.
   */
  enforce(day: number): void {
    for (const obligation of this.obligations) {
      const isOfRow = obligation.ordinal !== null;
      if (isOfRow || this.remaining(obligation).gt(0)) obligation.isOverdue ||= obligation.dueDay + obligation.pausedDays < day;
    }
  }

  get oldestOverdue(): Obligation | undefined {
    return this.obligations.find((obligation) => obligation.isOverdue && !this.isFulfilled(obligation));
  }

  /** Interest that was due and unpaid the day before becomes principal, and is removed from its obligation. */
  capitalize(day: number): void {
    const enforced = this.obligations.filter((obligation) => !obligation.isOverdue && obligation.dueDay + obligation.pausedDays < day);
    if (enforced.every((obligation) => this.remaining(obligation).eq(0))) return;
    let left = sum(enforced.map(({ interest }) => interest));
    this.principal = this.principal.plus(left);
    for (const obligation of enforced) obligation.interest = ZERO;
    const tolerated = this.obligations.filter((obligation) => this.isFulfilled(obligation) && !enforced.includes(obligation));
    for (const obligation of [...enforced, ...tolerated]) {
      const part = min(left, this.remaining(obligation));
      obligation.fulfilled = obligation.fulfilled.plus(part);
      obligation.fulfilledWithoutLateFees = obligation.fulfilledWithoutLateFees.plus(part);
      left = left.minus(part);
    }
  }

  /** The whole debt, in whole cents. */
  owed(): Big {
    const asked = this.obligations.flatMap((obligation) => [obligation.principal, obligation.interest, obligation.originationFee]);
    const fees = this.fees.map((fee) => fee.open);
    return sum([...asked, ...fees, this.principal, rounded(this.interest, DOWN), this.originationFee, this.separateFee]);
  }

  remaining(obligation: Obligation): Big {
    return obligation.amount.minus(obligation.fulfilled);
  }

  isFulfilled(obligation: Obligation): boolean {
    return obligation.isMet === true || this.remaining(obligation).lte(this.tolerance);
  }

  allocate(day: number, amount: Big, buckets: readonly string[]): { left: Big; met: Big; shadow: Big; early: Big } {
    const allocated = { left: amount, met: ZERO, shadow: ZERO, early: ZERO };
    for (const bucket of buckets) {
      for (const pot of this.pots(day, bucket)) {
        const part = min(allocated.left, pot.get());
        if (part.eq(0)) continue;
        pot.set(pot.get().minus(part));
        allocated.left = allocated.left.minus(part);
        this.paid[pot.kind] = this.paid[pot.kind].plus(part);
        if (pot.isMet) allocated.met = allocated.met.plus(part);
        if (pot.isMet || pot.isLate) allocated.shadow = allocated.shadow.plus(part);
        if (pot.isEarly) allocated.early = allocated.early.plus(part);
      }
    }
    return allocated;
  }

  /** Allocates money to fees only, the overdue ones first. */
  allocateToFees(amount: Big): { readonly met: Big; readonly shadow: Big } {
    let left = amount;
    let met = ZERO;
    let shadow = ZERO;
    for (const dueStatus of ['overdue', 'due', 'nonDue']) {
      for (const fee of this.fees.filter((one) => dueStatusOf(one) === dueStatus)) {
        const part = min(left, fee.open);
        fee.open = fee.open.minus(part);
        left = left.minus(part);
        this.paid.fees = this.paid.fees.plus(part);
        if (fee.within !== null) met = met.plus(part);
        if (fee.within !== null || fee.isLate) shadow = shadow.plus(part);
      }
    }
    return { met, shadow };
  }

  /** Returns what would be left for future obligations if late fees had never taken money. */
  fulfil(met: Big, metWithoutLateFees: Big): Big {
    let shadow = metWithoutLateFees;
    const first = this.obligations.findIndex((obligation) => !this.isFulfilled(obligation));
    const lacking = (obligation: Obligation): Big => max(ZERO, obligation.amountWithoutLateFees.minus(obligation.fulfilledWithoutLateFees));
    const inQuestion = first === -1 ? [] : this.obligations.slice(first);
    for (const obligation of [...inQuestion.filter((one) => lacking(one).gt(this.tolerance)), ...inQuestion]) {
      const part = min(shadow, lacking(obligation));
      obligation.fulfilledWithoutLateFees = obligation.fulfilledWithoutLateFees.plus(part);
      shadow = shadow.minus(part);
    }
    let left = met;
    const open = this.obligations.filter((obligation) => !this.isFulfilled(obligation));
    for (const obligation of [...open, ...this.obligations]) {
      const part = min(left, this.remaining(obligation));
      obligation.fulfilled = obligation.fulfilled.plus(part);
      left = left.minus(part);
    }
    return shadow;
  }

  /** The remaining amount of unfulfilled obligations. */
  lacking(): Big {
    return sum(this.obligations.filter((obligation) => !this.isFulfilled(obligation)).map((obligation) => this.remaining(obligation)));
  }

  /** The remaining amount of all obligations, including those fulfilled within the tolerance. */
  remainingInAll(): Big {
    return sum(this.obligations.map((obligation) => this.remaining(obligation)));
  }

  /**
   * Obligations have counted money that paid other balances: the same amount of their balances falls due later. Fees stay until no
   * obligation lacks anything, and then wait for the next due date; the money that was counted for them is paid in advance. Returns the
   * part that is origination fee.
   */
  moveToLaterDueDates(): { readonly originationFee: Big; readonly counted: Big } {
    const within = this.fees.filter((fee) => fee.within !== null);
    const aboveOf = (isOverdue: boolean): Big =>
      sum([
        ...this.obligations
          .filter((obligation) => obligation.isOverdue === isOverdue)
          .map((obligation) =>
            sum([obligation.principal, obligation.interest, obligation.originationFee]).minus(this.remaining(obligation)),
          ),
        ...within.filter((fee) => fee.within?.isOverdue === isOverdue).map((fee) => fee.open),
      ]);
    const due = this.obligations.filter((obligation) => !obligation.isOverdue);
    let originationFee = ZERO;
    for (const isOverdue of [true, false]) {
      let left = max(ZERO, isOverdue ? aboveOf(true) : min(aboveOf(false), aboveOf(false).plus(aboveOf(true))));
      // Money that paid due balances was counted toward overdue ones: that much of the overdue balance becomes due.
      let toDue = isOverdue ? max(ZERO, ZERO.minus(aboveOf(false))) : ZERO;
      for (const part of ['principal', 'interest', 'originationFee'] as const) {
        for (const obligation of this.obligations) {
          if (obligation.isOverdue !== isOverdue) continue;
          const moved = min(left, obligation[part]);
          const stillDue = min(moved, toDue);
          const last = due.at(-1);
          obligation[part] = obligation[part].minus(moved);
          if (last !== undefined) last[part] = last[part].plus(stillDue);
          this[part] = this[part].plus(moved.minus(stillDue));
          left = left.minus(moved);
          toDue = toDue.minus(stillDue);
          if (part === 'originationFee') originationFee = originationFee.plus(moved.minus(stillDue));
        }
      }
    }
    let counted = ZERO;
    // Amounts within the tolerance remain as part of a fee if nothing else is left of the obligation.
    let above = aboveOf(true).plus(aboveOf(false));
    if (this.lacking().gt(0)) return { originationFee, counted };
    for (const late of [...within].reverse()) {
      if (late.open.eq(0) || late.open.gt(above)) continue;
      above = above.minus(late.open);
      counted = counted.plus(late.open);
      late.within = null;
      late.isDueAlone = true;
    }
    return { originationFee, counted };
  }

  /** The balances of a bucket, the oldest obligation first and fees by charge time. */
  pots(day: number, bucket: string): readonly Pot[] {
    const dueStatus = DUE_STATUSES.find((name) => bucket.startsWith(name)) ?? 'nonDue';
    const isAll = dueStatus === 'chargedOff';
    const within = this.obligations.filter((obligation) => isAll || (obligation.isOverdue ? 'overdue' : 'due') === dueStatus);
    if (bucket.endsWith('Principal')) {
      if (dueStatus === 'nonDue')
        return [
          earlyPot(
            'principal',
            () => this.principal,
            (value) => (this.principal = value),
          ),
        ];
      return within.map((obligation) => obligationPot(obligation, 'principal', 'principal'));
    }
    if (bucket.endsWith('Interest')) {
      if (dueStatus !== 'nonDue') return within.map((obligation) => obligationPot(obligation, 'interest', 'interest'));
      const fraction = this.interest.minus(rounded(this.interest, DOWN));
      return [
        earlyPot(
          'interest',
          () => this.interest.minus(fraction),
          (value) => (this.interest = value.plus(fraction)),
        ),
      ];
    }
    const origination = within.map((obligation) => obligationPot(obligation, 'originationFee', 'fees'));
    const early =
      dueStatus === 'nonDue'
        ? [
            earlyPot(
              'fees',
              () => this.originationFee,
              (value) => (this.originationFee = value),
            ),
          ]
        : [];
    const alone =
      dueStatus === 'due'
        ? [
            {
              ...earlyPot(
                'fees',
                () => this.separateFee,
                (value) => (this.separateFee = value),
              ),
              isEarly: false,
            },
          ]
        : [];
    const known = this.fees.filter((fee) => fee.knownDay <= day);
    const fees = known.filter((fee) => isAll || dueStatusOf(fee) === dueStatus).map(feePot);
    return [...origination, ...alone, ...early, ...fees];
  }

  report(owedBack: Big, isChargedOff: boolean): Omit<NaiveLedger, 'status' | 'interestAccrued'> {
    const print = (value: Big): string => value.toFixed(2);
    const stands = (dueStatus: string, where: string): boolean => dueStatus === (isChargedOff ? 'chargedOff' : where);
    const of = (dueStatus: string, part: 'principal' | 'interest' | 'originationFee'): Big =>
      sum(this.obligations.filter((o) => stands(dueStatus, o.isOverdue ? 'overdue' : 'due')).map((o) => o[part]));
    const feesOf = (dueStatus: string): Big => sum(this.fees.filter((fee) => stands(dueStatus, dueStatusOf(fee))).map((fee) => fee.open));
    return {
      balances: {
        nonDuePrincipal: print(this.principal),
        duePrincipal: print(of('due', 'principal')),
        overduePrincipal: print(of('overdue', 'principal')),
        nonDueInterest: this.interest.toFixed(8),
        dueInterest: print(of('due', 'interest')),
        overdueInterest: print(of('overdue', 'interest')),
        nonDueFees: print(this.originationFee.plus(feesOf('nonDue'))),
        dueFees: print(of('due', 'originationFee').plus(feesOf('due')).plus(this.separateFee)),
        overdueFees: print(of('overdue', 'originationFee').plus(feesOf('overdue'))),
        chargedOffPrincipal: print(of('chargedOff', 'principal')),
        chargedOffInterest: print(of('chargedOff', 'interest')),
        chargedOffFees: print(of('chargedOff', 'originationFee').plus(feesOf('chargedOff'))),
      },
      paid: Object.fromEntries(Object.entries({ ...this.paid, owedBack }).map(([part, value]) => [part, print(value)])),
      obligations: this.obligations.map(
        (o) => `${o.dueDay} ${print(o.amount)} ${print(this.remaining(o))} ${this.isFulfilled(o)} ${o.isBlocked}`,
      ),
      fees: this.fees.map((fee) => `${fee.name} ${fee.chargeDay} ${print(fee.amount)} ${print(fee.open)}`),
    };
  }
}
