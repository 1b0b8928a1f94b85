import { type Cipher, createCipheriv, createDecipheriv, type Decipher, randomBytes, randomUUID } from 'node:crypto';
import { type Blobs, Refusal, type StoredContentBody } from '../../actors/index.js';
import { Gate } from '../auth/authenticator.js';
import { yieldToOthers } from '../fair-scheduler.js';
import { LIMITS } from '../limits.js';
import type { Renderer } from '../rendering/renderer.js';
import type { Reply } from '../routing/route.js';

/** A file in pieces, each small enough that it does not hold the thread for long. */
export function* piecesOf(content: Uint8Array): Iterable<Buffer> {
  for (let at = 0; at < content.length; at += LIMITS.filePieceBytes)
    yield Buffer.from(content.buffer, content.byteOffset + at, Math.min(LIMITS.filePieceBytes, content.length - at));
}

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
 * Contents of documents, each encrypted with its own key. That key is stored in the borrower's record, sealed with the borrower's data
 * key: when the data key is deleted, nothing stored here can be read any more.
 */
export class ContentStore {
  readonly #gate = new Gate({
    atOnce: LIMITS.contentsAtOnce,
    waiting: LIMITS.contentsWaiting,
    refusal: 'Too many documents are being read and written. Try again in a second.',
  });

  constructor(private readonly blobs: Blobs) {}

  async put(content: Uint8Array): Promise<StoredContent> {
    const contentId = randomUUID();
    const key = randomBytes(KEY_BYTES);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(contentId));
    const sealed = Buffer.allocUnsafe(NONCE_BYTES + content.length + TAG_BYTES);
    nonce.copy(sealed);
    const end = await filled(sealed, NONCE_BYTES, content, cipher);
    cipher.final();
    cipher.getAuthTag().copy(sealed, end);
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
    const content = Buffer.allocUnsafe(bytes.length - NONCE_BYTES - TAG_BYTES);
    await filled(content, 0, bytes.subarray(NONCE_BYTES, -TAG_BYTES), decipher);
    decipher.final();
    return content;
  }

  /** Deletes content to which no record refers. Where the store does not answer, it stays. */
  async drop(contentId: string): Promise<void> {
    await this.blobs.delete(contentId).catch(() => undefined); // nobody can read it: its key is gone
  }
}

/**
 * Writes what a cipher makes of the input into the output from `at` on, and answers its end. Each piece is copied as it comes: joining
 * 24 MB at the end would hold the thread. This cipher makes as many bytes as it takes.
 */
async function filled(output: Buffer, at: number, input: Uint8Array, cipher: Cipher | Decipher): Promise<number> {
  let end = at;
  for (const piece of piecesOf(input)) {
    end += cipher.update(piece).copy(output, end);
    await yieldToOthers();
  }
  return end;
}

/** Reports a store that does not answer as `unavailable`: the caller may try again. */
async function whileAway<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw new Refusal('unavailable', 'The document store does not answer. Try again in 5 seconds.', { retryAfterSeconds: 5, cause });
  }
}

/** Stores the content, then records it, so that a record never refers to missing content. Content that is not recorded is deleted. */
export async function recorded(
  contents: ContentStore,
  content: Buffer,
  command: (stored: StoredContent) => Promise<Reply>,
): Promise<Reply> {
  const stored = await contents.put(content);
  try {
    const outcome = await command(stored);
    if (outcome.replayed) await contents.drop(stored.contentId);
    return outcome;
  } catch (cause) {
    // After another failure it is unknown whether the record was made.
    if (cause instanceof Refusal && cause.statusCode < 500) await contents.drop(stored.contentId);
    throw cause;
  }
}

export interface LetterParts {
  readonly contents: ContentStore;
  readonly renderer: Renderer;
  readonly company: string;
}

/** The same for a letter, whose HTML is rendered to PDF first. */
export async function recordedLetter(
  { contents, renderer, company }: LetterParts,
  html: string,
  fileName: string,
  command: (rendered: StoredContentBody) => Promise<Reply>,
): Promise<Reply> {
  const content = Buffer.from(await renderer.render<'letter'>(company, { type: 'letter', html }));
  return recorded(contents, content, (stored) =>
    command({ ...stored, contentType: 'application/pdf', contentLength: content.length, fileName }),
  );
}
