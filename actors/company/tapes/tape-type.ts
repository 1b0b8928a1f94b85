import type { tags } from 'typia';
import { type Fault, Refusal, refuse } from '../../errors.js';
import { type Change, type Declaration, recordsOf, type ResourceHost } from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText } from '../../wire.js';
import { isPermitted } from '../../permission.js';
import { DRAW_ID, IDENTITY, META_DATA, TAPE_FIELDS, type TapeKind } from './fields.js';
import { checkedSchedule, type TapeSchedule } from './schedule.js';

export type CompressionType = 'gzip' | 'zip' | 'noCompression';

/** Defines the columns of the files of tapes, and when they are made. */
export interface LoanTapeType {
  readonly tapeName: string;
  readonly tapeType: TapeKind;
  readonly fields: readonly string[];
  readonly tapeOutputFormat: 'CSV' | 'Parquet';
  readonly moneyUnit: 'subUnit100' | 'fullUnit';
  /** By field: the name of its column. */
  readonly fieldNameMappings: Readonly<Record<string, string>>;
  /** Rows of draws beside that of their line; absent: none. */
  readonly shouldReportDrawsSeparately?: boolean;
  readonly reportDaysWhenPaidOff: number;
  readonly reportDaysWhenChargedOff: number;
  readonly compressionType: CompressionType;
  readonly loanMetaDataFields: readonly string[];
  readonly actionOnMissingData: 'includeIDsAndEmptyData' | 'excludeFromTape';
  readonly schedule: TapeSchedule['schedule'];
  /** Weekly: 1 Monday to 7 Sunday; monthly: 1 to 31. */
  readonly specificDays: readonly number[];
  /** `HH:MM` by the company's clock. */
  readonly runTimeOfDay: string;
}

type Name = string & tags.MinLength<1> & tags.MaxLength<100>;
type MetaDataKey = string & tags.Pattern<'^[A-Za-z0-9_.-]{1,100}$'>;
type ReportDays = number & tags.Type<'uint32'> & tags.Minimum<10> & tags.Maximum<36500>;
type Clock = string & tags.Pattern<'^([01][0-9]|2[0-3]):[0-5][0-9]$'>;

interface LoanTapeTypeBody {
  /** Parquet is compressed by itself, and has amounts and dates with their types. */
  readonly tapeOutputFormat?: 'CSV' | 'Parquet';
  /** `subUnit100`: whole cents; `fullUnit`: two decimals. */
  readonly moneyUnit?: 'subUnit100' | 'fullUnit';
  readonly fieldNameMappings?: Readonly<Record<string, Name>>;
  /** True of a loans tape: a row for each active draw, beside that of its line. */
  readonly shouldReportDrawsSeparately?: boolean;
  readonly reportDaysWhenPaidOff?: ReportDays;
  readonly reportDaysWhenChargedOff?: ReportDays;
  readonly compressionType?: CompressionType;
  readonly loanMetaDataFields?: readonly MetaDataKey[] & tags.MaxItems<100> & tags.UniqueItems;
  /** What becomes of a loan that has no balances yet. */
  readonly actionOnMissingData?: 'includeIDsAndEmptyData' | 'excludeFromTape';
  readonly schedule?: TapeSchedule['schedule'];
  /** Weekly: 1 Monday to 7 Sunday; monthly: days of the month. */
  readonly specificDays?: readonly (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<31>)[] &
    tags.MinItems<1> &
    tags.MaxItems<31>;
  readonly runTimeOfDay?: Clock;
}

type Fields = readonly Name[] & tags.MinItems<1> & tags.MaxItems<100> & tags.UniqueItems;

export interface LoanTapeTypeCreateBody extends LoanTapeTypeBody {
  readonly tapeName: Name;
  readonly tapeType: TapeKind;
  readonly fields: Fields;
}

export interface LoanTapeTypeUpdateBody extends LoanTapeTypeBody {
  readonly tapeName?: Name;
  readonly tapeType?: TapeKind;
  readonly fields?: Fields;
}

export type LoanTapeTypeListQuery = PageQuery;

export interface LoanTapeTypeView extends Omit<LoanTapeType, 'shouldReportDrawsSeparately'> {
  readonly id: string;
  readonly object: 'loanTapeType';
  readonly companyId: string;
  readonly shouldReportDrawsSeparately: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const LOAN_TAPE_TYPE_TYPE = 'loanTapeType';
/** The name of the resource that `tape.ts` declares. */
export const LOAN_TAPE_NAME = 'loanTape';

export const LOAN_TAPE_TYPE: Declaration<LoanTapeTypeCreateBody, LoanTapeTypeUpdateBody, LoanTapeType> = {
  type: LOAN_TAPE_TYPE_TYPE,
  prefix: 'TY',
  param: 'loanTapeTypeId',
  unique: [],
  create: ({ tapeName, tapeType, fields, ...body }, at) =>
    changedBy(
      { ...DEFAULTS, tapeName, tapeType, fields, compressionType: body.tapeOutputFormat === 'Parquet' ? 'noCompression' : 'gzip' },
      body,
      at,
    ),
  change: (before, body, at) => changedBy(before, body, at),
  assertRemovable(_before, { id, host }) {
    for (const tape of recordsOf<TapeOfType>(host, LOAN_TAPE_NAME).values())
      if (tape.stored.loanTapeTypeId === id) refuse('invalidState', `The loan tape ${tape.id} uses the type ${id}.`);
  },
  view: (stored) => ({ ...stored, shouldReportDrawsSeparately: stored.shouldReportDrawsSeparately ?? false }),
};

export const loanTapeTypeOf = (host: ResourceHost, id: string): LoanTapeType | undefined =>
  recordsOf<LoanTapeType>(host, LOAN_TAPE_TYPE_TYPE).get(id)?.stored;

const DEFAULTS: Omit<LoanTapeType, 'tapeName' | 'tapeType' | 'fields'> = {
  tapeOutputFormat: 'CSV',
  moneyUnit: 'subUnit100',
  fieldNameMappings: {},
  reportDaysWhenPaidOff: 10,
  reportDaysWhenChargedOff: 180,
  compressionType: 'gzip',
  loanMetaDataFields: [],
  actionOnMissingData: 'includeIDsAndEmptyData',
  schedule: 'daily',
  specificDays: [],
  runTimeOfDay: '06:00',
};

function changedBy(before: LoanTapeType, body: LoanTapeTypeUpdateBody, at: Change): LoanTapeType {
  const changed: LoanTapeType = { ...before, ...body };
  const { specificDays, faults: daysFaults } = checkedSchedule(changed, body.specificDays !== undefined);
  const faults = [...fieldFaults(changed), ...drawFaults(changed), ...identityFaults(changed, at), ...daysFaults];
  if (faults.length > 0) throw new Refusal('validationError', 'No tape can be made like this.', { errors: faults });
  return { ...changed, specificDays };
}

function fieldFaults({ tapeType, fields, loanMetaDataFields, fieldNameMappings }: LoanTapeType): readonly Fault[] {
  const faults: Fault[] = [];
  const known = TAPE_FIELDS[tapeType];
  for (const [at, field] of fields.entries()) {
    if (Object.hasOwn(known, field)) continue;
    const message = isOfOther(tapeType, field) ? `${field} is a field of the other tape type` : `There is no field ${field}`;
    faults.push({ path: `fields[${at}]`, expected: `one of ${Object.keys(known).join(', ')}`, message });
  }
  const hasMetaData = fields.includes(META_DATA);
  if (hasMetaData !== loanMetaDataFields.length > 0)
    faults.push({ path: 'loanMetaDataFields', expected: `keys, together with the field ${META_DATA}`, message: `${META_DATA} needs both` });
  const columns = [...fields.filter((field) => field !== META_DATA), ...loanMetaDataFields];
  for (const field of Object.keys(fieldNameMappings))
    if (!columns.includes(field))
      faults.push({ path: `fieldNameMappings.${field}`, expected: 'a column of the tape', message: 'names no column of the tape' });
  const names = columns.map((column) => fieldNameMappings[column] ?? column);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    faults.push({ path: 'fieldNameMappings', expected: 'another name for each column', message: `${twice} names two columns` });
  return faults;
}

const isOfOther = (tapeType: TapeKind, field: string): boolean =>
  Object.hasOwn(TAPE_FIELDS[tapeType === 'loans' ? 'payments' : 'loans'], field);

function drawFaults({ tapeType, fields, shouldReportDrawsSeparately = false }: LoanTapeType): readonly Fault[] {
  if (tapeType === 'payments')
    return shouldReportDrawsSeparately
      ? [{ path: 'shouldReportDrawsSeparately', expected: 'false', message: 'a payments tape has the draw of each payment as drawId' }]
      : [];
  const at = fields.indexOf(DRAW_ID);
  if (at < 0 || shouldReportDrawsSeparately) return [];
  const expected = 'shouldReportDrawsSeparately with the value true';
  return [{ path: `fields[${at}]`, expected, message: `${DRAW_ID} has values in the rows of draws alone` }];
}

/** Whether files of the type have the number of a borrower. */
export const hasIdentity = ({ fields }: Pick<LoanTapeType, 'fields'>): boolean => fields.includes(IDENTITY);

/** Who may not read the number of a borrower sends it to nobody, and nobody sends it in clear. */
function identityFaults(type: LoanTapeType, { id, host, command: { permissions } }: Change): readonly Fault[] {
  if (!hasIdentity(type)) return [];
  const path = `fields[${type.fields.indexOf(IDENTITY)}]`;
  const faults: Fault[] = [];
  if (!mayReadIdentity(permissions)) faults.push({ path, expected: 'the permission identity:read', message: `${IDENTITY} is not for you` });
  for (const tape of recordsOf<TapeOfType>(host, LOAN_TAPE_NAME).values())
    if (tape.stored.loanTapeTypeId === id && tape.stored.publicKey == null)
      faults.push({ path, expected: 'tapes with encryptionMethod', message: `${tape.id} sends files of the type in clear` });
  return faults;
}

export const mayReadIdentity = (permissions: ReadonlySet<string>): boolean => isPermitted(permissions, 'identity:read');

interface TapeOfType {
  readonly loanTapeTypeId: string;
  readonly publicKey?: string | null;
}
