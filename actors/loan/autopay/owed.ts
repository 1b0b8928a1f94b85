import { type Cents, cents, type EffectiveTime } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { LedgerChanged } from '../facts.js';
import { type AnyLedgerFact, balancesIn, runningOf, triedWith } from '../ledger/running.js';
import type { LoanState } from '../state.js';
import { countDraft, nextPaymentNumber, type Recording } from '../transactions/ledger-facts.js';
import type { TransactionRecord } from '../transactions/record.js';

interface Beginning {
  readonly effective: EffectiveTime;
  readonly recording: Recording;
}

/**
 * What is still owed of a plan's payment once its business day has come: money that arrived while it waited lowers it, so that
 * a plan never takes more than is outstanding.
 */
export function owedOf(state: LoanState, env: EvolveEnv, record: TransactionRecord, { effective, recording }: Beginning): Cents {
  const number = nextPaymentNumber(state);
  const { change, recordedDay } = countDraft(
    state,
    { ...record, effective, actualCents: record.scheduledCents },
    number,
    'processing',
    recording,
  ).body as LedgerChanged;
  const fact = { ...change, effective, sequence: number, recordedDay } as AnyLedgerFact;
  const [before, after] = [runningOf(state, env), triedWith(state, env, fact)].map((ledger) => balancesIn(ledger).paid.reimbursementCents);
  return cents(Math.max(0, record.scheduledCents - Math.max(0, (after ?? 0) - (before ?? 0))));
}
