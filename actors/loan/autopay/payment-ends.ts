import type { PersonFacts, PersonState } from '../../borrower/index.js';
import { ALL_ROWS, type CommandContext } from '../../kernel/actor.js';
import { bodiesOf, type FactDraft } from '../../kernel/fact.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanFacts } from '../facts.js';
import { payersOn } from '../people/index.js';
import type { LoanState } from '../state.js';
import { moveDraft } from '../transactions/moves.js';
import type { UsedInstrument } from '../transactions/record.js';
import { endPlan } from './ending.js';
import { livePlan } from './plan.js';

/**
 * What ends with the instruments that facts of their borrower remove or deactivate, on the loans whose main borrower is their owner: they
 * are on the same shard. A payment for another person's loan checks the instrument on the day on which it is initiated.
 */
export function paymentsEnded(
  { id: personId, env, state }: CommandContext<PersonState>,
  facts: readonly FactDraft[],
): readonly FactDraft[] {
  const ended = instrumentsEnded(state, facts);
  if (ended.size === 0) return [];
  const { rows } = env.list('loan', { parentId: personId, matches: (row) => row.parentId === personId, limit: ALL_ROWS });
  return rows.flatMap(({ id: loanId }) => {
    const loan = env.read<LoanState>('loan', loanId);
    if (loan === undefined) return [];
    return endPayments(loan, ({ id }) => ended.has(id)).map((draft) => ({ ...draft, target: { kind: 'loan', id: loanId } }));
  });
}

/** The same for the accounts and cards of additional people that facts of their loan remove from it. */
export function paymentsOfLeavers({ state, env }: CommandContext<LoanState>, facts: readonly FactDraft[]): readonly FactDraft[] {
  const changes = bodiesOf<LoanFacts, 'LoanUpdated'>(facts, 'LoanUpdated');
  const people = changes.findLast(({ additionalPeople }) => additionalPeople !== undefined)?.additionalPeople;
  if (people === undefined) return [];
  const payers = payersOn({ ...recordOf(state), additionalPeople: people }, todayOf(env, state));
  return endPayments(state, ({ personId }) => !payers.includes(personId));
}

function instrumentsEnded({ instruments }: PersonState, facts: readonly FactDraft[]): ReadonlySet<string> {
  const isActive = (id: string): boolean => instruments.find((known) => known.id === id)?.status !== 'inactive';
  const updated = bodiesOf<PersonFacts, 'InstrumentUpdated'>(facts, 'InstrumentUpdated').map(({ instrument }) => instrument);
  const ended = [
    ...bodiesOf<PersonFacts, 'InstrumentRemoved'>(facts, 'InstrumentRemoved'),
    ...bodiesOf<PersonFacts, 'InstrumentDeactivated'>(facts, 'InstrumentDeactivated'),
    ...updated.filter(({ id, status }) => status === 'inactive' && isActive(id)),
  ];
  return new Set(ended.map(({ id }) => id));
}

/** Ends the plan of a loan and cancels its scheduled payments where the account or card that they charge is lost. */
function endPayments(state: LoanState, isLost: (instrument: UsedInstrument) => boolean): readonly FactDraft[] {
  const payments = state.transactions.scheduled().filter(({ instrument }) => instrument !== null && isLost(instrument));
  const canceled = new Set(payments.map(({ id }) => id));
  const plan = livePlan(state);
  const ended = plan !== null && isLost(plan.instrument) ? endPlan(state, plan, LOST, canceled) : [];
  return [...ended, ...payments.map((payment) => moveDraft(payment, 'cancel', { cancelReason: 'instrumentInactive' }, null))];
}

const LOST = { move: 'cancel', cancelReason: 'invalidPaymentMethod', caseId: null } as const;
