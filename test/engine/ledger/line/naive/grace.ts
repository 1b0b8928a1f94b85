import type { Day } from '../../../../../engine/index.js';
import { addInterest, interestOn } from './accrue.js';
import type { NaiveState } from './state.js';
import { DIGITS } from './daily-rate.js';
import { type Holder, interestFromOf, least, most, type Part, sure, wholeCents } from './holder.js';

/** On the day after the last statement's due date, grace is decided by what was paid. */
export function decideGrace(state: NaiveState): void {
  const last = state.obligations.at(-1);
  if (last === undefined || last.due + 1 + last.paused !== state.today) return;
  for (const part of last.parts)
    if (part.holder.terms?.grace.isApplicable === true && part.holder.terms.drawType !== 'static' && !part.holder.isCanceled)
      decide(state, part, (last.statement + last.paused) as Day);
}

function decide(state: NaiveState, part: Part, since: Day): void {
  const { holder } = part;
  const isPaid = part.fulfilled.gte(part.full);
  if (holder.inGrace && !isPaid && state.status === 'active') lose(state, part, since);
  else if (!holder.inGrace && isPaid && werePaid(state, holder)) restore(state, holder);
}

function werePaid({ obligations }: NaiveState, holder: Holder): boolean {
  const count = sure(holder.terms).grace.periodsToRestore;
  const last = obligations.slice(-count);
  return (
    last.length === count && last.every(({ parts }) => parts.some((other) => other.holder === holder && other.fulfilled.gte(other.full)))
  );
}

/** Grace is lost: the unpaid part bears interest from the statement on. */
function lose(state: NaiveState, { holder, full, fulfilled, principal }: Part, since: Day): void {
  holder.inGrace = false;
  const unpaid = full.minus(fulfilled);
  const isSimple = state.terms.accrualMethod === 'simple';
  let base = isSimple ? least(unpaid, principal) : unpaid;
  for (let past = Math.max(since, interestFromOf(state.terms, sure(holder.terms))) as Day; past < state.today; past = (past + 1) as Day) {
    const interest = interestOn(state, holder, past, base).round(DIGITS);
    addInterest(holder, interest);
    if (!isSimple) base = base.plus(interest);
  }
}

/** Grace is kept: interest since the statement is reversed. Its paid part pays principal, or is owed to the borrower. */
function restore(state: NaiveState, holder: Holder): void {
  holder.inGrace = true;
  // A payoff has forgiven the fraction of a cent that nobody can pay.
  const paid = wholeCents(most(holder.accrued.times(0), holder.accrued.minus(holder.interest.nonDue)));
  holder.interest.nonDue = most(paid.times(0), holder.interest.nonDue.minus(holder.accrued));
  let left = paid;
  for (const payment of [...state.payments].reverse()) {
    const split = payment.splits.get(holder);
    if (split === undefined) continue;
    const moved = least(left, split.interest);
    const toPrincipal = least(moved, holder.principal.nonDue);
    holder.principal.nonDue = holder.principal.nonDue.minus(toPrincipal);
    split.interest = split.interest.minus(moved);
    split.principal = split.principal.plus(toPrincipal);
    payment.over = payment.over.plus(moved).minus(toPrincipal);
    // A credit is never reimbursed.
    if (!payment.isCredit) state.reimbursement = state.reimbursement.plus(moved).minus(toPrincipal);
    left = left.minus(moved);
  }
  holder.accrued = holder.accrued.times(0);
}
