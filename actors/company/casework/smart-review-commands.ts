import { isOfResource, isResourceFact } from '../../kernel/resources/declaration.js';
import { changedInUse, shownOf, type TypeLine } from '../../kernel/resources/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, JobTrigger } from '../../kernel/actor.js';
import type { Fact } from '../../kernel/fact.js';
import type { CompanyState } from '../state.js';
import { CASE_TYPE_TYPE, type CaseType } from './case-type.js';
import { CASE_TYPE } from './case-types.js';
import { recordNamed, shownReply } from './do-not-interact-types.js';
import { type SmartReviewsBody, smartReviewsOf } from './notification-types.js';

/** `PUT /case-types/{caseTypeId}/smart-reviews`: changes the reviews without a new version of the type. */
export const setSmartReviews: CommandSpec<CompanyState, SmartReviewsBody> = {
  kind: 'company',
  type: 'caseType.setSmartReviews',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, body, command: { params } }) {
    const record = recordNamed<TypeLine<CaseType>>(state, CASE_TYPE_TYPE, params['caseTypeId']);
    if (shownOf(record.stored).status === 'deprecated') refuse('invalidState', `The case type ${record.id} is deprecated.`);
    const changed = changedInUse(CASE_TYPE_TYPE, record, (fields) => ({
      ...fields,
      smartReviews: smartReviewsOf(fields.smartReviews, body, fields, ''),
    }));
    return { facts: [changed], reply: (after) => ({ data: shownReply(CASE_TYPE, after, record.id) }) };
  },
};

/**
 * The mass work after a change of reviews. When reviews are switched on, each active case of the type has to plan its next
 * one. When they are switched off, no work is needed: a case checks its type before each review.
 */
export function reviewWork(fact: Fact): JobTrigger | null {
  if (!isResourceFact(fact, 'ResourceChanged')) return null;
  const changed = fact.body;
  if (!isOfResource<TypeLine<CaseType>>(changed, CASE_TYPE_TYPE) || !shownOf(changed.stored).fields.smartReviews.enable) return null;
  const { id } = changed;
  return { kind: 'caseType.update', objectId: id, selection: { kind: 'case', filter: { caseTypeId: id, isActive: true } } };
}
