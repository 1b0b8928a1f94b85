import { BASE_CASE_TYPE_NAMES, BASE_CASE_TYPES, type BaseCaseType } from './case-values.js';
import { publishedType, recordsOf, type ResourceHost, type VersionedDeclaration } from '../../kernel/resources/index.js';
import { refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { type FactDraft, SYSTEM_AGENT } from '../../kernel/fact.js';
import type { CompanyState } from '../state.js';
import { CASE_TYPE_TYPE, type CaseType, type CaseTypeCreateBody, type CaseTypeListQuery, type CaseTypeUpdateBody } from './case-type.js';
import { customFieldsOf } from './custom-field.js';
import { linkedTo } from './links.js';
import { defaultSmartReviews, smartReviewsOf } from './smart-reviews.js';
import { DO_NOT_INTERACT_TYPE_TYPE } from './do-not-interact-type.js';
import { NOTIFICATION_TYPE_TYPE } from './notification-type.js';
import { WORKFLOW_TYPE_TYPE } from './workflow-type.js';

export const CASE_TYPE: VersionedDeclaration<CaseTypeCreateBody, CaseTypeUpdateBody, CaseType, CompanyState> = {
  type: CASE_TYPE_TYPE,
  prefix: 'CE',
  param: 'caseTypeId',
  create(body, { host }) {
    const caseType =
      body.caseType ?? refuseProperty('caseType', 'one of the base types', 'A case type without copyOf names its base type.');
    return withBody(newCaseType(caseType), body, host);
  },
  change(before, body, { host }) {
    if (body.caseType !== undefined && body.caseType !== before.caseType)
      refuseProperty('caseType', before.caseType, 'The base type of a case type stays.');
    return withBody(before, body, host);
  },
  matches({ caseType }, query) {
    const wanted = (query as CaseTypeListQuery).caseType;
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

function withBody(before: CaseType, body: CaseTypeUpdateBody, host: CompanyState): CaseType {
  const { loanTypeId = before.loanTypeId, workflowTypeId = before.workflowTypeId } = body;
  if (body.loanTypeId != null && !host.loanTypes.has(body.loanTypeId))
    refuseProperty('loanTypeId', 'the id of a loan type', `There is no loan type ${body.loanTypeId}.`);
  if (body.workflowTypeId != null) assertWorkflowType(host, body.workflowTypeId);
  const customFieldSchemas = body.customFieldSchemas === undefined ? before.customFieldSchemas : customFieldsOf(body.customFieldSchemas);
  const smartReviews = smartReviewsOf(before.smartReviews, body.smartReviews, { caseType: before.caseType, customFieldSchemas });
  return { caseType: before.caseType, loanTypeId, workflowTypeId, customFieldSchemas, smartReviews };
}

function assertWorkflowType(host: ResourceHost, id: string): void {
  if (!recordsOf(host, WORKFLOW_TYPE_TYPE).has(id))
    refuseProperty('workflowTypeId', 'the id of a workflow type', `There is no workflow type ${id}.`);
}

/** A company begins with an active type of each base type. */
export const standardCaseTypes = (env: DecideEnv): readonly FactDraft[] =>
  BASE_CASE_TYPES.map((base) =>
    publishedType(CASE_TYPE_TYPE, env.newId(CASE_TYPE.prefix), { name: BASE_CASE_TYPE_NAMES[base], description: '' }, newCaseType(base), {
      at: env.now,
      agent: SYSTEM_AGENT,
    }),
  );
