import type { tags } from 'typia';
import type { Fault } from '../../errors.js';
import { compareValues, type Sortable } from '../../list-order.js';
import { dataTypeOf, type FieldDataType } from './field-value.js';

/** One item of `onCondition`: a comparison of a field of the case, its type's or a custom one, with a value. */
export interface Condition {
  readonly fieldName: string;
  readonly dataType: FieldDataType;
  readonly operator: ConditionOperator;
  /** Null of an operator that takes none, an array of `in` and `notIn`. */
  readonly value: ConditionValue;
}

type Scalar = string | number | boolean;
type ConditionValue = Scalar | readonly Scalar[] | null;

export interface ConditionBody {
  readonly fieldName: string & tags.Pattern<'^[a-z][A-Za-z0-9]{0,49}$'>;
  readonly dataType: FieldDataType;
  /** Default `eq`. */
  readonly operator?: ConditionOperator;
  readonly value?:
    | (string & tags.MaxLength<500>)
    | number
    | boolean
    | (readonly ((string & tags.MaxLength<500>) | number | boolean)[] & tags.MaxItems<100>)
    | null;
}

type ConditionOperator = keyof typeof OPERATORS;

interface Operator {
  readonly takes: 'none' | 'one' | 'many';
  /** Kinds of fields that it says nothing about. */
  readonly notOf?: readonly FieldDataType[];
  holds(actual: Sortable, wanted: readonly Sortable[]): boolean;
}

const isOneOf = (actual: Sortable, wanted: readonly Sortable[]): boolean => wanted.includes(actual);

/** Compares what is there; a field without a value is neither before nor after anything. */
const ordered = (holds: (order: number) => boolean): Operator => ({
  takes: 'one',
  notOf: ['boolean'],
  holds: (actual, [wanted = null]) => actual !== null && holds(compareValues(actual, wanted)),
});

const OPERATORS = {
  eq: { takes: 'one', holds: isOneOf },
  ne: { takes: 'one', holds: (actual, wanted) => !isOneOf(actual, wanted) },
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  in: { takes: 'many', holds: isOneOf },
  notIn: { takes: 'many', holds: (actual, wanted) => !isOneOf(actual, wanted) },
  isNull: { takes: 'none', holds: (actual) => actual === null },
  isNotNull: { takes: 'none', holds: (actual) => actual !== null },
  // Letters count alike in both cases, as whoever writes a condition over what people type expects.
  contains: {
    takes: 'one',
    notOf: ['integer', 'decimal', 'boolean', 'date', 'dateTime'],
    holds: (actual, [wanted]) => typeof actual === 'string' && actual.toLowerCase().includes(String(wanted).toLowerCase()),
  },
} as const satisfies Readonly<Record<string, Operator>>;

const operatorOf = (name: ConditionOperator): Operator => OPERATORS[name];

export const conditionOf = ({ fieldName, dataType, operator = 'eq', value = null }: ConditionBody): Condition => ({
  fieldName,
  dataType,
  operator,
  value,
});

/** Whether all hold. `valueOf` gives a field as it is on the wire; null where it has no value, or the case has no such field. */
export const holds = (conditions: readonly Condition[], valueOf: (fieldName: string) => unknown): boolean =>
  conditions.every((condition) => isTrue(condition, valueOf));

function isTrue({ fieldName, dataType, operator, value }: Condition, valueOf: (fieldName: string) => unknown): boolean {
  const { isOf, comparable } = dataTypeOf(dataType);
  const held = valueOf(fieldName) ?? null;
  // A field that has become one of another kind has no value in the eyes of the condition.
  const actual = isOf(held) ? comparable(held) : null;
  return operatorOf(operator).holds(actual, wantedOf(value).map(comparable));
}

const wantedOf = (value: ConditionValue): readonly Scalar[] => (value === null ? [] : isMany(value) ? value : [value]);

const isMany = (value: ConditionValue): value is readonly Scalar[] => Array.isArray(value);

/** What is wrong with conditions by themselves; `path` is where they stand in the body. */
export const faultsOf = (conditions: readonly Condition[], path = 'onCondition'): readonly Fault[] =>
  conditions.flatMap((condition, index) => faultsOfOne(condition, `${path}[${index}]`));

function faultsOfOne({ dataType, operator, value }: Condition, path: string): readonly Fault[] {
  const { takes, notOf = [] } = operatorOf(operator);
  const { isOf, expected } = dataTypeOf(dataType);
  if (notOf.includes(dataType)) {
    return [
      {
        path: `${path}.operator`,
        expected: `an operator of ${dataType} fields`,
        message: `${operator} does not compare ${dataType} fields`,
      },
    ];
  }
  const at = `${path}.value`;
  switch (takes) {
    case 'none':
      return value === null ? [] : [{ path: at, expected: 'no value', message: `${operator} takes no value` }];
    case 'one':
      return isOf(value) ? [] : [{ path: at, expected, message: `${operator} takes ${expected}` }];
    case 'many':
      if (!isMany(value) || value.length === 0)
        return [{ path: at, expected: `an array, each item ${expected}`, message: `${operator} takes several values` }];
      return value.flatMap((item, index) => (isOf(item) ? [] : [{ path: `${at}[${index}]`, expected, message: `is not ${expected}` }]));
  }
}
