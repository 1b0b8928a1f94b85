import { Context, Drop, type Emitter, filters, type Liquid } from 'liquidjs';
import { RenderBudget } from './budget.js';
import { lastFourText, maskText, phoneText } from './formats.js';
import type { Template } from './parse-template.js';
import type { RenderOptions } from './render.js';
import {
  escapeHtml,
  failLimit,
  isList,
  isObject,
  Markup,
  plainCopy,
  type PlainObject,
  propertyOf,
  TEMPLATE_LIMITS,
  TemplateFault,
  textOf,
  type Value,
} from './values.js';

/** One rendering, with what it has cost so far. */
export class Rendering {
  readonly variables: PlainObject;
  readonly #budget: RenderBudget;
  #items = 0;
  #depth = 1;

  constructor(readonly options: RenderOptions) {
    this.#budget = options.budget ?? new RenderBudget();
    this.variables = plainCopy(options.context, (characters) => this.spend(characters));
  }

  spend(characters: number): void {
    this.#budget.spend(characters);
  }

  step(): void {
    this.spend(TEMPLATE_LIMITS.stepCost);
  }

  countItem(): void {
    this.#items++;
    if (this.#items > TEMPLATE_LIMITS.loopTurns) failLimit(`The loops of a template go over ${TEMPLATE_LIMITS.loopTurns} items at most.`);
  }

  /** Renders what an included template prints. */
  *within<Result>(inner: Generator<unknown, Result>): Generator<unknown, Result> {
    this.#depth++;
    if (this.#depth > TEMPLATE_LIMITS.includeDepth)
      failLimit(`Templates include one another ${TEMPLATE_LIMITS.includeDepth} deep at most.`);
    const result = yield* inner;
    this.#depth--;
    return result;
  }

  templateNamed(name: string): Template {
    this.countItem();
    const found = this.options.templateNamed?.(name);
    if (found === undefined) throw new TemplateFault('template', `There is no template ${name} to include.`);
    return found;
  }

  /** A rendered text, which must not be escaped again. */
  made(text: string): Value {
    this.spend(bounded(text).length);
    return this.options.output === 'html' ? new Markup(text) : text;
  }
}

/** The text, if it is not too long. */
export const bounded = (text: string): string => (text.length > TEMPLATE_LIMITS.outputLength ? failLimit('The text is too long.') : text);

/** Collects the output of a template, up to its limit. */
export class Printer implements Emitter {
  buffer = '';

  write(text: unknown): void {
    this.buffer += typeof text === 'string' ? text : '';
    if (this.buffer.length > TEMPLATE_LIMITS.outputLength)
      failLimit(`A template prints ${TEMPLATE_LIMITS.outputLength} characters at most.`);
  }
}

/** Properties of a loop that templates may read. */
const LOOP_NAMES: ReadonlySet<unknown> = new Set(['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length']);

/**
 * The context in which the library reads variables: own properties of plain data only. The library reports each statement and its output to
 * limiters, which count for the rendering.
 */
export class RenderingContext extends Context {
  constructor(
    readonly rendering: Rendering,
    liquid: Liquid,
    scope: object = Object.create(null),
    parent?: Context,
  ) {
    const {
      variables,
      options: { undefinedVariables },
    } = rendering;
    // A condition and `default` may read missing variables even in a strict rendering: Liquid has no other way to test for them.
    const options = { ...liquid.options, lenientIf: true };
    const given = {
      sync: true,
      globals: variables,
      strictVariables: undefinedVariables === 'strict',
      ownPropertyOnly: true,
      renderLimit: TEMPLATE_LIMITS.clock,
    };
    super(
      scope,
      options,
      given,
      parent === undefined ? { liquid } : { liquid, memoryLimit: parent.memoryLimit, renderLimit: parent.renderLimit },
    );
    if (parent === undefined) this.#count();
  }

  #count(): void {
    const { rendering, renderLimit, memoryLimit } = this;
    const checkClock = renderLimit.check.bind(renderLimit);
    renderLimit.check = (now) => {
      rendering.step();
      checkClock(now);
    };
    memoryLimit.use = (characters) => rendering.spend(characters);
  }

  override spawn(scope: object = {}): Context {
    const liquid: Liquid = this.liquid;
    return new RenderingContext(this.rendering, liquid, scope, this);
  }

  override readProperty(of: unknown, key: unknown): unknown {
    this.rendering.step();
    const name = key instanceof Markup ? key.html : key;
    if (of === null || of === undefined) return of;
    if (of instanceof Drop && !(of instanceof Markup)) return this.#propertyOfDrop(of, name);
    const value = of instanceof Markup || isList(of) || isObject(of) || typeof of === 'string' ? propertyOf(of, name) : undefined;
    if (typeof value === 'string') this.rendering.spend(value.length / TEMPLATE_LIMITS.charactersARead);
    return value;
  }

  #propertyOfDrop(of: Drop, name: unknown): unknown {
    if (name === 'super') return superOf(of, this);
    return typeof name === 'string' && LOOP_NAMES.has(name) ? super.readProperty(of, name) : undefined;
  }
}

/** The output of the block that this block replaces. */
function* superOf(block: Drop, context: RenderingContext): Generator<unknown, Value> {
  const text: unknown = yield Context.prototype.readProperty.call(context, block, 'super');
  return typeof text === 'string' ? context.rendering.made(text) : undefined;
}

export function renderingOf(context: Context): Rendering {
  if (context instanceof RenderingContext) return context.rendering;
  throw new Error('a template is rendered in a context of its own');
}

/** The context of a filter, from the object on which the library calls it. */
export function contextOf(filter: unknown): Context {
  if (typeof filter === 'object' && filter !== null && 'context' in filter && filter.context instanceof Context) return filter.context;
  throw new Error('a filter is called in a context');
}

/** The last step of each output. */
export function shown(value: Value, context: Context): string {
  const rendering = renderingOf(context);
  const text = textOf(value);
  rendering.spend(text.length);
  return bounded(rendering.options.output === 'text' || value instanceof Markup ? text : escapeHtml(text));
}

/** What a filter knows about the rendering. */
export interface FilterCall {
  readonly context: Context;
  readonly rendering: Rendering;
  /** The object on which the library calls its own filters. */
  readonly self: unknown;
}

export type Apply = (value: Value, args: readonly Value[], call: FilterCall) => unknown;

export interface Filter {
  /** The least and the most arguments that it takes. */
  readonly arguments: readonly [least: number, most: number];
  /** Arguments that are given by name. */
  readonly named?: readonly string[];
  /** Only the service puts it into templates. */
  readonly isInner?: true;
  readonly apply: Apply;
}

/** A filter of the library. */
export function libraryFilter(name: string): (call: FilterCall, ...values: readonly unknown[]) => unknown {
  const filter: unknown = filters[name];
  if (typeof filter !== 'function') throw new Error(`the library has a filter ${name}`);
  return ({ self }, ...values) => Reflect.apply(filter, self, values) as unknown;
}

/** Reads a text, which counts toward the cost. */
export function readText(value: Value, { rendering }: FilterCall): string {
  const text = bounded(textOf(value));
  rendering.spend(text.length);
  return text;
}

/** A change of a text by the arguments. */
type Change = (text: string, args: readonly (string | number)[], call: FilterCall) => unknown;

/** A filter of texts: the texts and the result count toward the cost. */
const onText =
  (change: Change): Apply =>
  (value, args, call) => {
    const given = args.map((arg) => (typeof arg === 'number' ? arg : readText(arg, call)));
    const result = change(readText(value, call), given, call);
    if (typeof result === 'string') call.rendering.spend(bounded(result).length);
    return result;
  };

const own = (change: (text: string) => string): Apply => onText((text) => change(text));

const library = (name: string): Apply => {
  const filter = libraryFilter(name);
  return onText((text, args, call) => filter(call, text, ...args));
};

/** A filter that searches the text for its first argument; the cost is that of the worst case. */
const searching = (name: string): Apply => {
  const filter = libraryFilter(name);
  return onText((text, args, call) => {
    const wanted = String(args[0] ?? '');
    call.rendering.spend((text.length * wanted.length) / TEMPLATE_LIMITS.comparisonsACharacter);
    return filter(call, text, ...args);
  });
};

/** A filter that keeps markup markup. */
const trimming = (name: string): Apply => {
  const change = library(name);
  return (value, args, call) => {
    const text = change(value, args, call);
    return value instanceof Markup && typeof text === 'string' ? new Markup(text) : text;
  };
};

const split: Apply = (value, args, call) => {
  const parts = SPLIT(value, args, call);
  const count = isList(parts) ? parts.length : 0;
  call.rendering.spend(count * TEMPLATE_LIMITS.stepCost);
  return parts;
};
const SPLIT = searching('split');

const titleCase = (text: string): string =>
  text.toLowerCase().replace(/(^|[\s(-])(\p{L})/gu, (_all, before: string, letter: string) => before + letter.toUpperCase());

const escape: Apply = (value, _args, call) => (value instanceof Markup ? value : new Markup(bounded(escapeHtml(readText(value, call)))));

const newlineToBr: Apply = (value, _args, call) =>
  new Markup(bounded((value instanceof Markup ? readText(value, call) : escapeHtml(readText(value, call))).replace(/\r?\n/g, '<br>\n')));

/** Only the service makes markup. Any other value stays a text and is escaped. */
const unchanged = (value: Value): Value => value;

const NONE = [0, 0] as const;

/** Filters under the names of the interface and of Liquid. */
export const TEXT_FILTERS: readonly (readonly [name: string, filter: Filter])[] = [
  ['upcase', { arguments: NONE, apply: library('upcase') }],
  ['upper', { arguments: NONE, apply: library('upcase') }],
  ['downcase', { arguments: NONE, apply: library('downcase') }],
  ['lower', { arguments: NONE, apply: library('downcase') }],
  ['capitalize', { arguments: NONE, apply: library('capitalize') }],
  ['title', { arguments: NONE, apply: own(titleCase) }],
  ['strip', { arguments: NONE, apply: trimming('strip') }],
  ['trim', { arguments: NONE, apply: trimming('strip') }],
  ['lstrip', { arguments: NONE, apply: trimming('lstrip') }],
  ['rstrip', { arguments: NONE, apply: trimming('rstrip') }],
  ['append', { arguments: [1, 1], apply: library('append') }],
  ['prepend', { arguments: [1, 1], apply: library('prepend') }],
  ['replace', { arguments: [1, 2], apply: searching('replace') }],
  ['replace_first', { arguments: [1, 2], apply: searching('replace_first') }],
  ['remove', { arguments: [1, 1], apply: searching('remove') }],
  ['remove_first', { arguments: [1, 1], apply: searching('remove_first') }],
  ['split', { arguments: [1, 1], apply: split }],
  ['truncate', { arguments: [0, 2], apply: library('truncate') }],
  ['truncatewords', { arguments: [0, 2], apply: library('truncatewords') }],
  ['strip_html', { arguments: NONE, apply: library('strip_html') }],
  ['strip_newlines', { arguments: NONE, apply: library('strip_newlines') }],
  ['newline_to_br', { arguments: NONE, apply: newlineToBr }],
  ['url_encode', { arguments: NONE, apply: library('url_encode') }],
  ['escape', { arguments: NONE, apply: escape }],
  ['safe', { arguments: NONE, apply: unchanged }],
  ['raw', { arguments: NONE, apply: unchanged }],
  ['phone', { arguments: NONE, apply: own(phoneText) }],
  ['lastFour', { arguments: NONE, apply: own(lastFourText) }],
  ['mask', { arguments: NONE, apply: own(maskText) }],
];
