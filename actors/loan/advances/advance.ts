import { setup } from 'xstate';
import { addDays, type Cents, type Day, must, sum } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { type EventDraft, type FactDraft, fieldChanges } from '../../kernel/fact.js';
import { Chart, STAYS, moves } from '../../statechart.js';
import { amount } from '../../wire.js';
import { END_OF_DAY_SECONDS, recordOf } from '../context.js';
import type { ScheduledWork } from '../catch-up.js';
import { occurredAt } from '../events.js';
import type { AdvanceDetails, AdvancePlan, MetaData } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import type { Applying } from '../applying.js';

const ADVANCE_STATUSES = ['scheduled', 'pending', 'settled', 'canceled'] as const;
export type AdvanceStatus = (typeof ADVANCE_STATUSES)[number];
export type AdvanceMove = 'post' | 'settle' | 'cancel' | 'change';

/** The statuses of an advance. One that is still scheduled when its day has passed is canceled the day after. */
export const advanceMachine = setup({
  types: moves<AdvanceMove>(),
}).createMachine({
  id: 'advance',
  initial: 'scheduled',
  states: {
    scheduled: { on: { post: 'pending', settle: 'settled', cancel: 'canceled', change: STAYS } },
    pending: { on: { settle: 'settled', cancel: 'canceled', change: STAYS } },
    settled: { on: { cancel: 'canceled' } },
    canceled: { type: 'final' },
  },
});

export const advanceChart = new Chart<AdvanceStatus, AdvanceMove>(advanceMachine);

export const mayMove = (status: AdvanceStatus, move: AdvanceMove): boolean => advanceChart.allows(status, move);

/** Money that is paid out to the borrower after activation, or is planned to be. */
export interface LoanAdvance {
  readonly id: string;
  readonly externalId: string | null;
  readonly status: AdvanceStatus;
  readonly amountCents: Cents;
  readonly originalCents: Cents;
  readonly day: Day;
  /** Since midnight; null: at the end of a past day, now for today. */
  readonly seconds: number | null;
  /** Its number in the ledger's facts; null before it raises principal, and for an advance that was paid out at activation. */
  readonly number: number | null;
  readonly details: AdvanceDetails | null;
  readonly metaData: MetaData | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly settledAt: number | null;
  readonly canceledAt: number | null;
}

/** A new advance without the fields that follow from the fact's envelope. */
export type NewAdvance = Omit<LoanAdvance, 'originalCents' | 'createdAt' | 'updatedAt' | 'settledAt' | 'canceledAt'>;

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
    const event = advanceEvent(state, 'advance.statuschanged', made.id, { advanceId: made.id, oldStatus: null, newStatus: made.status });
    emit?.({ ...event, occurredAt: occurredAt(state, { day: made.day, seconds: made.seconds ?? END_OF_DAY_SECONDS }, fact) });
  },
  AdvanceChanged({ state, fact, emit }, { advanceId, changes }) {
    const before = advanceOf(state, advanceId);
    change(state, advanceId, { ...changes, updatedAt: fact.businessAt });
    const { amountCents } = changes;
    if (amountCents === undefined) return;
    const published = fieldChanges({ amount: amount(before.amountCents) }, { amount: amount(amountCents) });
    emit?.(advanceEvent(state, 'advance.updated', advanceId, { advanceId, changes: published }));
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

/** Facts about advances. A change of the ledger is a fact of its own, which follows. */
export interface AdvanceFacts {
  readonly AdvanceMade: AdvanceMade;
  readonly AdvanceChanged: AdvanceChanged;
  readonly AdvanceMoved: AdvanceMoved;
}

/** Cancels an advance that is still scheduled on the day after its own. */
export const advanceWork: ScheduledWork = {
  nextDay({ advances }) {
    let next: Day | null = null;
    for (const { status, day } of advances) {
      if (status === 'scheduled' && (next === null || day < next)) next = day;
    }
    return next === null ? null : addDays(next, 1);
  },
  *due({ advances }, today) {
    for (const { id, status, day } of advances) {
      if (status !== 'scheduled' || day >= today) continue;
      yield { type: 'AdvanceMoved', body: { advanceId: id, status: 'canceled', number: null, day } satisfies AdvanceMoved };
    }
  },
};

/** Rows of the advance schedule that are neither canceled nor paid out at activation. */
const isToCome = (plan: Pick<AdvancePlan, 'advanceDate' | 'status'>, activation: Day): boolean =>
  plan.status !== 'canceled' && plan.advanceDate > activation;

/** The amount that activation does not pay out because it is planned for later. */
export function plannedCents(state: LoanState, activation: Day): number {
  const rows = recordOf(state).atOrigination.advanceSchedule ?? [];
  const waiting = state.advances.filter(({ status, day }) => (status === 'scheduled' || status === 'pending') && day > activation);
  return sum([...rows.filter((row) => isToCome(row, activation)), ...waiting].map(({ amountCents }) => amountCents));
}

/**
 * Makes an advance with its own id of each row of the advance schedule. Activation pays out those up to its day, also the ones that are
 * still scheduled or pending.
 */
export function planDrafts(state: LoanState, env: DecideEnv, activation: Day): readonly FactDraft[] {
  const rows = (recordOf(state).atOrigination.advanceSchedule ?? []).filter(({ status }) => status !== 'canceled');
  const made = rows.map((row): FactDraft => {
    const status = isToCome(row, activation) ? (row.status === 'pending' ? 'pending' : 'scheduled') : 'settled';
    const { externalId, amountCents, advanceDate: day, advanceSeconds: seconds, details, metaData } = row;
    const advance = { id: env.newId('LA'), externalId, status, amountCents, day, seconds, number: null, details, metaData } as const;
    return { type: 'AdvanceMade', body: { advance, caseId: null } satisfies AdvanceMade };
  });
  const arrived = state.advances.filter(({ status, day }) => (status === 'scheduled' || status === 'pending') && day <= activation);
  const settled = arrived.map(
    ({ id, day }): FactDraft => ({
      type: 'AdvanceMoved',
      body: { advanceId: id, status: 'settled', number: null, day } satisfies AdvanceMoved,
    }),
  );
  return [...made, ...settled];
}
