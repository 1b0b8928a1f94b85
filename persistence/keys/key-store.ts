import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { assert } from '../../engine/index.js';
import type { FileLayer } from '../files/file-layer.js';
import { nodeFiles } from '../files/node-files.js';
import { atPath } from '../files/path-unusable.js';
import { limits } from '../limits.js';
import type { KeyStore } from '../ports.js';
import { type DataKey, DataKeys, decrypt, encrypt, KEY_BYTES, type KeyEntry, wrapContext, wrappingKey } from './data-keys.js';
import { DataKeyBroken, FILE_NAME, KeyFileDamaged, KeyFlushFailed, MasterKeyError } from './errors.js';
import { KeyFile } from './key-file.js';
import { HEADER_BYTES, type KeyHeader, SALT_BYTES, type Slot, SLOT_BYTES } from './key-slots.js';
import { OwnerIndex } from './owner-index.js';

const PROBE_CONTEXT = 'tenor key probe';

export interface KeyStoreOptions {
  /** Folder of the key file alone; created when it is missing. */
  readonly folder: string;
  readonly masterKey: Uint8Array;
  readonly files?: FileLayer;
  /** Id of the journal that the keys belong to, written into a new file. Absent for keys apart from a journal. */
  readonly journalId?: Buffer;
  /** Number of free slots that are kept ready; tests use few. */
  readonly slotsAhead?: number;
}

export interface OpenedKeyStore extends KeyStore {
  readonly report: {
    readonly keys: number;
    readonly destroyed: number;
    /** Slots that a crash had torn: nothing was ever sealed with their keys. */
    readonly torn: number;
  };
  /** Id of the journal that these keys belong to; null where none is recorded. */
  readonly journalId: Buffer | null;
  /** Records that id, durably. */
  belongTo(journalId: Buffer): Promise<void>;
  /** Owners whose key cannot be unwrapped, though its slot is whole. */
  brokenOwners(): Iterable<string>;
  /** All keys, unwrapped one after the other, to be moved to another store. */
  entries(): Iterable<KeyEntry>;
  /** Takes a key over from another store; durable once `flush` resolves. What was destroyed in one of the two stays destroyed. */
  adopt(entry: KeyEntry): void;
  /** Calls back before a key is destroyed, with its owner: what it protects may be stored in other ways as well. */
  onDestroy(listener: (owner: string) => void): void;
  /** The current counts. */
  counts(): { readonly keys: number; readonly destroyed: number };
}

/**
 * Opens the data keys of persons below a folder of their own, apart from journal, snapshots and exports.
 * Throws `MasterKeyError` when they were wrapped with another master key, and `KeyFileDamaged`.
 */
export const openKeyStore = (options: KeyStoreOptions): Promise<OpenedKeyStore> =>
  atPath('the data keys', join(options.folder, FILE_NAME), () => opened(options));

async function opened(options: KeyStoreOptions): Promise<OpenedKeyStore> {
  const { folder, masterKey, files = nodeFiles, journalId = null, slotsAhead = limits.keySlotsAhead } = options;
  assert(masterKey.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
  await files.makeFolder(folder);
  await files.syncFolder(dirname(folder));
  const existing = await KeyFile.open(files, folder, slotsAhead);
  if (existing === undefined) {
    const created = await KeyFile.replace(files, folder, newHeader(masterKey, journalId), [], slotsAhead);
    await created.flush();
    return new FileKeyStore(files, folder, masterKey, created, slotsAhead);
  }
  try {
    const { salt, probe } = existing.header;
    if (decrypt(wrappingKey(masterKey, salt), probe, PROBE_CONTEXT) === undefined) {
      throw new MasterKeyError('the data keys were wrapped with another master key than the one that is set');
    }
    const store = new FileKeyStore(files, folder, masterKey, existing, slotsAhead);
    await existing.settle();
    existing.growAhead();
    return store;
  } catch (cause) {
    await existing.close();
    throw cause;
  }
}

function newHeader(masterKey: Uint8Array, journalId: Buffer | null): KeyHeader {
  const salt = randomBytes(SALT_BYTES);
  return { salt, journalId, probe: encrypt(wrappingKey(masterKey, salt), randomBytes(KEY_BYTES), PROBE_CONTEXT) };
}

class FileKeyStore implements OpenedKeyStore {
  readonly report;
  /** The newest slot of each owner. */
  readonly #slots: OwnerIndex;
  readonly #keys = new DataKeys((owner) => this.#find(owner));
  #wrappingKey: Uint8Array;
  #busy: Promise<unknown> = Promise.resolve();
  #durableOwners: number;
  readonly #listeners: ((owner: string) => void)[] = [];

  constructor(
    private readonly files: FileLayer,
    private readonly folder: string,
    masterKey: Uint8Array,
    private file: KeyFile,
    private readonly slotsAhead: number,
  ) {
    this.#wrappingKey = wrappingKey(masterKey, file.header.salt);
    this.#slots = new OwnerIndex(file, file.slotCount);
    this.report = this.#load();
    this.#durableOwners = this.#slots.count;
  }

  get journalId(): Buffer | null {
    return this.file.header.journalId;
  }

  get durableOwners(): number {
    return this.#durableOwners;
  }

  belongTo(journalId: Buffer): Promise<void> {
    return this.#inTurn(() => this.file.belongTo(journalId));
  }

  hasRoom(): boolean {
    return this.file.hasRoom();
  }

  knows(owner: string): boolean {
    return this.#slots.find(owner) !== undefined;
  }

  *brokenOwners(): Iterable<string> {
    for (const slot of this.#newest())
      if (slot.type === 'key' && decrypt(this.#wrappingKey, slot.wrapped, wrapContext(slot.owner, slot.keyId)) === undefined)
        yield slot.owner;
  }

  create(owner: string): void {
    if (this.has(owner)) return; // created for a command that was dropped and sent again: nothing depends on the key yet
    const key = this.#keys.make(owner);
    this.#slots.put(this.file.add({ type: 'key', owner, keyId: key.id, wrapped: this.#wrap(owner, key) }));
  }

  *entries(): Generator<KeyEntry> {
    for (const slot of this.#newest())
      yield { owner: slot.owner, key: slot.type === 'key' ? { id: slot.keyId, bytes: this.#unwrap(slot) } : null };
  }

  *#newest(): Generator<Extract<Slot, { readonly owner: string }>> {
    for (let index = 0; index < this.file.slotCount; index += 1) {
      const slot = this.file.slot(index);
      if ('owner' in slot && this.#slots.find(slot.owner) === index) yield slot;
    }
  }

  counts(): { keys: number; destroyed: number } {
    const counts = { keys: 0, destroyed: 0 };
    for (const { type } of this.#newest()) counts[type === 'key' ? 'keys' : 'destroyed'] += 1;
    return counts;
  }

  adopt({ owner, key }: KeyEntry): void {
    const known = this.#slots.find(owner);
    if (key !== null && known !== undefined) return;
    const slot =
      key === null
        ? { type: 'destroyed' as const, owner, keyId: 0 }
        : { type: 'key' as const, owner, keyId: key.id, wrapped: this.#wrap(owner, key) };
    if (known === undefined) this.#slots.put(this.file.add(slot));
    else this.file.set(known, slot);
  }

  has(owner: string): boolean {
    const index = this.#slots.find(owner);
    return index !== undefined && this.file.typeOf(index) === 'key';
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return this.#keys.seal(owner, plain, context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    return this.#keys.open(owner, sealed, context);
  }

  flush(): Promise<void> {
    return this.#inTurn(() => this.#flush());
  }

  onDestroy(listener: (owner: string) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Overwrites the key in its slot. Recorded also in a store that never had the key, so that restored data stay erased. Rejects where a
   * listener has failed, but destroys the key all the same.
   */
  async destroy(owner: string): Promise<void> {
    try {
      if (this.has(owner)) for (const listener of this.#listeners) listener(owner);
    } finally {
      this.#overwrite(owner);
      await this.flush();
    }
  }

  #overwrite(owner: string): void {
    const index = this.#slots.find(owner);
    this.#keys.forget(owner);
    if (index === undefined) {
      this.#slots.put(this.file.add({ type: 'destroyed', owner, keyId: 0 }));
    } else {
      const { keyId } = this.#ownedSlot(index);
      this.file.set(index, { type: 'destroyed', owner, keyId });
    }
  }

  rotate(masterKey: Uint8Array): Promise<void> {
    assert(masterKey.length === KEY_BYTES, `a master key has ${KEY_BYTES} bytes`);
    return this.#inTurn(async () => {
      const header = newHeader(masterKey, this.journalId);
      const nextWrappingKey = wrappingKey(masterKey, header.salt);
      await this.#flush();
      const former = this.file;
      const convert = (slot: Slot): Slot => this.#rewrapped(slot, nextWrappingKey);
      const slots: Slot[] = [];
      while (slots.length < former.slotCount) {
        slots.push(convert(former.slot(slots.length)));
        if (slots.length % limits.rotationSliceKeys === 0) await othersTurn();
      }
      const next = await KeyFile.replace(this.files, this.folder, header, slots, this.slotsAhead);
      // Copies keys that were created meanwhile. No other step may run between this one and the switch of files.
      next.carryOver(former, convert);
      this.file = next;
      this.#slots.readFrom(next);
      this.#wrappingKey = nextWrappingKey;
      await this.#flush();
      await former.erase();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.file.close());
  }

  #load(): OpenedKeyStore['report'] {
    const report = { keys: 0, destroyed: 0, torn: 0 };
    for (let index = 0; index < this.file.slotCount; index += 1) {
      switch (this.file.typeOf(index)) {
        case 'free':
          break;
        case 'key':
          report.keys += 1;
          this.#slots.put(index);
          break;
        case 'destroyed':
          report.destroyed += 1;
          this.#slots.put(index);
          break;
        case 'torn':
          report.torn += 1;
          this.file.clear(index);
          break;
        case 'damaged':
          throw new KeyFileDamaged(this.file.path, HEADER_BYTES + index * SLOT_BYTES, 'the checksum of a key fails');
      }
    }
    return report;
  }

  async #flush(): Promise<void> {
    const owners = this.#slots.count;
    try {
      await this.file.flush();
      this.#durableOwners = Math.max(this.#durableOwners, owners);
    } catch (cause) {
      throw new KeyFlushFailed(cause);
    }
  }

  /** One change of the file at a time, in the order of asking. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const result = this.#busy.then(run);
    this.#busy = result.catch(() => undefined); // the caller gets the failure
    return result;
  }

  #find(owner: string): DataKey | 'destroyed' | undefined {
    const index = this.#slots.find(owner);
    if (index === undefined) return undefined;
    const slot = this.#ownedSlot(index);
    return slot.type === 'key' ? { id: slot.keyId, bytes: this.#unwrap(slot) } : 'destroyed';
  }

  #ownedSlot(index: number): Extract<Slot, { readonly owner: string }> {
    const slot = this.file.slot(index);
    assert('owner' in slot, 'a slot that is known has an owner');
    return slot;
  }

  #rewrapped(slot: Slot, nextWrappingKey: Uint8Array): Slot {
    if (slot.type !== 'key') return slot;
    return { ...slot, wrapped: encrypt(nextWrappingKey, this.#unwrap(slot), wrapContext(slot.owner, slot.keyId)) };
  }

  #wrap(owner: string, key: DataKey): Buffer {
    return encrypt(this.#wrappingKey, key.bytes, wrapContext(owner, key.id));
  }

  #unwrap({ owner, keyId, wrapped }: Extract<Slot, { readonly type: 'key' }>): Buffer {
    const bytes = decrypt(this.#wrappingKey, wrapped, wrapContext(owner, keyId));
    if (bytes === undefined) throw new DataKeyBroken(owner);
    return bytes;
  }
}
