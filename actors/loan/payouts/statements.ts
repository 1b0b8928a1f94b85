import { assert, cents, type Cents, type Day, ZERO } from '../../../engine/index.js';
import type { CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { activationOf, recordOf, todayOf } from '../context.js';
import type { LoanState } from '../state.js';
import type { PayoutFacts, PayoutMove } from './facts.js';
import { bookedOf, numberOf, type Payout, payoutsOf } from './payouts.js';

/** An entry of a bank statement about a payout: below zero, the bank has paid; above, it has brought money back. */
export interface ReportedPayout {
  readonly entry: number;
  readonly payoutId: string;
  readonly amountCents: Cents;
  readonly day: Day;
}

/** All that a bank statement says of the payouts of one loan. */
export interface PayoutsReported {
  readonly bankStatementId: string;
  readonly entries: readonly ReportedPayout[];
}

/** What a bank statement can say of a payout, without what it has said before. */
export interface OpenPayout {
  readonly amountCents: Cents;
  /** What other statements show as paid and not brought back. */
  readonly bookedCents: Cents;
}

export interface OpenPayoutQuery {
  readonly payoutId: string;
  readonly bankStatementId: string;
}

const signed = ({ type, amountCents }: PayoutMove): number => (type === 'booked' ? amountCents : -amountCents);

/** The service's own: no route leads here. */
export const openPayout: QuerySpec<LoanState, OpenPayoutQuery> = {
  kind: 'loan',
  type: 'payout.open',
  on: 'target',
  read({ state, env, query: { payoutId, bankStatementId } }): OpenPayout | null {
    if (activationOf(state) === null) return null;
    const number = numberOf(state, payoutId);
    const found = payoutsOf(state, env, env.today(recordOf(state).zone)).find((payout) => payout.number === number);
    if (found === undefined) return null;
    const others = state.payouts.filter(
      ({ payout, statement }) => payout === number && statement !== null && statement.bankStatementId !== bankStatementId,
    );
    return { amountCents: found.amountCents, bookedCents: cents(others.reduce((sum, move) => sum + signed(move), 0)) };
  },
};

/**
 * A bank statement was matched: what it says now replaces what it said before. Money that was recorded by hand is not recorded twice. The
 * service's own: no route leads here.
 */
export const reportPayouts: CommandSpec<LoanState, PayoutsReported> = {
  kind: 'loan',
  type: 'payout.reported',
  place: { on: 'target' },
  decide({ state, env, command, body: { bankStatementId, entries } }) {
    assert(command.actor.type === 'system', 'statements are matched by the service');
    const nothing = { facts: [], reply: () => ({ data: undefined }) };
    if (activationOf(state) === null) return nothing;
    const today = todayOf(env, state);
    const payouts = payoutsOf(state, env, today);
    const wanted = new Map<string, Wanted>();
    for (const { payout, day, statement, ...move } of state.payouts) {
      if (statement?.bankStatementId !== bankStatementId) continue;
      const key = `${statement.entry}/${payout}`;
      const known = wanted.get(key) ?? { number: payout, entry: statement.entry, day, cents: 0 };
      wanted.set(key, { ...known, cents: known.cents - (move.type === 'booked' ? move.amountCents : -move.amountCents) });
    }
    for (const { entry, payoutId, amountCents, day } of entries) {
      const number = numberOf(state, payoutId);
      if (number === null) continue;
      const key = `${entry}/${number}`;
      wanted.set(key, { number, entry, day, cents: (wanted.get(key)?.cents ?? 0) - amountCents });
    }
    const booked = new Map<number, number>();
    const facts = [...wanted.values()].flatMap((one): readonly FactDraft[] => {
      const before = booked.get(one.number) ?? bookedOf(state, one.number);
      const by = within(
        one.cents,
        before,
        payouts.find(({ number }) => number === one.number),
      );
      booked.set(one.number, before + by);
      return by === 0 ? [] : [moveOf(one, by, { bankStatementId, today })];
    });
    return { facts, reply: () => ({ data: undefined }) };
  },
};

/** How much more a bank has paid than is recorded; below zero: less. */
interface Wanted {
  readonly number: number;
  readonly entry: number;
  readonly day: Day;
  readonly cents: number;
}

/** Never more than was sent, nor less than nothing. */
const within = (change: number, booked: number, payout: Payout | undefined): number =>
  Math.min(Math.max(change, -booked), Math.max(ZERO, (payout?.amountCents ?? 0) - booked));

function moveOf(
  { number, entry, day }: Wanted,
  by: number,
  { bankStatementId, today }: { readonly bankStatementId: string; readonly today: Day },
): FactDraft {
  const body: PayoutFacts['PayoutBooked'] = {
    payout: number,
    amountCents: cents(Math.abs(by)),
    day: day > today ? today : day,
    recordedDay: today,
    statement: { bankStatementId, entry },
    caseId: null,
  };
  return { type: by > 0 ? 'PayoutBooked' : 'PayoutReturned', body };
}
