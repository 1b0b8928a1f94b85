import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Answer,
  type AnswerBounds,
  type AskedTable,
  type AskedTables,
  type FileSection,
  type KeptGroup,
  type ParquetFile,
  QuestionFailed,
  type SectionBounds,
  type TableGroup,
  type ViewBatch,
  type ViewStore,
} from '../ports.js';
import { type EncryptedFiles, eraseKeptViews, KeptViews, type KeptViewsOptions } from './kept-views.js';
import { type Ask, DATABASE_FOLDER, type Request, type Response } from './messages.js';

interface Waiting {
  resolve(answer: unknown): void;
  reject(cause: Error): void;
  readonly timer: NodeJS.Timeout;
}

/** Longest wait beside what a question may take itself, in milliseconds: past it the process is ended, and comes again empty. */
const GRACE_MS = 30_000;
/** How long the sections of a Parquet file may take to become one, in milliseconds, and the size of its pieces. */
const MERGE_MS = 300_000;
const PIECE_BYTES = 4 * 1024 * 1024;
/** How long the tables of a database may take to be kept, or to be read again, in milliseconds. */
const KEEP_MS = 600_000;
/** Memory of JavaScript in the process, in MB; each database has its own bound. */
const HEAP_MB = 512;
/** The service goes first where there is not enough for both. */
const NICE = 10;
const OWN_FOLDER = { recursive: true, mode: 0o700 } as const;

export interface QuestionStoreOptions {
  /** Files on their way to the service, which have personal data in clear. Nobody else uses it; what a killed service left is removed. */
  readonly folder: string;
  /** Where databases outlive the service; absent: nowhere. */
  readonly kept?: KeptViewsOptions;
  report(level: 'info' | 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>): void;
}

/** The views in a process of their own, which comes with the first question and is ended by its id. */
export class QuestionStore implements ViewStore {
  #child: ChildProcess | null = null;
  #generation = 0;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();
  #isClosed = false;
  readonly #kept: KeptViews | null;
  #erasures = 0;

  constructor(private readonly options: QuestionStoreOptions) {
    this.#clear();
    this.#kept =
      options.kept === undefined
        ? null
        : new KeptViews(options.kept, (message, cause) => options.report('warn', message, { cause: String(cause) }));
  }

  /** Another one: what was put before is gone. */
  get generation(): number {
    return this.#generation;
  }

  async open(database: string): Promise<void> {
    await this.#ask({ type: 'open', database });
  }

  async add(database: string, group: TableGroup): Promise<void> {
    await this.#ask({ type: 'add', database, group });
  }

  put(database: string, batch: ViewBatch): Promise<void> {
    return this.#ask<void>({ type: 'put', database, batch });
  }

  count(database: string, group: string): Promise<number> {
    return this.#ask<number>({ type: 'count', database, group });
  }

  async drop(database: string): Promise<void> {
    if (this.#child !== null) await this.#ask({ type: 'drop', database });
  }

  get erasures(): number {
    return this.#erasures;
  }

  allKept(): readonly KeptGroup[] {
    return this.#kept?.all() ?? [];
  }

  async keep(about: KeptGroup, erasures: number): Promise<boolean> {
    const kept = this.#kept;
    if (kept === null) return true;
    if (this.#erasures !== erasures) return false;
    const { database, group } = about;
    let files: EncryptedFiles | null = null;
    try {
      files = kept.begin(database, group);
      await this.#ask({ type: 'keep', database, group, files }, KEEP_MS);
      if (this.#erasures === erasures) {
        kept.finish(files, about);
        return true;
      }
    } catch (cause) {
      if (!this.#isClosed && this.#erasures === erasures)
        this.options.report('warn', 'Views could not be kept for the next start, which will fill them again.', { cause: String(cause) });
    }
    if (files !== null) kept.discard(files);
    return this.#erasures === erasures;
  }

  async restore(database: string, group: string): Promise<boolean> {
    const files = this.#kept?.find(database, group) ?? null;
    if (files === null) return false;
    try {
      await this.#ask({ type: 'restore', database, group, files }, KEEP_MS);
      return true;
    } catch (cause) {
      const isOver = cause instanceof QuestionFailed && cause.type === 'closed';
      if (!isOver) this.dropKept(database, group);
      if (!this.#isClosed)
        this.options.report('warn', 'Views that were kept cannot be read; they are filled again.', { cause: String(cause) });
      return false;
    }
  }

  dropKept(database: string, group: string): void {
    this.#kept?.erase(database, group);
  }

  eraseKept(): void {
    this.#erasures += 1;
    if (this.options.kept !== undefined) eraseKeptViews(this.options.kept.folder);
  }

  check(tables: readonly AskedTable[], sql: string): Promise<AskedTables> {
    return this.#ask<AskedTables>({ type: 'check', tables, sql });
  }

  ask(database: string, sql: string, bounds: AnswerBounds): Promise<Answer> {
    return this.#ask<Answer>({ type: 'ask', database, sql, ...bounds }, bounds.limitMs);
  }

  parquet(database: string, sql: string, bounds: AnswerBounds): Promise<ParquetFile> {
    return this.#ask<ParquetFile>({ type: 'parquet', database, sql, ...bounds }, bounds.limitMs);
  }

  section(database: string, sql: string, bounds: SectionBounds): Promise<FileSection> {
    return this.#ask<FileSection>({ type: 'section', database, sql, ...bounds }, bounds.limitMs);
  }

  async *merged(sections: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    await mkdir(this.options.folder, OWN_FOLDER);
    const folder = await mkdtemp(join(this.options.folder, 'merge-'));
    try {
      const paths: string[] = [];
      for await (const section of sections) {
        const path = join(folder, `${paths.length}.parquet`);
        await writeFile(path, section);
        paths.push(path);
      }
      const whole = join(folder, 'whole.parquet');
      await this.#ask({ type: 'merge', sections: paths, whole }, MERGE_MS);
      const read: AsyncIterable<Uint8Array> = createReadStream(whole, { highWaterMark: PIECE_BYTES });
      yield* read;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child !== null) await this.#end(child);
    this.#clear();
  }

  #clear(): void {
    rmSync(this.options.folder, { recursive: true, force: true });
  }

  /** Rows that a process which was killed had on their way, in clear. */
  #clearDatabases(): void {
    const { folder } = this.options;
    try {
      for (const name of existsSync(folder) ? readdirSync(folder) : [])
        if (name.startsWith(DATABASE_FOLDER)) rmSync(join(folder, name), { recursive: true, force: true });
    } catch (cause) {
      this.options.report('error', 'Files of a process of the views that has ended cannot be removed.', { cause: String(cause) });
    }
  }

  async #end(child: ChildProcess): Promise<void> {
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.ref();
    child.kill('SIGKILL');
    await ended;
  }

  /** `Result`: what the process answers to that. */
  #ask<Result>(ask: Ask, limitMs = 0): Promise<Result> {
    if (this.#isClosed) return Promise.reject(new QuestionFailed('closed', 'The service is closing.'));
    const child = (this.#child ??= this.#start());
    const id = this.#next++;
    const answer = this.#answerTo<Result>({ id, type: ask.type, limitMs: limitMs + GRACE_MS }, child);
    child.ref();
    child.channel?.ref();
    // No function made here may use `ask`: rows that wait for their answer would stay in memory.
    child.send({ id, ask } satisfies Request, (cause) => {
      if (cause) this.#settle(id)?.reject(new QuestionFailed('closed', 'The process of the views is gone.'));
    });
    return answer;
  }

  #answerTo<Result>({ id, type, limitMs }: { id: number; type: Ask['type']; limitMs: number }, child: ChildProcess): Promise<Result> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.options.report('warn', 'A question did not end in its time; the process of the views is started again.', { type });
        child.kill('SIGKILL');
      }, limitMs);
      timer.unref();
      this.#waiting.set(id, { resolve, reject, timer });
    });
  }

  #start(): ChildProcess {
    this.#generation += 1;
    mkdirSync(this.options.folder, OWN_FOLDER);
    this.#clearDatabases();
    const child = fork(fileURLToPath(new URL('./question-process.js', import.meta.url)), [this.options.folder], {
      env: {},
      cwd: '/',
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (response: Response) => {
      const waiting = this.#settle(response.id);
      if ('fault' in response) waiting?.reject(new QuestionFailed(response.fault.type, response.fault.message));
      else waiting?.resolve(response.answer);
    });
    child.on('error', (cause) => this.options.report('error', 'The process of the views has failed.', { cause: String(cause) }));
    child.on('exit', (code, signal) => {
      if (this.#child === child) this.#child = null;
      this.#clearDatabases();
      if (!this.#isClosed) this.options.report('warn', 'The process of the views has ended.', { code, signal });
      for (const id of [...this.#waiting.keys()])
        this.#settle(id)?.reject(new QuestionFailed('closed', 'The process of the views has ended.'));
    });
    if (child.pid !== undefined) setPriority(child.pid, NICE);
    this.options.report('info', 'The process of the views was started.', { process: child.pid });
    return child;
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return undefined;
    clearTimeout(waiting.timer);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) {
      // Nobody waits for it: it keeps no process alive.
      this.#child?.unref();
      this.#child?.channel?.unref();
    }
    return waiting;
  }
}
