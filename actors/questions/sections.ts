import { setImmediate as others, setTimeout as pause } from 'node:timers/promises';
import { must } from '../../engine/index.js';
import type { Tenant } from '../kernel/fact.js';
import { type AskedEngine, ServiceCalls } from '../kernel/jobs/service-calls.js';
import type { AsOf } from '../loan/index.js';
import { Batches } from './batches.js';
import { type FeedPage, PAST_QUERY, type PastQuery } from './feed.js';
import type { FileSection, ViewStore } from './ports.js';
import { asRefusals } from './questions.js';
import type { Period } from './subjects.js';
import { shownColumns, type View } from './view.js';
import { borrowers, VIEWS } from './views.js';

/** Loans of a section, and the rows of its views with which it ends earlier: with the memory of one loan more they bound that of all. */
const SECTION_LOANS = 2_000;
const SECTION_ROWS = 100_000;
/** Loans that are read in one go at most; a page of dear loans ends earlier (`LIMITS.sliceMs`). Between pages others have their share. */
const PAGE = 100;
/** So many milliseconds are left to other work for each millisecond of a page, of which some have waited for others. */
const PAUSE_PARTS = 0.25;
const LONGEST_PAUSE_MS = 50;
/** Of one section: rows of its answer, and how long that may take, in milliseconds. */
const BOUNDS = { mostRows: 1_000_000, limitMs: 300_000 };
/** The database of the sections, whose tables each section fills again. */
const DATABASE = 'section';

/** Behind which loan of which unit of the cluster a section begins. `after` null: with the first one. */
interface SectionCursor {
  readonly shard: number;
  readonly after: string | null;
}

interface SectionAsked {
  readonly tenant: Tenant;
  /** Of the file: its sections follow each other. */
  readonly fileId: string;
  /** One SELECT over views of loans, whose answer about some loans is part of that about all. */
  readonly sql: string;
  readonly seesPersonalData: boolean;
  /** The columns that the SQL names, by view. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly asOf: AsOf;
  /** Of transactions; absent: all. */
  readonly period?: Period | undefined;
  readonly format: 'csv' | 'parquet';
  /** Null: the first section. */
  readonly from: SectionCursor | null;
}

interface Section extends FileSection {
  /** Where the next section begins; null: there is none. */
  readonly next: SectionCursor | null;
}

interface LoanSectionsParts {
  /** Where the loans of all shards are asked. */
  readonly asked: AskedEngine;
  /** A shard of each unit of the cluster; of one process any shard. */
  readonly shards: readonly number[];
  readonly store: ViewStore;
  readonly machineMs: () => number;
  /** Fewer loans in a section, for tests. */
  readonly sectionLoans?: (() => number | undefined) | undefined;
}

/**
 * Answers SQL over the loans of a past moment, some thousand loans at a time: a million loans need no more memory than a section. Each
 * section has tables of its own, filled with the columns that the SQL names.
 */
export class LoanSections {
  #opened: { readonly fileId: string; readonly generation: number } | null = null;

  constructor(private readonly parts: LoanSectionsParts) {}

  /** Throws `Refusal`: 422 for a section that takes too much, 503 where nobody can answer now. */
  next(asked: SectionAsked): Promise<Section> {
    return asRefusals(async () => {
      await this.#open(asked.fileId);
      const next = await new SectionFilling(this.parts, asked).fill();
      const hasHead = asked.from === null;
      return { ...(await this.parts.store.section(DATABASE, asked.sql, { ...BOUNDS, format: asked.format, hasHead })), next };
    });
  }

  /** One Parquet file of the sections of a file, in pieces. */
  merged(sections: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.parts.store.merged(sections);
  }

  /** No section of the file is asked for any more. */
  async close(fileId: string): Promise<void> {
    if (this.#opened?.fileId !== fileId) return;
    this.#opened = null;
    await asRefusals(() => this.parts.store.drop(DATABASE));
  }

  async #open(fileId: string): Promise<void> {
    const { store } = this.parts;
    if (this.#opened?.fileId === fileId && this.#opened.generation === store.generation) return;
    await store.open(DATABASE);
    this.#opened = { fileId, generation: store.generation };
  }
}

/** The tables of one section, while they are filled. */
class SectionFilling {
  readonly #views: readonly View[];
  readonly #batches: Batches;
  readonly #most: number;
  #loans = 0;
  #rows = 0;

  constructor(
    private readonly parts: LoanSectionsParts,
    private readonly asked: SectionAsked,
  ) {
    this.#most = parts.sectionLoans?.() ?? SECTION_LOANS;
    this.#batches = new Batches(
      () => ({ group: DATABASE, watermark: parts.machineMs() }),
      (batch) => parts.store.put(DATABASE, batch),
    );
    this.#views = [...VIEWS, borrowers].filter(({ name }) => name in asked.columns);
  }

  /** Where the next section begins. */
  async fill(): Promise<SectionCursor | null> {
    const { seesPersonalData, columns, from } = this.asked;
    const tables = this.#views.map((view) => ({
      name: view.name,
      columns: shownColumns(view, { seesPersonalData, names: columns[view.name] }),
    }));
    await this.parts.store.add(DATABASE, { name: DATABASE, tables });
    const next = await this.#read(from ?? { shard: must(this.parts.shards[0], 'a cluster has a part'), after: null });
    await this.#batches.finish();
    return next;
  }

  async #read(from: SectionCursor): Promise<SectionCursor | null> {
    let { shard, after } = from;
    for (;;) {
      const begun = performance.now();
      const { piece, last, hasMore } = await this.#page(shard, after);
      this.#loans += piece.actors.length;
      this.#rows += piece.rowCount;
      await this.#batches.gather(piece);
      after = last?.id ?? after;
      if (!hasMore || last === null) {
        const following = this.parts.shards[this.parts.shards.indexOf(shard) + 1];
        if (following === undefined) return null;
        [shard, after] = [following, null];
      }
      if (this.#loans >= this.#most || this.#rows >= SECTION_ROWS) return { shard, after };
      await leaveTime(performance.now() - begun);
    }
  }

  async #page(shard: number, after: string | null): Promise<FeedPage> {
    const { tenant, seesPersonalData, columns, asOf, period } = this.asked;
    const query: PastQuery = {
      limit: Math.min(PAGE, this.#most - this.#loans),
      views: this.#views.map(({ name }) => name),
      seesPersonalData,
      columns,
      asOf,
      ...(period === undefined ? {} : { period }),
      ...(after === null ? {} : { startingAfter: after }),
    };
    const calls = new ServiceCalls(this.parts.asked, tenant);
    return calls.query<FeedPage>(PAST_QUERY, null, query, { shard: String(shard) });
  }
}

async function leaveTime(tookMs: number): Promise<void> {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.floor(tookMs * PAUSE_PARTS));
  if (pauseMs > 0) await pause(pauseMs);
  else await others();
}
