import { type FolderLock, lockFolder } from '../folder-lock.js';
import { limits } from '../limits.js';
import type { AttachedFiles, DeliveryAdapter, OutgoingMessage } from '../ports.js';
import { type BatchRecord, digestOf, type Letter, type LetterFile, LetterFolder } from './letter-files.js';
import type { LetterTarget } from './letter-targets.js';

export interface LetterBatchesOptions {
  /** What is kept on this machine, or on a volume that its successor opens, too. */
  readonly folder: string;
  readonly target: LetterTarget;
  /** A batch is closed at so many letters, or so long after its first one. */
  readonly letters: number;
  readonly seconds: number;
  /** HTML as the pages of a PDF. */
  readonly pages: (company: string, html: string) => Promise<Buffer>;
  readonly nowMs: () => number;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/**
 * Brings letters in batches of PDF to a printer. A letter is durable before it counts as taken; a batch is recorded with all its
 * letters before anything of it leaves, and a letter is in the first batch that names it. So each is in exactly one, whatever ends when:
 *
 *   taken ─► waiting ─► named by a batch ─► put under the name of the batch ─► marked as sent ─► removed after 30 days
 */
export class LetterBatches implements DeliveryAdapter {
  readonly #files: LetterFolder;
  /** Letters of no batch, by company and mode. */
  readonly #waiting = new Map<string, Map<string, Letter>>();
  /** Letters that a batch names. */
  readonly #batched = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #opened: Promise<FolderLock> | null = null;
  #running: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LetterBatchesOptions) {
    this.#files = new LetterFolder(options.folder);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.run(), limits.lettersEveryMs).unref();
  }

  async submit(message: OutgoingMessage, files: AttachedFiles): Promise<{ readonly providerMessageId: string }> {
    await this.#open();
    const key = keyOf({ ...message, interactionId: message.idempotencyKey });
    if (!this.#isTaken(key)) {
      const { letter, contents } = await this.#made(message, files);
      await this.#inTurn(async () => {
        if (this.#isTaken(key)) return;
        await this.#files.put(letter, contents);
        this.#wait(letter);
      });
    }
    return { providerMessageId: message.idempotencyKey };
  }

  /** Closes the batches whose time has come, and sends what is not sent. */
  run(isLast = false): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#open();
        for (const [group, letters] of this.#waiting) {
          for (const batch of this.#due([...letters.values()], isLast)) await this.#close(group, batch);
        }
        await this.#send();
      } catch (cause) {
        this.options.report('letters could not be sent', { cause: String(cause) });
      }
    });
  }

  /** What waits leaves as it is: the next process may open the folder much later. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    if (this.#opened === null) return;
    await this.run(true);
    await (await this.#opened)?.release(); // null where opening has failed, which `run` has reported
    this.#opened = null;
  }

  async #made(
    message: OutgoingMessage,
    files: AttachedFiles,
  ): Promise<{ readonly letter: Letter; readonly contents: readonly { readonly file: string; readonly content: Buffer }[] }> {
    const { idempotencyKey: interactionId, company, mode, personId, content, mailIsCertified: isCertified } = message;
    const html = typeof content['contentHtml'] === 'string' ? content['contentHtml'] : '';
    const attached = await files(message);
    const contents = [
      { file: `${interactionId}.pdf`, content: await this.options.pages(company, html) },
      ...attached.map((each, index) => ({ file: `${interactionId}-${index + 1}.pdf`, content: each.content })),
    ];
    const [letter, ...enclosures] = contents.map(
      ({ file, content: bytes }): LetterFile => ({ file, pages: pagesOf(bytes), sha256: digestOf(bytes) }),
    );
    if (letter === undefined) throw new TypeError('a letter has a file');
    const address = typeof content['address'] === 'string' ? content['address'].split('\n') : [];
    const takenAt = this.options.nowMs();
    return { letter: { interactionId, company, mode, personId, isCertified, address, letter, enclosures, takenAt }, contents };
  }

  #due(letters: readonly Letter[], isLast: boolean): readonly (readonly Letter[])[] {
    const sorted = letters.toSorted((one, other) => one.takenAt - other.takenAt || (one.interactionId < other.interactionId ? -1 : 1));
    const { letters: most, seconds } = this.options;
    const batches: Letter[][] = [];
    for (let at = 0; at < sorted.length; at += most) batches.push(sorted.slice(at, at + most));
    const isOld = (batch: readonly Letter[]): boolean => this.options.nowMs() - (batch[0]?.takenAt ?? 0) >= seconds * 1000;
    return batches.filter((batch) => isLast || batch.length >= most || isOld(batch));
  }

  async #close(group: string, letters: readonly Letter[]): Promise<void> {
    const [first] = letters;
    if (first === undefined) return;
    const { company, mode } = first;
    const digest = digestOf(
      letters
        .flatMap(({ interactionId, letter, enclosures }) => [interactionId, letter, ...enclosures].map((part) => JSON.stringify(part)))
        .join('\n'),
    );
    const createdAt = new Date(this.options.nowMs()).toISOString();
    const name = `${createdAt.replace(/[-:]|\.\d{3}/g, '')}-${company}-${mode}-${digest.slice(0, 8)}`;
    const named = letters.map(({ interactionId, personId }) => ({ interactionId, personId }));
    await this.#files.record({ name, company, mode, createdAt, digest, letters: named, sentAt: null });
    for (const letter of letters) {
      this.#batched.add(keyOf(letter));
      this.#waiting.get(group)?.delete(keyOf(letter));
    }
  }

  async #send(): Promise<void> {
    const again = new Set(await this.#files.takeAgain());
    for (const batch of await this.#files.batches()) {
      if (batch.sentAt === null || again.has(batch.name)) await this.#put(batch);
      else if (this.options.nowMs() - Date.parse(batch.sentAt) > limits.lettersKeptMs) await this.#drop(batch);
      if (again.has(batch.name)) await this.#files.doneAgain(batch.name);
    }
  }

  /** What was erased since the batch was closed does not leave. */
  async #put(batch: BatchRecord): Promise<void> {
    const letters = await this.#lettersOf(batch);
    const { name, company, mode, createdAt, digest } = batch;
    const files = this.#files;
    const manifest = {
      batch: name,
      company,
      mode,
      createdAt,
      digest,
      letters: letters.map(({ interactionId, letter, enclosures, isCertified, address }) => ({
        interactionId,
        ...letter,
        certified: isCertified,
        address,
        enclosures,
      })),
    };
    await this.options.target.put({
      name,
      manifest: Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`),
      files: () => contentsOf(files, letters),
    });
    await files.record({ ...batch, sentAt: new Date(this.options.nowMs()).toISOString() });
  }

  async #lettersOf({ company, mode, letters }: BatchRecord): Promise<readonly Letter[]> {
    const found = await Promise.all(
      letters.map(({ interactionId, personId }) => this.#files.letter({ company, mode, personId }, interactionId)),
    );
    return found.filter((letter) => letter !== undefined);
  }

  async #drop(batch: BatchRecord): Promise<void> {
    for (const letter of await this.#lettersOf(batch)) await this.#files.drop(letter);
    await this.#files.dropBatch(batch);
    for (const { interactionId } of batch.letters) this.#batched.delete(keyOf({ ...batch, interactionId }));
  }

  /** Locks the folder and reads what lies there; again where that has failed. */
  #open(): Promise<FolderLock> {
    this.#opened ??= this.#read().catch((cause: unknown) => {
      this.#opened = null;
      throw cause;
    });
    return this.#opened;
  }

  async #read(): Promise<FolderLock> {
    const lock = await lockFolder(this.options.folder);
    for (const batch of await this.#files.batches())
      for (const { interactionId } of batch.letters) this.#batched.add(keyOf({ ...batch, interactionId }));
    for (const letter of await this.#files.letters()) if (!this.#isTaken(keyOf(letter))) this.#wait(letter);
    return lock;
  }

  #wait(letter: Letter): void {
    const group = `${letter.mode}/${letter.company}`;
    this.#waiting.set(group, (this.#waiting.get(group) ?? new Map<string, Letter>()).set(keyOf(letter), letter));
  }

  #isTaken(key: string): boolean {
    return this.#batched.has(key) || [...this.#waiting.values()].some((letters) => letters.has(key));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#running.then(work);
    this.#running = done.catch(() => undefined); // the caller gets the error
    return done;
  }
}

async function* contentsOf(
  files: LetterFolder,
  letters: readonly Letter[],
): AsyncIterable<{ readonly file: string; readonly content: Buffer }> {
  for (const each of letters)
    for (const file of [each.letter, ...each.enclosures]) yield { file: file.file, content: await files.contentOf(each, file) };
}

const keyOf = ({ mode, company, interactionId }: Pick<Letter, 'mode' | 'company' | 'interactionId'>): string =>
  `${mode}/${company}/${interactionId}`;

/** Objects of pages (ISO 32000-1, 7.7.3.3); 1 where they are compressed. */
const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 1;
