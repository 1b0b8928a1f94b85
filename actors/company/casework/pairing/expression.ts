import { refuseProperty } from '../../../errors.js';

/*
 * Expressions that match tasks and workers: `taskType IN ['makeScheduledCall'] AND NOT (case.autoCreated == true)`.
 *
 *     either     = both (OR both)*
 *     both       = single (AND single)*
 *     single     = NOT single | ( either ) | true | false | field operator value
 *     operator   = == != > >= < <= IN CONTAINS
 *     value      = 'text' | "text" | number | true | false | null | [value, …]
 *
 * A comparison with a field that is an array holds if it holds for one of the items.
 */

export type Expression =
  | { readonly type: 'always'; readonly holds: boolean }
  | { readonly type: 'all' | 'any'; readonly parts: readonly Expression[] }
  | { readonly type: 'not'; readonly part: Expression }
  | { readonly type: 'compared'; readonly field: string; readonly operator: Operator; readonly value: Value };

type Scalar = string | number | boolean | null;
type Value = Scalar | readonly Scalar[];

/** The values that an expression reads, by their dotted names. */
export type Attributes = Readonly<Record<string, Scalar | readonly Scalar[] | undefined>>;

type Operator = keyof typeof OPERATORS;

const isIn = (held: Scalar, value: Value): boolean => (isMany(value) ? value.includes(held) : held === value);

const ordered =
  (holds: (sign: number) => boolean) =>
  (held: Scalar, value: Value): boolean =>
    held !== null && !isMany(value) && value !== null && typeof held === typeof value && holds(held === value ? 0 : held < value ? -1 : 1);

const OPERATORS = {
  '==': isIn,
  '!=': (held, value) => !isIn(held, value),
  '>=': ordered((sign) => sign >= 0),
  '<=': ordered((sign) => sign <= 0),
  '>': ordered((sign) => sign > 0),
  '<': ordered((sign) => sign < 0),
  IN: isIn,
  CONTAINS: (held, value) => typeof held === 'string' && typeof value === 'string' && held.includes(value),
} as const satisfies Readonly<Record<string, (held: Scalar, value: Value) => boolean>>;

const isMany = (value: Value): value is readonly Scalar[] => Array.isArray(value);

export function meets(expression: Expression, attributes: Attributes): boolean {
  switch (expression.type) {
    case 'always':
      return expression.holds;
    case 'all':
      return expression.parts.every((part) => meets(part, attributes));
    case 'any':
      return expression.parts.some((part) => meets(part, attributes));
    case 'not':
      return !meets(expression.part, attributes);
    case 'compared': {
      const { field, operator, value } = expression;
      const held = attributes[field] ?? null;
      const test: (held: Scalar, value: Value) => boolean = OPERATORS[operator];
      if (!isMany(held)) return test(held, value);
      return operator === '!=' ? held.every((item) => test(item, value)) : held.some((item) => test(item, value));
    }
  }
}

/** Limits of length and nesting, since tenants write these texts. */
const MAX_LENGTH = 2_000;
const MAX_DEPTH = 20;

const TOKEN = /\s*(?:(==|!=|>=|<=|>|<|\(|\)|\[|\]|,)|'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|([A-Za-z][A-Za-z0-9._]*))/y;

type Token =
  | { readonly type: 'sign'; readonly text: string; readonly at: number }
  | { readonly type: 'word'; readonly text: string; readonly at: number }
  | { readonly type: 'value'; readonly value: Scalar; readonly at: number };

/** Refuses a text that is not an expression over the fields, with the position of the fault. `path` names the body's property. */
export function parseExpression(text: string, fields: ReadonlySet<string>, path: string): Expression {
  if (text.length > MAX_LENGTH)
    refuseProperty(path, `at most ${MAX_LENGTH} characters`, `The expression is longer than ${MAX_LENGTH} characters.`);
  const parser = new Parser(tokensOf(text, path), text.length, fields, path);
  return parser.whole();
}

const CONSTANTS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

function tokensOf(text: string, path: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found)
      return refuseProperty(path, 'names, values and comparison operators', `The expression cannot be read at character ${at + 1}.`);
    const [, sign, single, double, number, word] = found;
    const quoted = single ?? double;
    if (sign !== undefined) tokens.push({ type: 'sign', text: sign, at });
    else if (quoted !== undefined) tokens.push({ type: 'value', value: quoted, at });
    else if (number !== undefined) tokens.push({ type: 'value', value: Number(number), at });
    else if (word !== undefined && CONSTANTS.has(word)) tokens.push({ type: 'value', value: CONSTANTS.get(word) ?? null, at });
    else tokens.push({ type: 'word', text: word ?? '', at });
  }
  return tokens;
}

class Parser {
  #next = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly length: number,
    private readonly fields: ReadonlySet<string>,
    private readonly path: string,
  ) {}

  whole(): Expression {
    const expression = this.#either(0);
    if (this.#next < this.tokens.length) this.#refuse('AND, OR or the end');
    return expression;
  }

  #either(depth: number): Expression {
    return this.#joined('OR', 'any', () => this.#both(depth));
  }

  #both(depth: number): Expression {
    return this.#joined('AND', 'all', () => this.#single(depth));
  }

  #joined(word: string, type: 'all' | 'any', part: () => Expression): Expression {
    const parts = [part()];
    while (this.#takes(word)) parts.push(part());
    const [only] = parts;
    return parts.length === 1 && only ? only : { type, parts };
  }

  #single(depth: number): Expression {
    if (depth > MAX_DEPTH) this.#refuse(`a nesting of at most ${MAX_DEPTH}`);
    if (this.#takes('NOT')) return { type: 'not', part: this.#single(depth + 1) };
    if (this.#takes('(')) {
      const inner = this.#either(depth + 1);
      if (!this.#takes(')')) this.#refuse('a closing bracket');
      return inner;
    }
    const token = this.#peek();
    if (token?.type === 'value' && typeof token.value === 'boolean') {
      this.#next += 1;
      return { type: 'always', holds: token.value };
    }
    return this.#compared();
  }

  #compared(): Expression {
    const field = this.#peek();
    if (field?.type !== 'word' || !this.fields.has(field.text)) return this.#refuse(`one of ${[...this.fields].join(', ')}`);
    this.#next += 1;
    const operator = this.#peek();
    if (operator === undefined || operator.type === 'value' || !isOperator(operator.text))
      return this.#refuse(`one of ${Object.keys(OPERATORS).join(' ')}`);
    this.#next += 1;
    return { type: 'compared', field: field.text, operator: operator.text, value: this.#value() };
  }

  #value(): Value {
    if (!this.#takes('[')) return this.#scalar();
    const items = [this.#scalar()];
    while (this.#takes(',')) items.push(this.#scalar());
    if (!this.#takes(']')) this.#refuse('a comma or a closing bracket');
    return items;
  }

  #scalar(): Scalar {
    const token = this.#peek();
    if (token?.type !== 'value') return this.#refuse('a value');
    this.#next += 1;
    return token.value;
  }

  #peek(): Token | undefined {
    return this.tokens[this.#next];
  }

  #takes(text: string): boolean {
    const token = this.#peek();
    if (token === undefined || token.type === 'value' || token.text !== text) return false;
    this.#next += 1;
    return true;
  }

  #refuse(expected: string): never {
    const at = this.#peek()?.at ?? this.length;
    return refuseProperty(this.path, `${expected} at character ${at + 1}`, `The expression cannot be read at character ${at + 1}.`);
  }
}

const isOperator = (text: string): text is Operator => Object.hasOwn(OPERATORS, text);

/** A value as an expression writes it. Ids and values of the contract contain no quotes. */
const printed = (value: Scalar): string => (typeof value === 'string' ? `'${value.replaceAll("'", '')}'` : String(value));

export const oneOf = (field: string, values: readonly Scalar[] | undefined): readonly string[] =>
  values === undefined || values.length === 0 ? [] : [`${field} IN [${values.map(printed).join(', ')}]`];

export const equals = (field: string, value: Scalar | undefined): readonly string[] =>
  value === undefined ? [] : [`${field} == ${printed(value)}`];

export const allOf = (parts: readonly string[]): string => (parts.length === 0 ? 'true' : parts.join(' AND '));
