import { Refusal } from '../../errors.js';
import type { ExternalClaim } from '../shard/shared-facts.js';
import { tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';

interface Claim {
  readonly claimant: string;
  readonly untilMs: number;
}

/**
 * External ids that commands are about to give, kept by one unit each: who asks first gets it, for a while. Whether an object
 * has it already is asked of all units once it is claimed, so that nobody can take it in between. Nothing of it is stored: a
 * new owner gives none before those of the one before it have ended.
 */
export class Claims {
  readonly #claims = new Map<string, Claim>();
  readonly #openMs: number;

  constructor(
    private readonly holderOf: (claim: ExternalClaim) => Promise<string | undefined>,
    restMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#openMs = nowMs() + restMs;
  }

  /** Who has the external id; undefined when it is the claimant's now. Throws `conflict` while it is another's. */
  async claim(claim: ExternalClaim): Promise<string | undefined> {
    const waitMs = this.#openMs - this.nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const key = `${tenantKey(claim.tenant)}/${claim.kind}/${claim.externalId}`;
    if (this.#isOfAnother(key, claim.claimant)) {
      const made = await this.holderOf(claim); // an object that got it just now can be named at once
      if (made !== undefined) return made;
    }
    this.#take(key, claim.claimant);
    const holder = await this.holderOf(claim);
    if (holder !== undefined && this.#claims.get(key)?.claimant === claim.claimant) this.#claims.delete(key);
    return holder;
  }

  /** Whether it is claimed by another than this one. */
  #isOfAnother(key: string, claimant: string): boolean {
    const taken = this.#claims.get(key);
    return taken !== undefined && taken.untilMs > this.nowMs() && taken.claimant !== claimant;
  }

  #take(key: string, claimant: string): void {
    const now = this.nowMs();
    if (this.#isOfAnother(key, claimant)) {
      throw new Refusal('conflict', 'Another request is using the same external id. Try again in a second.', { retryAfterSeconds: 1 });
    }
    this.#claims.delete(key); // the newest last
    this.#forgetEnded(now);
    if (this.#claims.size >= LIMITS.claims)
      throw new Refusal('unavailable', 'Too many external ids are being assigned at the moment. Try again in a second.', {
        retryAfterSeconds: 1,
      });
    this.#claims.set(key, { claimant, untilMs: now + LIMITS.claimMs });
  }

  #forgetEnded(now: number): void {
    for (const [key, { untilMs }] of this.#claims) {
      if (untilMs > now) return;
      this.#claims.delete(key);
    }
  }
}
