import {
  activeCaseType,
  BASE_CASE_TYPE_NAMES,
  type BaseCaseType,
  caseTypeOf,
  type CaseTypeVersion,
  type CompanyState,
  type CustomField,
} from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { CreateCaseRequest } from '../requests.js';
import type { CaseFields } from '../state.js';

/** A version of a type of case, as a case is made from it. */
export interface TypeOfCase extends Pick<CaseFields, 'caseType' | 'caseTypeId' | 'caseTypeVersion' | 'typeName'> {
  /** The only product that it is for; null = all. */
  readonly loanTypeId: string | null;
  readonly customFields: readonly CustomField[];
  /** What its cases are worked by. */
  readonly workflowTypeId: string | null;
}

/** Of a company that has no active type of the base. */
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

/** The active version of the type that a new case is of: the one that it names, or the company's for the base type. */
export function typeForNew(
  company: CompanyState,
  { caseType, caseTypeId }: Pick<CreateCaseRequest, 'caseType' | 'caseTypeId'>,
): TypeOfCase {
  if (caseTypeId === undefined) {
    const base = caseType ?? refuseProperty('caseType', 'a type, or caseTypeId', 'A case needs a type.');
    const active = activeCaseType(company, base);
    return active ? typeOfVersion(active) : baseType(base);
  }
  const named =
    caseTypeOf(company, caseTypeId) ??
    refuseProperty('caseTypeId', 'the id of an active case type', `There is no active case type ${caseTypeId}.`);
  const type = typeOfVersion(named);
  if (caseType !== undefined && caseType !== type.caseType)
    refuseProperty('caseType', type.caseType, `The case type ${caseTypeId} is of another base type.`);
  return type;
}

/** The version that a case was made from, whatever has become of it. */
export function typeOfCase(
  company: CompanyState,
  { caseType, caseTypeId, caseTypeVersion }: Pick<CaseFields, 'caseType' | 'caseTypeId' | 'caseTypeVersion'>,
): TypeOfCase {
  const version = caseTypeId === null ? undefined : caseTypeOf(company, caseTypeId, caseTypeVersion ?? undefined);
  return version ? typeOfVersion(version) : baseType(caseType);
}

/** The same where nobody chooses: what happened has its case also where the company's type is for another product. */
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

/** A type that is for one product is of no use to loans of another. */
export function requireProduct(type: TypeOfCase, loanTypeIds: readonly string[]): void {
  const { loanTypeId, typeName } = type;
  if (isFor(type, loanTypeIds)) return;
  refuse('validationError', `Cases of the type ${typeName} are about loans of one product.`, {
    errors: [{ path: 'loanIds', expected: `loans of the loan type ${loanTypeId ?? ''}`, message: 'one is of another loan type' }],
  });
}
