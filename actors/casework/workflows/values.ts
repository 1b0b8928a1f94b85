import { type CaseOutcome, dataTypeOf, type ItemKind, type ItemType } from '../../company/index.js';
import { refuseProperty } from '../../errors.js';

/** What the completion of an item brings, by its kind. */
interface KindRule {
  readonly expected: string;
  /** Whether the text may tell of a person, and is sealed. */
  readonly isSealed?: boolean;
  isOf(value: unknown, type: ItemType): boolean;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0;

const OUTCOMES: ReadonlySet<unknown> = new Set<CaseOutcome>([
  'approved',
  'denied',
  'partiallyApproved',
  'resolved',
  'withdrawn',
  'duplicate',
  'noResponse',
  'expired',
]);

const KINDS: Readonly<Record<ItemKind, KindRule>> = {
  checkbox: { expected: 'true, or nothing', isOf: (value) => value === true || value === undefined || value === null },
  text: { expected: 'a text', isSealed: true, isOf: isText },
  choice: { expected: 'one of the options', isOf: (value, { options }) => isText(value) && options.includes(value) },
  date: { expected: 'a date as YYYY-MM-DD', isOf: (value) => dataTypeOf('date').isOf(value) },
  document: { expected: 'the id of a document', isOf: isText },
  // The rules of the case say whether the field takes it.
  caseField: { expected: 'the value of the field', isOf: (value) => value !== undefined && value !== null },
  sendMessage: { expected: 'nothing', isOf: (value) => value === undefined || value === null },
  setOutcome: { expected: 'an outcome of cases', isOf: (value) => OUTCOMES.has(value) },
  note: { expected: 'a text', isSealed: true, isOf: isText },
};

/** Refuses what an item of the kind cannot be completed with. */
export function checkValue(type: ItemType, value: unknown): void {
  const { isOf, expected } = KINDS[type.kind];
  if (!isOf(value, type)) refuseProperty('value', expected, `A ${type.kind} item is completed with ${expected}.`);
}

export const isSealed = ({ kind }: ItemType): boolean => KINDS[kind].isSealed === true;
