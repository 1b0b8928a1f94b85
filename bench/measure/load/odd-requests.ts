import { assert, fieldOf, fieldsOf, must, recordsIn, textIn } from '../../../engine/index.js';
import type { Random } from '../import-rate.js';

/*
 * Requests with invalid values, one for each operation of the service's own document in turn: an operation that is new there is requested,
 * too.
 */

export interface Attack {
  readonly method: string;
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Operation {
  readonly method: string;
  readonly path: string;
  /** The names of the parameters of its query. */
  readonly query: readonly string[];
}

export const JSON_TYPE = { 'Content-Type': 'application/json' };

const ODD = ['@x', '%00', '-1', '1e999', 'ext-', '💥', '{"a":', '9'.repeat(300), '2026-02-30', '__proto__', '', '(((('] as const;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PARAMETER = /\{([^}]+)\}/g;

/** What a list may be asked for: of another route they are unknown names. */
const LIST_QUERY = ['startingAfter', 'limit', 'sortBy', 'status', 'offset'];

export class OddRequests {
  readonly #operations: readonly Operation[];
  #begun = 0;

  /**
   * `document`: of the service, in OpenAPI. `own`: ids for parameters of paths, of objects that exist. A request whose object does not
   * exist ends before it has cost anything.
   */
  constructor(
    document: unknown,
    private readonly own: ReadonlyMap<string, string>,
    private readonly random: Random,
  ) {
    this.#operations = inAnyOrder(operationsOf(document), random);
    assert(this.#operations.length > 0, 'the document of the service describes operations');
  }

  get operations(): number {
    return this.#operations.length;
  }

  get ownIds(): readonly string[] {
    return [...this.own.values()];
  }

  /** How many operations have been requested. */
  get requested(): number {
    return Math.min(this.#begun, this.#operations.length);
  }

  next(): Attack {
    const operation = must(this.#operations[this.#begun % this.#operations.length], 'an operation');
    this.#begun += 1;
    const query = this.#query(operation);
    const path = `${this.#path(operation)}${query === '' ? '' : `?${query}`}`;
    // Half of them get past the check of names, and fail later.
    const headers: Readonly<Record<string, string>> = this.random.below(2) === 0 ? {} : { 'Tenor-Unknown-Fields': 'ignore' };
    if (operation.method === 'GET') return { method: 'GET', path, headers };
    return { method: operation.method, path, headers: { ...headers, ...JSON_TYPE }, body: Buffer.from(this.#body()) };
  }

  /** What is deleted has an odd id, so that the objects of later requests stay. */
  #path({ method, path }: Operation): string {
    const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
    const deleted = method === 'DELETE' && path.endsWith('}') ? names.at(-1) : undefined;
    return path.replace(PARAMETER, (_, name: string) => (name === deleted ? undefined : this.own.get(name)) ?? (this.#odd() || '-'));
  }

  #query({ query }: Operation): string {
    const names = this.random.below(4) === 0 ? LIST_QUERY.slice(this.random.below(5)) : query.filter(() => this.random.below(3) === 0);
    return names.map((name) => `${encodeURIComponent(name)}=${this.#odd()}`).join('&');
  }

  #body(): string {
    const odd = JSON.stringify(this.random.pick(ODD));
    return this.random.pick([
      '{}',
      `{"a":${odd},"amount":1e400,"items":[[[{}]]]}`,
      `{"id":${odd},"name":${odd},"type":${odd},"status":${odd},"amount":-1,"date":${odd},"items":[[[{}]]]}`,
    ]);
  }

  #odd(): string {
    return encodeURIComponent(this.random.pick(ODD));
  }
}

function operationsOf(document: unknown): readonly Operation[] {
  return Object.entries(fieldsOf(fieldOf(document, 'paths'))).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = fieldOf(item, method);
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, query: queryNamesOf(operation, document) }];
    }),
  );
}

function queryNamesOf(operation: unknown, document: unknown): readonly string[] {
  const shared = fieldOf(fieldOf(document, 'components'), 'parameters');
  return recordsIn(operation, 'parameters')
    .map((parameter) => {
      const reference = textIn(parameter, '$ref');
      return reference === undefined ? parameter : fieldOf(shared, reference.slice(reference.lastIndexOf('/') + 1));
    })
    .filter((parameter) => textIn(parameter, 'in') === 'query')
    .map((parameter) => must(textIn(parameter, 'name'), 'a parameter has a name'));
}

function inAnyOrder<Item>(items: readonly Item[], random: Random): readonly Item[] {
  return items
    .map((item) => ({ item, place: random.below(1_000_000) }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
