import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import typia from 'typia';
import { type QuestionAnswer, VIEWS } from '../../actors/index.js';
import { csvLine } from '../../engine/index.js';
import { type RunningService, ServiceFailure } from './commands/running-service.js';
import { UsageError } from './lookups.js';

/** A file of an export, and what is in it. */
interface ExportedView {
  readonly view: string;
  readonly file: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly bytes: number;
  /** Of the file as it is, lower-case hexadecimal. */
  readonly sha256: string;
  /** Everything that was recorded before is in it. */
  readonly watermark: string;
}

/** `manifest.json`: it is written last, so a folder that has it is whole. */
export interface ExportManifest {
  readonly version: 1;
  readonly company: string;
  readonly mode: string;
  readonly format: 'csv.gz';
  readonly createdAt: string;
  /** The earliest of its files. */
  readonly watermark: string;
  readonly files: readonly ExportedView[];
  /** Views that no question answers, such as one with more rows than fit, and why. */
  readonly refused: readonly RefusedView[];
}

interface RefusedView {
  readonly view: string;
  readonly message: string;
}

type Progress = Pick<ExportManifest, 'company' | 'mode' | 'files'>;

const isManifest = typia.createIs<ExportManifest>();
const isProgress = typia.createIs<Progress>();

const MANIFEST = 'manifest.json';
/** What is done of an export that is not whole. */
const PROGRESS = 'progress.json';

/** Rows of one question: an answer is one text of JSON. The service answers with 100,000 at most. */
const ROWS_AT_ONCE = 25_000;
const MOST_ROWS_AT_ONCE = 100_000;
/** Questions about one view. */
const MOST_PARTS = 65_536;

/** A service that cannot answer now is asked again. */
const AGAIN_MS = 2_000;
const PATIENCE_MS = 1_800_000;

/** What all rows about one subject have in common: they are in one answer, as they were at one moment. */
const SUBJECTS = { company: null, person: 'person_id', loan: 'loan_id', case: 'case_id', interaction: 'interaction_id', event: 'event_id' };

export const EXPORTED_VIEWS = VIEWS.map(({ name }) => name);

/**
 * Writes views into a folder, a compressed file each and a manifest with their rows and digests. An export that was stopped goes on with
 * the view that was not done; one that is whole is left as it is. Throws `UsageError` for a folder with anything else.
 */
export class ViewExport {
  constructor(
    private readonly service: RunningService,
    private readonly folder: string,
    private readonly report: (line: string) => void,
  ) {}

  async run(views: readonly string[]): Promise<ExportManifest> {
    const whole = this.#read(MANIFEST, isManifest);
    if (whole !== null) {
      this.report(`${this.folder} has a whole export of ${whole.createdAt} already.`);
      return whole;
    }
    const { company, mode } = await this.#source();
    const done = this.#begun({ company, mode });
    const refused: RefusedView[] = [];
    for (const view of views) {
      if (done.some((file) => file.view === view)) continue;
      const file = await this.#write(view).catch((cause: unknown) => refusalOf(view, cause));
      if ('message' in file) {
        this.report(`${view} is not written: ${file.message}`);
        refused.push(file);
        continue;
      }
      this.report(`${view}: ${file.rows} rows`);
      done.push(file);
      this.#keep(PROGRESS, { company, mode, files: done });
    }
    const files = views.flatMap((view) => done.filter((file) => file.view === view));
    const watermark = files.reduce((first, file) => (file.watermark < first ? file.watermark : first), files[0]?.watermark ?? '');
    const createdAt = new Date().toISOString();
    const manifest: ExportManifest = { version: 1, company, mode, format: 'csv.gz', createdAt, watermark, files, refused };
    this.#keep(MANIFEST, manifest);
    rmSync(join(this.folder, PROGRESS));
    return manifest;
  }

  async #source(): Promise<Omit<Progress, 'files'>> {
    const { rows } = await this.#ask('SELECT company_id, mode FROM v_companies');
    const [[company, mode] = []] = rows;
    return { company: String(company), mode: String(mode) };
  }

  /** The files that are done, in the order in which they were written. */
  #begun(source: Omit<Progress, 'files'>): ExportedView[] {
    mkdirSync(this.folder, { recursive: true });
    const progress = this.#read(PROGRESS, isProgress);
    if (progress === null) {
      if (readdirSync(this.folder).length > 0)
        throw new UsageError(`${this.folder} has files that are of no export: name an empty folder.`);
      this.#keep(PROGRESS, { ...source, files: [] });
      return [];
    }
    if (progress.company !== source.company || progress.mode !== source.mode)
      throw new UsageError(`${this.folder} has the begin of an export of ${progress.company} (${progress.mode}): name another folder.`);
    return [...progress.files];
  }

  async #write(view: string): Promise<ExportedView> {
    const parts = await this.#partsOf(view);
    const written: { rows: number; columns: readonly string[]; watermark: string } = { rows: 0, columns: [], watermark: '' };
    const lines = async function* (this: ViewExport): AsyncIterable<string> {
      for (const where of parts) {
        const { columns, rows, asOf } = await this.#ask(`SELECT * FROM ${view}${where}`);
        if (written.watermark === '') {
          Object.assign(written, { columns, watermark: asOf });
          yield `${csvLine(columns)}\r\n`;
        }
        written.rows += rows.length;
        yield rows.map((row) => `${csvLine(row.map((cell) => (cell === null ? '' : String(cell))))}\r\n`).join('');
      }
    };
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        hash.update(chunk);
        bytes += chunk.length;
        next(null, chunk);
      },
    });
    const file = `${view}.csv.gz`;
    const path = join(this.folder, file);
    await pipeline(Readable.from(lines.call(this)), createGzip(), counted, createWriteStream(`${path}.part`));
    renameSync(`${path}.part`, path);
    return { view, file, ...written, bytes, sha256: hash.digest('hex') };
  }

  /** The conditions of questions that have all rows of a view together, and each at most as many as one answer has. */
  async #partsOf(view: string): Promise<readonly string[]> {
    const subject = SUBJECTS[VIEWS.find(({ name }) => name === view)?.kind ?? 'company'];
    if (subject === null) return [''];
    const { rows } = await this.#ask(`SELECT count(*) FROM ${view}`);
    let parts = Math.max(1, Math.ceil(Number(rows[0]?.[0]) / ROWS_AT_ONCE));
    for (; parts <= MOST_PARTS; parts *= 2) {
      const largest = await this.#ask(`SELECT max(n) FROM (SELECT count(*) AS n FROM ${view} GROUP BY hash(${subject}) % ${parts})`);
      if (Number(largest.rows[0]?.[0] ?? 0) <= MOST_ROWS_AT_ONCE / 2)
        return Array.from({ length: parts }, (_, part) => ` WHERE hash(${subject}) % ${parts} = ${part}`);
    }
    throw new UsageError(`${view} has more than ${MOST_ROWS_AT_ONCE / 2} rows about one ${subject}, which no answer has room for.`);
  }

  async #ask(sql: string): Promise<QuestionAnswer> {
    for (const begun = performance.now(); ; ) {
      try {
        return await this.service.post<QuestionAnswer>('/questions', { sql });
      } catch (cause) {
        if (!(cause instanceof ServiceFailure) || !isForNow(cause) || performance.now() - begun > PATIENCE_MS) throw cause;
      }
      await pause(AGAIN_MS);
    }
  }

  #read<Content>(name: string, isContent: (value: unknown) => value is Content): Content | null {
    const path = join(this.folder, name);
    if (!existsSync(path)) return null;
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isContent(value)) throw new UsageError(`${path} is of no export: name another folder.`);
    return value;
  }

  /** As a whole or not at all. */
  #keep(name: string, content: object): void {
    const path = join(this.folder, name);
    writeFileSync(`${path}.part`, `${JSON.stringify(content, null, 2)}\n`);
    renameSync(`${path}.part`, path);
  }
}

/** Another fault than a refusal of the view is none of the export's. */
function refusalOf(view: string, cause: unknown): RefusedView {
  if (cause instanceof UsageError) return { view, message: cause.message };
  throw cause;
}

/** Views that take long to be filled: the answer is 408 or 503 until they are. */
const isForNow = ({ message, mayPass }: ServiceFailure): boolean => mayPass || / 408: /.test(message);
