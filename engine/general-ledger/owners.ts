import { cents } from '../money/index.js';
import type { AccountingEvent } from './accounting-events.js';
import type { Line } from './entry.js';
import { asLines, credit, debit } from './lines.js';
import type { Keeping } from './parts.js';

/** If each owner has a general ledger of its own, a loan leaves that of one owner through a transfer account and enters the other's. */
export function movedToOwner(
  { basis }: Keeping,
  { from, to, carrying }: Extract<AccountingEvent, { readonly type: 'moveToOwner' }>,
): readonly Line[] {
  const { principal, interest, fees } = basis === 'cash' ? { ...carrying, interest: 0, fees: 0 } : carrying;
  const entering = asLines([
    debit('principalReceivable', principal),
    debit('interestReceivable', interest),
    debit('feesReceivable', fees),
    credit('transferClearing', principal + interest + fees),
  ]);
  return [
    ...entering.map((line) => ({ ...line, amount: cents(-line.amount), owner: from })),
    ...entering.map((line) => ({ ...line, owner: to })),
  ];
}

/** The same lines in the general ledger of an owner. */
export const forOwner = (lines: readonly Line[], owner: string): readonly Line[] =>
  lines.map((line) => (line.owner === undefined ? { ...line, owner } : line));
