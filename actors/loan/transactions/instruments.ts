import {
  type FailureReason,
  type InactiveReason,
  type Instrument,
  type PersonFacts,
  type PersonState,
  withSecretsOpen,
} from '../../borrower/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { UsedInstrument } from './record.js';

export interface FoundInstrument {
  readonly personId: string;
  readonly instrument: Instrument;
}

/** The instrument of one of these borrowers that an AnyId names; undefined when none has it. */
export function findInstrument(env: EvolveEnv, personIds: readonly string[], anyId: string): FoundInstrument | undefined {
  for (const personId of personIds) {
    const instruments = env.read<PersonState>('person', personId)?.instruments ?? [];
    const instrument = instruments.find(
      (candidate) => candidate.deletedAt === null && (candidate.id === anyId || `ext-${candidate.externalId ?? ''}` === anyId),
    );
    if (instrument !== undefined) return { personId, instrument };
  }
  return undefined;
}

/** What a transaction keeps of its instrument: nothing that identifies the account. */
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
 * The last digits of the account or card, by reference: they lie with the borrower, also of an instrument that was removed, and go with
 * the borrower's key. Null where there are none, and of a borrower of another part of a cluster whose keys are not here.
 */
export function lastFourOf(env: EvolveEnv, { id, personId }: UsedInstrument): string | null {
  const instrument = env.read<PersonState>('person', personId)?.instruments.find((candidate) => candidate.id === id);
  if (instrument === undefined) return null;
  const { details } = withSecretsOpen(env, personId, instrument);
  return details.accountNumberLastFour ?? details.cardNumberLastFour ?? null;
}

/** Failures after which an instrument cannot be charged again, and what it then says. */
export const DEACTIVATING: { readonly [Reason in FailureReason]?: InactiveReason } = {
  accountClosed: 'accountClosed',
  invalidAccount: 'invalidAccount',
  incorrectNumber: 'invalidAccount',
  invalidRouting: 'invalidAccount',
  unauthorizedDebit: 'unauthorized',
  paymentStopped: 'unauthorized',
  fraudulent: 'fraudAlert',
  deceased: 'other',
};

/**
 * What a failed payment does to its instrument: one whose account is gone or forbidden is switched off. Only that of
 * the main borrower, who lies on the loan's shard; another one's is found out by the next payment.
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
