import { randomUUID } from 'node:crypto';
import type { CommandRequest, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { TransactionChanges } from './evolve.js';
import { fail, type Failure, type Recording } from './moves.js';
import type { TransactionRecord } from './record.js';
import { returnFee } from './return-fees.js';
import type { ReportReturn } from './settlement.js';
import { lostInstrument } from './instruments.js';

/** Executes commands. */
interface Executor {
  execute(request: CommandRequest): Promise<unknown>;
}

/** Reports a bank's return to the engine, by a command of the service itself. */
export const reportReturns =
  (engine: Executor): ReportReturn =>
  async ({ company, mode, loanId, transactionId, returnCode }) => {
    await engine.execute({
      commandId: randomUUID(),
      company,
      mode,
      type: 'transaction.return',
      target: loanId,
      params: { transactionId },
      body: { returnCode },
      actor: { type: 'system', id: 'settlement' },
      permissions: new Set(),
      address: null,
      requestId: randomUUID(),
    });
  };

/** A payment that failed. */
interface FailedPayment {
  readonly record: TransactionRecord;
  readonly failure: Failure;
  readonly recording: Recording;
  /** Other fields that the caller sets. */
  readonly changes?: TransactionChanges;
}

/**
 * The facts of a failed payment: the ledger no longer counts it, the product's fee for it is charged, and an instrument that cannot be
 * charged again is deactivated.
 */
export function paymentFailed(state: LoanState, env: EvolveEnv, failed: FailedPayment): readonly FactDraft[] {
  const { record, failure, recording, changes = {} } = failed;
  return [
    ...fail(record, failure, recording, changes),
    ...(failure.failureReason === null ? [] : returnFee(state, env, { record, failureReason: failure.failureReason, recording })),
    ...(record.isExternal ? [] : lostInstrument(env, recordOf(state).personId, record.instrument, failure.failureReason)),
  ];
}
