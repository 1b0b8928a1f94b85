import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Answer,
  type AnswerBounds,
  type FileSection,
  type ParquetFile,
  QuestionFailed,
  type SectionBounds,
  type TableGroup,
  type ViewBatch,
  type ViewStore,
} from '../ports.js';
import type { Ask, Request, Response } from './messages.js';

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
/** Memory of JavaScript in the process, in MB; each database has its own bound. */
const HEAP_MB = 512;
/** The service goes first where there is not enough for both. */
const NICE = 10;
const OWN_FOLDER = { recursive: true, mode: 0o700 } as const;

export interface QuestionStoreOptions {
  /** Files on their way to the service, which have personal data in clear. Nobody else uses it; what a killed service left is removed. */
  readonly folder: string;
  report(level: 'info' | 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>): void;
}

/** The views in a process of their own, which comes with the first question and is ended by its id. */
export class QuestionStore implements ViewStore {
  #child: ChildProcess | null = null;
  #generation = 0;
  #next = 1;
  readonly #waiting = new Map<number, Waiting>();
  #isClosed = false;

  constructor(private readonly options: QuestionStoreOptions) {
    this.#clear();
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

  async put(database: string, batch: ViewBatch): Promise<void> {
    await this.#ask({ type: 'put', database, batch });
  }

  count(database: string, group: string): Promise<number> {
    return this.#ask<number>({ type: 'count', database, group });
  }

  async drop(database: string): Promise<void> {
    if (this.#child !== null) await this.#ask({ type: 'drop', database });
  }

  check(tables: readonly string[], sql: string): Promise<readonly string[]> {
    return this.#ask<readonly string[]>({ type: 'check', tables, sql });
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
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.options.report('warn', 'A question did not end in its time; the process of the views is started again.', { type: ask.type });
        child.kill('SIGKILL');
      }, limitMs + GRACE_MS);
      timer.unref();
      this.#waiting.set(id, { resolve, reject, timer });
      child.ref();
      child.channel?.ref();
      child.send({ id, ask } satisfies Request, (cause) => {
        if (cause) this.#settle(id)?.reject(new QuestionFailed('closed', 'The process of the views is gone.'));
      });
    });
  }

  #start(): ChildProcess {
    this.#generation += 1;
    mkdirSync(this.options.folder, OWN_FOLDER);
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
