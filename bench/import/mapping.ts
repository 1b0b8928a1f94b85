import { stat } from 'node:fs/promises';
import typia, { type tags } from 'typia';
import type { Fault } from '../../actors/index.js';
import { inEnglish } from '../../gateway/index.js';
import { atPath, PathUnusable } from '../../persistence/index.js';
import { readTextFile, UsageError } from '../cli/lookups.js';
import { LIMITS } from './row-booking.js';
import { type ColumnRule, Columns, compileTemplate, type Filler } from './template.js';

/** A value with `$column` and `$text` in the places of values; see docs/import.md. */
type Template = Readonly<Record<string, unknown>>;

/** How the rows of a file become borrowers and loans. */
export interface Mapping {
  readonly name: string & tags.MinLength<1>;
  /** A loan type by its id, or the body that makes one when none has its name. */
  readonly loanType: { readonly id: string } | NewLoanType;
  /** Body of `POST /people`; needs an `externalId`. */
  readonly person: Template;
  /** Body of `POST /people/{personId}/loans`; needs an `externalId`, gets the loan type. */
  readonly loan: Template;
  /** Body of `POST …/activate`, used with `--activate`. */
  readonly activation?: Template;
  /** The lender's own figures, to be compared with those of the service. */
  readonly figures?: readonly Figure[];
}

interface NewLoanType {
  readonly name: string & tags.MinLength<1>;
  readonly [property: string]: unknown;
}

interface Figure {
  readonly name: string & tags.MinLength<1>;
  /** A property of the loan as `GET` shows it: `atActivation.periodicPaymentAmount`. */
  readonly ours: string & tags.MinLength<1>;
  readonly theirs: ColumnRule;
}

export interface CompiledFigure {
  readonly name: string;
  readonly ours: readonly string[];
  readonly theirs: Filler;
}

/** A mapping that fits the file's header. */
export interface RowPlan {
  readonly person: Filler;
  readonly loan: Filler;
  readonly activation: Filler;
  readonly figures: readonly CompiledFigure[];
}

/** Everything that is wrong with a mapping. */
export class MappingError extends UsageError {
  constructor(
    file: string,
    readonly faults: readonly Fault[],
  ) {
    super(
      [
        `The mapping ${file} cannot be used:`,
        ...faults.map(({ path, message, expected }) => `  ${path}: ${message} (expected ${expected})`),
      ].join('\n'),
    );
  }
}

const check = typia.createValidateEquals<Mapping>();

export async function readMapping(path: string): Promise<Mapping> {
  const { size } = await atPath('the mapping', path, () => stat(path));
  if (size > LIMITS.mappingBytes)
    throw new MappingError(path, [{ path: '(file)', expected: `at most ${LIMITS.mappingBytes} bytes`, message: 'is too large' }]);
  const result = check(parse(path));
  if (result.success) return result.data;
  throw new MappingError(
    path,
    result.errors.map(({ path: at, expected }) => ({
      path: at.replace(/^\$input\.?/, '') || '(file)',
      expected: inEnglish(expected),
      message: 'is missing or wrong',
    })),
  );
}

/** Fits a mapping to the header of a file; throws `MappingError` with every fault. */
export function compileMapping(mapping: Mapping, file: string, header: readonly string[]): RowPlan {
  const faults: Fault[] = [];
  const columns = new Columns(header);
  for (const part of ['person', 'loan'] as const) {
    if (!('externalId' in mapping[part])) {
      faults.push({ path: `${part}.externalId`, expected: 'a column', message: 'is missing: a second run knows by it what is booked' });
    }
  }
  const plan: RowPlan = {
    person: compileTemplate(mapping.person, columns, 'person', faults),
    loan: compileTemplate(mapping.loan, columns, 'loan', faults),
    activation: compileTemplate(mapping.activation ?? {}, columns, 'activation', faults),
    figures: (mapping.figures ?? []).map(({ name, ours, theirs }, index) => ({
      name,
      ours: ours.split('.'),
      theirs: compileTemplate(theirs, columns, `figures[${index}].theirs`, faults),
    })),
  };
  if (faults.length > 0) throw new MappingError(file, faults);
  return plan;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(atPath('the mapping', path, () => readTextFile(path)));
  } catch (cause) {
    if (cause instanceof PathUnusable) throw cause;
    throw new MappingError(path, [{ path: '(file)', expected: 'JSON', message: cause instanceof Error ? cause.message : String(cause) }]);
  }
}
