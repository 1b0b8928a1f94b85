import { type Arguments, Expression, Tokenizer, TypeGuards, Value } from 'liquidjs';
import { FILTERS } from './filters.js';
import { RANGE_END } from './format-filters.js';
import { TEMPLATE_LIMITS } from './limits.js';
import type { Positions } from './positions.js';
import { failLimit, failSyntax } from './template-error.js';

type Argument = Arguments extends Iterable<infer One> ? One : never;
type Token = Expression['postfix'][number];
type FilterUse = Pick<Value['filters'][number], 'name' | 'args'>;

/** The library takes expressions that it understands in part, and prints something else than was meant: here they are refused. */
export class ExpressionCheck {
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

  /** Each operator has its sides, and one value is left. */
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

/** What the library calls the function that it puts behind the filters of each output. No text can name it. */
const OUTPUT_FILTER = '[object Function]';

const QUOTED = /^("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')$/;
const CLOSING = /\s*\]/y;

/** The end of a range, through the filter that bounds it. */
function boundedEnd(end: Token): ReturnType<Tokenizer['readFilteredValue']> {
  const value = new Tokenizer(`end | ${RANGE_END}`).readFilteredValue();
  value.initial = new Expression([end]);
  return value;
}
