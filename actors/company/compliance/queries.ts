import { SEED_RULES } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import { type OffsetQuery, pageOf } from '../../page.js';
import type { QuerySpec } from '../../kernel/actor.js';
import type { ListResult } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { type ComplianceRuleQuery, type ComplianceRuleView, ruleView, ruleViews } from './rule-view.js';

const SEED_IDS: ReadonlySet<string> = new Set(SEED_RULES.map(({ id }) => id));

/** Rules in the order in which they are judged. */
export const complianceQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'complianceRule.list',
    on: 'target',
    read: ({ state, query, env }) =>
      listed(
        ruleViews(state, env.now).filter(({ id }) => SEED_IDS.has(id)),
        query as ComplianceRuleQuery,
      ),
  },
  {
    kind: 'company',
    type: 'complianceRule.listOfCompany',
    on: 'target',
    read: ({ state, query, env }) => listed(ruleViews(state, env.now), query as ComplianceRuleQuery),
  },
  {
    kind: 'company',
    type: 'complianceRule.listOfBusiness',
    on: 'target',
    read: ({ state, query, env }) =>
      pageOf(
        ruleViews(state, env.now).filter(({ id }) => !SEED_IDS.has(id)),
        query as OffsetQuery,
        (rule) => rule,
      ),
  },
  {
    kind: 'company',
    type: 'complianceRule.getOfBusiness',
    on: 'target',
    read({ state, request, env }) {
      const id = request.params['businessRuleId'] ?? '';
      return SEED_IDS.has(id) ? refuse('notFound', `There is no business rule ${id} of the company.`) : ruleView(state, id, env.now);
    },
  },
  {
    kind: 'company',
    type: 'complianceRule.get',
    on: 'target',
    read: ({ state, request, env }) => ruleView(state, request.params['ruleId'] ?? '', env.now),
  },
];

function listed(
  rules: readonly ComplianceRuleView[],
  { channel, theme, jurisdiction, kind, status, ...page }: ComplianceRuleQuery,
): ListResult {
  const among = <Word>(words: readonly Word[], word: Word | undefined): boolean =>
    word === undefined || words.length === 0 || words.includes(word);
  const wanted = rules.filter(
    (rule) =>
      among(rule.channels, channel) &&
      among(rule.themes, theme) &&
      (jurisdiction === undefined || rule.jurisdictions.includes(jurisdiction)) &&
      (kind === undefined || rule.kind === kind) &&
      (status === undefined || rule.status === status),
  );
  return pageOf(wanted, page, (rule) => rule);
}
