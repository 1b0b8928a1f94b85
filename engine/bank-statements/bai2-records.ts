import { MAX_STATEMENT_CHARACTERS, MAX_STATEMENT_LINE, type StatementFaults } from './statement.js';

/** A field of a record. */
export interface Bai2Value {
  /** Without blanks around it. */
  readonly text: string;
  readonly written: string;
  /** It begins a line: a continuation, for all but the first. */
  readonly isFirst: boolean;
}

/** A record with its continuations. */
export interface Bai2Record {
  readonly code: string;
  readonly line: number;
  /** Its number among the physical records, from 1, and that of its last continuation. */
  readonly at: number;
  readonly through: number;
  readonly values: readonly Bai2Value[];
}

interface Part {
  readonly line: number;
  readonly text: string;
}

type Growing = { -readonly [Name in keyof Omit<Bai2Record, 'values'>]: Bai2Record[Name] } & { readonly values: Bai2Value[] };

const CODES: ReadonlySet<string> = new Set(['01', '02', '03', '16', '49', '88', '98', '99']);

/**
 * Cuts a file into its records. A slash ends a record, but banks leave it away behind a text, and slashes stand within texts; some write
 * several records on a line, or go on with a text on a line without a code.
 */
export function bai2Records(text: string, faults: StatementFaults): { readonly records: readonly Bai2Record[]; readonly count: number } {
  const records: Growing[] = [];
  let count = 0;
  for (const { line, text: part } of partsOf(text, faults)) {
    const code = /^(\d\d)(?:,|\/|$)/.exec(part)?.[1];
    const last = records.at(-1);
    const goesOn = last?.code === '16' || last?.code === '88';
    if (code === undefined || (!CODES.has(code) && goesOn)) {
      // A text goes on without a code.
      if (goesOn) last?.values.push(...valuesOf(part, 0));
      else faults.add('unknown-record', line);
      if (!goesOn) count += 1;
      continue;
    }
    count += 1;
    const values = valuesOf(part, 3);
    if (code === '88' && last !== undefined) {
      last.values.push(...values);
      last.through = count;
    } else records.push({ code, line, at: count, through: count, values: [...values] });
  }
  return { records, count };
}

function* partsOf(text: string, faults: StatementFaults): Generator<Part> {
  if (text.length > MAX_STATEMENT_CHARACTERS) return faults.add('too-many-characters');
  let line = 0;
  for (const written of text.split(/\r\n|\n|\r/)) {
    line += 1;
    if (written.length > MAX_STATEMENT_LINE) {
      faults.add('line-too-long', line);
      continue;
    }
    // Another record behind the slash of the one before.
    for (const part of written.split(/(?<=\/)[ \t]+(?=(?:01|02|03|16|49|88|98|99),)/)) {
      const trimmed = part.trim();
      if (trimmed !== '') yield { line, text: trimmed };
    }
  }
}

/** Without the code and the slash at the end. */
function valuesOf(part: string, from: number): readonly Bai2Value[] {
  return part
    .slice(from)
    .replace(/\/$/, '')
    .split(',')
    .map((written, at) => ({ text: written.trim(), written, isFirst: at === 0 }));
}
