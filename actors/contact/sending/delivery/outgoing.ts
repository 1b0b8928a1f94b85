import { tenantKey } from '../../../kernel/tenant.js';
import type { QueryEnv, QuerySpec } from '../../../kernel/actor.js';
import type { Fact } from '../../../kernel/fact.js';
import type { ListResult } from '../../../wire.js';
import type { InteractionState } from '../../interactions/state.js';

/** A message that is to be handed over now. */
export interface OutgoingItem {
  readonly id: string;
  readonly nextAt: number;
}

interface OutgoingQuery {
  readonly limit: number;
}

/**
 * The messages of an engine's tenants that wait to be handed over. Nobody needs to keep the list: it is made from the interactions
 * when somebody first asks for it, and each message that is queued is entered.
 */
export class Outgoing {
  readonly #tenants = new Map<string, Set<string>>();

  /** To be told of every fact of an interaction. */
  touch({ id, tenant }: InteractionState, { type }: Fact): void {
    if (type === 'MessageQueued') this.#tenants.get(tenantKey(tenant))?.add(id);
  }

  due(env: QueryEnv, limit: number): readonly OutgoingItem[] {
    const waiting = this.#waiting(env);
    const due: OutgoingItem[] = [];
    for (const id of waiting) {
      const delivery = env.stateOf<InteractionState>('interaction', id)?.delivery;
      if (delivery?.phase !== 'waiting' || delivery.nextAt === null) waiting.delete(id);
      else if (delivery.nextAt <= env.now) due.push({ id, nextAt: delivery.nextAt });
      if (due.length >= limit) break;
    }
    return due;
  }

  #waiting(env: QueryEnv): Set<string> {
    const known = this.#tenants.get(tenantKey(env.tenant));
    if (known) return known;
    const { rows } = env.list('interaction', { limit: Number.MAX_SAFE_INTEGER, matches: ({ fields }) => fields['isOutgoing'] === true });
    const waiting = new Set(rows.map(({ id }) => id).reverse()); // oldest first
    this.#tenants.set(tenantKey(env.tenant), waiting);
    return waiting;
  }
}

/** What the messenger asks of each engine. */
export const outgoingQuery = (outgoing: Outgoing): QuerySpec<InteractionState> => ({
  kind: 'interaction',
  type: 'interaction.outgoing',
  on: 'tenant',
  read({ query, env }): ListResult<OutgoingItem> {
    const items = outgoing
      .due(env, (query as OutgoingQuery).limit)
      .toSorted((one, other) => one.nextAt - other.nextAt || (one.id < other.id ? -1 : 1));
    return {
      items,
      total: items.length,
      hasMore: false,
      hasPrevious: false,
      order: { descending: [false, false], places: items.map(({ nextAt, id }) => [nextAt, id]), cursor: null },
    };
  },
});
