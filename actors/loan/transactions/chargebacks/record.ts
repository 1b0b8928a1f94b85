import { type Cents, sum } from '../../../../engine/index.js';
import type { ChargebackStatus } from './machine.js';

export type ChargebackCategory = 'fraud' | 'authorization' | 'processingError' | 'consumerDispute' | 'unauthorizedDebit';

/** What the holder of the account or card has disputed of a payment. */
export interface Chargeback extends ChargebackDetails {
  readonly id: string;
  readonly transactionId: string;
  readonly amountCents: Cents;
  readonly status: ChargebackStatus;
  /** The record of the money that went back, where only a part of the payment was charged back. */
  readonly partTransactionId: string | null;
  /** Milliseconds of the company's clock. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface ChargebackDetails {
  readonly description: string | null;
  readonly externalCaseNumber: string | null;
  readonly reasonCode: string | null;
  readonly category: ChargebackCategory | null;
}

export const chargebacksOf = (all: readonly Chargeback[], transactionId: string): readonly Chargeback[] =>
  all.length === 0 ? all : all.filter((chargeback) => chargeback.transactionId === transactionId);

/** What of a payment was charged back for good, as far as anybody knows. */
export const lostCents = (chargebacks: readonly Chargeback[]): Cents =>
  sum(chargebacks.filter(({ status }) => status === 'lost').map(({ amountCents }) => amountCents));

/** What of a payment is charged back or may still be. */
export const disputedCents = (chargebacks: readonly Chargeback[]): Cents =>
  sum(chargebacks.filter(({ status }) => status === 'lost' || status === 'open').map(({ amountCents }) => amountCents));
