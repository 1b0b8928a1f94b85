import type { Random } from '../durability/random.js';

/** Makes requests that are almost right, and some that are not requests at all, from the interface's own document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly body: Schema | null;
}

export type Schema = Readonly<Record<string, unknown>>;

export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas?: Readonly<Record<string, Schema>> };
}

interface DocumentedOperation {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export function operationsOf(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods)
    .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
    .map(([method, operation]) => ({
      method: method.toUpperCase(), path,
      query: (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      body: operation.requestBody?.content['application/json']?.schema ?? null,
    })));
}

const STRANGE_TEXTS = [
  '', ' ', '\u0000', '\ud800', '💸'.repeat(40), 'null', 'undefined', '__proto__', 'constructor', '../../etc/passwd', "' OR 1=1 --", '{{7*7}}', '<script>',
  'ext-', 'ext-💸', 'LN-AAAA-AAAA', 'LN-0000-0000', '-1', '1e999', '2026-02-30', '9999-99-99T99:99:99Z', '0x10', 'x'.repeat(5000), '\r\nX: y', '%', '%zz', 'ａ',
];

const STRANGE_VALUES: readonly unknown[] = [
  null, true, false, 0, -1, 1e15, -1e15, 0.001, 1e-9, 12.345, Number.MAX_SAFE_INTEGER, [], {}, [[]], [null], { a: { b: { c: [1] } } }, [1, 'x', null],
];

const STRANGE_BODIES = [
  '', '{', '[', '"', 'null', '[]', '"text"', '1', '{"a":}', '{"amount":1e400}', '{"amount":12345678901234567890.12}', '{"amount":0.1234567890123456789}',
  '{"__proto__":{"x":1}}', '{"a":1,"a":2}', `${'['.repeat(5000)}${']'.repeat(5000)}`, `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, '\u0000', '\ufeff{}', '{}x',
];

export class Malformer {
  constructor(private readonly random: Random, private readonly document: ApiDocument, private readonly ids: readonly string[]) {}

  attempt(operation: Operation): Attempt {
    const path = operation.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(this.#identifier()).slice(0, 3000));
    const query = this.#query(operation.query);
    const { contentType, body } = this.#body(operation);
    const method = this.#one(30) ? this.#pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) : operation.method;
    const hasBody = body !== null && method !== 'GET' && method !== 'HEAD';
    const headers: Record<string, string> = {};
    if (hasBody) headers['content-type'] = contentType;
    if (this.#one(10)) headers['idempotency-key'] = this.#pick(['k', 'k'.repeat(200), 'same', '💸'.length.toString()]);
    if (this.#one(40)) headers['x-api-version'] = this.#pick(['2023-11-29', '1999-01-01', 'x']);
    return { method, path: path + query, headers, body: hasBody ? body : null };
  }

  #query(names: readonly string[]): string {
    if (this.#one(2)) return '';
    const pairs: string[] = [];
    for (let count = this.random.below(4); count >= 0; count--) {
      const name = names.length > 0 && !this.#one(5) ? this.#pick(names) : this.#pick(['limit', 'startingAfter', 'sortBy', 'x', 'offset', 'sync']);
      const value = this.#one(2) ? this.#pick(STRANGE_TEXTS).slice(0, 400) : this.#pick(['1', '25', '100', '101', 'true', 'all', '2026-03-01', ...this.ids]);
      pairs.push(`${name}=${encodeURIComponent(value.isWellFormed() ? value : '?')}`);
    }
    return `?${pairs.join('&')}`;
  }

  #body(operation: Operation): { contentType: string; body: string | null } {
    if (this.#one(12)) return { contentType: 'application/json', body: this.#pick(STRANGE_BODIES) };
    if (this.#one(25)) return { contentType: this.#pick(['text/plain', 'application/xml', 'application/json; charset=latin1', 'multipart/form-data']), body: '{}' };
    if (this.#one(15)) return { contentType: 'application/x-www-form-urlencoded', body: 'a.b.c=1&a.b=2&x[]=1&x[]=2&amount=12.5&__proto__.x=1&a[=1&%zz=1' };
    const value = operation.body ? this.#value(operation.body, 0) : this.#pick(STRANGE_VALUES);
    return { contentType: 'application/json', body: JSON.stringify(value) };
  }

  /** A value of the schema, with a chance of something else at every place. */
  #value(schema: Schema, depth: number): unknown {
    if (depth > 6 || this.#one(14)) return this.#one(2) ? this.#pick(STRANGE_VALUES) : this.#pick(STRANGE_TEXTS);
    const resolved = this.#resolve(schema);
    const choices = (resolved['oneOf'] ?? resolved['anyOf']) as readonly Schema[] | undefined;
    if (choices) return this.#value(this.#pick(choices), depth + 1);
    const values = resolved['enum'] as readonly unknown[] | undefined;
    if (values) return this.#pick(values);
    if ('const' in resolved) return resolved['const'];
    switch (resolved['type']) {
      case 'object': return this.#object(resolved, depth);
      case 'array': return Array.from({ length: this.random.below(4) }, () => this.#value((resolved['items'] ?? {}) as Schema, depth + 1));
      case 'integer': return this.random.below(100);
      case 'number': return this.random.below(100_000) / 100;
      case 'boolean': return this.#one(2);
      case 'null': return null;
      default: return this.#text(resolved);
    }
  }

  #object(schema: Schema, depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    const required = new Set((schema['required'] ?? []) as readonly string[]);
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>)) {
      if (required.has(name) ? !this.#one(20) : this.#one(3)) object[name] = this.#value(property, depth + 1);
    }
    if (this.#one(8)) object[this.#pick(STRANGE_TEXTS)] = this.#pick(STRANGE_VALUES);
    return object;
  }

  #text(schema: Schema): string {
    if (schema['format'] === 'date') return this.#pick(['2026-03-15', '2025-12-31', '2026-02-29', '1999-01-01']);
    if (this.#one(2)) return this.#pick(this.ids);
    return this.#pick(['monday', '15', 'Ada Verde', 'a@example.com', '+15125550100', '021000021', '123456789', ...STRANGE_TEXTS]);
  }

  #identifier(): string {
    const text = this.#one(3) ? this.#pick(STRANGE_TEXTS) : this.#pick(this.ids);
    return text.isWellFormed() ? text : '?';
  }

  #resolve(schema: Schema): Schema {
    const reference = schema['$ref'];
    if (typeof reference !== 'string') return schema;
    return this.document.components.schemas?.[reference.slice(reference.lastIndexOf('/') + 1)] ?? {};
  }

  #one(times: number): boolean {
    return this.random.below(times) === 0;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.random.below(values.length)] as T;
  }
}
