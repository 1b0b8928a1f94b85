import { type BaseCaseType, type FieldKind, isSealedKind, SPELLINGS, TYPE_FIELD_NAMES, TYPE_FIELDS } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { Values } from '../state.js';
import { storedValue } from './shown-fields.js';

/** Changes of fields: a value, or null where it is cleared. */
export interface FieldChanges {
  readonly plain: Values;
  readonly sealed: Values;
}

/** The type fields that a body names. Refuses those of another type, with all faults at once. */
export function readTypeFields(caseType: BaseCaseType, body: object): FieldChanges {
  const own = TYPE_FIELDS[caseType];
  const plain: Record<string, unknown> = {};
  const sealed: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const [path, value] of Object.entries(body)) {
    if (!TYPE_FIELD_NAMES.has(path) || value === undefined) continue;
    const name = SPELLINGS[path] ?? path;
    const kind = own[name];
    const fault = kind === undefined ? ofAnotherType(path, caseType) : faultOf(path, kind, value);
    if (fault) faults.push(fault);
    else if (kind !== undefined) (isSealedKind(kind) ? sealed : plain)[name] = storedValue(kind, value);
  }
  if (faults.length > 0) refuse('validationError', `Fields do not fit a case of the type ${caseType}.`, { errors: faults });
  return { plain, sealed };
}

const ofAnotherType = (path: string, caseType: BaseCaseType): Fault => ({
  path,
  expected: `a field of the type ${caseType}`,
  message: 'is a field of another type of case',
});

/** What the request's own type leaves open: words that several types use in their own way. */
function faultOf(path: string, kind: FieldKind, value: unknown): Fault | null {
  if (value === null || typeof kind === 'string' || kind.includes(value as string)) return null;
  return { path, expected: `one of ${kind.join(', ')}`, message: 'is none of the words of this type of case' };
}

/** Values after changes: what is cleared is gone. */
export const withChanges = (before: Values, changes: Values): Values =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));
