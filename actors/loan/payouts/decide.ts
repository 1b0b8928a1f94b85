import { cents, type Cents, type Day, formatCents, formatDay, must } from '../../../engine/index.js';
import { type Fault, refuse, Refusal } from '../../errors.js';
import type { CommandContext, CommandSpec, QuerySpec } from '../../kernel/actor.js';
import { pageOf, type PageQuery } from '../../list-order.js';
import { type AnyId, centsOf, type DateText, dayOfText, type PositiveAmount } from '../../wire.js';
import { activatedOf, recordOf, requireCase, requirePerson, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { PayoutFacts, StatementEntry } from './facts.js';
import { numberOf, type Payout, payoutsOf, payoutView } from './payouts.js';

export interface PayoutAtBankRequest {
  /** Default: all that the bank has not paid; of a return, all that it has paid. */
  readonly amount?: PositiveAmount;
  /** On which the bank has booked it; default today. */
  readonly bankDate?: DateText;
  readonly caseId?: AnyId | null;
}

/** With the entry of a statement, as the matching of statements orders it. */
interface BankReport extends PayoutAtBankRequest {
  readonly statement?: StatementEntry;
}

export type ListPayoutsQuery = PageQuery;

function payoutOf({ state, env, command }: CommandContext<LoanState>): Payout {
  const payoutId = command.params['payoutId'] ?? '';
  const number = numberOf(state, payoutId);
  const found = payoutsOf(state, env, todayOf(env, state)).find((payout) => payout.number === number);
  return found ?? refuse('notFound', `The loan ${state.id} has no payout ${payoutId}.`);
}

/** `POST L/payouts/{payoutId}/confirm` and `/return`: what the bank says of money that was sent. */
function bankCommand(verb: 'confirm' | 'return'): CommandSpec<LoanState, BankReport> {
  const isPaid = verb === 'confirm';
  return {
    kind: 'loan',
    type: `payout.${verb}`,
    place: { on: 'target' },
    decide(context) {
      const { state, env, command, body: request } = context;
      requirePerson(state, command.params['personId'], env);
      requireCase(env, state, command, request.caseId);
      activatedOf(state);
      const payout = payoutOf(context);
      const mostCents = isPaid ? cents(payout.amountCents - payout.bookedCents) : payout.bookedCents;
      if (mostCents <= 0)
        refuse('invalidState', isPaid ? 'The bank has paid the whole payout already.' : 'The bank has paid nothing of the payout.');
      const { amountCents, day } = checked(context, request, { mostCents, payout });
      const body: PayoutFacts['PayoutBooked'] = {
        payout: payout.number,
        amountCents,
        day,
        recordedDay: todayOf(env, state),
        statement: request.statement ?? null,
        caseId: request.caseId ?? null,
      };
      return {
        facts: [{ type: isPaid ? 'PayoutBooked' : 'PayoutReturned', body }],
        reply: (after) => {
          const now = payoutsOf(after, env, todayOf(env, after)).find(({ number }) => number === payout.number);
          return { data: payoutView(after, must(now, 'a payout stays')) };
        },
      };
    },
  };
}

/** 422 for an amount above what is open, and for a day before the payout or to come. */
function checked(
  { state, env }: CommandContext<LoanState>,
  { amount, bankDate }: BankReport,
  { mostCents, payout }: { readonly mostCents: Cents; readonly payout: Payout },
): { readonly amountCents: Cents; readonly day: Day } {
  const today = todayOf(env, state);
  const amountCents = amount === undefined ? mostCents : centsOf(amount);
  const day = bankDate === undefined ? today : dayOfText(bankDate);
  const errors: Fault[] = [];
  if (amountCents > mostCents)
    errors.push({ path: 'amount', expected: `${formatCents(mostCents)} or less`, message: 'is above what is open of the payout' });
  if (day > today || day < payout.day)
    errors.push({
      path: 'bankDate',
      expected: `a day from ${formatDay(payout.day)} to ${formatDay(today)}`,
      message: day > today ? 'is after today' : 'is before the payout',
    });
  if (errors.length > 0) throw new Refusal('ruleViolation', 'The bank cannot have booked this: see `errors`.', { errors });
  return { amountCents, day };
}

export const payoutCommands: readonly CommandSpec<LoanState, BankReport>[] = [bankCommand('confirm'), bankCommand('return')];

/** `GET L/payouts`, newest first. */
export const payoutQueries: readonly QuerySpec<LoanState, ListPayoutsQuery>[] = [
  {
    kind: 'loan',
    type: 'payout.list',
    on: 'target',
    read({ state, request, env, query }) {
      requirePerson(state, request.params['personId'], env);
      const views = payoutsOf(state, env, env.today(recordOf(state).zone)).map((payout) => payoutView(state, payout));
      return pageOf(views.reverse(), query, (view) => view);
    },
  },
];
