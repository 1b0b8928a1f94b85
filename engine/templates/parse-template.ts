import {
  type Arguments,
  Expression,
  ParseError,
  Parser,
  type Template as Statement,
  type TagToken,
  Tokenizer,
  type TopLevelToken,
  TypeGuards,
  Value,
} from 'liquidjs';
import { FILTERS, RANGE_END } from './filters.js';
import { LIBRARY, SPELLINGS } from './tags.js';
import { failLimit, failSyntax, Positions, TEMPLATE_LIMITS, TemplateError, templateErrorOf, TemplateFault } from './values.js';

type Argument = Arguments extends Iterable<infer One> ? One : never;
type Token = Expression['postfix'][number];
type FilterUse = Pick<Value['filters'][number], 'name' | 'args'>;

/** The library accepts expressions that it understands only in part and then prints a wrong result. This check refuses them. */
class ExpressionCheck {
  #parts = 0;

  constructor(private readonly positions: Positions) {}

  argument(argument: Argument): void {
    if (argument instanceof Value || TypeGuards.isFilteredValueToken(argument)) this.#filtered(argument.initial, argument.filters);
    else this.#token(argument);
  }

  #filtered(initial: Expression, filters: readonly FilterUse[]): void {
    this.#operands(initial.postfix);
    for (const filter of filters) if (filter.name !== OUTPUT_FILTER) this.#filter(filter);
  }

  /** Every operator has its operands, and the expression has one result. */
  #operands(postfix: readonly Token[]): void {
    let depth = 0;
    for (const token of postfix) {
      if (TypeGuards.isOperatorToken(token)) {
        const wanted = token.operator === 'not' ? 1 : 2;
        if (depth < wanted) failSyntax(`The operator ${token.operator} lacks a side`);
        depth -= wanted - 1;
      } else {
        depth++;
        this.#token(token);
      }
    }
    if (depth !== 1) failSyntax('Two values stand beside one another, where an operator or a filter is expected between them');
  }

  #filter({ name, args }: FilterUse): void {
    this.#count();
    const filter = FILTERS.get(name);
    if (filter === undefined || filter.isInner === true) return failSyntax(`There is no filter ${name}`);
    let given = 0;
    for (const arg of args) {
      if (Array.isArray(arg)) {
        const [word = '', value] = arg;
        if (filter.named?.includes(word) !== true || value === undefined) failSyntax(`The filter ${name} has no argument ${word}`);
        else this.#token(value);
      } else {
        given++;
        this.#token(arg);
      }
    }
    const [least, most] = filter.arguments;
    if (given < least || given > most) failSyntax(`The filter ${name} takes ${least === most ? least : `${least} to ${most}`} arguments`);
  }

  #token(token: Token): void {
    this.#count();
    if (TypeGuards.isPropertyAccessToken(token)) {
      this.positions.keep(token);
      if (token.variable !== undefined) failSyntax('A property is read of a variable');
      for (const property of token.props) this.#property(property);
    } else if (TypeGuards.isRangeToken(token)) {
      this.#token(token.lhs);
      this.#token(token.rhs);
      token.lhs = boundedEnd(token.lhs);
      token.rhs = boundedEnd(token.rhs);
    } else if (TypeGuards.isQuotedToken(token) && !QUOTED.test(token.getText())) {
      failSyntax('A text has no end');
    }
  }

  #property(property: Token): void {
    if (TypeGuards.isWordToken(property)) {
      if (property.size() === 0) failSyntax('Nothing stands between the brackets');
      return;
    }
    this.#token(property);
    CLOSING.lastIndex = property.end;
    if (!CLOSING.test(property.input)) failSyntax('One value stands between brackets');
  }

  #count(): void {
    this.#parts++;
    if (this.#parts > TEMPLATE_LIMITS.parts) failLimit(`A template has ${TEMPLATE_LIMITS.parts} values and filters at most.`);
  }
}

/** The library's name for the function that it appends to the filters of each output. No template can name it. */
const OUTPUT_FILTER = '[object Function]';

const QUOTED = /^("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')$/;
const CLOSING = /\s*\]/y;

/** The end of a range with the filter that bounds it. */
function boundedEnd(end: Token): ReturnType<Tokenizer['readFilteredValue']> {
  const value = new Tokenizer(`end | ${RANGE_END}`).readFilteredValue();
  value.initial = new Expression([end]);
  return value;
}

/** A parsed template, made by `parseTemplate`. */
export interface Template {
  readonly body: readonly Statement[];
  /** Templates that it includes or extends; sorted, each once. */
  readonly templates: readonly string[];
}

/** Parses a template. Throws a `TemplateError` with the line if the template is invalid or too large. */
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

/** The parser of the library with bounds; refuses what the library would silently ignore. */
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

/** Adds the line to a refusal. */
function at(token: TopLevelToken, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw cause instanceof TemplateFault ? new ParseError(cause, token) : cause;
  }
}

/** The tags that the library parses, once the bounds of all tags are checked. */
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

/** Statements whose arguments the library does not parse. */
const UNREAD: ReadonlySet<string> = new Set(['#', 'comment', 'endcomment', 'raw', 'block']);
const WITHOUT_ARGUMENTS = /^(else|break|continue|end[a-z]+)$/;

function refuseRest({ name, args, tokenizer }: TagToken): void {
  if (UNREAD.has(name)) return;
  tokenizer.skipBlank();
  const rest = WITHOUT_ARGUMENTS.test(name) ? args.trim() : tokenizer.remaining();
  if (rest !== '') failSyntax(`The statement ${name} ends before ${excerpt(rest)}`);
}

function refuseRestOfOutput({ input, contentRange }: Extract<TopLevelToken, { readonly contentRange: unknown }>): void {
  const tokenizer = new Tokenizer(input, LIBRARY.options.operators, undefined, contentRange);
  tokenizer.readFilteredValue();
  tokenizer.skipBlank();
  if (!tokenizer.end()) failSyntax(`The output ends before ${excerpt(tokenizer.remaining())}`);
}

const excerpt = (text: string): string => JSON.stringify(text.slice(0, 20));
