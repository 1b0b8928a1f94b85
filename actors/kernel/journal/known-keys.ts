import { type Fault, Refusal } from '../../errors.js';
import { PERSON } from '../fact.js';
import type { KeyStore, KeyValue } from '../ports.js';
import { pack, unpack } from './records.js';
import { endOf, KEYS_KEY, readActorKey, ROW_PREFIX } from '../snapshots/stored-keys.js';
import type { World } from '../shard/world.js';

/** The key store lacks data keys of persons whom the journal knows: it is an older copy, was cut, or is of another place. */
class KeysIncomplete extends Error {
  override readonly name = 'KeysIncomplete';
  readonly code = 'keysIncomplete';
  readonly helps = 'operator';

  constructor(what: string) {
    super(
      `the data keys of persons are not complete: ${what}. Put the newest copy back: keys/data-keys of the data folder, ` +
        'in a cluster the bucket CLUSTER-keys-UNIT; without it the data of these persons cannot be read',
    );
  }
}

type Counted = Pick<KeyStore, 'durableOwners' | 'knows'>;

/** Without the owner of the key of stored names, which the journal does not know: it is made with the snapshots. */
const ownersOf = (keys: Counted, namesOwner: string): number => keys.durableOwners - (keys.knows(namesOwner) ? 1 : 0);

/** How many owners had a key when a snapshot was written: stored with it. */
export const packOwners = (keys: Counted, namesOwner: string): Uint8Array => pack(ownersOf(keys, namesOwner));

/** Throws `KeysIncomplete` where the store has fewer than it had then: key stores only grow. */
export function assertOwnersKept(store: KeyValue, keys: Counted, namesOwner: string): void {
  const bytes = store.get(KEYS_KEY);
  const had = bytes === undefined ? 0 : (unpack(bytes) as number);
  const has = ownersOf(keys, namesOwner);
  if (has < had) throw new KeysIncomplete(`there are ${has}, and there were ${had} when the last snapshot was taken`);
}

/** Of somebody whom the end of the journal has changed, behind all snapshots. */
export function assertKnown({ kind, id }: { readonly kind: string; readonly id: string }, keys: Pick<KeyStore, 'knows'>): void {
  if (kind === PERSON && !keys.knows(id)) throw new KeysIncomplete(`there is none of ${id}`);
}

/**
 * Compares all companies and persons with the key of ids, and all persons with their keys, one after the other: for keys that do not say
 * whose they are. An id that was made with another key reads as an arbitrary number, which is almost never one that was given.
 */
export function assertAllFit(world: World, store: KeyValue, keys: Pick<KeyStore, 'knows'>): void {
  for (const { kind, id } of allActors(world, store)) {
    if (kind !== PERSON && kind !== 'company') continue;
    const made = world.ids.decode(id);
    if (made === undefined || made.shard >= world.shards.length || made.counter > world.position(made.shard).idCounter)
      throw new KeysIncomplete(`${id} was not made with the key in id.key, which is of another data folder`);
    assertKnown({ kind, id }, keys);
  }
}

function* allActors(world: World, store: KeyValue): Iterable<{ readonly kind: string; readonly id: string }> {
  yield* world.residents.values();
  for (const [key] of store.range({ start: ROW_PREFIX, end: endOf(ROW_PREFIX) })) yield readActorKey(key.slice(ROW_PREFIX.length));
}

/** Why sealed data of somebody cannot be opened, by the codes of key stores. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['dataKeyMissing', 'dataKeyBroken', 'sealBroken']);

export const isUnreadable = (cause: unknown): boolean => UNREADABLE.has((cause as { readonly code?: unknown } | null)?.code);

/** What a client would have recorded of somebody whose data key is gone for good. */
export const nothingPersonal = (owner: string, errors: readonly Fault[] = []): Refusal =>
  new Refusal('invalidState', `Nothing personal can be recorded of ${owner}: its data key is gone.`, { errors });

export const unreadable = (owner: string, cause: unknown): Refusal =>
  new Refusal('unavailable', `The personal data of ${owner} cannot be read: the operator has to restore its data key.`, {
    retryAfterSeconds: 60,
    cause,
  });
