import { setImmediate as others, setTimeout as pause } from 'node:timers/promises';
import { must } from '../../engine/index.js';
import type { Tenant } from '../kernel/fact.js';
import { type AskedEngine, ServiceCalls } from '../kernel/jobs/service-calls.js';
import type { AsOf } from '../loan/index.js';
import type { ListResult } from '../wire.js';
import { Batches } from './batches.js';
import { type FeedItem, PAST_QUERY, type PastQuery } from './feed.js';
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
/** Series of parts of a cluster that are read at the same time: a page is short, and its way to a worker and back takes as long. */
const SERIES = 4;
/** Of one section: rows of its answer, and how long that may take, in milliseconds. */
const BOUNDS = { mostRows: 1_000_000, limitMs: 300_000 };
/** The database of the sections, whose tables each section fills again. */
const DATABASE = 'section';

/** Behind which loan of which part of the cluster a section begins. */
interface Position {
  /** Of the part. */
  readonly shard: number;
  /** Null: with the first loan. */
  readonly after: string | null;
  /** Of the part that is the last one to be read from here; absent: the last of all. */
  readonly through?: number;
}

/** A position for each series of parts: these are read at the same time. */
type SectionCursor = readonly Position[];

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
  /** A shard of each part of the cluster; of one process any shard. */
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
  #rows = 0;
  #hasFailed = false;

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
    const next = await this.#read(from ?? positionsIn(this.parts.shards));
    await this.#batches.finish();
    return next;
  }

  async #read(from: SectionCursor): Promise<SectionCursor | null> {
    const most = Math.ceil(this.#most / from.length);
    const reading = from.map((position) => this.#series(position, most));
    await Promise.allSettled(reading); // or a page on its way would come into the tables of the next section
    const next = (await Promise.all(reading)).filter((position) => position !== null);
    return next.length === 0 ? null : next;
  }

  /** Where the series goes on behind so many loans. */
  async #series(position: Position, most: number): Promise<Position | null> {
    try {
      return await this.#readFrom(position, most);
    } catch (cause) {
      this.#hasFailed = true;
      throw cause;
    }
  }

  async #readFrom(position: Position, most: number): Promise<Position | null> {
    const { shards } = this.parts;
    let { shard, after } = position;
    let left = most;
    for (;;) {
      const begun = performance.now();
      const { items, hasMore } = await this.#page(shard, after, left);
      left -= items.length;
      for (const { rows } of items) for (const ofView of rows) this.#rows += ofView.length;
      await this.#batches.gather(items);
      after = items.at(-1)?.id ?? after;
      if (!hasMore || items.length === 0) {
        const following = shard === position.through ? undefined : shards[shards.indexOf(shard) + 1];
        if (following === undefined) return null;
        [shard, after] = [following, null];
      }
      if (left <= 0 || this.#rows >= SECTION_ROWS || this.#hasFailed) return { ...position, shard, after };
      await leaveTime(performance.now() - begun);
    }
  }

  async #page(shard: number, after: string | null, left: number): Promise<ListResult<FeedItem>> {
    const { tenant, seesPersonalData, columns, asOf, period } = this.asked;
    const query: PastQuery = {
      limit: Math.min(PAGE, left),
      views: this.#views.map(({ name }) => name),
      seesPersonalData,
      columns,
      asOf,
      ...(period === undefined ? {} : { period }),
      ...(after === null ? {} : { startingAfter: after }),
    };
    const calls = new ServiceCalls(this.parts.asked, tenant);
    return calls.query<ListResult<FeedItem>>(PAST_QUERY, null, query, { shard: String(shard) });
  }
}

/** Where a file begins: the parts in series of equal length. */
function positionsIn(shards: readonly number[]): SectionCursor {
  const count = Math.min(SERIES, shards.length);
  const at = (series: number): number => Math.floor((series * shards.length) / count);
  const partAt = (index: number): number => must(shards[index], 'each series has a part');
  return Array.from({ length: count }, (_, series) => ({ shard: partAt(at(series)), after: null, through: partAt(at(series + 1) - 1) }));
}

async function leaveTime(tookMs: number): Promise<void> {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.floor(tookMs * PAUSE_PARTS));
  if (pauseMs > 0) await pause(pauseMs);
  else await others();
}
