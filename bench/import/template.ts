import typia from 'typia';
import type { Fault } from '../../actors/index.js';
import { LIMITS } from './row-booking.js';
import { readValue, type Scalar, type ValueKind } from './values.js';

/** The cells of one row by the names of their columns. */
export type Cells = Readonly<Record<string, string>>;

interface ReadAs {
  /** Default `text`. */
  readonly as?: ValueKind;
  /** Of a date, in the tokens of luxon. Default `yyyy-MM-dd`. */
  readonly format?: string;
  /** Texts of the file and their values; any other text is a fault. */
  readonly values?: { readonly [text: string]: Scalar };
  /** Value of an empty cell; without it the property is left out. */
  readonly otherwise?: Scalar;
}

/** The names in the header of a file. */
export class Columns {
  readonly #counts = new Map<string, number>();

  constructor(header: readonly string[]) {
    for (const name of header) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  /** Why a column of this name cannot be read; null = it can. */
  faultOf(name: string): Pick<Fault, 'expected' | 'message'> | null {
    const count = this.#counts.get(name) ?? 0;
    if (count === 1) return null;
    if (count > 1)
      return { expected: 'a column that stands once in the header', message: `${name} stands twice in the header of the file` };
    return { expected: `one of ${[...this.#counts.keys()].join(', ')}`, message: `the file has no column ${name}` };
  }
}

/** The text of one column. */
export interface ColumnRule extends ReadAs {
  readonly $column: string;
}

/** Text with columns in braces: `{issue_month}-15`. Empty as soon as one of its columns is. */
interface TextRule extends ReadAs {
  readonly $text: string;
}

type Rule = ColumnRule | TextRule;

/** Makes a value of a row's cells; what cannot be read is added to `faults`. Undefined = leave it out. */
export type Filler = (cells: Cells, faults: Fault[]) => unknown;

const checkRule = typia.createValidateEquals<Rule>();

/**
 * Compiles a template: a JSON value in which objects with `$column` or `$text` are replaced by values of a row. All its faults, unknown
 * columns included, are added to `faults`.
 */
export function compileTemplate(template: unknown, columns: Columns, path: string, faults: Fault[], depth = 0): Filler {
  if (depth > LIMITS.templateDepth) {
    faults.push({ path, expected: `at most ${LIMITS.templateDepth} levels`, message: 'is nested too deeply' });
    return () => undefined;
  }
  if (template === null || typeof template !== 'object') return () => template;
  if (Array.isArray(template)) {
    const items = template.map((item, index) => compileTemplate(item, columns, `${path}[${index}]`, faults, depth + 1));
    return (cells, found) => items.map((item) => item(cells, found)).filter((item) => item !== undefined);
  }
  if (Object.keys(template).some((key) => key.startsWith('$'))) return compileRule(template, columns, path, faults);
  const properties = Object.entries(template).map(
    ([name, value]) => [name, compileTemplate(value, columns, `${path}.${name}`, faults, depth + 1)] as const,
  );
  return (cells, found) => {
    const object: Record<string, unknown> = {};
    for (const [name, fill] of properties) {
      const value = fill(cells, found);
      if (value !== undefined) object[name] = value;
    }
    return object;
  };
}

function compileRule(template: object, columns: Columns, path: string, faults: Fault[]): Filler {
  const checked = checkRule(template);
  if (!checked.success) {
    for (const { path: at, expected } of checked.errors) faults.push({ path: at.replace('$input', path), expected, message: 'is wrong' });
    return () => undefined;
  }
  const rule = checked.data;
  const text = '$column' in rule ? columnText(rule.$column, columns, path, faults) : joinedText(rule.$text, columns, path, faults);
  return (cells, found) => readRule(rule, text(cells), path, found);
}

type TextOf = (cells: Cells) => string;

function columnText(column: string, columns: Columns, path: string, faults: Fault[]): TextOf {
  const fault = columns.faultOf(column);
  if (fault) faults.push({ path, ...fault });
  return (cells) => (cells[column] ?? '').trim();
}

const BRACES = /\{([^{}]+)\}/g;

function joinedText(text: string, columns: Columns, path: string, faults: Fault[]): TextOf {
  const names = [...text.matchAll(BRACES)].map(([, name = '']) => name);
  const parts = names.map((name) => columnText(name, columns, path, faults));
  return (cells) => {
    const values = parts.map((part) => part(cells));
    if (values.includes('')) return '';
    let next = 0;
    return text.replace(BRACES, () => values[next++] ?? '');
  };
}

function readRule(rule: Rule, text: string, path: string, faults: Fault[]): Scalar | undefined {
  if (text === '') return rule.otherwise;
  if (rule.values) {
    const value = Object.hasOwn(rule.values, text) ? rule.values[text] : undefined;
    if (value === undefined) faults.push({ path, expected: Object.keys(rule.values).join(', '), message: 'has no meaning in the mapping' });
    return value;
  }
  const { value, expected } = readValue(rule.as ?? 'text', text, rule.format);
  if (expected !== undefined) faults.push({ path, expected, message: `is not ${expected}` });
  return value;
}
