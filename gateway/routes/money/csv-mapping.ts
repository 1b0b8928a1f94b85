import typia, { type tags } from 'typia';
import { Refusal, refuseProperty } from '../../../actors/index.js';
import type { StatementCsvMapping, StatementFormat } from '../../../engine/index.js';
import { inEnglish } from '../../routing/faults.js';

type Column = string & tags.MinLength<1> & tags.MaxLength<100>;
type Columns = readonly Column[] & tags.MaxItems<20>;

interface MappingText extends Pick<StatementCsvMapping, 'delimiter' | 'encoding' | 'dateFormat' | 'decimalMark' | 'sign'> {
  readonly skipLines?: number & tags.Type<'uint32'> & tags.Maximum<1000>;
  readonly creditTexts?: Columns;
  readonly columns: ColumnNames;
}

interface ColumnNames {
  readonly bookingDate: Column;
  readonly valueDate?: Column;
  readonly amount?: Column;
  readonly direction?: Column;
  readonly credit?: Column;
  readonly debit?: Column;
  readonly code?: Column;
  readonly references?: Columns;
  readonly text?: Columns;
  readonly balance?: Column;
}

const validate = typia.createValidateEquals<MappingText>();

/** The mapping of a CSV file; null for the other formats, which need none. Throws `Refusal` with every fault. */
export function csvMappingOf(text: string | null, format: StatementFormat | null): StatementCsvMapping | null {
  if (text === null)
    return format === 'csv' ? refuseProperty('mapping', 'the mapping of the columns', 'A CSV file needs a `mapping`.') : null;
  if (format !== null && format !== 'csv') refuseProperty('mapping', 'nothing but with CSV', `A file in ${format} has no mapping.`);
  const checked = validate(parsed(text));
  if (!checked.success) {
    const errors = checked.errors.map(({ path, expected }) => {
      const own = `mapping${path.replace('$input', '')}`;
      return { path: own, expected: inEnglish(expected), message: `\`${own}\` must be ${inEnglish(expected)}` };
    });
    throw new Refusal('validationError', 'The mapping is not valid: see `errors`.', { errors });
  }
  const { amount, credit, debit } = checked.data.columns;
  if ((amount === undefined) === (credit === undefined && debit === undefined))
    refuseProperty('mapping.columns', '`amount`, or `credit` and `debit`', 'Name either the column `amount`, or `credit` and `debit`.');
  return checked.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuseProperty('mapping', 'JSON', 'The mapping is not JSON.');
  }
}
