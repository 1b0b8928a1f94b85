import { add, cents, type Cents, type Day, ZERO } from '../../../engine/index.js';
import {
  activeCaseType,
  BASE_CASE_TYPE_NAMES,
  type BaseCaseType,
  caseTypeOf,
  type CaseTypeVersion,
  type CompanyState,
  type CustomField,
  faultsOfCustomFields,
  type FieldKind,
  isSealedKind,
  type ReferenceKind,
  SPELLINGS,
  TYPE_FIELD_NAMES,
  TYPE_FIELDS,
} from '../../company/index.js';
import { checkAll, type Fault, refuse, refuseProperty } from '../../errors.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { type LoanState, overdueToday } from '../../loan/index.js';
import { amount, centsOf, dateText, orNull } from '../../wire.js';
import { expectedOf, type FindReference, isReference } from './references.js';
import type { CreateCaseRequest } from './requests.js';
import type { CaseFields, CaseState, Values } from './state.js';

/** A version of a case type, as a new case needs it. */
export interface TypeOfCase extends Pick<CaseFields, 'caseType' | 'caseTypeId' | 'caseTypeVersion' | 'typeName'> {
  /** For cases of loans of this product only; null = of all products. */
  readonly loanTypeId: string | null;
  readonly customFields: readonly CustomField[];
  /** The workflow of its cases. */
  readonly workflowTypeId: string | null;
}

/** For a company without an active type of this base type. */
const baseType = (caseType: BaseCaseType): TypeOfCase => ({
  caseType,
  caseTypeId: null,
  caseTypeVersion: null,
  typeName: BASE_CASE_TYPE_NAMES[caseType],
  loanTypeId: null,
  customFields: [],
  workflowTypeId: null,
});

const typeOfVersion = ({ id, version: { version, name, fields } }: CaseTypeVersion): TypeOfCase => ({
  caseType: fields.caseType,
  caseTypeId: id,
  caseTypeVersion: version,
  typeName: name || BASE_CASE_TYPE_NAMES[fields.caseType],
  loanTypeId: fields.loanTypeId,
  customFields: fields.customFieldSchemas,
  workflowTypeId: fields.workflowTypeId,
});

/** The active version of a new case's type: the type that the body names, or the company's type of the base type. */
export function typeForNew(
  company: CompanyState,
  { caseType, caseTypeId }: Pick<CreateCaseRequest, 'caseType' | 'caseTypeId'>,
): TypeOfCase {
  if (caseTypeId === undefined) {
    const base = caseType ?? refuseProperty('caseType', 'a case type, or caseTypeId', 'Send `caseType` or `caseTypeId`.');
    const active = activeCaseType(company, base);
    return active ? typeOfVersion(active) : baseType(base);
  }
  const named =
    caseTypeOf(company, caseTypeId) ??
    refuseProperty('caseTypeId', 'the id of an active case type', `There is no active case type ${caseTypeId}.`);
  const type = typeOfVersion(named);
  if (caseType !== undefined && caseType !== type.caseType)
    refuseProperty('caseType', type.caseType, `\`caseType\` is not the base type of the case type ${caseTypeId}.`);
  return type;
}

/** The version of its type under which a case was created, in use or not. */
export function typeOfCase(
  company: CompanyState,
  { caseType, caseTypeId, caseTypeVersion }: Pick<CaseFields, 'caseType' | 'caseTypeId' | 'caseTypeVersion'>,
): TypeOfCase {
  const version = caseTypeId === null ? undefined : caseTypeOf(company, caseTypeId, caseTypeVersion ?? undefined);
  return version ? typeOfVersion(version) : baseType(caseType);
}

/** The type of an automatically created case. It is created even if the company's type is for another product. */
export function typeForSystem(
  company: CompanyState,
  request: Pick<CreateCaseRequest, 'caseType' | 'caseTypeId'>,
  loanTypeIds: readonly string[],
): TypeOfCase {
  const type = typeForNew(company, request);
  return request.caseTypeId !== undefined || isFor(type, loanTypeIds) ? type : baseType(type.caseType);
}

const isFor = ({ loanTypeId }: TypeOfCase, loanTypeIds: readonly string[]): boolean =>
  loanTypeId === null || loanTypeIds.every((id) => id === loanTypeId);

/** Refuses a type for one product with loans of another. */
export function requireProduct(type: TypeOfCase, loanTypeIds: readonly string[], path = 'loanIds'): void {
  const { loanTypeId, typeName } = type;
  if (isFor(type, loanTypeIds)) return;
  refuse('validationError', `All loans of a case of the type ${typeName} must be of its product.`, {
    errors: [{ path, expected: `loans of the loan type ${loanTypeId ?? ''}`, message: 'a loan is of another loan type' }],
  });
}

/** The type fields with a value, as on the wire. */
export const shownFields = (caseType: BaseCaseType, fields: Values): Values =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(TYPE_FIELDS[caseType][name], value)]));

const shown = (kind: FieldKind | undefined, value: unknown): unknown =>
  kind === 'amount' && typeof value === 'number' ? amount(cents(value)) : value;

/** The value of a type field as a number or text, for conditions. */
export const comparableField = (caseType: BaseCaseType, name: string, value: unknown): unknown =>
  TYPE_FIELDS[caseType][name] === 'amount' && typeof value === 'number' ? value / 100 : value;

/** A checked value as it is stored. */
const storedValue = (kind: FieldKind, value: unknown): unknown =>
  kind === 'amount' && typeof value === 'number' ? cents(centsOf(value)) : value;

/** Changes of fields: the new value, or null to clear it. */
export interface FieldChanges {
  readonly plain: Values;
  readonly sealed: Values;
}

/** The type fields of a body. Refuses fields of another type and wrong values, and lists all faults. `before`: the fields as they are. */
export function readTypeFields(caseType: BaseCaseType, body: object, find: FindReference, before: Values = {}): FieldChanges {
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
    else if (isReference(kind)) {
      const named = namedBy(path, kind, value, (anyId) => find(kind, anyId, before[name]));
      faults.push(...named.faults);
      plain[name] = named.value;
    } else if (kind !== undefined) (isSealedKind(kind) ? sealed : plain)[name] = storedValue(kind, value);
  }
  if (faults.length > 0)
    refuse('validationError', `Some fields are not valid for a case of the type ${caseType}: see \`errors\`.`, { errors: faults });
  return { plain, sealed };
}

/** What a field names, by service ids: one object, or a list of them. */
function namedBy(
  path: string,
  kind: ReferenceKind,
  value: unknown,
  idOf: (anyId: string) => string | undefined,
): { readonly value: unknown; readonly faults: readonly Fault[] } {
  if (value === null) return { value, faults: [] };
  const given = [value].flat().filter((anyId) => typeof anyId === 'string');
  const ids = given.map(idOf);
  const faults = given.flatMap((anyId, index): Fault[] => {
    if (ids[index] !== undefined) return [];
    const expected = expectedOf(kind);
    return [{ path: Array.isArray(value) ? `${path}[${index}]` : path, expected, message: `${anyId} is not ${expected}` }];
  });
  return { value: Array.isArray(value) ? [...new Set(ids)] : ids[0], faults };
}

const ofAnotherType = (path: string, caseType: BaseCaseType): Fault => ({
  path,
  expected: `a field of the type ${caseType}`,
  message: 'is a field of another type of case',
});

/** Checks what the type of the request cannot: fields that several base types use with different values. */
function faultOf(path: string, kind: FieldKind, value: unknown): Fault | null {
  if (value === null || typeof kind === 'string' || kind.some((word) => word === value)) return null;
  return { path, expected: `one of ${kind.join(', ')}`, message: 'is not an allowed value for this type of case' };
}

/** The values after changes, without cleared fields. */
export const withChanges = (before: Values, changes: Values): Values =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null));

const isSealed = ({ dataType }: CustomField): boolean => dataType === 'string' || dataType === 'text';

/** The custom fields of a body, with texts apart, since these may be personal. Refuses wrong values, and lists all faults. */
export function readCustomFields(schemas: readonly CustomField[], values: Values): FieldChanges {
  const errors = faultsOfCustomFields(schemas, values);
  if (errors.length > 0) refuse('validationError', 'Some custom fields are not valid for the type of the case: see `errors`.', { errors });
  const sealedNames = new Set(schemas.filter(isSealed).map(({ fieldName }) => fieldName));
  const [sealed, plain] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => sealedNames.has(name) === wanted)),
  );
  return { plain: plain ?? {}, sealed: sealed ?? {} };
}

/** Refuses the wrong type fields and custom fields of a body, all together. */
export function checkFields(
  { caseType, customFields }: Pick<TypeOfCase, 'caseType' | 'customFields'>,
  body: Pick<CreateCaseRequest, 'customFields'>,
  find: FindReference,
  before: Values = {},
): void {
  checkAll([() => readTypeFields(caseType, body, find, before), () => readCustomFields(customFields, body.customFields ?? {})]);
}

/** The default values of custom fields. */
export const defaultsOf = (schemas: readonly CustomField[]): Values =>
  Object.fromEntries(schemas.flatMap(({ fieldName, default: value }) => (value === null ? [] : [[fieldName, value]])));

/** Refuses required fields without a value. */
export function refuseMissing(schemas: readonly CustomField[], valueOf: (fieldName: string) => unknown): void {
  const errors = schemas
    .filter(({ required, fieldName }) => required && valueOf(fieldName) == null)
    .map(
      ({ fieldName }): Fault => ({
        path: `customFields.${fieldName}`,
        expected: 'a value: the field is required to complete the case',
        message: 'is missing',
      }),
    );
  if (errors.length > 0)
    refuse('validationError', 'The case cannot be completed: required fields have no value. See `errors`.', { errors });
}

/** The overdue amounts today, over all loans of a collection case; computed at each read. */
export function collectionFields({ caseType, associations }: CaseState, env: EvolveEnv & { today(zone: string): Day }): Values {
  if (caseType !== 'collection') return {};
  let daysOverdue = 0;
  let overdueCents: Cents = ZERO;
  let since: Day | null = null;
  for (const { objectId } of associations) {
    const loan = env.read<LoanState>('loan', objectId);
    const overdue = loan ? overdueToday(loan, env) : null;
    if (overdue === null) continue;
    daysOverdue = Math.max(daysOverdue, overdue.daysOverdue);
    overdueCents = add(overdueCents, overdue.overdueCents);
    if (overdue.overdueSince !== null && (since === null || overdue.overdueSince < since)) since = overdue.overdueSince;
  }
  return { daysOverdue, overdueAmount: amount(overdueCents), overdueSinceDate: orNull(dateText, since) };
}
