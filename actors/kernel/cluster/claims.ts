import { Refusal } from '../../errors.js';
import type { ExternalClaim } from '../shard/cluster-part.js';
import { tenantKey } from '../fact.js';
import { LIMITS } from '../limits.js';

interface Claim {
  readonly claimant: string;
  readonly untilMs: number;
}

/**
 * External ids that commands are about to give, each kept by one unit: the first command that asks gets it for a while. All units are asked
 * whether an object has it only after it is claimed, so that nobody can take it in between. Claims are not stored: a new owner of the unit
 * grants none before those of the previous owner have expired.
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

  /** The object that has the external id; undefined when the claimant may use it. Throws `conflict` while another command claims it. */
  async claim(claim: ExternalClaim): Promise<string | undefined> {
    const waitMs = this.#openMs - this.nowMs();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const key = `${tenantKey(claim.tenant)}/${claim.kind}/${claim.externalId}`;
    if (this.#isOfAnother(key, claim.claimant)) {
      const made = await this.holderOf(claim); // names the object if one got the id just now
      if (made !== undefined) return made;
    }
    this.#take(key, claim.claimant);
    const holder = await this.holderOf(claim);
    if (holder !== undefined && this.#claims.get(key)?.claimant === claim.claimant) this.#claims.delete(key);
    return holder;
  }

  /** Whether another claimant holds it. */
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
