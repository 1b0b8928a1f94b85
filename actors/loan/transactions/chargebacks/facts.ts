import type { ChargebackMove } from './machine.js';
import type { Chargeback, ChargebackDetails } from './record.js';

/**
 * What happens to chargebacks. What follows for the payment and the ledger are facts of their own, in the same batch.
 */
export interface ChargebackFacts {
  readonly ChargebackRecorded: ChargebackRecorded;
  readonly ChargebackMoved: ChargebackMoved;
}

export interface ChargebackRecorded
  extends ChargebackDetails,
    Pick<Chargeback, 'id' | 'transactionId' | 'amountCents' | 'partTransactionId'> {
  readonly move: Extract<ChargebackMove, 'open' | 'lose'>;
  readonly caseId: string | null;
}

/** `changes`: the fields that change, with their new values. */
export interface ChargebackMoved {
  readonly chargebackId: string;
  readonly move: ChargebackMove;
  readonly changes: Partial<ChargebackDetails & Pick<Chargeback, 'amountCents' | 'partTransactionId'>>;
  readonly caseId: string | null;
}
