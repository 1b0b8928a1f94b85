import {
  AssignTag,
  BlockTag,
  BreakTag,
  CaptureTag,
  CaseTag,
  CommentTag,
  type Context,
  ContinueTag,
  CycleTag,
  defaultOperators,
  type Emitter,
  ForTag,
  IfTag,
  IncludeTag,
  InlineCommentTag,
  LayoutTag,
  Liquid,
  type Operators,
  type Parser,
  RawTag,
  RenderTag,
  type Template as Statement,
  type TagToken,
  type TopLevelToken,
  UnlessTag,
  Variable,
} from 'liquidjs';
import { FILTERS, metered } from './filters.js';
import type { Template } from './parse-template.js';
import { contextOf, type Rendering, renderingOf, shown } from './rendering.js';
import { failSyntax, isList, plainOf, TEMPLATE_LIMITS, textOf, type Value, weightOf } from './values.js';

/** Counts one item of a loop. It is the first statement of the loop's body. */
class CountedItem implements Statement {
  constructor(readonly token: TagToken) {}

  render(context: Context): void {
    renderingOf(context).countItem();
  }
}

const LOOP_OPTIONS: ReadonlySet<string> = new Set(['limit', 'offset', 'reversed']);

class BoundedFor extends ForTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    for (const option of Object.keys(this.hash.hash))
      if (!LOOP_OPTIONS.has(option)) failSyntax(`A loop has no ${option}: limit, offset and reversed may stand behind its list`);
    this.templates.unshift(new CountedItem(token));
  }
}

class MarkupCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, Value>;
    scope[this.variable] = renderingOf(context).made(textOf(scope[this.variable]));
  }
}

/** The name of an included template is a literal, so that all variables are known before the rendering. */
function refuseComputedName(name: string | undefined): void {
  if (name === undefined) failSyntax('The name of a template stands in quotes');
}

class BoundedInclude extends IncludeTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    refuseComputedName(this.partialScope()?.name);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void> {
    yield* renderingOf(context).within(super.render(context, emitter));
  }
}

class BoundedRender extends RenderTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    refuseComputedName(this.partialScope()?.name);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown, void> {
    yield* renderingOf(context).within(super.render(context, emitter));
  }
}

class BoundedLayout extends LayoutTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    refuseComputedName(this.partialScope()?.name);
  }

  override *render(context: Context, emitter: Emitter): Generator<unknown> {
    return yield* renderingOf(context).within(super.render(context, emitter));
  }
}

const BLOCK_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

class NamedBlock extends BlockTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    if (!BLOCK_NAME.test(token.args) || token.args in Object.prototype) failSyntax('A block has a name of letters and digits');
  }
}

type TagClass = Liquid['tags'][string];

const TAGS: ReadonlyMap<string, TagClass> = new Map<string, TagClass>([
  ['assign', AssignTag],
  ['capture', MarkupCapture],
  ['if', IfTag],
  ['unless', UnlessTag],
  ['case', CaseTag],
  ['for', BoundedFor],
  ['break', BreakTag],
  ['continue', ContinueTag],
  ['cycle', CycleTag],
  ['comment', CommentTag],
  ['#', InlineCommentTag],
  ['raw', RawTag],
  ['include', BoundedInclude],
  ['render', BoundedRender],
  ['layout', BoundedLayout],
  ['block', NamedBlock],
]);

/** The Liquid spelling for keywords of other template languages. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  set: 'assign',
  endset: 'endcapture',
  elif: 'elsif',
  extends: 'layout',
  echo: '{{ }}',
  liquid: 'several tags',
  tablerow: 'for',
};

type Compared = (left: Value, right: Value) => number;

/** The cost of an operator beyond its step, in characters. */
const BOTH: Compared = (left, right) => weightOf(left) + weightOf(right);
const NOTHING: Compared = () => 0;
/** Each item of a list, or each position of a text, may be compared with the other side. */
const WITHIN: Compared = (left, right) =>
  isList(left)
    ? weightOf(left) + left.length * weightOf(right)
    : (weightOf(left) * Math.max(1, weightOf(right))) / TEMPLATE_LIMITS.comparisonsACharacter;

const COSTS: Readonly<Record<string, Compared>> = {
  '==': BOTH,
  '!=': BOTH,
  '<': BOTH,
  '>': BOTH,
  '<=': BOTH,
  '>=': BOTH,
  contains: WITHIN,
  and: NOTHING,
  or: NOTHING,
};

const charge = ({ memoryLimit }: Context, characters: number): void => memoryLimit.use(TEMPLATE_LIMITS.stepCost + characters);

/** The operators of the library, with their cost. */
const OPERATORS: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, operate]) => {
    const cost = COSTS[name];
    if (cost === undefined) return [name, operate];
    return [
      name,
      (left: unknown, right: unknown, context: Context) => {
        charge(context, cost(plainOf(left), plainOf(right)));
        return operate(left, right, context);
      },
    ];
  }),
);

/**
 * The library with only those statements, filters and operators that can be bounded. It reads no files: the caller of a rendering gives the
 * included templates.
 */
class Library extends Liquid {
  /** One rendering at a time, since rendering is synchronous. */
  #running: Rendering | null = null;

  constructor() {
    super({
      templates: {},
      relativeReference: false,
      dynamicPartials: true,
      strictFilters: true,
      ownPropertyOnly: true,
      parseLimit: TEMPLATE_LIMITS.sourceLength,
      operators: OPERATORS,
      locale: 'en-US',
      outputEscape(this: unknown, value: unknown): string {
        return shown(plainOf(value), contextOf(this));
      },
    });
    for (const name of Object.keys(this.filters)) this.unregisterFilter(name);
    for (const [name, filter] of FILTERS) this.registerFilter(name, metered(filter));
    for (const name of Object.keys(this.tags)) delete this.tags[name];
    for (const [name, tag] of TAGS) this.registerTag(name, tag);
  }

  during(rendering: Rendering, run: () => void): void {
    const outer = this.#running;
    this.#running = rendering;
    try {
      run();
    } finally {
      this.#running = outer;
    }
  }

  // oxlint-disable-next-line require-yield -- Liquid needs a generator, and nothing here waits
  override *_parsePartialFile(name: string): Generator<unknown, Statement[], never> {
    return [...(this.#running?.templateNamed(name).body ?? [])];
  }

  // oxlint-disable-next-line require-yield -- as above
  override *_parseLayoutFile(name: string): Generator<unknown, Statement[], never> {
    return [...(this.#running?.templateNamed(name).body ?? [])];
  }
}

export const LIBRARY = new Library();

export interface References {
  /** Variables that the template reads from its context: `loan.displayId`; sorted, each once, without those that it sets itself. */
  readonly variables: readonly string[];
  /** Templates that it includes or extends. */
  readonly templates: readonly string[];
}

export function referencesOf({ body, templates }: Template): References {
  const { globals } = LIBRARY.analyzeSync([...body], { partials: false });
  const paths = new Set(Object.values(globals).flat().map(pathOf));
  return { variables: [...paths].sort(), templates };
}

/** The path of a variable, up to the first property with a computed name. */
function pathOf({ segments }: Variable): string {
  const computed = segments.findIndex((segment) => segment instanceof Variable);
  return segments.slice(0, computed < 0 ? undefined : computed).join('.');
}
