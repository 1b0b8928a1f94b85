import type { EvolveEnv } from '../../runtime/actor.js';
import type { InstrumentType, UsedInstrument } from './record.js';

/** What transactions need to know of a borrower's payment instruments. */
export interface PayerInstrument {
  readonly id: string;
  readonly externalId: string | null;
  readonly instrumentType: InstrumentType;
  readonly isExternal: boolean;
  readonly status: 'pending' | 'active' | 'inactive';
  readonly deletedAt: number | null;
  readonly details: {
    readonly accountNumberLastFour?: string;
    readonly cardNumberLastFour?: string;
    readonly cardType?: 'debit' | 'credit';
  };
}

interface Payer {
  readonly instruments: readonly PayerInstrument[];
}

export interface FoundInstrument {
  readonly personId: string;
  readonly instrument: PayerInstrument;
}

/** The instrument of one of these borrowers that an AnyId names; undefined when none has it. */
export function findInstrument(env: EvolveEnv, personIds: readonly string[], anyId: string): FoundInstrument | undefined {
  for (const personId of personIds) {
    const instruments = env.read<Payer>('person', personId)?.instruments ?? [];
    const instrument = instruments.find(
      (candidate) => candidate.deletedAt === null && (candidate.id === anyId || `ext-${candidate.externalId ?? ''}` === anyId),
    );
    if (instrument !== undefined) return { personId, instrument };
  }
  return undefined;
}

/** What a transaction keeps of its instrument. */
export function usedInstrument({ personId, instrument }: FoundInstrument): UsedInstrument {
  const { id, instrumentType, details } = instrument;
  return {
    id,
    personId,
    instrumentType,
    cardType: details.cardType ?? null,
    lastFour: details.accountNumberLastFour ?? details.cardNumberLastFour ?? null,
  };
}
