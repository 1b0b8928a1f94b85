import {
  type Amount,
  amount,
  type DateText,
  dateText,
  type DateTimeText,
  dateTimeText,
  type MetaData,
  orNull,
  type TimeOfDay,
  timeOfDay,
} from '../../wire.js';
import { detailsView, type ProceedsDetailsView } from '../proceeds-details.js';
import type { LoanAdvance } from './advance.js';
import type { AdvanceStatus } from './machine.js';

export interface AdvanceReply {
  readonly id: string;
  readonly externalId: string | null;
  readonly status: AdvanceStatus;
  readonly amount: Amount;
  readonly originalAmount: Amount;
  readonly advanceDate: DateText;
  readonly advanceTimeOfDay: TimeOfDay | null;
  readonly advanceDetails: ProceedsDetailsView | null;
  readonly metadata: MetaData | null;
  readonly timestamps: {
    readonly createdAt: DateTimeText;
    readonly updatedAt: DateTimeText;
    readonly settledAt: DateTimeText | null;
    readonly canceledAt: DateTimeText | null;
  };
}

export const advanceView = (advance: LoanAdvance): AdvanceReply => ({
  id: advance.id,
  externalId: advance.externalId,
  status: advance.status,
  amount: amount(advance.amountCents),
  originalAmount: amount(advance.originalCents),
  advanceDate: dateText(advance.day),
  advanceTimeOfDay: orNull(timeOfDay, advance.seconds),
  advanceDetails: detailsView(advance.details),
  metadata: advance.metaData,
  timestamps: {
    createdAt: dateTimeText(advance.createdAt),
    updatedAt: dateTimeText(advance.updatedAt),
    settledAt: orNull(dateTimeText, advance.settledAt),
    canceledAt: orNull(dateTimeText, advance.canceledAt),
  },
});
