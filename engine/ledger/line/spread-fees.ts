import type { DrawState, LineFee } from './state.js';

/**
 * A draw fee that is spread falls due in equal parts with the rows of its draw, the remainder with the last; without rows
 * there are no periods to spread it over, and it falls due with the first.
 */
export function spreadFees(draw: DrawState): void {
  if (draw.activation.fee.logic !== 'spread' || draw.rows.length === 0) return;
  draw.fees = draw.fees.flatMap((fee) => (isWhole(fee) ? sharesOf(fee, draw.rows) : [fee]));
}

const isWhole = ({ origin, standing, openCents, fromDueDate }: LineFee): boolean =>
  origin === 'draw' && standing === 'nonDue' && openCents > 0 && fromDueDate === null;

function sharesOf(fee: LineFee, rows: DrawState['rows']): readonly LineFee[] {
  const shareCents = Math.floor(fee.openCents / rows.length);
  const paidCents = fee.amountCents - fee.openCents;
  return rows.flatMap(({ dueDate }, position) => {
    const isLast = position === rows.length - 1;
    const openCents = isLast ? fee.openCents - shareCents * position : shareCents;
    const amountCents = position === 0 ? openCents + paidCents : openCents;
    const creditedCents = position === 0 ? fee.creditedCents : 0;
    return amountCents === 0 ? [] : [{ ...fee, amountCents, openCents, creditedCents, fromDueDate: dueDate }];
  });
}
