import { must } from '../../../engine/index.js';
import { LIMITS } from '../limits.js';
import { Packer } from './packer.js';
import { readPacked } from './read-packed.js';

/** The names of an object's properties in their order, and a number that stands for them. */
export interface Form {
  readonly number: number;
  readonly names: readonly string[];
  /** Makes an object of the form out of as many values, read one after the other. */
  read(values: ValueReader): Readonly<Record<string, unknown>>;
}

interface ValueReader {
  value(): unknown;
}

/** A way through names: those that may come next, and the form of an object that ends here. */
interface Step {
  readonly next: Map<string, Step>;
  form: KnownForm | null;
}

/**
 * What is stored of actors, as msgpack but for objects, which lie as the number of their form and their values. Most of an actor are
 * names that all others of its kind have too. The forms of a store are stored beside what was packed with them.
 */
export class Forms {
  readonly #forms: KnownForm[] = [];
  readonly #start: Step = newStep();
  readonly #packer = new Packer(this);

  get count(): number {
    return this.#forms.length;
  }

  /** A view that stays as it is. */
  pack(value: unknown): Uint8Array {
    return this.#packer.begin().value(value).end();
  }

  unpack(bytes: Uint8Array): unknown {
    return readPacked(bytes, this);
  }

  packForms(): Uint8Array {
    return new Packer()
      .begin()
      .value(this.#forms.map(({ names }) => names))
      .end();
  }

  unpackForms(bytes: Uint8Array): void {
    for (const names of readPacked(bytes) as readonly (readonly string[])[]) {
      this.#formAt(
        names.reduce((step, name) => stepTo(step, name), this.#start),
        () => names,
      );
    }
  }

  /** The form of an object. Null where it has names of its own, which are no form: too many of them, or more than others have. */
  of(object: object): Form | null {
    let step = this.#start;
    let count = 0;
    for (const name in object) {
      if ((count += 1) > LIMITS.formNames) return null;
      const next = step.next.get(name);
      if (next !== undefined) step = next;
      else if (this.#forms.length < LIMITS.forms) step = stepTo(step, name);
      else return null;
    }
    return step.form ?? this.#newForm(step, object);
  }

  at(number: number): Form {
    return must(this.#forms[number], `no form ${number} is known`);
  }

  #newForm(step: Step, object: object): Form | null {
    return this.#forms.length < LIMITS.forms ? this.#formAt(step, () => Object.keys(object)) : null;
  }

  #formAt(step: Step, names: () => readonly string[]): Form {
    if (step.form === null) this.#forms.push((step.form = new KnownForm(this.#forms.length, names())));
    return step.form;
  }
}

const newStep = (): Step => ({ next: new Map(), form: null });

function stepTo(step: Step, name: string): Step {
  const known = step.next.get(name);
  if (known !== undefined) return known;
  const next = newStep();
  step.next.set(name, next);
  return next;
}

type Read = (values: ValueReader) => Readonly<Record<string, unknown>>;

class KnownForm implements Form {
  #reads = 0;
  #compiled: Read | null = null;

  constructor(
    readonly number: number,
    readonly names: readonly string[],
  ) {}

  /** An object that is made at once takes half of the time of one to which properties are added. */
  read(values: ValueReader): Readonly<Record<string, unknown>> {
    if (this.#compiled === null && (this.#reads += 1) > LIMITS.formReads) this.#compiled = compiled(this.names);
    if (this.#compiled !== null) return this.#compiled(values);
    return Object.fromEntries(this.names.map((name) => [name, values.value()]));
  }
}

/** `values => ({ "a": values.value(), … })`. A name in brackets is a property, whatever it is called. */
const compiled = (names: readonly string[]): Read =>
  // oxlint-disable-next-line typescript/no-implied-eval -- made of names as JSON writes them; reads in a tenth of the time
  new Function(
    'values',
    `return {${names.map((name) => `${name === '__proto__' ? `["${name}"]` : JSON.stringify(name)}: values.value()`).join()}};`,
  ) as Read;
