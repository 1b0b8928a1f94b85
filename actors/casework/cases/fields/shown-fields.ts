import { type BaseCaseType, type FieldKind, TYPE_FIELDS } from '../../../company/index.js';
import { type Cents, cents } from '../../../../engine/index.js';
import { amount, centsOf } from '../../../wire.js';
import type { Values } from '../state.js';

/** The type fields that have a value, as on the wire. */
export const shownFields = (caseType: BaseCaseType, fields: Values): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(TYPE_FIELDS[caseType][name], value)]));

const shown = (kind: FieldKind | undefined, value: unknown): unknown =>
  kind === 'amount' && value !== null ? amount(value as Cents) : value;

/** The same as numbers and texts, for conditions. */
export const comparableField = (caseType: BaseCaseType, name: string, value: unknown): unknown =>
  TYPE_FIELDS[caseType][name] === 'amount' && typeof value === 'number' ? value / 100 : value;

/** What is stored of a checked value. */
export const storedValue = (kind: FieldKind, value: unknown): unknown =>
  kind === 'amount' && value !== null ? cents(centsOf(value as number)) : value;
