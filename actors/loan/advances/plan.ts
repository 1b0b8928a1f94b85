import { type Day, sum } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { AdvancePlan } from '../origination/terms.js';
import type { LoanState } from '../state.js';
import { recordOf } from '../context.js';
import type { AdvanceMade, AdvanceMoved } from './evolve.js';

/** Rows of the caller's schedule that are neither canceled nor paid out with activation. */
const isToCome = (plan: Pick<AdvancePlan, 'advanceDate' | 'status'>, activation: Day): boolean =>
  plan.status !== 'canceled' && plan.advanceDate > activation;

/** What activation does not pay out, because it is planned for later. */
export function plannedCents(state: LoanState, activation: Day): number {
  const rows = recordOf(state).atOrigination.advanceSchedule ?? [];
  const waiting = state.advances.filter(({ status, day }) => (status === 'scheduled' || status === 'pending') && day > activation);
  return sum([...rows.filter((row) => isToCome(row, activation)), ...waiting].map(({ amountCents }) => amountCents));
}

/**
 * The caller's schedule becomes advances with ids of their own; the ones up to the day of activation are paid out with it, on their way or
 * not.
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
