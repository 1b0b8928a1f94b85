import type { tags } from 'typia';
import { implicitTheme, isSendable, isSubject, type Subject, subjectNamed } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import {
  type Change,
  findVersion,
  type ResourceHost,
  type TypeVersion,
  type VersionedCreateBody,
  type VersionedDeclaration,
  type VersionedListQuery,
  type VersionedUpdateBody,
  type VersionedView,
} from '../../kernel/resources/index.js';
import { compareValues, type Sortable } from '../../list-order.js';
import type { AnyId, ShortText, Text, Whole } from '../../wire.js';
import { descriptorNamed } from '../templates/version.js';
import { dataTypeOf, type FieldDataType } from './case-fields.js';

/** One item of `onCondition`: a comparison of a field of the case, its type's or a custom one, with a value. */
export interface Condition {
  readonly fieldName: string;
  readonly dataType: FieldDataType;
  readonly operator: ConditionOperator;
  /** Null for an operator without a value, an array for `in` and `notIn`. */
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
  /** Data types to which the operator cannot be applied. */
  readonly notOf?: readonly FieldDataType[];
  holds(actual: Sortable, wanted: readonly Sortable[]): boolean;
}

const isOneOf = (actual: Sortable, wanted: readonly Sortable[]): boolean => wanted.includes(actual);

/** Compares values that are present; a field without a value is neither less nor greater than any value. */
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
  // Case is ignored, since people type these texts.
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

/** Whether all conditions hold. `valueOf` returns a field as on the wire; null if it has no value or the case has no such field. */
export const holds = (conditions: readonly Condition[], valueOf: (fieldName: string) => unknown): boolean =>
  conditions.every((condition) => isTrue(condition, valueOf));

function isTrue({ fieldName, dataType, operator, value }: Condition, valueOf: (fieldName: string) => unknown): boolean {
  const { isOf, comparable } = dataTypeOf(dataType);
  const held = valueOf(fieldName) ?? null;
  // If the data type of the field has changed, the condition reads it as a field without a value.
  const actual = isOf(held) ? comparable(held) : null;
  return operatorOf(operator).holds(actual, wantedOf(value).map(comparable));
}

const wantedOf = (value: ConditionValue): readonly Scalar[] => (value === null ? [] : isMany(value) ? value : [value]);

const isMany = (value: ConditionValue): value is readonly Scalar[] => Array.isArray(value);

/** The faults of conditions, without regard to the case's fields. `path` is where they are in the body. */
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
      return value === null ? [] : [{ path: at, expected: 'no value', message: `${operator} must have no value` }];
    case 'one':
      return isOf(value) ? [] : [{ path: at, expected, message: `the value of ${operator} must be ${expected}` }];
    case 'many':
      if (!isMany(value) || value.length === 0)
        return [{ path: at, expected: `an array, each item ${expected}`, message: `the value of ${operator} must be a list` }];
      return value.flatMap((item, index) => (isOf(item) ? [] : [{ path: `${at}[${index}]`, expected, message: `is not ${expected}` }]));
  }
}

/** The steps of a workflow, each with its items. */
export interface WorkflowType {
  readonly steps: readonly StepType[];
}

export interface StepType extends Described {
  readonly id: string;
  /** Hidden while one of these conditions does not hold. */
  readonly onCondition: readonly Condition[];
  readonly items: readonly ItemType[];
}

export interface ItemType extends Described {
  readonly id: string;
  readonly kind: ItemKind;
  /** Of `choice`. */
  readonly options: readonly string[];
  /** Of `caseField`. */
  readonly fieldName: string | null;
  /** Of `document`: the type that the document must have; null: any. Earlier releases stored any text, and asked for nothing. */
  readonly documentType: string | null;
  /** Of `sendMessage`. */
  readonly subject: string | null;
  readonly templateId: string | null;
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly displayOrder: number;
  readonly required: boolean;
}

export type ItemKind = 'checkbox' | 'text' | 'choice' | 'date' | 'document' | 'caseField' | 'sendMessage' | 'setOutcome' | 'note';

const DOCUMENT_TYPES = [
  'loanTermsAgreementOnly',
  'loanTILDisclosureOnly',
  'loanTermsAndTILCombined',
  'loanTermsChangeAgreement',
  'loanAutopayAgreement',
  'loanStatement',
  'loanSettlementAgreement',
  'privacyPolicyLender',
  'privacyPolicyServicer',
  'termsOfServiceLender',
  'termsOfServiceServicer',
  'caseDocument',
  'disclosure',
  'evidence',
  'otherStatement',
  'other',
] as const;

/** What a document of a borrower is. */
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** The type of document that completes an item; null: any. */
export const documentTypeOf = ({ documentType }: ItemType): DocumentType | null =>
  DOCUMENT_TYPES.find((known) => known === documentType) ?? null;

export const WORKFLOW_TYPE_TYPE = 'workflowType';

/** A version of a workflow type; without a number the active one. */
export function workflowTypeOf(
  host: ResourceHost,
  id: string,
  version?: number,
): { readonly id: string; readonly version: TypeVersion<WorkflowType> } | undefined {
  const found = findVersion<WorkflowType>(host, WORKFLOW_TYPE_TYPE, id, version);
  return found && { id: found.record.id, version: found.version };
}

type ItemName = string & tags.MinLength<1> & tags.MaxLength<128>;

interface DescribedBody {
  /** Id of an existing step or item; without it a new one is created. */
  readonly id?: AnyId;
  readonly name: ItemName;
  readonly description?: Text;
  /** Default: the index in the list. */
  readonly displayOrder?: Whole;
  /** Default true. */
  readonly required?: boolean;
}

interface ItemTypeBody extends DescribedBody {
  readonly kind: ItemKind;
  readonly options?: readonly (ShortText & tags.MinLength<1>)[] & tags.MinItems<1> & tags.MaxItems<100>;
  readonly fieldName?: (string & tags.Pattern<'^[a-z][A-Za-z0-9]{0,49}$'>) | null;
  readonly documentType?: DocumentType | null;
  readonly subject?: ShortText | null;
  readonly templateId?: AnyId | null;
}

interface StepTypeBody extends DescribedBody {
  readonly onCondition?: (readonly ConditionBody[] & tags.MaxItems<20>) | null;
  readonly items?: readonly ItemTypeBody[] & tags.MaxItems<100>;
}

interface FieldsBody {
  /** All steps; they replace the former ones. */
  readonly steps?: readonly StepTypeBody[] & tags.MaxItems<50>;
}

export interface WorkflowTypeCreateBody extends VersionedCreateBody, FieldsBody {}
export interface WorkflowTypeUpdateBody extends VersionedUpdateBody, FieldsBody {}
export interface WorkflowTypeListQuery extends VersionedListQuery {}

export interface WorkflowTypeView extends VersionedView, WorkflowType {
  readonly object: 'workflowType';
}

export const WORKFLOW_TYPE: VersionedDeclaration<WorkflowTypeCreateBody, WorkflowTypeUpdateBody, WorkflowType> = {
  type: WORKFLOW_TYPE_TYPE,
  prefix: 'WT',
  param: 'id',
  create: ({ steps = [] }, at) => withSteps([], steps, at),
  change: (before, { steps }, at) => (steps === undefined ? before : withSteps(before.steps, steps, at)),
  view: ({ steps }) => ({ steps: inOrder(steps).map((step) => ({ ...step, items: inOrder(step.items) })) }),
};

const inOrder = <Part extends { readonly displayOrder: number }>(parts: readonly Part[]): readonly Part[] =>
  [...parts].sort((one, other) => one.displayOrder - other.displayOrder);

function withSteps(before: readonly StepType[], bodies: readonly StepTypeBody[], { env, host }: Change): WorkflowType {
  const known = new Set(before.flatMap(({ id, items }) => [id, ...items.map((item) => item.id)]));
  const idOf = (prefix: string, id: string | undefined): string => (id !== undefined && known.has(id) ? id : env.newId(prefix));
  const steps = bodies.map(
    ({ name, description = '', required = true, onCondition, items = [], ...step }, index): StepType => ({
      id: idOf('ST', step.id),
      name,
      description,
      required,
      displayOrder: step.displayOrder ?? index,
      onCondition: (onCondition ?? []).map(conditionOf),
      items: items.map(
        (item, place): ItemType => ({
          id: idOf('IT', item.id),
          name: item.name,
          description: item.description ?? '',
          displayOrder: item.displayOrder ?? place,
          required: item.required ?? true,
          kind: item.kind,
          options: item.options ?? [],
          fieldName: item.fieldName ?? null,
          documentType: item.documentType ?? null,
          subject: item.subject == null ? null : currentSubject(item.subject),
          templateId: item.templateId ?? null,
        }),
      ),
    }),
  );
  const faults = [...repeated(bodies), ...steps.flatMap((step, index) => faultsOfStep(host, step, index))];
  return faults.length > 0 ? refuse('validationError', 'The steps or items are not valid: see `errors`.', { errors: faults }) : { steps };
}

/** The property that belongs to each kind of item: only that kind may have it, and some kinds require it. */
const PROPERTIES: readonly (readonly [
  property: Exclude<keyof ItemTypeBody, 'id' | 'name' | 'description' | 'displayOrder' | 'required' | 'kind'>,
  of: ItemKind,
  isNeeded: boolean,
])[] = [
  ['options', 'choice', true],
  ['fieldName', 'caseField', true],
  ['documentType', 'document', false],
  ['subject', 'sendMessage', false],
  ['templateId', 'sendMessage', false],
];

function faultsOfStep(host: ResourceHost, { onCondition, items }: StepType, index: number): readonly Fault[] {
  return [
    ...faultsOf(onCondition, `steps[${index}].onCondition`),
    ...items.flatMap((item, place) => {
      const path = `steps[${index}].items[${place}]`;
      return [...faultsOfItem(item, path), ...(item.kind === 'sendMessage' ? faultsOfMessage(host, item, path) : [])];
    }),
  ];
}

function faultsOfItem(item: ItemType, path: string): readonly Fault[] {
  return PROPERTIES.flatMap(([property, kind, isNeeded]): readonly Fault[] => {
    const value = item[property];
    const isGiven = value !== null && value.length > 0;
    if (isGiven && item.kind !== kind)
      return [
        { path: `${path}.${property}`, expected: `nothing: it belongs to ${kind}`, message: `a ${item.kind} item has no ${property}` },
      ];
    return !isGiven && isNeeded && item.kind === kind
      ? [{ path: `${path}.${property}`, expected: `a value, for a ${kind} item`, message: 'is missing' }]
      : [];
  });
}

/** Subjects of older interfaces become the current ones. */
function currentSubject(word: string): string {
  const named = subjectNamed(word);
  return 'subject' in named ? named.subject : word;
}

/** What cannot be sent by an item: it names its message by a subject, or by a template of messages to borrowers, or by both. */
function faultsOfMessage(host: ResourceHost, { subject, templateId }: ItemType, path: string): readonly Fault[] {
  const at = { subject: `${path}.subject`, template: `${path}.templateId` };
  if (subject === null && templateId === null)
    return [{ path: at.subject, expected: 'a subject, or a template in templateId', message: 'is missing' }];
  const named = subject === null ? null : subjectNamed(subject);
  if (named !== null && 'fault' in named) return [{ ...named.fault, path: at.subject }];
  if (templateId === null) return named === null ? [] : withoutTheme(named.subject, at.subject);
  const fault = (expected: string, message: string): readonly Fault[] => [{ path: at.template, expected, message }];
  const template = descriptorNamed(host, templateId);
  if (template === undefined) return fault('the id of a template', `There is no template ${templateId}.`);
  if (!isSubject(template.subject) || template.channel === null || !isSendable(template.channel))
    return fault('a template of messages', `The template ${templateId} is not for messages to borrowers.`);
  if (named !== null && named.subject !== template.subject)
    return fault(`a template for ${named.subject}`, `The template ${templateId} is for ${template.subject}.`);
  return withoutTheme(template.subject, at.template);
}

/** An item has no theme: the subject of its message must imply one. */
const withoutTheme = (subject: Subject, path: string): readonly Fault[] =>
  implicitTheme(subject) === null
    ? [{ path, expected: 'a subject that has a theme', message: `The subject ${subject} needs a theme, which an item cannot name.` }]
    : [];

function repeated(bodies: readonly StepTypeBody[]): readonly Fault[] {
  const seen = new Set<string>();
  const faults: Fault[] = [];
  const note = (id: string | undefined, path: string): void => {
    if (id !== undefined && seen.has(id))
      faults.push({ path, expected: 'an externalId that is not in use', message: `${id} is used twice` });
    if (id !== undefined) seen.add(id);
  };
  for (const [index, { id, items = [] }] of bodies.entries()) {
    note(id, `steps[${index}].id`);
    for (const [place, item] of items.entries()) note(item.id, `steps[${index}].items[${place}].id`);
  }
  return faults;
}
