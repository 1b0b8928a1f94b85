import { type Fault, Refusal } from '../../actors/index.js';
import type { HttpRequest } from '../http/message.js';
import { LIMITS } from '../limits.js';
import { parseForm, parseQuery } from '../wire/form.js';
import { parseJson } from '../wire/json.js';
import { bodyText, contentTypeOf } from '../wire/content.js';
import { readUpload } from '../wire/upload.js';
import { type Coercion, coercion } from './coerce.js';
import { type DateTimes, dateTimesOf } from './date-times.js';
import { metaDataFaults, validate, type Validated } from './faults.js';
import type { Route } from './route.js';
import { type UnknownNames, unknownNames } from './unknown-names.js';

/** What a handler gets of a request. */
export interface Input {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** The zone in which a moment of a request is a day, by the path and the body that name its product. */
export type ZoneOf = (named: { readonly params: Readonly<Record<string, string>>; readonly body: unknown }) => Promise<string>;

const ANY_ID = /^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\d+/;

/** Whether names that a route does not know are refused, or left out of what its handler gets. */
export type OnUnknown = 'refuse' | 'ignore';

/** Reads and checks the requests of one route: all faults of path, query and body are told at once. */
export class Intake {
  readonly #queryCoercion: Coercion | null;
  readonly #formCoercion: Coercion | null;
  readonly #texts: ReadonlySet<string>;
  readonly #unknownInQuery: UnknownNames;
  readonly #unknownInBody: UnknownNames;
  readonly #dateTimes: DateTimes | null;
  /** What a request without a query string has, once one came. */
  #emptyQuery: Validated | null = null;

  constructor(private readonly route: Route) {
    this.#queryCoercion = route.query ? coercion(route.query.schemas, 'commas') : null;
    this.#formCoercion = route.body ? coercion(route.body.schemas, 'repeated') : null;
    this.#texts = new Set(route.textParameters);
    this.#unknownInQuery = unknownNames(route.query?.schemas ?? null);
    this.#dateTimes = route.body ? dateTimesOf(route.body.schemas) : null;
    const isUpdate = route.method === 'PUT' || route.method === 'PATCH';
    this.#unknownInBody = unknownNames(route.body?.schemas ?? null, isUpdate ? (route.reply ?? null) : null);
  }

  /** Throws `Refusal` with every fault. Waits only where a date-time stands for a day: its zone is to be found. */
  read(
    encodedParams: Readonly<Record<string, string>>,
    request: HttpRequest,
    onUnknown: OnUnknown,
    zoneOf: ZoneOf,
  ): Input | Promise<Input> {
    const faults: Fault[] = [];
    const params = this.#params(encodedParams, faults);
    const query = this.#query(request, onUnknown, faults);
    const raw = this.#raw(request);
    const checked = (): Input => {
      const body = this.#body(raw, onUnknown, faults);
      const [first] = faults;
      if (first === undefined) return { params, query, body };
      const message = faults.length === 1 ? `${first.message}.` : `${first.message}, and ${faults.length - 1} more.`;
      throw new Refusal('validationError', message, { errors: faults.slice(0, LIMITS.faults) });
    };
    const moments = this.#dateTimes?.(raw) ?? [];
    if (moments.length === 0) return checked();
    return zoneOf({ params, body: raw }).then((zone) => {
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
      else faults.push({ path: name, expected: 'a service id, ext- and an external id, or digits', message: `${name} is no id` });
    }
    return params;
  }

  #query(request: HttpRequest, onUnknown: OnUnknown, faults: Fault[]): unknown {
    const given = request.queryText === '' ? null : parseQuery(request.queryText);
    if (given !== null && onUnknown === 'refuse') faults.push(...this.#unknownInQuery(given, 'query'));
    if (!this.route.query || !this.#queryCoercion) return undefined;
    const { query } = this.route;
    if (given !== null) return taken(validate(query, this.#queryCoercion(given), 'query'), faults);
    this.#emptyQuery ??= validate(query, Object.freeze(this.#queryCoercion({})), 'query');
    return taken(this.#emptyQuery, faults);
  }

  /** The body before it is checked: an upload is what it is. */
  #raw(request: HttpRequest): unknown {
    if (this.route.takesFile) return readUpload(request);
    return this.route.body && this.#formCoercion ? this.#rawBody(request, this.#formCoercion) : undefined;
  }

  #body(raw: unknown, onUnknown: OnUnknown, faults: Fault[]): unknown {
    if (this.route.takesFile || !this.route.body) return raw;
    faults.push(...metaDataFaults(raw));
    if (onUnknown === 'refuse') faults.push(...this.#unknownInBody(raw, 'body'));
    return taken(validate(this.route.body, raw, 'body'), faults);
  }

  #rawBody(request: HttpRequest, formCoercion: Coercion): unknown {
    if (request.body.length === 0) return {};
    switch (contentTypeOf(request.headers['content-type'])) {
      case 'json':
        return parseJson(bodyText(request.body));
      case 'form':
        return formCoercion(parseForm(bodyText(request.body)));
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
    // Broken percent-encoding is told as a fault of the parameter.
    return undefined;
  }
}
