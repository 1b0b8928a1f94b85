import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { type Blobs, Refusal } from '../../actors/index.js';
import { Gate } from '../auth/turns.js';
import { LIMITS } from '../limits.js';
import { othersTurn, piecesOf } from './pieces.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface StoredContent {
  readonly contentId: string;
  /** In hexadecimal. */
  readonly key: string;
}

/**
 * Contents of documents, each encrypted with a key of its own. The key goes to the borrower's record, sealed with the borrower's data key:
 * what is stored here can be read as long as that one is there, and no longer.
 */
export class ContentStore {
  readonly #gate = new Gate({
    atOnce: LIMITS.contentsAtOnce,
    waiting: LIMITS.contentsWaiting,
    told: 'Too many documents are being read and written at once.',
  });

  constructor(private readonly blobs: Blobs) {}

  async put(content: Uint8Array): Promise<StoredContent> {
    const contentId = randomUUID();
    const key = randomBytes(KEY_BYTES);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(contentId));
    const parts: Buffer[] = [nonce];
    for (const piece of piecesOf(content)) {
      parts.push(cipher.update(piece));
      await othersTurn();
    }
    const sealed = Buffer.concat([...parts, cipher.final(), cipher.getAuthTag()]);
    await this.#gate.pass(() => whileAway(() => this.blobs.put(contentId, sealed)));
    return { contentId, key: key.toString('hex') };
  }

  /** Throws where the content is not what was stored. */
  async get({ contentId, key }: StoredContent): Promise<Buffer> {
    const sealed = await this.#gate.pass(() => whileAway(() => this.blobs.get(contentId)));
    if (!sealed) throw new Error(`the content ${contentId} is not in the store of contents`);
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'hex'), bytes.subarray(0, NONCE_BYTES))
      .setAAD(Buffer.from(contentId))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    const parts: Buffer[] = [];
    for (const piece of piecesOf(bytes.subarray(NONCE_BYTES, -TAG_BYTES))) {
      parts.push(decipher.update(piece));
      await othersTurn();
    }
    return Buffer.concat([...parts, decipher.final()]);
  }

  /** What nobody refers to any more; a store that is away keeps it. */
  async drop(contentId: string): Promise<void> {
    await this.blobs.delete(contentId).catch(() => undefined); // it can be read by nobody: its key is gone
  }
}

/** A store that is away is told as what it is: the caller may try again. */
async function whileAway<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw new Refusal('unavailable', 'The store of documents is away.', { retryAfterSeconds: 5, cause });
  }
}
