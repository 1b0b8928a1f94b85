import type { PastFeeCanceled } from '../../../../../engine/index.js';
import { type Book, isWhole } from './book.js';
import { type Holder, money } from './holder.js';
import { endPouring, returnToNonDue, pourInto, pourIntoFee, streamOf } from './money.js';

const STANDINGS = ['overdue', 'due', 'nonDue', 'chargedOff'] as const;

/** What is unpaid of fees that another system has charged goes, then principal of the draw. */
export function takePastFeeBack(book: Book, draw: Holder, { transaction, amountCents }: PastFeeCanceled): void {
  const amount = money(amountCents);
  const first = book.obligations.findIndex(({ isFulfilled }) => !isFulfilled);
  const stream = streamOf({ transaction, kind: 'refund', amount });
  for (const standing of STANDINGS) {
    for (const fee of draw.fees) if (fee.isSeeded && fee.standing === standing) pourIntoFee(book, draw, fee, stream);
  }
  for (const standing of [...STANDINGS].reverse()) pourInto(book, draw, `${standing}Principal`, stream);
  if (!isWhole(book) && book.status !== 'paidOff') returnToNonDue(book);
  endPouring(book, stream, { first });
}
