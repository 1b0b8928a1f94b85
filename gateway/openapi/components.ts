import typia from 'typia';
import type { NamedSchemas, Schema, SchemaCollection } from '../routing/schema.js';
import { publicText } from './descriptions.js';

const PREFIX = '#/components/schemas/';

/**
 * The schemas of all routes in one list. typia names a schema after its type; where two types of one name differ, the later one is named
 * with its operation.
 */
export class Components {
  readonly schemas: Record<string, Schema> = {};
  readonly #texts = new Map<string, string>();

  /** Adds a collection, and returns its own schema with references into this document. */
  adopt(collection: SchemaCollection, operation: string): Schema {
    const named = collection.components.schemas ?? {};
    const names = new Map<string, string>();
    for (const [name, schema] of Object.entries(named)) names.set(name, this.#nameFor(name, schema, operation));
    for (const [name, schema] of Object.entries(named)) {
      const own = names.get(name) ?? name;
      this.schemas[own] ??= assertSchema(rewrite(schema, names));
    }
    return assertSchema(rewrite(collection.schemas[0], names));
  }

  /** The schemas to which a part of the document refers, directly or not. Those of queries became parameters. */
  usedBy(part: unknown): NamedSchemas {
    const used = new Set<string>();
    const queue = referencesIn(part);
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const schema = this.schemas[name];
      if (used.has(name) || schema === undefined) continue;
      used.add(name);
      queue.push(...referencesIn(schema));
    }
    return Object.fromEntries(Object.entries(this.schemas).filter(([name]) => used.has(name)));
  }

  #nameFor(name: string, schema: Schema, operation: string): string {
    const plain = name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/_$/, '');
    const text = JSON.stringify(schema);
    const known = this.#texts.get(plain);
    const own = known === undefined || known === text ? plain : `${operation}.${plain}`;
    this.#texts.set(own, text);
    return own;
  }
}

/** What is rewritten part by part is a schema again. */
const assertSchema = typia.createAssert<Schema>();

/**
 * Gives references their new names. Removes `readOnly`: typia takes it from TypeScript's `readonly`, which means nothing for requests and
 * replies. Replaces `oneOf` and its discriminator by `anyOf`, since alternatives of a type may overlap.
 */
function rewrite(schema: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(schema)) return schema.map((part) => rewrite(part, names));
  if (schema === null || typeof schema !== 'object') return schema;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$ref' && typeof value === 'string')
      copy[key] = `${PREFIX}${names.get(value.slice(PREFIX.length)) ?? value.slice(PREFIX.length)}`;
    else if (key === 'oneOf') copy['anyOf'] = rewrite(value, names);
    else if (key === 'description' && typeof value === 'string') {
      const text = publicText(value);
      if (text !== '') copy[key] = text;
    } else if ((key !== 'readOnly' || typeof value !== 'boolean') && !isDiscriminator(key, value)) copy[key] = rewrite(value, names);
  }
  return copy;
}

const isDiscriminator = (key: string, value: unknown): boolean =>
  key === 'discriminator' && value !== null && typeof value === 'object' && 'propertyName' in value;

function referencesIn(part: unknown): string[] {
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX) ? [value.slice(PREFIX.length)] : referencesIn(value),
  );
}
