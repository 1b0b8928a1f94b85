import { must } from '../../../engine/index.js';
import { LIMITS } from '../limits.js';
import { Packer } from './packer.js';
import type { KeyValue } from '../ports.js';
import { readPacked, readStored, type StoredValue, type Use } from './read-packed.js';

/** The names of an object's properties in their order, and the number that stands for them. */
export interface RecordShape {
  readonly number: number;
  readonly names: readonly string[];
  /** Builds an object of this shape from as many values, read one after the other. */
  read(values: ValueReader): Readonly<Record<string, unknown>>;
}

interface ValueReader {
  value(): unknown;
}

/** A node of the tree of names: the names that may come next, and the shape that ends here. */
interface Step {
  readonly next: Map<string, Step>;
  shape: KnownShape | null;
}

/**
 * Packs stored actors as msgpack, with each object as the number of its shape and its values: most of an actor are names that all others of
 * its kind have too. The shapes of a store are stored beside what was packed with them.
 */
export class RecordShapes {
  readonly #shapes: KnownShape[] = [];
  readonly #start: Step = newStep();
  readonly #packer = new Packer(this);

  get count(): number {
    return this.#shapes.length;
  }

  /** A view that does not change. */
  pack(value: unknown): Uint8Array {
    return this.#packer.begin().value(value).end();
  }

  unpack(bytes: Uint8Array): unknown {
    return readPacked(bytes, this);
  }

  /** What a store has under a key. */
  storedIn<Packed>(store: Pick<KeyValue, 'look'>, key: string, use: Use = 'kept'): StoredValue<Packed> | undefined {
    return store.look(key, (bytes) => readStored<Packed>(bytes, this, use));
  }

  packShapes(): Uint8Array {
    return new Packer()
      .begin()
      .value(this.#shapes.map(({ names }) => names))
      .end();
  }

  unpackShapes(bytes: Uint8Array): void {
    for (const names of readPacked<readonly (readonly string[])[]>(bytes)) {
      this.#shapeAt(
        names.reduce((step, name) => stepTo(step, name), this.#start),
        () => names,
      );
    }
  }

  /** The shape of an object. Null for an object with names of its own: too many of them, or names beyond the limit of shapes. */
  of(object: object): RecordShape | null {
    let step = this.#start;
    let count = 0;
    for (const name in object) {
      if ((count += 1) > LIMITS.shapeNames) return null;
      const next = step.next.get(name);
      if (next !== undefined) step = next;
      else if (this.#shapes.length < LIMITS.recordShapes) step = stepTo(step, name);
      else return null;
    }
    return step.shape ?? this.#newShape(step, object);
  }

  at(number: number): RecordShape {
    return must(this.#shapes[number], `no shape ${number} is known`);
  }

  #newShape(step: Step, object: object): RecordShape | null {
    return this.#shapes.length < LIMITS.recordShapes ? this.#shapeAt(step, () => Object.keys(object)) : null;
  }

  #shapeAt(step: Step, names: () => readonly string[]): RecordShape {
    if (step.shape === null) this.#shapes.push((step.shape = new KnownShape(this.#shapes.length, names())));
    return step.shape;
  }
}

const newStep = (): Step => ({ next: new Map(), shape: null });

function stepTo(step: Step, name: string): Step {
  const known = step.next.get(name);
  if (known !== undefined) return known;
  const next = newStep();
  step.next.set(name, next);
  return next;
}

type Read = (values: ValueReader) => Readonly<Record<string, unknown>>;

class KnownShape implements RecordShape {
  #reads = 0;
  #compiled: Read | null = null;

  constructor(
    readonly number: number,
    readonly names: readonly string[],
  ) {}

  /** Building an object at once takes half the time of adding its properties one by one. */
  read(values: ValueReader): Readonly<Record<string, unknown>> {
    if (this.#compiled === null && (this.#reads += 1) > LIMITS.shapeReads) this.#compiled = compiled(this.names);
    if (this.#compiled !== null) return this.#compiled(values);
    return Object.fromEntries(this.names.map((name) => [name, values.value()]));
  }
}

/** `values => ({ "a": values.value(), … })`. A name in brackets is an ordinary property, whatever it is. */
function compiled(names: readonly string[]): Read {
  const values = names.map((name) => `${name === '__proto__' ? `["${name}"]` : JSON.stringify(name)}: values.value()`);
  // oxlint-disable-next-line typescript/no-implied-eval -- made of names as JSON writes them; reads in a tenth of the time
  const built = new Function('values', `return {${values.join()}};`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its text is that of such a function
  return built as Read;
}
