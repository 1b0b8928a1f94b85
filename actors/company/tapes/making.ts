import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Day } from '../../../engine/index.js';
import type { Tenant } from '../../kernel/fact.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { FilePgp } from '../pgp.js';
import type { TapeMadeBody, TapeSectionBody } from './commands.js';
import { IDENTITY } from './fields.js';
import { hasIdentity } from './tape-type.js';
import { seesPersonalData, type TapeAsked, tapeSelect } from './sql.js';
import type { TapeCursor, TapeFileState, TapeTerms } from './tape-file.js';
import type { TapeFileWork } from './view.js';

/** A file that is longer under way lets others go first, in milliseconds. */
const STEP_MS = 5_000;
/** Sections of a file: of 2,000 loans each they are ten million. */
const MOST_SECTIONS = 5_000;
/** A piece of a file in the store of contents that is not a section, in bytes. */
const PIECE_BYTES = 4 * 1024 * 1024;
/** How the name of a zip ends. Its one file has the name without it. */
export const ZIP_ENDING = '.zip';
/** Largest file that is encrypted, since it is in memory for that. */
const MOST_SEALED_BYTES = 128 * 1024 * 1024;

interface SectionOfFile {
  readonly content: Uint8Array;
  readonly rowCount: number;
  readonly next: TapeCursor | null;
}

/** Who answers SQL over loans of the past, section by section. Throws `Refusal`. */
interface TapeSections {
  next(asked: {
    readonly tenant: Tenant;
    readonly fileId: string;
    readonly sql: string;
    readonly seesPersonalData: boolean;
    readonly columns: Readonly<Record<string, readonly string[]>>;
    readonly asOf: { readonly day: Day; readonly knownAt: number };
    readonly period?: { readonly from: Day; readonly through: Day } | undefined;
    readonly format: 'csv' | 'parquet';
    readonly from: TapeCursor | null;
  }): Promise<SectionOfFile>;
  merged(sections: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  close(fileId: string): Promise<void>;
}

interface TapeContents {
  put(content: Uint8Array): Promise<OpenContent>;
  get(content: OpenContent): Promise<Uint8Array>;
  drop(contentId: string): Promise<void>;
}

/** The one file of a zip. */
interface ZipEntry {
  readonly name: string;
  /** Milliseconds. */
  readonly modifiedAt: number;
}

export interface TapeMakingParts {
  readonly sections: TapeSections;
  readonly contents: TapeContents;
  /** Reads no more of the content than it has packed, but for a few pieces. The same content gives the same zip. */
  zip(entry: ZipEntry, content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  readonly outside: { readonly pgp: Pick<FilePgp, 'seal'>; isFault(cause: unknown): cause is Error };
}

/** A file that is to be made, and how. */
interface TapeToMake {
  readonly tenant: Tenant;
  readonly state: TapeFileState;
  readonly terms: TapeTerms;
  readonly name: string;
  /** The receiver's; null: the file leaves in clear. */
  readonly publicKey: string | null;
  readonly goesOn: () => boolean;
}

/** `failed`: why it cannot be made. */
export type Step = { readonly type: 'made' } | { readonly type: 'unfinished' } | { readonly type: 'failed'; readonly why: string };

const UNFINISHED: Step = { type: 'unfinished' };

/**
 * Makes one file. Each section is stored, then recorded with the place where the next one begins: a process that goes on after another has
 * died repeats no row that is recorded, and leaves none out. A row is the same whenever it is computed: a file has one day and one moment.
 */
export class TapeMaking {
  readonly #asked: TapeAsked;

  constructor(
    private readonly parts: TapeMakingParts,
    private readonly calls: ServiceCalls,
    private readonly file: TapeToMake,
  ) {
    const { terms, state, tenant } = file;
    const { type, investorId, daysOfData } = terms;
    this.#asked = { type, investorId, daysOfData: new Map(daysOfData), companyId: tenant.company, reportDay: state.reportDay };
  }

  /** Some sections, and all that follows behind the last one. */
  async step(): Promise<Step> {
    // The settings of the order may be older than those of the tape.
    if (hasIdentity(this.#asked.type) && this.file.publicKey === null)
      return { type: 'failed', why: `A file with ${IDENTITY} leaves encrypted alone: the tape has no publicKey.` };
    const until = performance.now() + STEP_MS;
    const { state, goesOn } = this.file;
    const last = state.sections.at(-1);
    if (last?.next !== null && !(await this.#areAllRecorded(last?.next ?? null, () => goesOn() && performance.now() < until)))
      return UNFINISHED;
    const work = await this.calls.query<TapeFileWork>('loanTapeFile.work', state.id);
    if (work.state.sections.at(-1)?.next !== null)
      return { type: 'failed', why: `The file has more than ${MOST_SECTIONS} sections of loans.` };
    await this.parts.sections.close(state.id);
    return this.#finished(work);
  }

  /** Whether all sections are recorded that a file may have. One is read while the one before is stored. */
  async #areAllRecorded(first: TapeCursor | null, goesOn: () => boolean): Promise<boolean> {
    let reading: Promise<SectionOfFile> | null = this.#read(first);
    try {
      for (let count = this.file.state.sections.length; reading !== null && count < MOST_SECTIONS; count += 1) {
        const section: SectionOfFile = await reading;
        const isOver = !goesOn();
        reading = section.next === null || isOver ? null : this.#read(section.next);
        reading?.catch(() => undefined); // it is waited for below
        await this.#record(section, count);
        if (isOver && section.next !== null) return false;
      }
      return true;
    } finally {
      await reading?.catch(() => undefined); // two sections cannot be read at once
    }
  }

  #read(from: TapeCursor | null): Promise<SectionOfFile> {
    const { tenant, state } = this.file;
    const { type } = this.#asked;
    return this.parts.sections.next({
      tenant,
      fileId: state.id,
      ...tapeSelect(this.#asked),
      seesPersonalData: seesPersonalData(type),
      asOf: { day: state.reportDay, knownAt: state.knownAt ?? state.createdAt },
      format: isParquet(type) ? 'parquet' : 'csv',
      from,
    });
  }

  async #record({ content, rowCount, next }: SectionOfFile, after: number): Promise<void> {
    const { type } = this.#asked;
    // The first one names the columns, whether it has rows or not.
    const isKept = rowCount > 0 || after === 0;
    const packed = isKept && !isParquet(type) ? await this.#packed(content) : content;
    const stored = isKept ? await this.parts.contents.put(packed) : null;
    const body: TapeSectionBody = { rowCount, bytes: isKept ? packed.length : 0, content: stored, next, after };
    await this.calls.command({ type: 'loanTapeFile.section', target: this.file.state.id, body });
  }

  /** Gzip of several members, one behind the other, is gzip. */
  async #packed(content: Uint8Array): Promise<Uint8Array> {
    return this.#asked.type.compressionType === 'gzip' ? zipped(content) : content;
  }

  async #finished({ state, sections }: TapeFileWork): Promise<Step> {
    const { contents } = this.parts;
    const rowCount = state.sections.reduce((sum, section) => sum + section.rowCount, 0);
    const pieces = await this.#pieces(sections);
    if (typeof pieces === 'string') return { type: 'failed', why: pieces };
    const hash = createHash('sha256');
    const stored: OpenContent[] = [];
    let bytes = 0;
    for await (const piece of pieces) {
      if (!this.file.goesOn()) return UNFINISHED;
      hash.update(piece);
      bytes += piece.length;
      if (!this.#leavesInSections) stored.push(await contents.put(piece));
    }
    const { name } = this.file;
    const body: TapeMadeBody = { name, rowCount, bytes, sha256: hash.digest('hex'), pieces: this.#leavesInSections ? null : stored };
    await this.calls.command({ type: 'loanTapeFile.made', target: state.id, body });
    if (!this.#leavesInSections) for (const { contentId } of sections) await contents.drop(contentId);
    return { type: 'made' };
  }

  get #leavesInSections(): boolean {
    const { type } = this.#asked;
    return !isParquet(type) && type.compressionType !== 'zip' && this.file.publicKey === null;
  }

  /** What leaves, in pieces. A text: why it cannot be encrypted. */
  async #pieces(sections: readonly OpenContent[]): Promise<AsyncIterable<Uint8Array> | string> {
    const clear = this.#clear(sections);
    const { publicKey } = this.file;
    return publicKey === null ? clear : this.#sealed(clear, publicKey);
  }

  async *#clear(sections: readonly OpenContent[]): AsyncIterable<Uint8Array> {
    const { type } = this.#asked;
    const { name, state } = this.file;
    const stored = this.#stored(sections);
    const content = isParquet(type) ? this.parts.sections.merged(stored) : stored;
    if (type.compressionType === 'zip') {
      const entry = { name: name.slice(0, -ZIP_ENDING.length), modifiedAt: state.createdAt };
      yield* gathered(this.parts.zip(entry, content));
    } else if (isParquet(type)) for await (const piece of content) yield await this.#packed(piece);
    else yield* content;
  }

  async *#stored(sections: readonly OpenContent[]): AsyncIterable<Uint8Array> {
    for (const section of sections) yield await this.parts.contents.get(section);
  }

  /** Encrypted once: it is these bytes that leave, however often they are put. */
  async #sealed(clear: AsyncIterable<Uint8Array>, publicKey: string): Promise<AsyncIterable<Uint8Array> | string> {
    const { outside } = this.parts;
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of clear) {
      bytes += piece.length;
      if (bytes > MOST_SEALED_BYTES) return `The file has more than ${MOST_SEALED_BYTES} bytes; no larger one can be encrypted.`;
      pieces.push(piece);
    }
    try {
      return cut(await outside.pgp.seal(Buffer.concat(pieces), { publicKey, signingKey: null }));
    } catch (cause) {
      if (!outside.isFault(cause)) throw cause;
      return cause.message;
    }
  }
}

const isParquet = ({ tapeOutputFormat }: TapeTerms['type']): boolean => tapeOutputFormat === 'Parquet';

const zipped = promisify(gzip);

/** Small pieces as larger ones. */
async function* gathered(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of content) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

async function* cut(content: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield await Promise.resolve(content.subarray(at, at + PIECE_BYTES));
}
