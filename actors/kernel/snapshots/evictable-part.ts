import { must } from '../../../engine/index.js';
import type { ActorPart, ReadPart } from '../actor.js';

/** How the content of a part is made from its stored value, and the reverse. */
export interface PartCodec<Content extends object> {
  /** The value is a view of a larger buffer: the content copies what it keeps. */
  read(value: unknown): Content;
  stored(content: Content): object;
}

/**
 * A part whose content memory need not keep. Once a snapshot has stored it, memory holds it weakly: the garbage collector may remove it,
 * and the next reader reads the same content from the snapshots. So the memory of an old actor does not grow with its age.
 *
 * A part of the same name replaces it in the snapshots. Copies of the actor may still need the replaced one, so `pin` keeps its content in
 * memory for as long as a copy refers to it.
 */
export class EvictablePart<Content extends object> implements ActorPart {
  #held: Content | null = null;
  #known: WeakRef<Content> | null = null;
  #read: ReadPart | null = null;
  #isPinned = false;

  private constructor(
    readonly name: string,
    private readonly codec: PartCodec<Content>,
  ) {}

  /** A part that no snapshot has. */
  static made<Content extends object>(name: string, content: Content, codec: PartCodec<Content>): EvictablePart<Content> {
    const part = new EvictablePart(name, codec);
    part.#held = content;
    return part;
  }

  /** A part that `read` gives at any time. */
  static stored<Content extends object>(name: string, read: ReadPart, codec: PartCodec<Content>): EvictablePart<Content> {
    const part = new EvictablePart(name, codec);
    part.#read = read;
    return part;
  }

  get version(): object {
    return this;
  }

  get value(): object {
    return this.codec.stored(this.content);
  }

  /** Reads the snapshots if the content is not in memory. */
  get content(): Content {
    const known = this.#held ?? this.#known?.deref();
    if (known !== undefined) return known;
    const read = this.codec.read(must(this.#read, `a part that is not in memory is stored: ${this.name}`)(this.name));
    this.#known = new WeakRef(read);
    return read;
  }

  evict(read: ReadPart): void {
    if (this.#isPinned) return;
    this.#read = read;
    if (this.#held !== null) this.#known = new WeakRef(this.#held);
    this.#held = null;
  }

  /** Keeps the content in memory: the snapshots will have another part of this name. */
  pin(): void {
    this.#held = this.content;
    this.#isPinned = true;
  }
}
