import type { Cents, Day, Payment } from '../../../engine/index.js';
import { factsBehind, lastFact } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import type { StatementRecord } from './record.js';

/** Money that was taken out again since the statement before. */
export interface Reversed {
  readonly kind: 'payment' | 'credit';
  readonly payment: Payment;
  readonly amountCents: Cents;
  /** When it was taken out. */
  readonly day: Day;
  /** The statement before counted it: its reversal alone is news. Else it came and went in this cycle. */
  readonly wasStated: boolean;
}

/** What `before` could not know of, or what was taken out from the cut on where no statement was made before. */
export function reversedSince(state: LoanState, before: StatementRecord | null, after: Day | null): readonly Reversed[] {
  const found: Reversed[] = [];
  for (const { fact } of factsBehind(state, before?.knownFacts ?? 0)) {
    if (fact.type !== 'paymentVoided' || (before === null && after !== null && fact.effective.day < after)) continue;
    const payment = lastFact(state, (other) => other.type === 'payment' && other.transaction === fact.transaction);
    if (payment?.type !== 'payment') continue;
    const wasStated = after !== null && payment.effective.day < after && (before === null || payment.sequence <= before.knownFacts);
    found.push({
      kind: payment.kind === 'credit' ? 'credit' : 'payment',
      payment,
      amountCents: payment.amountCents,
      day: fact.effective.day,
      wasStated,
    });
  }
  return found;
}
