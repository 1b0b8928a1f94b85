import type { SharedKeyValue } from '../ports.js';
import { BEING_RESTORED, encodeIdentity, IDENTITY, wrapSecrets } from './cluster-identity.js';
import { KEY_BYTES } from './envelope.js';
import { KeyRing } from './key-ring.js';

export interface IdentityToBeOptions {
  readonly records: SharedKeyValue;
  readonly masterKey: Uint8Array;
  readonly shards: number;
}

/** The identity of a cluster that is being restored: no process joins it before `finish`. */
export class IdentityToBe {
  /** What wraps its data keys. */
  readonly ring = KeyRing.create();

  /** Throws `KeyValueConflict` where one is there. */
  static async begin(options: IdentityToBeOptions): Promise<IdentityToBe> {
    const identity = new IdentityToBe(options);
    identity.#revision = await options.records.create(IDENTITY, identity.#encoded(BEING_RESTORED, new Uint8Array(KEY_BYTES)));
    return identity;
  }

  #revision = 0;

  private constructor(private readonly options: IdentityToBeOptions) {}

  /** With the key of ids that its journal was written under. */
  async finish(idKey: Uint8Array): Promise<void> {
    await this.options.records.update(IDENTITY, this.#encoded(this.options.shards, idKey), this.#revision);
  }

  async rotate(): Promise<void> {
    throw new Error('what is being restored has no other master key yet');
  }

  #encoded(shards: number, idKey: Uint8Array): Uint8Array {
    return encodeIdentity({ shards, epoch: 1, ...wrapSecrets({ idKey, ring: this.ring }, this.options.masterKey) });
  }
}
