import { actorModules, Resealer, type ShardBlock } from '../../actors/index.js';
import type { OpenedExport, OpenedKeyStore, RestoreTarget } from '../../persistence/index.js';
import { StoredOwners } from './actor-owners.js';
import { GivenKeys } from './given-keys.js';

interface ResealingOptions {
  readonly from: OpenedExport;
  readonly target: Pick<RestoreTarget, 'scratchFolder'>;
  readonly keys: readonly OpenedKeyStore[];
}

/** Persons that a refusal names. */
const NAMED = 10;

/** Seals the blocks of an export on their way into another journal. All blocks pass twice: to be measured, and to be written. */
export class Resealing {
  readonly #resealer: Resealer;

  static async begin({ from, target, keys }: ResealingOptions): Promise<Resealing> {
    return new Resealing(await StoredOwners.begin(target.scratchFolder), new GivenKeys(keys, from.contents.erased));
  }

  private constructor(
    private readonly owners: StoredOwners,
    keys: GivenKeys,
  ) {
    this.#resealer = new Resealer(actorModules(), keys, owners);
  }

  async block(block: ShardBlock): Promise<ShardBlock> {
    const resealed = this.#resealer.block(block);
    await this.owners.settle();
    return resealed;
  }

  /** Why the journal cannot be resealed, once all blocks have passed; null if it can. */
  refusal(): string | null {
    const { withoutKey } = this.#resealer;
    this.#resealer.changed = 0;
    if (withoutKey.size === 0) return null;
    const named = [...withoutKey].slice(0, NAMED).join(', ');
    return `${withoutKey.size} persons have no data key to seal with (${named}): name the folder of their keys with --keys.`;
  }

  /** Records that were sealed since all have passed once. */
  get changed(): number {
    return this.#resealer.changed;
  }

  close(): Promise<void> {
    return this.owners.close();
  }
}
