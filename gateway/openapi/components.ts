import type { SchemaCollection } from '../routing/faults.js';
import { publicText } from './descriptions.js';

type Json = unknown;

const PREFIX = '#/components/schemas/';

/**
 * The schemas of all routes in one list. typia names a schema after its type; where two types of one name differ, the later one is named
 * with its operation.
 */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #texts = new Map<string, string>();

  /** Adds a collection, and returns its own schema with references into this document. */
  adopt(collection: SchemaCollection, operation: string): Json {
    const named = collection.components.schemas ?? {};
    const names = new Map<string, string>();
    for (const name of Object.keys(named)) names.set(name, this.#nameFor(name, named[name], operation));
    for (const [name, schema] of Object.entries(named)) {
      const own = names.get(name) ?? name;
      this.schemas[own] ??= rewrite(schema, names);
    }
    return rewrite(collection.schemas[0], names);
  }

  /** The schemas to which a part of the document refers, directly or not. Those of queries became parameters. */
  usedBy(part: Json): Readonly<Record<string, Json>> {
    const used: Record<string, Json> = {};
    const queue = referencesIn(part);
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      if (name in used || !(name in this.schemas)) continue;
      used[name] = this.schemas[name];
      queue.push(...referencesIn(this.schemas[name]));
    }
    return Object.fromEntries(Object.entries(this.schemas).filter(([name]) => name in used));
  }

  #nameFor(name: string, schema: Json, operation: string): string {
    const plain = name.replace(/[^A-Za-z0-9._-]+/g, '_').replace(/_$/, '');
    const text = JSON.stringify(schema);
    const known = this.#texts.get(plain);
    const own = known === undefined || known === text ? plain : `${operation}.${plain}`;
    this.#texts.set(own, text);
    return own;
  }
}

/**
 * Gives references their new names. Removes `readOnly`: typia takes it from TypeScript's `readonly`, which means nothing for requests and
 * replies. Replaces `oneOf` and its discriminator by `anyOf`, since alternatives of a type may overlap.
 */
function rewrite(schema: Json, names: ReadonlyMap<string, string>): Json {
  if (Array.isArray(schema)) return schema.map((part) => rewrite(part, names));
  if (schema === null || typeof schema !== 'object') return schema;
  const copy: Record<string, Json> = {};
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

const isDiscriminator = (key: string, value: Json): boolean =>
  key === 'discriminator' && value !== null && typeof value === 'object' && 'propertyName' in value;

function referencesIn(part: Json): string[] {
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX) ? [value.slice(PREFIX.length)] : referencesIn(value),
  );
}
