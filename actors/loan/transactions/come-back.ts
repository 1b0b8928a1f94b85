import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { TransactionChanges } from './evolve.js';
import { lostInstrument } from './instruments.js';
import type { Recording } from './ledger-facts.js';
import { fail, type Failure } from './moves.js';
import type { TransactionRecord } from './record.js';
import { returnFee } from './return-fee.js';

/** Money that did not come. */
export interface Return {
  readonly record: TransactionRecord;
  readonly failure: Failure;
  readonly recording: Recording;
  /** What the caller sets besides. */
  readonly changes?: TransactionChanges;
}

/**
 * Money that did not come, with all that follows: the ledger without it, the fee for it, and an instrument that cannot be
 * charged again.
 */
export function comeBack(state: LoanState, env: EvolveEnv, returned: Return): readonly FactDraft[] {
  const { record, failure, recording, changes = {} } = returned;
  return [
    ...fail(record, failure, recording, changes),
    ...(failure.failureReason === null ? [] : returnFee(state, env, { record, failureReason: failure.failureReason, recording })),
    ...(record.isExternal ? [] : lostInstrument(env, recordOf(state).personId, record.instrument, failure.failureReason)),
  ];
}
