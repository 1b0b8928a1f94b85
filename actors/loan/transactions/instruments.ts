import type { Day } from '../../../engine/index.js';
import {
  DEACTIVATING,
  type FailureReason,
  type Instrument,
  isGone,
  type PersonFacts,
  type PersonState,
  withSecretsOpen,
} from '../../borrower/index.js';
import type { DecideEnv, EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { recordOf } from '../context.js';
import { payersOn } from '../people/index.js';
import type { LoanState } from '../state.js';
import type { TransactionRecord, UsedInstrument } from './record.js';

export interface FoundInstrument {
  readonly personId: string;
  readonly instrument: Instrument;
}

/** The instrument of one of these borrowers that an id names; undefined if none has it. A deleted or erased borrower has none. */
export function findInstrument(env: EvolveEnv, personIds: readonly string[], anyId: string): FoundInstrument | undefined {
  for (const personId of personIds) {
    const person = env.read<PersonState>('person', personId);
    if (person === undefined || isGone(person)) continue;
    const instrument = person.instruments.find(
      (candidate) => candidate.deletedAt === null && (candidate.id === anyId || `ext-${candidate.externalId ?? ''}` === anyId),
    );
    if (instrument !== undefined) return { personId, instrument };
  }
  return undefined;
}

/** Whether the service may still charge, on a day, an account or card that a payment or a plan was agreed on. */
export const isChargeable = (state: LoanState, env: EvolveEnv, { id, personId }: UsedInstrument, day: Day): boolean =>
  payersOn(recordOf(state), day).includes(personId) && findInstrument(env, [personId], id)?.instrument.status === 'active';

/** The fields of an instrument that a transaction stores: none of them identifies the account. */
export function usedInstrument({ personId, instrument }: FoundInstrument): UsedInstrument {
  const { id, instrumentType, details } = instrument;
  return {
    id,
    personId,
    instrumentType,
    cardType: details.cardType ?? null,
  };
}

/**
 * The last digits of the account or card. They are stored with the borrower, also those of a removed instrument, and are erased with the
 * borrower's data key. Null if there are none, or if the borrower is on another shard whose data keys are not here.
 */
export function lastFourOf(env: EvolveEnv, { id, personId }: UsedInstrument): string | null {
  const instrument = env.read<PersonState>('person', personId)?.instruments.find((candidate) => candidate.id === id);
  if (instrument === undefined) return null;
  const { details } = withSecretsOpen(env, personId, instrument);
  return details.accountNumberLastFour ?? details.cardNumberLastFour ?? null;
}

/**
 * Deactivates the instrument of a failed payment if its account is closed or may not be debited. Only for the main borrower, who is on the
 * loan's shard; the instrument of another person is checked before the next payment.
 */
export function lostInstrument(
  env: EvolveEnv,
  mainBorrowerId: string,
  used: UsedInstrument | null,
  failureReason: FailureReason,
): readonly FactDraft[] {
  const reason = DEACTIVATING[failureReason];
  if (used === null || reason === undefined || used.personId !== mainBorrowerId) return [];
  const found = findInstrument(env, [mainBorrowerId], used.id);
  if (found === undefined || found.instrument.status === 'inactive') return [];
  const body: PersonFacts['InstrumentDeactivated'] = { id: used.id, reason, failureReason };
  return [{ type: 'InstrumentDeactivated', body, target: { kind: 'person', id: mainBorrowerId } }];
}

/** A payment by an instrument, and its loan. */
interface InstrumentPayment {
  readonly loanId: string;
  readonly transaction: TransactionRecord;
}

/** Payments by an instrument for loans whose main borrower is its owner: they are on the same shard. */
function paymentsOn(env: DecideEnv, personId: string, instrumentId: string): readonly InstrumentPayment[] {
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: Number.MAX_SAFE_INTEGER });
  return rows.flatMap(({ id }) => {
    const transactions = env.read<LoanState>('loan', id)?.transactions.values() ?? [];
    const used = [...transactions].filter(({ instrument }) => instrument?.id === instrumentId);
    return used.map((transaction) => ({ loanId: id, transaction }));
  });
}

/** A payment on its way, whose instrument cannot be removed. */
const isUnderWay = ({ transaction: { status } }: InstrumentPayment): boolean => status === 'initiated' || status === 'pending';

/** Whether a payment from the instrument is on its way. */
export const isPaymentUnderWay = (env: DecideEnv, personId: string, instrumentId: string): boolean =>
  paymentsOn(env, personId, instrumentId).some(isUnderWay);
