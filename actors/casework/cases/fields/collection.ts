import { add, type Cents, type Day, ZERO } from '../../../../engine/index.js';
import { type LoanState, overdueToday } from '../../../loan/index.js';
import type { EvolveEnv } from '../../../kernel/actor.js';
import { amount, dateText, orNull } from '../../../wire.js';
import type { CaseState, Values } from '../state.js';

/** What the borrower is behind with today, over all loans that a collection case is about: computed when it is read. */
export function collectionFields({ caseType, associations }: CaseState, env: EvolveEnv & { today(zone: string): Day }): Values {
  if (caseType !== 'collection') return {};
  let daysOverdue = 0;
  let overdueCents: Cents = ZERO;
  let since: Day | null = null;
  for (const { objectId } of associations) {
    const loan = env.read<LoanState>('loan', objectId);
    const overdue = loan ? overdueToday(loan, env) : null;
    if (overdue === null) continue;
    daysOverdue = Math.max(daysOverdue, overdue.daysOverdue);
    overdueCents = add(overdueCents, overdue.overdueCents);
    if (overdue.overdueSince !== null && (since === null || overdue.overdueSince < since)) since = overdue.overdueSince;
  }
  return { daysOverdue, overdueAmount: amount(overdueCents), overdueSinceDate: orNull(dateText, since) };
}
