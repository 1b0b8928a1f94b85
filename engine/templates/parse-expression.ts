import { FILTERS } from './filters.js';
import type { BinaryOperator, Expression, TestName } from './syntax.js';
import { failSyntax } from './template-error.js';
import type { TokenReader } from './token-reader.js';

/** `a if b else c`, and everything that binds more strongly. */
export function parseExpression(reader: TokenReader): Expression {
  const then = parseOperation(reader);
  if (!reader.isNext('name', 'if')) return then;
  const { line } = reader.take();
  const condition = parseOperation(reader);
  const otherwise = reader.skip('name', 'else') ? reader.deeper(() => parseExpression(reader)) : null;
  return { type: 'choice', condition, then, otherwise, line };
}

/** How strongly operators bind, as in Jinja; `contains` is `in` with its sides exchanged. */
const STRENGTHS: Readonly<Record<string, number>> = {
  or: 1, and: 2, in: 4, contains: 4, '==': 5, '!=': 5, '<': 5, '>': 5, '<=': 5, '>=': 5, '~': 6, '+': 7, '-': 7, '*': 8, '/': 8, '//': 8, '%': 8,
};
const COMPARISON = 5;
const NOT = 3;

/** Operators of at least a strength; those of one strength from left to right. */
export function parseOperation(reader: TokenReader, least = 1): Expression {
  let left = parseOperand(reader, least);
  for (;;) {
    const word = operatorNext(reader);
    const strength = word === null ? 0 : STRENGTHS[word === 'not in' ? 'in' : word] ?? 0;
    if (word === null || strength < least) return left;
    const { line } = reader.take();
    if (word === 'not in') reader.expect('name', 'in');
    const right = reader.deeper(() => parseOperation(reader, strength + 1));
    left = word === 'contains'
      ? { type: 'binary', operator: 'in', left: right, right: left, line }
      : { type: 'binary', operator: word as BinaryOperator, left, right, line };
    if (strength === COMPARISON && STRENGTHS[operatorNext(reader) ?? ''] === COMPARISON) failSyntax('Comparisons are joined with and.', reader.line);
  }
}

function operatorNext({ next }: TokenReader): string | null {
  if (next.type === 'operator') return Object.hasOwn(STRENGTHS, next.text) ? next.text : null;
  if (next.type !== 'name') return null;
  if (next.text === 'not') return 'not in';
  return Object.hasOwn(STRENGTHS, next.text) ? next.text : null;
}

function parseOperand(reader: TokenReader, least: number): Expression {
  const { line } = reader;
  if (least <= NOT && reader.skip('name', 'not')) return { type: 'not', of: reader.deeper(() => parseOperation(reader, NOT)), line };
  return parseTest(reader, parseFiltered(reader));
}

/** `| filter(arguments)`, or `| filter: arguments`. */
function parseFiltered(reader: TokenReader): Expression {
  let value = parseSigned(reader);
  while (reader.isNext('operator', '|')) {
    const { line } = reader.take();
    const filter = reader.name('the name of a filter');
    const args = reader.skip('operator', '(') ? parseList(reader, ')') : reader.skip('operator', ':') ? parseBareList(reader) : [];
    assertFilter(filter, args.length, line);
    value = { type: 'filter', filter, of: value, args, line };
  }
  return value;
}

function assertFilter(name: string, count: number, line: number): void {
  const filter = FILTERS.get(name) ?? failSyntax(`There is no filter ${name}.`, line);
  const [least, most] = filter.arguments;
  if (count < least || count > most) failSyntax(`The filter ${name} takes ${least === most ? least : `${least} to ${most}`} arguments.`, line);
}

const TESTS: ReadonlySet<string> = new Set<TestName>(['defined', 'undefined', 'none', 'string', 'number', 'boolean', 'even', 'odd']);

/** `is defined`, `is not none`. */
function parseTest(reader: TokenReader, of: Expression): Expression {
  if (!reader.isNext('name', 'is')) return of;
  const { line } = reader.take();
  const isNegated = reader.skip('name', 'not');
  const word = reader.name('the name of a test');
  const test = word === 'None' || word === 'null' ? 'none' : word;
  if (!TESTS.has(test)) failSyntax(`There is no test ${word}.`, line);
  return { type: 'test', test: test as TestName, isNegated, of, line };
}

function parseSigned(reader: TokenReader): Expression {
  const { line } = reader;
  if (reader.skip('operator', '-')) return { type: 'minus', of: reader.deeper(() => parseSigned(reader)), line };
  if (reader.skip('operator', '+')) return reader.deeper(() => parseSigned(reader));
  return parsePath(reader);
}

/** A value and what is read of it: `loan.periods[0].dueDate`. */
function parsePath(reader: TokenReader): Expression {
  let value = parsePrimary(reader);
  for (;;) {
    const { line } = reader;
    if (reader.skip('operator', '.')) {
      value = { type: 'attribute', of: value, key: attributeName(reader), line };
    } else if (reader.skip('operator', '[')) {
      value = { type: 'attribute', of: value, key: reader.deeper(() => parseExpression(reader)), line };
      reader.expect('operator', ']');
    } else if (reader.isNext('operator', '(')) {
      return failSyntax('Templates call nothing: there are filters instead.', line);
    } else {
      return value;
    }
  }
}

function attributeName(reader: TokenReader): Expression {
  const { line, next } = reader;
  if (next.type === 'number' && /^\d+$/.test(next.text)) return { type: 'literal', value: Number(reader.take().text), line };
  return { type: 'literal', value: reader.name('the name of an attribute'), line };
}

const LITERALS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true], ['True', true], ['false', false], ['False', false], ['none', null], ['None', null], ['null', null], ['nil', null],
]);

/** Words of the syntax, which name no variable. */
const WORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'in', 'is', 'if', 'else', 'contains']);

function parsePrimary(reader: TokenReader): Expression {
  const { type, text, line } = reader.next;
  switch (type) {
    case 'string':
      reader.take();
      return { type: 'literal', value: text, line };
    case 'number':
      reader.take();
      return { type: 'literal', value: text.length > 15 ? failSyntax('A number has 15 characters at most.', line) : Number(text), line };
    case 'name':
      return parseName(reader);
    case 'operator':
      return parseBracket(reader);
    default:
      return reader.fail('an expression');
  }
}

function parseName(reader: TokenReader): Expression {
  if (WORDS.has(reader.next.text)) reader.fail('an expression');
  const { text, line } = reader.take();
  const literal = LITERALS.get(text);
  if (literal !== undefined) return { type: 'literal', value: literal, line };
  if (text !== 'super') return { type: 'name', name: text, line };
  reader.expect('operator', '(');
  reader.expect('operator', ')');
  return { type: 'super', line };
}

function parseBracket(reader: TokenReader): Expression {
  const { line } = reader;
  if (reader.skip('operator', '[')) return { type: 'list', items: parseList(reader, ']'), line };
  if (reader.skip('operator', '{')) return { type: 'object', entries: parseEntries(reader), line };
  if (!reader.skip('operator', '(')) return reader.fail('an expression');
  const value = reader.deeper(() => parseExpression(reader));
  reader.expect('operator', ')');
  return value;
}

/** Up to the closing bracket; a last comma may stand. */
function parseList(reader: TokenReader, closing: string): readonly Expression[] {
  const items: Expression[] = [];
  while (!reader.skip('operator', closing)) {
    if (items.length > 0) reader.expect('operator', ',');
    if (reader.skip('operator', closing)) break;
    items.push(reader.deeper(() => parseExpression(reader)));
  }
  return items;
}

function parseBareList(reader: TokenReader): readonly Expression[] {
  const items = [parseSigned(reader)];
  while (reader.skip('operator', ',')) items.push(parseSigned(reader));
  return items;
}

function parseEntries(reader: TokenReader): readonly (readonly [Expression, Expression])[] {
  const entries: (readonly [Expression, Expression])[] = [];
  while (!reader.skip('operator', '}')) {
    if (entries.length > 0) reader.expect('operator', ',');
    if (reader.skip('operator', '}')) break;
    const key = reader.deeper(() => parseExpression(reader));
    reader.expect('operator', ':');
    entries.push([key, reader.deeper(() => parseExpression(reader))]);
  }
  return entries;
}
