import type { Day } from '../../../../../engine/index.js';
import { addInterest, interestOn } from './accrue.js';
import type { Book } from './book.js';
import { DIGITS } from './daily-rate.js';
import { type Holder, interestFromOf, least, most, type Part, sure, wholeCents } from './holder.js';

/** Due date + 1 of the last statement: what was paid decides. */
export function decideGrace(book: Book): void {
  const last = book.obligations.at(-1);
  if (last === undefined || last.due + 1 + last.paused !== book.today) return;
  for (const part of last.parts)
    if (part.holder.terms?.grace.isApplicable === true && part.holder.terms.drawType !== 'static' && !part.holder.isCanceled)
      decide(book, part, (last.statement + last.paused) as Day);
}

function decide(book: Book, part: Part, since: Day): void {
  const { holder } = part;
  const isPaid = part.fulfilled.gte(part.full);
  if (holder.inGrace && !isPaid && book.status === 'active') lose(book, part, since);
  else if (!holder.inGrace && isPaid && werePaid(book, holder)) restore(book, holder);
}

function werePaid({ obligations }: Book, holder: Holder): boolean {
  const count = sure(holder.terms).grace.periodsToRestore;
  const last = obligations.slice(-count);
  return (
    last.length === count && last.every(({ parts }) => parts.some((other) => other.holder === holder && other.fulfilled.gte(other.full)))
  );
}

/** Interest on what was not paid, from the statement on. */
function lose(book: Book, { holder, full, fulfilled, principal }: Part, since: Day): void {
  holder.inGrace = false;
  const unpaid = full.minus(fulfilled);
  const isSimple = book.terms.accrualMethod === 'simple';
  let base = isSimple ? least(unpaid, principal) : unpaid;
  for (let past = Math.max(since, interestFromOf(book.terms, sure(holder.terms))) as Day; past < book.today; past = (past + 1) as Day) {
    const interest = interestOn(book, holder, past, base).round(DIGITS);
    addInterest(holder, interest);
    if (!isSimple) base = base.plus(interest);
  }
}

/** Interest since the statement is taken back; what was paid of it has paid principal, or is owed to the borrower. */
function restore(book: Book, holder: Holder): void {
  holder.inGrace = true;
  // A payoff has given up the fraction of a cent that nobody can pay.
  const paid = wholeCents(most(holder.accrued.times(0), holder.accrued.minus(holder.interest.nonDue)));
  holder.interest.nonDue = most(paid.times(0), holder.interest.nonDue.minus(holder.accrued));
  let left = paid;
  for (const payment of [...book.payments].reverse()) {
    const split = payment.splits.get(holder);
    if (split === undefined) continue;
    const moved = least(left, split.interest);
    const toPrincipal = least(moved, holder.principal.nonDue);
    holder.principal.nonDue = holder.principal.nonDue.minus(toPrincipal);
    split.interest = split.interest.minus(moved);
    split.principal = split.principal.plus(toPrincipal);
    payment.over = payment.over.plus(moved).minus(toPrincipal);
    // A credit is nobody's to have back.
    if (!payment.isCredit) book.reimbursement = book.reimbursement.plus(moved).minus(toPrincipal);
    left = left.minus(moved);
  }
  holder.accrued = holder.accrued.times(0);
}
