import { dayAt, must, parseDay } from '../../../../engine/index.js';
import { companyOf, smartReviewsIn, zoneOf } from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../../page.js';
import type { QuerySpec } from '../../../kernel/actor.js';
import type { DateText } from '../../../wire.js';
import type { CaseState } from '../state.js';
import { caseView } from '../view.js';
import { contactFields } from './last-contact.js';
import { keyDays, reviewDayAfter } from './review-days.js';

export interface ReviewPreviewBody {
  readonly date: DateText;
}

type Asked = ReviewPreviewBody & PageQuery;

/**
 * `POST /case-types/{caseTypeId}/smart-reviews/preview`: the cases that the type's reviews would bring up on a day, as cases
 * and configuration are now. Reviews that are not switched on are shown as if they were.
 */
export const previewReviews: QuerySpec<CaseState> = {
  kind: 'case',
  type: 'case.previewReviews',
  on: 'tenant',
  read({ query, request, env }) {
    const { date, limit = DEFAULT_LIMIT, ...cursors } = query as Asked;
    const day = parseDay(date) ?? refuseProperty('date', 'a date', 'There is no such day.');
    const caseTypeId = request.params['caseTypeId'] ?? '';
    const company = companyOf(env, env.tenant);
    const { config } = smartReviewsIn(company, caseTypeId) ?? refuse('notFound', `There is no caseType ${caseTypeId}.`);
    const zone = zoneOf(company);
    const stateOf = (id: string): CaseState => must(env.stateOf<CaseState>('case', id), `the listed case ${id}`);
    const isUp = (state: CaseState): boolean =>
      state.caseType === 'collection'
        ? reviewDayAfter(dayAt(zone, env.now), { ...state, fields: { ...state.fields, ...contactFields(state, env) } }, config, zone) ===
          day
        : [...keyDays(state, config)].some((one) => one.day === day);
    const page = env.list('case', {
      ...cursors,
      limit,
      matches: ({ id, fields }) => fields['caseTypeId'] === caseTypeId && fields['isActive'] === true && isUp(stateOf(id)),
    });
    return {
      items: page.rows.map(({ id }) => caseView(stateOf(id), env)),
      total: page.total,
      hasMore: page.hasMore,
      hasPrevious: page.hasPrevious,
      order: page.order(),
    };
  },
};
