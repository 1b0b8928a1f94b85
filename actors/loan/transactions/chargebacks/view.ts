import { type Amount, amount, type DateTimeText, dateTimeText } from '../../../wire.js';
import type { ChargebackStatus } from './machine.js';
import type { Chargeback, ChargebackCategory } from './record.js';

/** A chargeback as replies show it. */
export interface ChargebackView {
  readonly object: 'chargeback';
  readonly id: string;
  readonly originalTransactionId: string;
  readonly amount: Amount;
  readonly status: ChargebackStatus;
  readonly description: string | null;
  readonly externalCaseNumber: string | null;
  readonly reasonCode: string | null;
  readonly category: ChargebackCategory | null;
  /** The record of the money that went back, where only a part of the payment was charged back. */
  readonly chargebackTransactionId: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText;
  readonly deletedAt: null;
}

export const chargebackView = (chargeback: Chargeback): ChargebackView => ({
  object: 'chargeback',
  id: chargeback.id,
  originalTransactionId: chargeback.transactionId,
  amount: amount(chargeback.amountCents),
  status: chargeback.status,
  description: chargeback.description,
  externalCaseNumber: chargeback.externalCaseNumber,
  reasonCode: chargeback.reasonCode,
  category: chargeback.category,
  chargebackTransactionId: chargeback.partTransactionId,
  createdAt: dateTimeText(chargeback.createdAt),
  updatedAt: dateTimeText(chargeback.updatedAt),
  deletedAt: null,
});
