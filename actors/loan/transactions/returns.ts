import { randomUUID } from 'node:crypto';
import type { CommandRequest } from '../../kernel/actor.js';
import type { TellReturn } from './settlement.js';

/** What carries out commands. */
interface Executor {
  execute(request: CommandRequest): Promise<unknown>;
}

/** The way of a bank's return into the engine: a command of the service itself. */
export const tellReturns =
  (engine: Executor): TellReturn =>
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
