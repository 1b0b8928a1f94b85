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
  type Emitter,
  ForTag,
  IfTag,
  IncludeTag,
  InlineCommentTag,
  LayoutTag,
  type Liquid,
  type Parser,
  RawTag,
  RenderTag,
  type TagToken,
  type Template as Statement,
  type TopLevelToken,
  UnlessTag,
} from 'liquidjs';
import { renderingOf } from './rendering.js';
import { failSyntax } from './template-error.js';
import { textOf, type Value } from './values.js';

/** Stands in front of what a loop repeats. */
class Turn implements Statement {
  constructor(readonly token: TagToken) {}

  render(context: Context): void {
    renderingOf(context).turn();
  }
}

const LOOP_WORDS: ReadonlySet<string> = new Set(['limit', 'offset', 'reversed']);

class BoundedFor extends ForTag {
  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid, parser: Parser) {
    super(token, rest, liquid, parser);
    for (const word of Object.keys(this.hash.hash))
      if (!LOOP_WORDS.has(word)) failSyntax(`A loop has no ${word}: limit, offset and reversed may stand behind its list`);
    this.templates.unshift(new Turn(token));
  }
}

class MarkupCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    const scope = context.bottom() as Record<string, Value>;
    scope[this.variable] = renderingOf(context).made(textOf(scope[this.variable]));
  }
}

/** Which template is included is read off the text, so that one knows what it reads before it is rendered. */
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

export const TAGS: ReadonlyMap<string, TagClass> = new Map<string, TagClass>([
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

/** How Liquid says what other languages of templates say. */
export const SPELLINGS: Readonly<Record<string, string>> = {
  set: 'assign',
  endset: 'endcapture',
  elif: 'elsif',
  extends: 'layout',
  echo: '{{ }}',
  liquid: 'several tags',
  tablerow: 'for',
};
