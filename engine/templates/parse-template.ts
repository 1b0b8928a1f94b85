import { ParseError, Parser, type TagToken, type Template as Statement, Tokenizer, type TopLevelToken, TypeGuards } from 'liquidjs';
import { ExpressionCheck } from './expression-check.js';
import { LIBRARY } from './library.js';
import { TEMPLATE_LIMITS } from './limits.js';
import { Positions } from './positions.js';
import { SPELLINGS } from './tags.js';
import type { Template } from './template.js';
import { failLimit, failSyntax, TemplateError, templateErrorOf, TemplateFault } from './template-error.js';

/** Reads a template; throws a `TemplateError` with the line of what is none, or too large. */
export function parseTemplate(text: string): Template {
  if (text.length > TEMPLATE_LIMITS.sourceLength)
    throw new TemplateError('limit', `A template has ${TEMPLATE_LIMITS.sourceLength} characters at most.`, 1);
  try {
    return new TemplateParser(text).read();
  } catch (cause) {
    throw templateErrorOf(cause, 'parse');
  }
}

type Node = ReturnType<Parser['parseToken']>;

/** The parser of the library, with bounds, and with an eye on what it would pass over in silence. */
class TemplateParser extends Parser {
  readonly #positions: Positions;
  readonly #check: ExpressionCheck;
  readonly #templates = new Set<string>();
  #depth = 0;

  constructor(private readonly text: string) {
    super(LIBRARY);
    this.#positions = new Positions(text);
    this.#check = new ExpressionCheck(this.#positions);
  }

  read(): Template {
    const tokens = new Tokenizer(this.text, LIBRARY.options.operators).readTopLevelTokens(LIBRARY.options);
    const tags = boundedTags(tokens);
    const body = this.parseTokens([...tokens]);
    for (const tag of tags) at(tag, () => refuseRest(tag));
    return { body, templates: [...this.#templates].sort() };
  }

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): Node {
    this.#depth++;
    at(token, () => this.#refuseMisplaced(token));
    const node = super.parseToken(token, rest);
    at(token, () => this.#checkNode(token, node));
    this.#depth--;
    return node;
  }

  #refuseMisplaced(token: TopLevelToken): void {
    if (TypeGuards.isHTMLToken(token)) return;
    if (this.#depth > TEMPLATE_LIMITS.nesting) failLimit(`Statements stand within ${TEMPLATE_LIMITS.nesting} others at most.`);
    if (!TypeGuards.isTagToken(token)) return;
    if (LIBRARY.tags[token.name] === undefined)
      failSyntax(`There is no statement ${token.name} here${token.name in SPELLINGS ? `: Liquid says ${SPELLINGS[token.name]}` : ''}`);
    if (token.name === 'layout' && this.#depth > 1) failSyntax('A template extends one other, and says so outside of other statements');
  }

  #checkNode(token: TopLevelToken, node: Node): void {
    if (TypeGuards.isOutputToken(token)) refuseRestOfOutput(token);
    const statement: Statement = node;
    for (const argument of statement.arguments?.() ?? []) this.#check.argument(argument);
    for (const name of statement.localScope?.() ?? []) this.#positions.keep(name);
    const included = statement.partialScope?.();
    if (included !== undefined) this.#templates.add(included.name);
  }
}

/** The place of what is refused. */
function at(token: TopLevelToken, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw cause instanceof TemplateFault ? new ParseError(cause, token) : cause;
  }
}

/** Those that are read, within the bounds of all. */
function boundedTags(tokens: readonly TopLevelToken[]): readonly TagToken[] {
  const tags: TagToken[] = [];
  let count = 0;
  let isComment = false;
  for (const token of tokens) {
    if (TypeGuards.isHTMLToken(token)) continue;
    count++;
    at(token, () => {
      if (count > TEMPLATE_LIMITS.tags) failLimit(`A template has ${TEMPLATE_LIMITS.tags} tags at most.`);
      refuseLarge(token.getText());
    });
    if (!TypeGuards.isTagToken(token)) continue;
    if (token.name === 'endcomment') isComment = false;
    if (!isComment) tags.push(token);
    if (token.name === 'comment') isComment = true;
  }
  return tags;
}

function refuseLarge(text: string): void {
  if (text.length > TEMPLATE_LIMITS.tagLength) failLimit(`A tag has ${TEMPLATE_LIMITS.tagLength} characters at most.`);
  const brackets = text.split(/[[(]/).length - 1;
  if (brackets > TEMPLATE_LIMITS.brackets) failLimit(`A tag has ${TEMPLATE_LIMITS.brackets} brackets at most.`);
}

/** Statements whose words the library does not read at all. */
const UNREAD: ReadonlySet<string> = new Set(['#', 'comment', 'endcomment', 'raw', 'block']);
const NO_WORDS = /^(else|break|continue|end[a-z]+)$/;

function refuseRest({ name, args, tokenizer }: TagToken): void {
  if (UNREAD.has(name)) return;
  tokenizer.skipBlank();
  const rest = NO_WORDS.test(name) ? args.trim() : tokenizer.remaining();
  if (rest !== '') failSyntax(`The statement ${name} ends before ${excerpt(rest)}`);
}

function refuseRestOfOutput({ input, contentRange }: Extract<TopLevelToken, { readonly contentRange: unknown }>): void {
  const tokenizer = new Tokenizer(input, LIBRARY.options.operators, undefined, contentRange);
  tokenizer.readFilteredValue();
  tokenizer.skipBlank();
  if (!tokenizer.end()) failSyntax(`The output ends before ${excerpt(tokenizer.remaining())}`);
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 20));
