import { Refusal } from '../../errors.js';
import { type Tenant, tenantKey } from '../fact.js';
import type { Selection } from '../jobs/mass-facts.js';
import { LIMITS } from '../limits.js';

/** What a decision or a reading needs to know of another part of the cluster. */
export type Need =
  | { readonly type: 'actor'; readonly tenant: Tenant; readonly kind: string; readonly id: string }
  /** Who has an external id. Whoever is about to give it to an object claims it by asking. */
  | { readonly type: 'external'; readonly tenant: Tenant; readonly kind: string; readonly externalId: string }
  /** How many actors a selection is about. */
  | { readonly type: 'count'; readonly tenant: Tenant; readonly selection: Selection };

/** Something of another part of the cluster has to be asked for first. Nothing was changed. */
export class Elsewhere extends Refusal {
  constructor(readonly need: Need) {
    super('unavailable', 'Another part of the cluster has to be asked first.', { retryAfterSeconds: 1 });
  }
}

interface Guest {
  readonly known: unknown;
  /** Until when it counts for a decision; in milliseconds of `performance.now`. */
  readonly untilMs: number;
}

/**
 * What is known here of other parts of the cluster: borrowers of theirs that loans here name, and who has an external id. A
 * decision sees what was asked for just now; what only has to be shown may be a little older.
 */
export class Guests {
  readonly #guests = new Map<string, Guest>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The answer to a need, as long as it counts for a decision. */
  fresh(need: Need): { readonly known: unknown } | undefined {
    const guest = this.#guests.get(keyOf(need));
    return guest && guest.untilMs > this.nowMs() ? guest : undefined;
  }

  /** The newest answer there is. */
  any(need: Need): { readonly known: unknown } | undefined {
    return this.#guests.get(keyOf(need));
  }

  /** What may be otherwise for the next command. */
  forget(need: Need): void {
    this.#guests.delete(keyOf(need));
  }

  /** `forMs`: how long it counts for decisions, from now. */
  put(need: Need, known: unknown, forMs: number): void {
    const key = keyOf(need);
    this.#guests.delete(key);
    this.#guests.set(key, { known, untilMs: this.nowMs() + forMs });
    if (this.#guests.size <= LIMITS.guests) return;
    for (const oldest of this.#guests.keys()) {
      this.#guests.delete(oldest);
      break;
    }
  }
}

function keyOf(need: Need): string {
  switch (need.type) {
    case 'actor':
      return `${tenantKey(need.tenant)}/${need.kind}/${need.id}`;
    case 'external':
      return `${tenantKey(need.tenant)}/${need.kind}/ext-${need.externalId}`;
    case 'count':
      return `${tenantKey(need.tenant)}/count/${JSON.stringify(need.selection)}`;
  }
}
