import { assert } from '../../../engine/index.js';
import type { ActorPart, ReadPart } from '../../kernel/actor.js';
import { EvictablePart, type PartCodec } from '../../kernel/snapshots/evictable-part.js';
import { Packer } from '../../kernel/journal/packer.js';
import { readPacked } from '../../kernel/journal/read-packed.js';

/** How the facts of one product are packed for snapshots. */
export interface FactCodec<Stored> {
  pack(stored: Stored): unknown;
  /** `index`: its position in the list, from 0. */
  unpack(packed: unknown, index: number): Stored;
}

/** The facts in a snapshot: those that fill no page; full pages are stored separately. */
export interface PackedFacts {
  readonly pages: number;
  readonly rest: readonly unknown[];
}

/** Facts in a page: the facts after the last full page are packed again with each snapshot of the loan. */
const PAGE_FACTS = 128;

const packer = new Packer();

type Page = EvictablePart<Uint8Array>;

const BYTES: PartCodec<Uint8Array> = {
  read(value) {
    assert(value instanceof Uint8Array, 'a page is stored as bytes');
    return Uint8Array.from(value);
  },
  stored: (bytes) => bytes,
};

/**
 * The facts of a loan's ledger in the order of recording. The list only grows at its end, so a full page never changes. A full page is
 * packed as bytes by the first snapshot, and is read from the snapshots when it is needed: by a replay, an old fact's reader, a takeover.
 * What happens at the present end of a loan needs none.
 */
export class FactList<Stored> {
  #pages: readonly Page[] = [];
  #rest: Stored[] = [];
  #lastPage: WeakRef<{ readonly page: Page; readonly facts: readonly Stored[] }> | null = null;
  #readLast: WeakRef<{ readonly pages: readonly Page[]; readonly facts: readonly Stored[] }> | null = null;

  constructor(private readonly codec: FactCodec<Stored>) {}

  static unpack<Stored>(codec: FactCodec<Stored>, { pages, rest }: PackedFacts, part: ReadPart): FactList<Stored> {
    const list = new FactList(codec);
    list.#pages = Array.from({ length: pages }, (_, page) => EvictablePart.stored(pageName(page), part, BYTES));
    list.#rest = rest.map((packed, at) => codec.unpack(packed, pages * PAGE_FACTS + at));
    return list;
  }

  get length(): number {
    return this.#pages.length * PAGE_FACTS + this.#rest.length;
  }

  push(stored: Stored): void {
    this.#rest.push(stored);
  }

  /** By its position, from 0. */
  at(index: number): Stored | undefined {
    const page = this.#pages[Math.floor(index / PAGE_FACTS)];
    return page === undefined ? this.#rest[index - this.#pages.length * PAGE_FACTS] : this.#pageOf(page, index)[index % PAGE_FACTS];
  }

  /** All of them. The array is the caller's only for a moment: it may grow. */
  all(): readonly Stored[] {
    return this.#pages.length === 0 ? this.#rest : [...this.#paged(), ...this.#rest];
  }

  /** The facts from a position on; reads no earlier pages. */
  from(index: number): readonly Stored[] {
    const first = Math.min(this.#pages.length, Math.floor(index / PAGE_FACTS));
    const paged = this.#pages.slice(first).flatMap((page, at) => this.#pageOf(page, (first + at) * PAGE_FACTS));
    return [...paged, ...this.#rest].slice(index - first * PAGE_FACTS);
  }

  /** The facts of all pages, read once for one request. */
  #paged(): readonly Stored[] {
    const known = this.#readLast?.deref();
    if (known?.pages === this.#pages) return known.facts;
    const facts = this.#pages.flatMap((page, at) => this.#unpacked(page, at * PAGE_FACTS));
    this.#readLast = new WeakRef({ pages: this.#pages, facts });
    return facts;
  }

  /** The last fact that passes; reads no pages before it. */
  findLast(passes: (stored: Stored) => boolean): Stored | undefined {
    for (let page = this.#pages.length; page >= 0; page -= 1) {
      const bytes = this.#pages[page];
      const found = (bytes === undefined ? this.#rest : this.#pageOf(bytes, page * PAGE_FACTS)).findLast(passes);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Those that pass, for a reader: it is not stored. */
  among(passes: (stored: Stored) => boolean): FactList<Stored> {
    const all = this.all();
    const passing = all.filter(passes);
    if (passing.length === all.length) return this;
    const list = new FactList(this.codec);
    list.#rest = passing;
    return list;
  }

  /** For a preview or a pending read: full pages are shared. */
  copy(): FactList<Stored> {
    const copy = new FactList(this.codec);
    copy.#pages = this.#pages;
    copy.#rest = [...this.#rest];
    return copy;
  }

  /** For a snapshot. Packs new full pages as bytes. */
  pack(): PackedFacts {
    if (this.#rest.length >= PAGE_FACTS) {
      const full = Math.floor(this.#rest.length / PAGE_FACTS);
      const made = Array.from({ length: full }, (_, at) => {
        const bytes = this.#packed(this.#rest.slice(at * PAGE_FACTS, (at + 1) * PAGE_FACTS));
        return EvictablePart.made(pageName(this.#pages.length + at), bytes, BYTES);
      });
      this.#pages = [...this.#pages, ...made];
      this.#rest = this.#rest.slice(full * PAGE_FACTS);
    }
    return { pages: this.#pages.length, rest: this.#rest.map((stored) => this.codec.pack(stored)) };
  }

  /** The full pages as of the last `pack`. */
  parts(): readonly ActorPart[] {
    return this.#pages;
  }

  #packed(facts: readonly Stored[]): Uint8Array {
    packer.begin().array(facts.length);
    for (const stored of facts) packer.value(this.codec.pack(stored));
    return Uint8Array.from(packer.end()); // a copy: the packer's buffer is used again
  }

  /** Keeps the page that was read last: the next fact is mostly of the same page. */
  #pageOf(page: Page, index: number): readonly Stored[] {
    const known = this.#lastPage?.deref();
    if (known?.page === page) return known.facts;
    const facts = this.#unpacked(page, index - (index % PAGE_FACTS));
    this.#lastPage = new WeakRef({ page, facts });
    return facts;
  }

  #unpacked(page: Page, first: number): readonly Stored[] {
    const facts = readPacked(page.content);
    assert(Array.isArray(facts), 'a page holds facts');
    return facts.map((packed: unknown, at) => this.codec.unpack(packed, first + at));
  }
}

const pageName = (page: number): string => `facts-${page}`;
