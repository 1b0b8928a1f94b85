import { AssertionError, Drop, LiquidError, type Token, toValue } from 'liquidjs';

/**
 * Limits of one template. The cost of a rendering is counted in steps and characters, so that every machine refuses the same
 * templates. The limit of time is the last resort.
 */
export const TEMPLATE_LIMITS = {
  /** Characters of one template. */
  sourceLength: 200_000,
  /** Tags and outputs of one template. */
  tags: 5_000,
  /** Characters between one pair of delimiters. */
  tagLength: 2_000,
  /** Brackets between one pair of delimiters. */
  brackets: 100,
  /** Values and filters of all tags and outputs. */
  parts: 10_000,
  /** Statements within statements. */
  nesting: 30,
  /** Templates that include or extend one another. */
  includeDepth: 8,
  /** Items that all loops of one rendering go over, and templates that it includes. */
  loopTurns: 10_000,
  /** Items of a list that a filter takes or makes. */
  listLength: 10_000,
  /** Both ends of a range lie between zero and this, or its negative. */
  rangeEnd: 100_000,
  /** Characters of a result, and of any text on the way to it. */
  outputLength: 1_048_576,
  /** Characters that one rendering reads and makes, with `stepCost` for each step. */
  cost: 20_000_000,
  /** The same of all parts of a message that is sent, with the cleaning of its HTML: some tens of milliseconds. */
  messageCost: 2_000_000,
  /** The cost of copying a value of the context. */
  copiedValueCost: 4,
  /** A statement, a variable, an operator or a filter, in characters. */
  stepCost: 64,
  /** Comparisons of characters that cost one character, when a text is searched. */
  comparisonsACharacter: 16,
  /** Characters of a text that cost one to read. */
  charactersARead: 8,
  /** Milliseconds of one rendering. */
  clock: 2_000,
  /** Values of a context, and their depth. */
  contextValues: 500_000,
  contextDepth: 50,
  /** Characters of the format of a date, and of the name of a property that a filter reads. */
  formatLength: 100,
  nameLength: 100,
  /** The largest number of either sign. */
  largestNumber: 1_000_000_000_000_000,
} as const;

/**
 * `syntax`: the text is not a valid template. `undefined`: a variable is missing in a strict rendering. `value`: a filter or an operator
 * cannot take its value. `limit`: the rendering costs too much. `template`: an included or extended template does not exist.
 */
export type TemplateErrorKind = 'syntax' | 'undefined' | 'value' | 'limit' | 'template';

/** Why a template cannot be parsed or rendered. The message names variables and filters of the template, never values. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly kind: TemplateErrorKind,
    message: string,
    /** From 1. */
    readonly line: number,
    /** The missing variable of the kind `undefined`: `loan.displayId`. */
    readonly variable: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown inside the library, which adds the line. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';

  constructor(
    readonly kind: TemplateErrorKind,
    message: string,
  ) {
    super(message);
  }
}

export function failSyntax(message: string): never {
  throw new TemplateFault('syntax', message);
}

export function failValue(message: string): never {
  throw new TemplateFault('value', message);
}

export function failLimit(message: string): never {
  throw new TemplateFault('limit', message);
}

/** An error of the library as a `TemplateError`. Any other error is a bug and thrown again. `tooMuch`: what a limit of time says. */
export function templateErrorOf(cause: unknown, phase: 'parse' | 'render', tooMuch = TOO_MUCH): TemplateError {
  if (cause instanceof RangeError) return new TemplateError('limit', TOO_DEEP, 1, null, { cause });
  if (isOutOfTime(cause)) return new TemplateError('limit', tooMuch, 1, null, { cause });
  if (!LiquidError.is(cause)) throw cause;
  const root = rootOf(cause);
  // An included template is invalid.
  if (root instanceof TemplateError) return root;
  const [line = 1] = cause.token.getPosition();
  if (root instanceof TemplateFault) return new TemplateError(root.kind, sentence(root.message), line, null, { cause });
  const variable = missingVariable(root);
  if (variable !== null) return new TemplateError('undefined', `The variable ${variable} is missing.`, line, variable, { cause });
  if (root instanceof RangeError) return new TemplateError('limit', TOO_DEEP, line, null, { cause });
  if (isOutOfTime(root)) return new TemplateError('limit', tooMuch, line, null, { cause });
  return phase === 'parse'
    ? new TemplateError('syntax', sentence(root.message), line, null, { cause })
    : new TemplateError('value', 'The statement cannot be computed.', line, null, { cause });
}

const TOO_DEEP = 'The template is too deep or too large.';
export const TOO_MUCH = 'The template computes too much.';

/** The library's own limit of time. Between statements of the outermost template it knows no line. */
const isOutOfTime = (cause: unknown): boolean => cause instanceof AssertionError && cause.message.endsWith('limit exceeded');

/** The first error of the chain. */
function rootOf(error: LiquidError): Error {
  const { originalError } = error;
  if (originalError === undefined) return error;
  return LiquidError.is(originalError) ? rootOf(originalError) : originalError;
}

const missingVariable = (root: Error): string | null =>
  'variableName' in root && typeof root.variableName === 'string' ? root.variableName : null;

/** The message without the line that the library adds to some messages. */
const sentence = (message: string): string =>
  `${message
    .replace(/, line:\d+, col:\d+$/, '')
    .replace(/^undefined filter:/, 'There is no filter')
    .replace(/\.$/, '')}.`;

/** HTML that the service has made or that is already escaped: printed as it is. The library sees its text. */
export class Markup extends Drop {
  constructor(readonly html: string) {
    super();
  }

  override valueOf(): string {
    return this.html;
  }
}

/** Values of templates. */
export type Value = undefined | null | boolean | number | string | Markup | readonly Value[] | PlainObject;

export interface PlainObject {
  readonly [key: string]: Value;
}

/** Names that lead out of plain data in JavaScript. Own properties with these names are not read either. */
const CLOSED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'prototype', 'constructor']);

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

export function isObject(value: unknown): value is PlainObject {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * A copy of plain data whose objects have no prototype. Functions, getters and instances of classes do not reach the library, since it
 * would call them or iterate over them.
 */
export function plainCopy(context: object, spend: (characters: number) => void): PlainObject {
  let count = 0;
  const copied = (value: unknown, depth: number): Value => {
    count++;
    spend(TEMPLATE_LIMITS.copiedValueCost);
    if (count > TEMPLATE_LIMITS.contextValues) failLimit('The variables are too many.');
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || value instanceof Markup) return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
    if (depth > TEMPLATE_LIMITS.contextDepth) return undefined;
    if (isList(value)) return value.map((item) => copied(item, depth + 1));
    return isObject(value) ? objectOf(value, depth + 1) : undefined;
  };
  const objectOf = (from: object, depth: number): PlainObject => {
    const copy: Record<string, Value> = Object.create(null);
    for (const key of Object.keys(from)) {
      const value = CLOSED_NAMES.has(key) ? undefined : copied(Object.getOwnPropertyDescriptor(from, key)?.value, depth);
      if (value !== undefined) copy[key] = value;
    }
    return copy;
  };
  return objectOf(context, 0);
}

/** The plain value of a filter's argument. Of the library's own objects only nil and the empty text are values. */
export function plainOf(value: unknown): Value {
  if (value instanceof Markup || isList(value) || isObject(value)) return value;
  const plain: unknown = toValue(value);
  if (plain === null || plain === '' || typeof plain === 'boolean' || typeof plain === 'number') return plain;
  return typeof plain === 'string' && typeof value === 'string' ? plain : undefined;
}

/** An own property of plain data, an item of a list, a character of a text; `size` of all of them, `first` and `last` of a list. */
export function propertyOf(of: Value, key: unknown): Value {
  if (of instanceof Markup) return propertyOf(of.html, key);
  if (isList(of) || typeof of === 'string') {
    if (key === 'size') return of.length;
    if (typeof key === 'number' && Number.isInteger(key)) return of.at(key);
    if (key === 'first') return of.at(0);
    return key === 'last' ? of.at(-1) : undefined;
  }
  if (!isObject(of) || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
  const property: TypedPropertyDescriptor<Value> | undefined = CLOSED_NAMES.has(String(key))
    ? undefined
    : Object.getOwnPropertyDescriptor(of, key);
  if (property !== undefined) return property.value;
  return key === 'size' ? Object.keys(of).length : undefined;
}

/** The printed text: empty for empty values and for values without a text; a list prints its items one after the other. */
export function textOf(value: Value): string {
  if (!isList(value)) return scalarText(value);
  const texts: string[] = [];
  let length = 0;
  for (const item of value) {
    const text = textOf(item);
    length += text.length;
    if (length > TEMPLATE_LIMITS.outputLength) failLimit('The text is too long.');
    texts.push(text);
  }
  return texts.join('');
}

function scalarText(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return decimalText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
    case 'function':
    case 'object':
    case 'symbol':
    case 'undefined':
    default:
      return value instanceof Markup ? value.html : '';
  }
}

/** Digits without an exponent. */
export const decimalText = (value: number): string => {
  const text = String(value);
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text;
};

/** The number of characters that reading the whole value costs. */
export function weightOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  if (value instanceof Markup) return value.html.length;
  if (!isList(value)) return 0;
  let weight = 0;
  for (const item of value) {
    weight += TEMPLATE_LIMITS.stepCost + weightOf(item);
    if (weight > TEMPLATE_LIMITS.cost) break;
  }
  return weight;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/**
 * The lines of tokens. The library counts lines from the beginning of the text for each variable; this counts them once.
 */
export class Positions {
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  keep(token: Token): void {
    token.getPosition = () => this.#of(token.begin);
  }

  #of(index: number): number[] {
    const line = this.#lineOf(index);
    return [line + 1, index - (this.#starts[line] ?? 0) + 1];
  }

  /** From 0: the last line that starts at or before the index. */
  #lineOf(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
