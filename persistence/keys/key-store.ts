import { randomBytes } from 'node:crypto';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyStore } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { decrypt, encrypt, KEY_BYTES } from './envelope.js';
import { formatLine, type KeyLine, readKeyFile, rewriteKeyFile, syncFolder } from './key-file.js';
import { MasterKeyError } from './master-key.js';

/** The line that tells whether a master key is the right one. */
const PROBE = 'tenor-key-probe';

/** Unwrapped keys kept in memory; the oldest are unwrapped again when needed. */
const UNWRAPPED_KEYS = 100_000;

/**
 * Opens the data keys of persons below a folder of their own, apart from journal, snapshots and exports.
 * Throws `MasterKeyError` when the keys were wrapped with another master key.
 */
export async function openKeyStore(options: { readonly folder: string; readonly masterKey: Uint8Array }): Promise<KeyStore> {
  await mkdir(options.folder, { recursive: true, mode: 0o700 });
  const path = join(options.folder, 'data-keys');
  const lines = await readKeyFile(path);
  const wrapped = new Map(lines.map(({ owner, wrapped: key }) => [owner, key]));
  const probe = wrapped.get(PROBE);
  if (probe && !decrypt(options.masterKey, probe, PROBE)) {
    throw new MasterKeyError('the data keys were wrapped with another master key than the one that is set');
  }
  if (!probe) wrapped.set(PROBE, encrypt(options.masterKey, randomBytes(KEY_BYTES), PROBE));
  // Rewriting cuts an incomplete last line, so that the next one starts on a line of its own.
  await rewriteKeyFile(path, linesOf(wrapped));
  await syncFolder(options.folder);
  return new FileKeyStore(path, options.masterKey, wrapped, await open(path, 'a', 0o600));
}

class FileKeyStore implements KeyStore {
  readonly #unwrapped = new Map<string, Uint8Array>();
  #pending: KeyLine[] = [];
  #busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly path: string,
    private masterKey: Uint8Array,
    private readonly wrapped: Map<string, Uint8Array>,
    private file: FileHandle,
  ) {}

  create(owner: string): void {
    const key = randomBytes(KEY_BYTES);
    const line = { owner, wrapped: encrypt(this.masterKey, key, owner) };
    this.wrapped.set(owner, line.wrapped);
    this.#remember(owner, key);
    this.#pending.push(line);
  }

  has(owner: string): boolean {
    return this.wrapped.has(owner);
  }

  seal(owner: string, plain: string, context: string): Uint8Array {
    return encrypt(must(this.#keyOf(owner), `no data key of ${owner}`), Buffer.from(plain), context);
  }

  open(owner: string, sealed: Uint8Array, context: string): string | undefined {
    const key = this.#keyOf(owner);
    return key && decrypt(key, sealed, context)?.toString();
  }

  flush(): Promise<void> {
    return this.#pending.length === 0 ? this.#busy : this.#inTurn(() => this.#append());
  }

  destroy(owner: string): Promise<void> {
    this.wrapped.delete(owner);
    this.#unwrapped.delete(owner);
    this.#pending = this.#pending.filter((line) => line.owner !== owner);
    return this.#inTurn(() => this.#rewrite());
  }

  rotate(masterKey: Uint8Array): Promise<void> {
    return this.#inTurn(async () => {
      for (const [owner, line] of this.wrapped) {
        const key = must(decrypt(this.masterKey, line, owner), `the data key of ${owner} cannot be unwrapped`);
        this.wrapped.set(owner, encrypt(masterKey, key, owner));
      }
      this.masterKey = masterKey;
      await this.#rewrite();
    });
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.file.close());
  }

  async #append(): Promise<void> {
    const lines = this.#pending;
    this.#pending = [];
    try {
      await this.file.appendFile(lines.map(formatLine).join(''));
      await this.file.datasync();
    } catch (cause) {
      this.#pending = [...lines, ...this.#pending];
      throw cause;
    }
  }

  async #rewrite(): Promise<void> {
    this.#pending = [];
    await this.file.close();
    await rewriteKeyFile(this.path, linesOf(this.wrapped));
    this.file = await open(this.path, 'a', 0o600);
  }

  /** One change of the file at a time, in the order of asking. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#busy.then(run);
    this.#busy = turn.catch(() => undefined); // the caller of that turn is told
    return turn;
  }

  #keyOf(owner: string): Uint8Array | undefined {
    const known = this.#unwrapped.get(owner);
    if (known) return known;
    const line = this.wrapped.get(owner);
    const key = line && decrypt(this.masterKey, line, owner);
    if (key) this.#remember(owner, key);
    return key;
  }

  #remember(owner: string, key: Uint8Array): void {
    if (this.#unwrapped.size >= UNWRAPPED_KEYS) {
      for (const oldest of this.#unwrapped.keys()) {
        this.#unwrapped.delete(oldest);
        break;
      }
    }
    this.#unwrapped.set(owner, key);
  }
}

function* linesOf(wrapped: ReadonlyMap<string, Uint8Array>): Iterable<KeyLine> {
  for (const [owner, key] of wrapped) yield { owner, wrapped: key };
}
