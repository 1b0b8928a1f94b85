import type { tags } from 'typia';
import { checkAll, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { type FactDraft, SYSTEM_AGENT } from '../../kernel/fact.js';
import { publishedType, recordsOf, type VersionedDeclaration } from '../../kernel/resources/index.js';
import type { Amount, AnyId, DateText, FreeJson, ShortText, Text } from '../../wire.js';
import type { CompanyState } from '../state.js';
import {
  BASE_CASE_TYPE_NAMES,
  BASE_CASE_TYPES,
  type BaseCaseType,
  type BRANCHES,
  type CEASE_SCOPES,
  type CHAPTERS,
  type COURT_STATUSES,
  type DISPOSITIONS,
  type REQUEST_CHANNELS,
} from './case-fields.js';
import { CASE_TYPE_TYPE, type CaseType, type CaseTypeCreateBody, type CaseTypeListQuery, type CaseTypeUpdateBody } from './case-type.js';
import { customFieldsOf } from './custom-field.js';
import { DO_NOT_INTERACT_TYPE_TYPE, linkedTo } from './do-not-interact-types.js';
import { defaultSmartReviews, NOTIFICATION_TYPE_TYPE, type SmartReviews, smartReviewsOf } from './notification-types.js';
import { WORKFLOW_TYPE_TYPE } from './workflow-types.js';

export const CASE_TYPE: VersionedDeclaration<CaseTypeCreateBody, CaseTypeUpdateBody, CaseType, CompanyState> = {
  type: CASE_TYPE_TYPE,
  prefix: 'CE',
  param: 'caseTypeId',
  create(body, { host }) {
    const { caseType } = body;
    if (caseType !== undefined) return withBody(newCaseType(caseType), body, host);
    const isMissing = (): never => refuseProperty('caseType', 'one of the base types', '`caseType` is required without `copyOf`.');
    checkAll([isMissing, ...checksOf(body, host)]);
    return isMissing();
  },
  change(before, body, { host }) {
    const keepsBase = (): unknown =>
      (body.caseType ?? before.caseType) === before.caseType ||
      refuseProperty('caseType', before.caseType, 'The base type of a case type cannot be changed.');
    return withBody(before, body, host, [keepsBase]);
  },
  matches({ caseType }, query: CaseTypeListQuery) {
    const wanted = query.caseType;
    return wanted === undefined || wanted === caseType;
  },
  view: (fields, { id }, host) => ({
    ...fields,
    doNotInteractTypeIds: linkedTo(host, DO_NOT_INTERACT_TYPE_TYPE, id).map((type) => type.id),
    notificationTypeIds: linkedTo(host, NOTIFICATION_TYPE_TYPE, id).map((type) => type.id),
  }),
};

const newCaseType = (caseType: BaseCaseType): CaseType => ({
  caseType,
  loanTypeId: null,
  workflowTypeId: null,
  customFieldSchemas: [],
  smartReviews: defaultSmartReviews(caseType),
});

type Check = () => unknown;

function withBody(before: CaseType, body: CaseTypeUpdateBody, host: CompanyState, checks: readonly Check[] = []): CaseType {
  const { loanTypeId = before.loanTypeId, workflowTypeId = before.workflowTypeId } = body;
  const reviewed = (): SmartReviews =>
    smartReviewsOf(before.smartReviews, body.smartReviews, {
      caseType: before.caseType,
      customFieldSchemas: body.customFieldSchemas ?? before.customFieldSchemas,
    });
  checkAll([...checks, ...checksOf(body, host), reviewed]);
  const customFieldSchemas = body.customFieldSchemas === undefined ? before.customFieldSchemas : customFieldsOf(body.customFieldSchemas);
  const smartReviews = reviewed();
  return { caseType: before.caseType, loanTypeId, workflowTypeId, customFieldSchemas, smartReviews };
}

/** What of a body can be wrong whatever its base type is. */
const checksOf = ({ loanTypeId, workflowTypeId, customFieldSchemas }: CaseTypeUpdateBody, host: CompanyState): readonly Check[] => [
  () =>
    loanTypeId == null ||
    host.loanTypes.has(loanTypeId) ||
    refuseProperty('loanTypeId', 'the id of a loan type', `There is no loan type ${loanTypeId}.`),
  () =>
    workflowTypeId == null ||
    recordsOf(host, WORKFLOW_TYPE_TYPE).has(workflowTypeId) ||
    refuseProperty('workflowTypeId', 'the id of a workflow type', `There is no workflow type ${workflowTypeId}.`),
  () => customFieldSchemas && customFieldsOf(customFieldSchemas),
];

/** A new company has an active case type of each base type. */
export const standardCaseTypes = (env: DecideEnv): readonly FactDraft[] =>
  BASE_CASE_TYPES.map((base) =>
    publishedType(CASE_TYPE_TYPE, env.newId(CASE_TYPE.prefix), { name: BASE_CASE_TYPE_NAMES[base], description: '' }, newCaseType(base), {
      at: env.now,
      agent: SYSTEM_AGENT,
    }),
  );

/** The wire of the fields of all base types. */

type OneOf<Choices extends readonly string[]> = Choices[number] | null;
type DateField = DateText | null;
type TextField = Text | null;
type IdField = AnyId | null;

/** The fields of all base types; a case accepts only those of its own base type. */
export interface CaseFields {
  readonly courtCaseFiledDate?: DateField;
  readonly courtCaseNumber?: ShortText | null;
  readonly courtCaseChapter?: OneOf<typeof CHAPTERS>;
  readonly courtCaseDebtorDisposition?: OneOf<typeof DISPOSITIONS>;
  readonly courtCaseDebtorDispositionDate?: DateField;
  readonly courtCaseLastStatus?: OneOf<typeof COURT_STATUSES>;
  readonly courtCaseLastStatusUpdatedDate?: DateField;
  readonly courtCaseClosedDate?: DateField;
  readonly creditorClaimDeadlineDate?: DateField;
  readonly anticipatedCaseCompletionDate?: DateField;
  readonly courtName?: TextField;
  readonly courtState?: ShortText | null;
  readonly trusteeName?: TextField;
  readonly filingType?: 'voluntary' | 'involuntary' | null;
  readonly isJointFiling?: boolean | null;
  readonly reaffirmationDate?: DateField;
  readonly loansIncluded?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly requestReceivedDate?: DateField;
  readonly requestChannel?: OneOf<typeof REQUEST_CHANNELS>;
  readonly scope?: OneOf<typeof CEASE_SCOPES>;
  readonly refusesToPay?: boolean | null;
  readonly acknowledgementSentDate?: DateField;
  readonly strategy?: TextField;
  readonly lastOutboundInteractionDate?: DateField;
  readonly lastSuccessfulContactDate?: DateField;
  readonly promiseToPayPlanId?: IdField;
  readonly deceasedNoticeReceivedDate?: DateField;
  readonly dateOfDeath?: DateField;
  readonly reportedBy?: TextField;
  readonly reporterRelation?: TextField;
  readonly estateRepresentativeContactId?: IdField;
  readonly probateCourt?: TextField;
  readonly deathCertificateDocumentId?: IdField;
  readonly noticeReceivedDate?: DateField;
  /** Disputes of debt: one of a few values. Disputes of purchases: a text. */
  readonly disputeReason?: TextField;
  readonly disputedAmount?: Amount | null;
  readonly responseSentDate?: DateField;
  readonly femaDisasterNumber?: ShortText | null;
  readonly incidentType?: TextField;
  readonly declarationDate?: DateField;
  readonly assistanceRequested?: boolean | null;
  readonly assistanceEndDate?: DateField;
  readonly reportReceivedDate?: DateField;
  readonly policeReportNumber?: ShortText | null;
  readonly affidavitReceivedDate?: DateField;
  readonly fraudConfirmed?: boolean | null;
  readonly legalActionIntiatedDate?: DateField;
  readonly legalActionInitiatedDate?: DateField;
  readonly legalJudgementEffectiveDate?: DateField;
  readonly initiatedBy?: 'lender' | 'borrower' | null;
  readonly judgementAmount?: Amount | null;
  readonly dutyStartDate?: DateField;
  readonly dutyEndDate?: DateField;
  readonly branch?: OneOf<typeof BRANCHES>;
  readonly ordersNotificationDate?: DateField;
  readonly isSpouseOrDependent?: boolean | null;
  readonly certificateDocumentId?: IdField;
  readonly requestDate?: DateField;
  readonly noticeSentDate?: DateField;
  readonly validationPeriodEndDate?: DateField;
  readonly listName?: TextField;
  readonly matchScore?: (number & tags.Minimum<0> & tags.Maximum<100>) | null;
  readonly matchedName?: TextField;
  readonly reviewDate?: DateField;
  readonly purchaseIds?: (readonly AnyId[] & tags.MaxItems<100>) | null;
  readonly purchaseDisputeId?: IdField;
  readonly provisionalCreditDate?: DateField;
  readonly responseDueDate?: DateField;
  readonly creditAgencyId?: IdField;
  readonly controlNumber?: ShortText | null;
  readonly disputeCode1?: ShortText | null;
  readonly disputeCode2?: ShortText | null;
  readonly receivedDate?: DateField;
  readonly responseCode?: ShortText | null;
  readonly accountInfo?: FreeJson | null;
}
