import { distance } from 'fastest-levenshtein';
import { type Fault, Refusal } from '../../actors/index.js';
import { fieldsOf, isRecord } from '../../engine/index.js';
import { once } from '../once.js';
import type { HttpRequest } from '../http/message.js';
import { LIMITS } from '../limits.js';
import { parseUrlEncoded, parseQuery } from '../wire/url-encoded.js';
import { parseJson } from '../wire/json.js';
import { bodyText, contentTypeOf, readUpload } from '../wire/upload.js';
import { coercion, type Coercion } from './coerce.js';
import { type DateTimes, dateTimesOf } from './date-times.js';
import { metaDataFaults, validate, type Validated } from './faults.js';
import type { Route } from './route.js';
import { type NamedSchemas, referredIn, type Schema, type SchemaCollection } from './schema.js';

/*
 * Unknown properties and parameters are refused: with a misspelt `dateOfBirth` data would be lost silently. The names of a type are read
 * from its schema, once for each route.
 */

/** The names that a value may have. Alternatives are merged: a name is known when one of them has it. */
interface Names {
  /** Null: the value is not an object, or an object with free names. */
  readonly known: ReadonlyMap<string, () => Names> | null;
  /** Of the values under free names, or of the items of a list. */
  readonly inside: (() => Names) | null;
}

/** @param where the kind of the value, for the text of a fault */
export type UnknownNames = (value: unknown, where: 'body' | 'query') => readonly Fault[];

/**
 * Finds names that a type does not have; null: a route without input. Returns at most `LIMITS.faults` faults.
 * @param alsoKnown a type whose names are allowed, too: an object may be sent back as it was read, and names that cannot be set are ignored
 */
function unknownNames(collection: SchemaCollection | null, alsoKnown: SchemaCollection | null = null): UnknownNames {
  if (collection === null) return (value, where) => faultsIn(value, NOTHING, '', where, []);
  const schemas = { ...alsoKnown?.components.schemas, ...collection.components.schemas };
  const anyOf = [...collection.schemas.slice(0, 1), ...(alsoKnown?.schemas ?? [])];
  const root = once(() => namesOf({ anyOf }, schemas));
  return (value, where) => faultsIn(value, root(), '', where, []);
}

const NOTHING: Names = { known: new Map(), inside: null };

function namesOf(schema: Schema, schemas: NamedSchemas): Names {
  const alternatives = alternativesOf(schema, schemas);
  const objects = alternatives.filter(
    ({ properties, additionalProperties }) => properties !== undefined || additionalProperties !== undefined,
  );
  const insides = alternatives.flatMap(({ items, additionalProperties }) => [
    ...(items === undefined ? [] : [items]),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ]);
  const isFree =
    objects.length === 0 ||
    objects.some(({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== false);
  return {
    known: isFree ? null : knownIn(objects, schemas),
    inside: insides.length === 0 ? null : once(() => namesOf({ anyOf: insides }, schemas)),
  };
}

function knownIn(objects: readonly Schema[], schemas: NamedSchemas): ReadonlyMap<string, () => Names> {
  const found = new Map<string, Schema[]>();
  for (const { properties = {} } of objects) {
    for (const [name, schema] of Object.entries(properties)) found.set(name, [...(found.get(name) ?? []), schema]);
  }
  return new Map([...found].map(([name, anyOf]) => [name, once(() => namesOf({ anyOf }, schemas))]));
}

function alternativesOf(schema: Schema, schemas: NamedSchemas): readonly Schema[] {
  const named = schema.$ref === undefined ? undefined : referredIn(schemas, schema.$ref);
  if (named !== undefined) return alternativesOf(named, schemas);
  const options = schema.oneOf ?? schema.anyOf;
  return options === undefined ? [schema] : options.flatMap((option) => alternativesOf(option, schemas));
}

function faultsIn(value: unknown, { known, inside }: Names, path: string, where: 'body' | 'query', faults: Fault[]): readonly Fault[] {
  if (value === null || typeof value !== 'object' || faults.length >= LIMITS.faults) return faults;
  if (Array.isArray(value)) {
    if (inside !== null) value.forEach((item, index) => faultsIn(item, inside(), `${path}[${index}]`, where, faults));
    return faults;
  }
  for (const [name, part] of Object.entries(value)) {
    const partPath = path === '' ? name : `${path}.${name}`;
    const names = known === null ? inside : known.get(name);
    if (names === undefined) faults.push(unknownAt(partPath, name, [...(known?.keys() ?? [])], where));
    else if (names !== null) faultsIn(part, names(), partPath, where, faults);
    if (faults.length >= LIMITS.faults) break;
  }
  return faults;
}

function unknownAt(fullPath: string, name: string, known: readonly string[], where: 'body' | 'query'): Fault {
  const path = fullPath.slice(0, LIMITS.shownNameLength);
  const what = where === 'query' ? 'parameter' : 'field';
  if (known.length === 0) return { path, expected: `no ${what}`, message: `${path} is not a ${what} of this operation` };
  const shown = name.slice(0, LIMITS.shownNameLength).toLowerCase();
  const nearest = known.reduce((best, each) => (distance(shown, each.toLowerCase()) < distance(shown, best.toLowerCase()) ? each : best));
  return {
    path,
    expected: `a known ${what}, such as ${nearest}`,
    message: `${path} is not a ${what} of this operation; the nearest is ${nearest}`,
  };
}

/** The parsed and checked parts of a request. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** Finds the zone in which a moment of a request becomes a day, by the product that the path, the body or the query names. */
export type ZoneOf = (named: Input) => Promise<string>;

const NO_FAULTS: readonly Fault[] = [];
const NO_MOMENTS: ReturnType<DateTimes> = [];

const ANY_ID = /^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\d+/;
const AN_ID = 'a service id, ext- and an external id, or digits';

/** Whether unknown names are refused, or removed before the handler. */
export type OnUnknown = 'refuse' | 'ignore';

/** Reads and checks the requests of one route. All faults of path, query and body are reported at once. */
export class Intake {
  readonly #queryCoercion: Coercion | null;
  readonly #formCoercion: Coercion | null;
  readonly #texts: ReadonlySet<string>;
  readonly #unknownInQuery: UnknownNames;
  readonly #unknownInBody: UnknownNames;
  readonly #dateTimesInQuery: DateTimes | null;
  readonly #dateTimesInBody: DateTimes | null;
  /** The result for a request without a query string, once one has come. */
  #emptyQuery: Validated | null = null;

  /** By route: what a schema says is the same in all gateways of a process. */
  static readonly #known = new WeakMap<Route, Intake>();

  /** That of a route, made with its first request: few routes of a process are ever called. */
  static of(route: Route): Intake {
    const known = Intake.#known.get(route) ?? new Intake(route);
    Intake.#known.set(route, known);
    return known;
  }

  private constructor(private readonly route: Route) {
    this.#queryCoercion = route.query ? coercion(route.query.schemas, 'commas') : null;
    this.#formCoercion = route.body ? coercion(route.body.schemas, 'repeated') : null;
    this.#texts = new Set(route.textParameters);
    this.#unknownInQuery = unknownNames(route.query?.schemas ?? null);
    this.#dateTimesInQuery = route.query ? dateTimesOf(route.query.schemas) : null;
    this.#dateTimesInBody = route.body ? dateTimesOf(route.body.schemas) : null;
    const isUpdate = route.method === 'PUT' || route.method === 'PATCH';
    this.#unknownInBody = unknownNames(route.body?.schemas ?? null, isUpdate ? (route.reply ?? null) : null);
  }

  /** Throws `Refusal` with every fault. Returns a promise only where a date-time means a day, whose zone has to be found. */
  read(
    encodedParams: Readonly<Record<string, string>>,
    request: HttpRequest,
    onUnknown: OnUnknown,
    zoneOf: ZoneOf,
  ): Input | Promise<Input> {
    const faults: Fault[] = [];
    const params = this.#params(encodedParams, faults);
    const given = this.#given(request, onUnknown, faults);
    const raw = this.#raw(request, onUnknown);
    const checked = (): Input => {
      const query = this.#query(given, faults);
      const body = this.#body({ raw, query }, onUnknown, faults);
      const [first] = faults;
      if (first === undefined) return { params, query, body };
      const message = faults.length === 1 ? `${first.message}.` : `${first.message}. See \`errors\` for ${faults.length - 1} more.`;
      throw new Refusal('validationError', message, { errors: faults.slice(0, LIMITS.faults) });
    };
    const inQuery = (given !== null && this.#dateTimesInQuery?.(given)) || NO_MOMENTS;
    const inBody = this.#dateTimesInBody?.(raw) ?? NO_MOMENTS;
    if (inQuery.length + inBody.length === 0) return checked();
    const moments = [...inQuery, ...inBody];
    return zoneOf({ params, query: given, body: raw }).then((zone) => {
      for (const moment of moments) moment.replace(zone);
      return checked();
    });
  }

  #params(encoded: Readonly<Record<string, string>>, faults: Fault[]): Record<string, string> {
    const params: Record<string, string> = {};
    for (const name in encoded) {
      const value = decoded(encoded[name] ?? '');
      const isGood = value !== undefined && value.length <= LIMITS.pathParameterLength && (this.#texts.has(name) || ANY_ID.test(value));
      if (isGood) params[name] = value;
      else faults.push({ path: name, expected: AN_ID, message: `${name} in the path must be ${AN_ID}` });
    }
    return params;
  }

  /** The query before it is checked; null where there is none. */
  #given(request: HttpRequest, onUnknown: OnUnknown, faults: Fault[]): unknown {
    if (request.queryText === '') return null;
    const given = parseQuery(request.queryText);
    if (onUnknown === 'refuse') faults.push(...this.#unknownInQuery(given, 'query'));
    return this.#queryCoercion ? this.#queryCoercion(given) : given;
  }

  #query(given: unknown, faults: Fault[]): unknown {
    if (!this.route.query || !this.#queryCoercion) return undefined;
    const { query } = this.route;
    if (given !== null) return taken(validate(query, given, 'query'), faults);
    this.#emptyQuery ??= validate(query, Object.freeze(this.#queryCoercion({})), 'query');
    return taken(this.#emptyQuery, faults);
  }

  /** The body before it is checked. An upload is not parsed. */
  #raw(request: HttpRequest, onUnknown: OnUnknown): unknown {
    if (this.route.takesFile) return readUpload(request);
    if (this.route.body && this.#formCoercion) return this.#rawBody(request, this.#formCoercion);
    return onUnknown === 'refuse' && this.#isUnasked(request) ? this.#rawBody(request, (fields) => fields) : undefined;
  }

  /** A body that the operation does not have. Those of public operations are not read: others say what is in them (RFC 8058). */
  #isUnasked({ body }: HttpRequest): boolean {
    return body.length > 0 && this.route.method !== 'GET' && this.route.permission !== 'public';
  }

  #body({ raw, query }: { readonly raw: unknown; readonly query: unknown }, onUnknown: OnUnknown, faults: Fault[]): unknown {
    if (this.route.takesFile) return raw;
    if (!this.route.body) {
      faults.push(...this.#unknownInBody(raw, 'body'));
      return undefined;
    }
    faults.push(...metaDataFaults(raw));
    if (onUnknown === 'refuse') faults.push(...this.#unknownInBody(raw, 'body'));
    const result = validate(this.route.body, raw, 'body');
    const body = taken(result, faults);
    if (faults.length > 0) faults.push(...this.#furtherFaults(raw, query, result));
    return body;
  }

  /** What the schema cannot find in the fields that it has accepted. */
  #furtherFaults(raw: unknown, query: unknown, result: Validated): readonly Fault[] {
    const { faultsOf } = this.route;
    if (faultsOf === undefined || !isRecord(raw)) return NO_FAULTS;
    const faulty = new Set((result.type === 'faulty' ? result.faults : NO_FAULTS).map(({ path }) => path.split(/[.[]/, 1)[0]));
    if (faulty.has('body')) return NO_FAULTS;
    return faultsOf(Object.fromEntries(Object.entries(raw).filter(([name]) => !faulty.has(name))), fieldsOf(query));
  }

  #rawBody(request: HttpRequest, formCoercion: Coercion): unknown {
    if (request.body.length === 0) return {};
    switch (contentTypeOf(request.headers['content-type'])) {
      case 'json':
        return parseJson(bodyText(request.body));
      case 'form':
        return formCoercion(parseUrlEncoded(bodyText(request.body)));
    }
  }
}

function taken(result: Validated, faults: Fault[]): unknown {
  if (result.type === 'valid') return result.value;
  faults.push(...result.faults);
  return undefined;
}

function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // Broken percent-encoding is reported as a fault of the parameter.
    return undefined;
  }
}
