import { dataTypeOf, type FieldDataType } from './case-fields.js';
import type { tags } from 'typia';
import { type Fault, refuse } from '../../errors.js';
import { compareValues } from '../../list-order.js';
import type { ShortText, Text, Whole } from '../../wire.js';

/** A custom field of a case type, on the wire and in the state. */
export interface CustomField {
  readonly name: string;
  readonly description: string | null;
  /** Must have a value when a case is completed. */
  readonly required: boolean;
  readonly fieldName: string;
  readonly dataType: FieldDataType;
  readonly displayOrder: number;
  /** The value in a new case. */
  readonly default: FieldValue | null;
  readonly validation: FieldRules;
  readonly displayPrefix: string | null;
  readonly displayPostfix: string | null;
}

type FieldValue = string | number | boolean;

interface FieldRules {
  readonly enum: readonly FieldValue[] | null;
  /** Maximum length of a text. */
  readonly length: number | null;
  /** For numbers and dates, inclusive. */
  readonly minValue: FieldValue | null;
  readonly maxValue: FieldValue | null;
}

type FieldValueBody = (string & tags.MaxLength<10000>) | number | boolean;

export interface CustomFieldBody {
  readonly name: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
  readonly required?: boolean;
  readonly fieldName: string & tags.Pattern<'^[a-z][A-Za-z0-9]{0,49}$'>;
  readonly dataType: FieldDataType;
  readonly displayOrder?: Whole;
  readonly default?: FieldValueBody | null;
  readonly validation?: {
    readonly enum?: (readonly FieldValueBody[] & tags.MinItems<1> & tags.MaxItems<200>) | null;
    readonly length?: (Whole & tags.Minimum<1> & tags.Maximum<10000>) | null;
    readonly minValue?: string | number | null;
    readonly maxValue?: string | number | null;
  } | null;
  readonly displayPrefix?: (string & tags.MaxLength<20>) | null;
  readonly displayPostfix?: (string & tags.MaxLength<20>) | null;
}

const NO_RULES: FieldRules = { enum: null, length: null, minValue: null, maxValue: null };

/** The fields of a body, in order. Refuses contradictory ones. */
export function customFieldsOf(bodies: readonly CustomFieldBody[]): readonly CustomField[] {
  const fields = bodies.map(
    (body, index): CustomField => ({
      name: body.name,
      description: body.description ?? null,
      required: body.required ?? false,
      fieldName: body.fieldName,
      dataType: body.dataType,
      displayOrder: body.displayOrder ?? index,
      default: body.default ?? null,
      validation: { ...NO_RULES, ...body.validation },
      displayPrefix: body.displayPrefix ?? null,
      displayPostfix: body.displayPostfix ?? null,
    }),
  );
  const faults = fields.flatMap((field, index) => faultsOfField(field, index, fields));
  if (faults.length > 0) refuse('validationError', 'The custom fields are not valid: see `errors`.', { errors: faults });
  return fields;
}

function faultsOfField(field: CustomField, index: number, fields: readonly CustomField[]): readonly Fault[] {
  const at = `customFieldSchemas[${index}]`;
  const { fieldName, dataType, validation: rules } = field;
  const { isOf, expected } = dataTypeOf(dataType);
  const typed = [
    ...(rules.enum ?? []).map((value, place) => [`validation.enum[${place}]`, value] as const),
    ['validation.minValue', rules.minValue] as const,
    ['validation.maxValue', rules.maxValue] as const,
  ];
  return [
    ...(fields.findIndex((other) => other.fieldName === fieldName) < index
      ? [{ path: `${at}.fieldName`, expected: 'a name that no other field has', message: `${fieldName} is used twice` }]
      : []),
    ...typed.flatMap(([path, value]) =>
      value === null || isOf(value) ? [] : [{ path: `${at}.${path}`, expected, message: `is not ${expected}` }],
    ),
    ...(rules.length !== null && !isText(dataType)
      ? [{ path: `${at}.validation.length`, expected: 'nothing: only texts have a length', message: `${dataType} fields have no length` }]
      : []),
    ...(field.default === null ? [] : faultsOfValue(field, field.default, `${at}.default`)),
  ];
}

const isText = (dataType: FieldDataType): boolean => dataType === 'string' || dataType === 'text';

/** The faults of a case's values; null means that a field has no value. */
export function faultsOfCustomFields(
  fields: readonly CustomField[],
  values: Readonly<Record<string, unknown>>,
  path = 'customFields',
): readonly Fault[] {
  return Object.entries(values).flatMap(([fieldName, value]) => {
    const field = fields.find((one) => one.fieldName === fieldName);
    if (!field)
      return [{ path: `${path}.${fieldName}`, expected: 'a field of the case type', message: `the case type has no field ${fieldName}` }];
    return value === null ? [] : faultsOfValue(field, value, `${path}.${fieldName}`);
  });
}

function faultsOfValue({ dataType, validation }: CustomField, value: unknown, path: string): readonly Fault[] {
  const { isOf, expected, comparable } = dataTypeOf(dataType);
  if (!isOf(value)) return [{ path, expected, message: `is not ${expected}` }];
  const { enum: allowed, length, minValue, maxValue } = validation;
  const [own, ...others] = [value, ...(allowed ?? [])].map(comparable);
  const order = (limit: FieldValue): number => compareValues(own ?? null, comparable(limit));
  const rules: readonly (readonly [isBroken: boolean, expected: string])[] = [
    [allowed !== null && !others.includes(own ?? null), `one of ${(allowed ?? []).join(', ')}`],
    [length !== null && typeof value === 'string' && value.length > length, `${length} characters at most`],
    [minValue !== null && order(minValue) < 0, `${minValue} or more`],
    [maxValue !== null && order(maxValue) > 0, `${maxValue} or less`],
  ];
  return rules.flatMap(([isBroken, wanted]) =>
    isBroken ? [{ path, expected: wanted, message: 'is outside of the range of the field' }] : [],
  );
}
