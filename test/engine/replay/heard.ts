import type { BalanceBlock, BalanceTotals, Day, LedgerStatus, LineHappening, ObligationState, OverdueView } from '../../../engine/index.js';

/** What readers see of a ledger, as far as its events tell of it. */
export interface Seen {
  readonly day: Day;
  readonly status: LedgerStatus;
  readonly statusSince: Day;
  readonly outstanding: BalanceBlock;
  readonly overdue: OverdueView;
  readonly obligations: readonly ObligationState[];
}

type Flags = Pick<Extract<LineHappening, { readonly type: 'obligationStatusChanged' }>, 'isFulfilled' | 'isOverdue'>;
type Late = Extract<LineHappening, { readonly type: 'overdue' | 'overdueUpdate' }>;

/** Knows of a ledger what its events have told, and complains of one that does not follow on those before. */
export class Listener {
  status: LedgerStatus = 'active';
  readonly faults: string[] = [];
  statusSince: Day | null = null;
  #balances: Pick<BalanceTotals, 'principalCents' | 'feesCents'> = { principalCents: 0 as never, feesCents: 0 as never };
  readonly #obligations = new Map<number, Flags>();
  #late: Late | null = null;
  #isQuietSince = false;

  /** A listener that has seen the ledger as it stood. */
  static of(seen: Seen): Listener {
    const listener = new Listener();
    listener.status = seen.status;
    listener.#balances = seen.outstanding;
    for (const { ordinal, isFulfilled, isEnforced } of seen.obligations)
      listener.#obligations.set(ordinal, { isFulfilled, isOverdue: isEnforced && !isFulfilled });
    const { isOverdue, overdueSince, oldestObligation, daysOverdue, overdueCents } = seen.overdue;
    if (isOverdue && overdueSince !== null && oldestObligation !== null)
      listener.#late = { type: 'overdue', day: seen.day, seconds: 0, overdueSince, oldestObligation, daysOverdue, overdueCents };
    return listener;
  }

  hear(happening: LineHappening): void {
    const { type, day } = happening;
    if (type === 'statusChanged') {
      if (happening.oldStatus !== this.status) this.#complain(happening, `left ${happening.oldStatus}, and was ${this.status}`);
      this.status = happening.newStatus;
      this.statusSince = day;
    } else if (type === 'balanceChanged') this.#hearBalance(happening);
    else if (type === 'obligationStatusChanged') {
      if (happening.isOpen) this.#complain(happening, 'an obligation with a status is fixed');
      this.#obligations.set(happening.obligation, { isFulfilled: happening.isFulfilled, isOverdue: happening.isOverdue });
    } else if (type === 'current') this.#late = null;
    else if (type === 'overdue' || type === 'overdueUpdate') this.#hearLate(happening);
    if (type !== 'overdue' && type !== 'overdueUpdate') this.#isQuietSince = false;
  }

  #hearBalance(happening: Extract<LineHappening, { readonly type: 'balanceChanged' }>): void {
    const { balances, previousBalances } = happening;
    for (const one of [balances, previousBalances]) {
      const { principalCents, interestCents, feesCents, totalCents } = one;
      if (principalCents + interestCents + feesCents !== totalCents) this.#complain(happening, 'the parts are not the total');
    }
    const { principalCents, feesCents } = previousBalances;
    if (principalCents !== this.#balances.principalCents || feesCents !== this.#balances.feesCents)
      this.#complain(happening, `${principalCents} and ${feesCents} were ${this.#balances.principalCents} and ${this.#balances.feesCents}`);
    this.#balances = balances;
  }

  #hearLate(happening: Late): void {
    const isFirst = this.#late === null;
    if (isFirst !== (happening.type === 'overdue')) this.#complain(happening, isFirst ? 'was not overdue' : 'was overdue');
    if (happening.daysOverdue > happening.day - happening.overdueSince) this.#complain(happening, 'more days than have passed');
    this.#late = happening;
    this.#isQuietSince = true;
  }

  /** Compares what was heard with what readers see. */
  compare(seen: Seen): readonly string[] {
    const found = [...this.faults];
    const same = (what: string, heard: unknown, now: unknown): void => {
      if (heard !== now) found.push(`${what}: heard ${String(heard)}, is ${String(now)}`);
    };
    same('status', this.status, seen.status);
    if (this.statusSince !== null) same('since', this.statusSince, seen.statusSince);
    same('principal', this.#balances.principalCents, seen.outstanding.principalCents);
    same('fees', this.#balances.feesCents, seen.outstanding.feesCents);
    for (const { ordinal, isFulfilled, isEnforced } of seen.obligations) {
      const heard = this.#obligations.get(ordinal);
      same(`obligation ${ordinal} fulfilled`, heard?.isFulfilled, isFulfilled);
      same(`obligation ${ordinal} overdue`, heard?.isOverdue, isEnforced && !isFulfilled);
    }
    if (seen.status !== 'active' && seen.status !== 'accelerated') return found;
    same('overdue', this.#late !== null, seen.overdue.isOverdue);
    // What a payment has left of it is told with the next day.
    if (this.#late === null || !this.#isQuietSince) return found;
    same('overdue since', this.#late.overdueSince, seen.overdue.overdueSince);
    same('days overdue', this.#late.daysOverdue + seen.day - this.#late.day, seen.overdue.daysOverdue);
    same('oldest', this.#late.oldestObligation, seen.overdue.oldestObligation);
    same('overdue amount', this.#late.overdueCents, seen.overdue.overdueCents);
    return found;
  }

  #complain({ type, day }: LineHappening, what: string): void {
    this.faults.push(`${type} on ${day}: ${what}`);
  }
}
