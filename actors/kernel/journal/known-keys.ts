import { fieldOf } from '../../../engine/index.js';
import { type Fault, Refusal } from '../../errors.js';
import { PERSON, COMPANY } from '../known-names.js';
import type { KeyStore, KeyValue } from '../ports.js';
import type { World } from '../shard/world.js';
import { KEYS_KEY, ROW_PREFIX, endOf, readActorKey } from '../snapshots/stored-keys.js';
import { pack, unpack } from './records.js';

/** The key store lacks data keys of persons in the journal: it is an older copy, was truncated, or belongs to another installation. */
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

/** Without the owner of the key of stored names, which the journal does not have: that key is created with the snapshots. */
const ownersOf = (keys: Counted, namesOwner: string): number => keys.durableOwners - (keys.knows(namesOwner) ? 1 : 0);

/** How many owners had a key when a snapshot was written: stored with it. */
export const packOwners = (keys: Counted, namesOwner: string): Uint8Array => pack(ownersOf(keys, namesOwner));

/** Throws `KeysIncomplete` when the store has fewer owners than at that time: key stores only grow. */
export function assertOwnersKept(store: KeyValue, keys: Counted, namesOwner: string): void {
  const bytes = store.get(KEYS_KEY);
  const had = bytes === undefined ? 0 : unpack<number>(bytes);
  const has = ownersOf(keys, namesOwner);
  if (has < had) throw new KeysIncomplete(`there are ${has}, and there were ${had} when the last snapshot was taken`);
}

/** For an actor that the end of the journal has changed, after all snapshots. */
export function assertKnown({ kind, id }: { readonly kind: string; readonly id: string }, keys: Pick<KeyStore, 'knows'>): void {
  if (kind === PERSON && !keys.knows(id)) throw new KeysIncomplete(`there is none of ${id}`);
}

/** For an id that names no shard: it was made with another key of ids. */
export const madeWithAnotherKey = (id: string): Error =>
  new KeysIncomplete(`${id} was not made with the key in id.key, which is of another data folder`);

/**
 * Compares the ids of all companies and persons with the key of ids, and all persons with their data keys, for keys that do not name their
 * owner. An id that was made with another key decodes to an arbitrary number, which is almost never an id that was given.
 */
export function assertAllFit(world: World, store: KeyValue, keys: Pick<KeyStore, 'knows'>): void {
  for (const { kind, id } of allActors(world, store)) {
    if (kind !== PERSON && kind !== COMPANY) continue;
    const made = world.ids.decode(id);
    if (made === undefined || made.shard >= world.shards.length || made.counter > world.position(made.shard).idCounter)
      throw madeWithAnotherKey(id);
    assertKnown({ kind, id }, keys);
  }
}
function* allActors(world: World, store: KeyValue): Iterable<{ readonly kind: string; readonly id: string }> {
  yield* world.actorCache.values();
  for (const [key] of store.range({ start: ROW_PREFIX, end: endOf(ROW_PREFIX) })) yield readActorKey(key.slice(ROW_PREFIX.length));
}

/** The codes of key stores for sealed data that cannot be opened. */
const UNREADABLE: ReadonlySet<unknown> = new Set(['dataKeyMissing', 'dataKeyBroken', 'sealBroken']);

export const isUnreadable = (cause: unknown): boolean => UNREADABLE.has(fieldOf(cause, 'code'));

/** The refusal when a client asks to record personal data of somebody whose data key is destroyed or lost. */
export const nothingPersonal = (owner: string, errors: readonly Fault[] = []): Refusal =>
  new Refusal('invalidState', `Personal data of ${owner} cannot be recorded: its data key was deleted.`, { errors });

export const unreadable = (owner: string, cause: unknown): Refusal =>
  new Refusal('unavailable', `The personal data of ${owner} cannot be read until the operator restores its data key.`, {
    retryAfterSeconds: 60,
    cause,
  });
