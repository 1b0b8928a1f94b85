import { Context, Drop, type Emitter, type Liquid } from 'liquidjs';
import { TEMPLATE_LIMITS } from './limits.js';
import type { RenderOptions } from './render.js';
import type { Template } from './template.js';
import { failLimit, TemplateFault } from './template-error.js';
import { escapeHtml, isList, isObject, Markup, type PlainObject, plainCopy, propertyOf, textOf, type Value } from './values.js';

/** One rendering, with what it has cost so far. */
export class Rendering {
  readonly variables: PlainObject;
  #cost = 0;
  #turns = 0;
  #depth = 1;

  constructor(readonly options: RenderOptions) {
    this.variables = plainCopy(options.context);
  }

  spend(characters: number): void {
    if (!(characters > 0)) return;
    this.#cost += characters;
    if (this.#cost > TEMPLATE_LIMITS.cost) failLimit('The template computes too much.');
  }

  step(): void {
    this.spend(TEMPLATE_LIMITS.stepCost);
  }

  turn(): void {
    this.#turns++;
    if (this.#turns > TEMPLATE_LIMITS.loopTurns) failLimit(`The loops of a template go over ${TEMPLATE_LIMITS.loopTurns} items at most.`);
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
    this.turn();
    const found = this.options.templateNamed?.(name);
    if (found === undefined) throw new TemplateFault('template', `There is no template ${name} to include.`);
    return found;
  }

  /** What was rendered is not escaped a second time. */
  made(text: string): Value {
    this.spend(bounded(text).length);
    return this.options.output === 'html' ? new Markup(text) : text;
  }
}

/** A text that is not too long. */
export const bounded = (text: string): string => (text.length > TEMPLATE_LIMITS.outputLength ? failLimit('The text is too long.') : text);

/** What a template prints, up to its limit. */
export class Printer implements Emitter {
  buffer = '';

  write(text: unknown): void {
    this.buffer += typeof text === 'string' ? text : '';
    if (this.buffer.length > TEMPLATE_LIMITS.outputLength)
      failLimit(`A template prints ${TEMPLATE_LIMITS.outputLength} characters at most.`);
  }
}

/** What templates may read of a loop. */
const LOOP_NAMES: ReadonlySet<unknown> = new Set(['index', 'index0', 'rindex', 'rindex0', 'first', 'last', 'length']);

/**
 * How the library reads variables here: nothing but own properties of plain data, whatever it asks for. It reports each statement and what
 * it makes to its limiters, which count for the rendering.
 */
export class RenderingContext extends Context {
  constructor(
    readonly rendering: Rendering,
    liquid: Liquid,
    scope: object = Object.create(null) as object,
    parent?: Context,
  ) {
    const {
      variables,
      options: { undefinedVariables },
    } = rendering;
    // A condition and `default` may ask for what is missing, also where it is refused otherwise: Liquid has no other way to ask.
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
    return new RenderingContext(this.rendering, this.liquid as Liquid, scope, this);
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

/** What the block that this one replaces prints. */
function* superOf(block: Drop, context: RenderingContext): Generator<unknown, Value> {
  const text: unknown = yield Context.prototype.readProperty.call(context, block, 'super');
  return typeof text === 'string' ? context.rendering.made(text) : undefined;
}

export function renderingOf(context: Context): Rendering {
  if (context instanceof RenderingContext) return context.rendering;
  throw new Error('a template is rendered in a context of its own');
}

/** The context of a filter, by what the library calls it on. */
export function contextOf(filter: unknown): Context {
  if (typeof filter === 'object' && filter !== null && 'context' in filter && filter.context instanceof Context) return filter.context;
  throw new Error('a filter is called in a context');
}

/** The last thing that happens to each output. */
export function shown(value: Value, context: Context): string {
  const rendering = renderingOf(context);
  const text = textOf(value);
  rendering.spend(text.length);
  return bounded(rendering.options.output === 'text' || value instanceof Markup ? text : escapeHtml(text));
}
