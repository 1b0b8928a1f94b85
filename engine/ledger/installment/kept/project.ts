import { FROM_CHECKPOINTS, type Instalment, type InstalmentFact, payoffCents } from '../../scheduled/index.js';
import { must } from '../../../assert.js';
import type { Day } from '../../../calendar/index.js';
import { type Cents, cents } from '../../../money/index.js';
import { owedCents } from '../owed.js';
import { fixedRow } from '../schedule-row.js';
import type { LedgerState } from '../state.js';
import type { ScheduleRowView } from '../../core/views.js';
import { bookOf, instalmentTermsOf } from './book.js';
import { obligationOf } from './fall-due.js';

/** Instalments to come that ask for something; none where money in processing has paid all. */
export function* comingInstalments(state: LedgerState): Generator<ScheduleRowView, void> {
  if (owedCents(state) === 0) return;
  const { instalments } = bookOf(state);
  for (let ordinal = state.nextRow; ordinal < instalments.length; ordinal += 1) {
    const obligation = obligationOf(state, must(instalments[ordinal], 'a row has an instalment'), ordinal);
    if (obligation.amountCents > 0) yield fixedRow(state, obligation, ordinal === state.nextRow ? 'booked' : 'projected');
  }
}

/** What a payment on a day must bring, by parts: that of a payment which takes all. */
export interface KeptPayoff {
  readonly principalCents: Cents;
  readonly interestCents: Cents;
  readonly feesCents: Cents;
}

export const keptPayoffCents = ({ terms, instalmentFacts }: LedgerState, day: Day): Cents =>
  payoffCents(instalmentTermsOf(terms), must(instalmentFacts, 'the loan is kept by instalment'), day, FROM_CHECKPOINTS);

export function keptPayoff(state: LedgerState, day: Day): KeptPayoff {
  const facts = must(state.instalmentFacts, 'the loan is kept by instalment');
  const amountCents = keptPayoffCents(state, day);
  const payment: InstalmentFact = { type: 'paid', kind: 'payment', day, sequence: facts.length + 1, amountCents };
  const paid = bookOf({ ...state, instalmentFacts: [...facts, payment] }, day).payments.at(-1)?.parts;
  const part = (name: keyof Instalment['due']): number => paid?.[name] ?? 0;
  return {
    principalCents: cents(part('principal')),
    interestCents: cents(part('interest')),
    feesCents: cents(part('fees') + part('penalties')),
  };
}
