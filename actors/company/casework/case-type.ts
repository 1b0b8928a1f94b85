import type { tags } from 'typia';
import type { BaseCaseType } from './case-fields.js';
import {
  activeOf,
  findVersion,
  type ResourceHost,
  type ResourceRecord,
  recordsOf,
  shownOf,
  type TypeLine,
  type TypeVersion,
  type VersionedCreateBody,
  type VersionedListQuery,
  type VersionedUpdateBody,
  type VersionedView,
} from '../../kernel/resources/index.js';
import type { AnyId } from '../../wire.js';
import type { CustomField, CustomFieldBody } from './custom-field.js';
import type { SmartReviews, SmartReviewsBody } from './notification-types.js';

/** A case type of a company: one of the base types with the company's own settings and fields. */
export interface CaseType {
  readonly caseType: BaseCaseType;
  /** Cases of loans of this product only; null = of all products. */
  readonly loanTypeId: string | null;
  /** The workflow that a new case gets. */
  readonly workflowTypeId: string | null;
  readonly customFieldSchemas: readonly CustomField[];
  readonly smartReviews: SmartReviews;
}

export const CASE_TYPE_TYPE = 'caseType';

type CaseTypes = ReadonlyMap<string, ResourceRecord<TypeLine<CaseType>>>;

export const caseTypesOf = (host: ResourceHost): CaseTypes => recordsOf(host, CASE_TYPE_TYPE);

/** A version of a type; without a number the active one. Each case keeps the number of the version under which it was created. */
export const caseTypeOf = (host: ResourceHost, id: string, version?: number): CaseTypeVersion | undefined => {
  const found = findVersion<CaseType>(host, CASE_TYPE_TYPE, id, version);
  return found && { id: found.record.id, version: found.version };
};

/** The reviews of a type's active version. They apply to all cases of the type, whatever their version. */
export const smartReviewsIn = (host: ResourceHost, id: string): SmartReviews | undefined => {
  const record = caseTypesOf(host).get(id);
  return record && shownOf(record.stored).fields.smartReviews;
};

export interface CaseTypeVersion {
  readonly id: string;
  readonly version: TypeVersion<CaseType>;
}

/** The type of a new case of a base type: the type for all products that was published last. */
export function activeCaseType(host: ResourceHost, base: BaseCaseType): CaseTypeVersion | undefined {
  let found: CaseTypeVersion | undefined;
  for (const { id, stored } of caseTypesOf(host).values()) {
    const version = activeOf(stored);
    if (version === undefined || version.fields.caseType !== base || version.fields.loanTypeId !== null) continue;
    if (!found || (version.publishedAt ?? 0) >= (found.version.publishedAt ?? 0)) found = { id, version };
  }
  return found;
}

interface CaseTypeFieldsBody {
  /** The base type. A copy has that of its original. */
  readonly caseType?: BaseCaseType;
  readonly loanTypeId?: AnyId | null;
  readonly workflowTypeId?: AnyId | null;
  readonly customFieldSchemas?: readonly CustomFieldBody[] & tags.MaxItems<100>;
  readonly smartReviews?: SmartReviewsBody;
}

export interface CaseTypeCreateBody extends VersionedCreateBody, CaseTypeFieldsBody {
  /** Creates the next version of this type. */
  readonly copyOf?: AnyId;
}

export interface CaseTypeUpdateBody extends VersionedUpdateBody, CaseTypeFieldsBody {}

export interface CaseTypeListQuery extends VersionedListQuery {
  readonly caseType?: BaseCaseType;
}

export interface CaseTypeView extends VersionedView {
  readonly object: 'caseType';
  readonly caseType: BaseCaseType;
  readonly loanTypeId: string | null;
  readonly workflowTypeId: string | null;
  readonly customFieldSchemas: readonly CustomField[];
  readonly smartReviews: SmartReviews;
  /** Do Not Interact types that apply to cases of this type. */
  readonly doNotInteractTypeIds: readonly string[];
  readonly notificationTypeIds: readonly string[];
}
