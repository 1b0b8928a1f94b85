import { type Day, must } from '../../../engine/index.js';
import type { EventDraft } from '../../kernel/fact.js';
import { fieldChanges } from '../../kernel/field-changes.js';
import { amount } from '../../wire.js';
import { recordOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../tell.js';
import type { LoanAdvance, NewAdvance } from './advance.js';
import type { AdvanceStatus } from './machine.js';

/** Applies the facts of advances. */
export const APPLY_ADVANCES: {
  readonly [Type in keyof AdvanceFacts]: (applying: Applying, body: AdvanceFacts[Type]) => void;
} = {
  AdvanceMade({ state, fact, emit }, { advance }) {
    const { businessAt } = fact;
    const settledAt = advance.status === 'settled' ? businessAt : null;
    const made: LoanAdvance = {
      ...advance,
      originalCents: advance.amountCents,
      createdAt: businessAt,
      updatedAt: businessAt,
      settledAt,
      canceledAt: null,
    };
    state.advances = [...state.advances, made];
    emit?.(advanceEvent(state, 'advance.statuschanged', made.id, { advanceId: made.id, oldStatus: null, newStatus: made.status }));
  },
  AdvanceChanged({ state, fact, emit }, { advanceId, changes }) {
    const before = advanceOf(state, advanceId);
    change(state, advanceId, { ...changes, updatedAt: fact.businessAt });
    const { amountCents } = changes;
    if (amountCents === undefined) return;
    const told = fieldChanges({ amount: amount(before.amountCents) }, { amount: amount(amountCents) });
    emit?.(advanceEvent(state, 'advance.updated', advanceId, { advanceId, changes: told }));
  },
  AdvanceMoved({ state, fact, emit }, { advanceId, status, number, day }) {
    const { businessAt } = fact;
    const before = advanceOf(state, advanceId);
    const times = status === 'settled' ? { settledAt: businessAt } : status === 'canceled' ? { canceledAt: businessAt } : {};
    change(state, advanceId, { status, number, day, updatedAt: businessAt, ...times });
    emit?.(advanceEvent(state, 'advance.statuschanged', advanceId, { advanceId, oldStatus: before.status, newStatus: status }));
  },
};

const advanceOf = (state: LoanState, advanceId: string): LoanAdvance =>
  must(
    state.advances.find(({ id }) => id === advanceId),
    `${state.id} has no advance ${advanceId}`,
  );

function change(state: LoanState, advanceId: string, changes: Partial<LoanAdvance>): void {
  state.advances = state.advances.map((advance) => (advance.id === advanceId ? { ...advance, ...changes } : advance));
}

/** An event about an advance. */
function advanceEvent(state: LoanState, eventType: string, objectId: string, data: EventDraft['data']): EventDraft {
  const { personId, externalId } = recordOf(state);
  return { eventType, objectType: 'advance', objectId, refs: { loanId: state.id, personId }, externalIds: { loanId: externalId }, data };
}

export interface AdvanceMade {
  readonly advance: NewAdvance;
  readonly caseId: string | null;
}

export interface AdvanceChanged {
  readonly advanceId: string;
  readonly changes: Partial<Pick<LoanAdvance, 'amountCents' | 'details' | 'metaData' | 'externalId'>>;
}

export interface AdvanceMoved {
  readonly advanceId: string;
  readonly status: AdvanceStatus;
  /** Of an advance that settles: the ledger's number, and the day that it counts from. */
  readonly number: number | null;
  readonly day: Day;
}

/** Facts about advances; what they do to the ledger is a ledger fact of its own, which follows. */
export interface AdvanceFacts {
  readonly AdvanceMade: AdvanceMade;
  readonly AdvanceChanged: AdvanceChanged;
  readonly AdvanceMoved: AdvanceMoved;
}
