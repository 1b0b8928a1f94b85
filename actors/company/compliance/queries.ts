import type { tags } from 'typia';
import { SEED_RULES } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, QuerySpec, QueryContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { changed, type ResourceCreated, type ResourceRemoved } from '../../kernel/resources/index.js';
import { matching, type OffsetQuery, pageOf } from '../../list-order.js';
import { type DateTimeText, type ListResult, millisecondsOf, type Text } from '../../wire.js';
import type { CompanyState } from '../state.js';
import {
  businessRuleRecords,
  type ComplianceRuleQuery,
  type ComplianceRuleView,
  type Mute,
  MUTE_TYPE,
  muteRecords,
  ruleView,
  ruleViews,
} from './rule-view.js';

const SEED_IDS: ReadonlySet<string> = new Set(SEED_RULES.map(({ id }) => id));

/** Lists rules in the order in which they are evaluated. */
export const complianceQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'complianceRule.list',
    on: 'target',
    read: ({ state, query, env }: QueryContext<CompanyState, ComplianceRuleQuery>) =>
      listed(
        ruleViews(state, env.now).filter(({ id }) => SEED_IDS.has(id)),
        query,
      ),
  },
  {
    kind: 'company',
    type: 'complianceRule.listOfCompany',
    on: 'target',
    read: ({ state, query, env }: QueryContext<CompanyState, ComplianceRuleQuery>) => listed(ruleViews(state, env.now), query),
  },
  {
    kind: 'company',
    type: 'complianceRule.listOfBusiness',
    on: 'target',
    read: ({ state, query, env }: QueryContext<CompanyState, OffsetQuery>) =>
      pageOf(
        ruleViews(state, env.now).filter(({ id }) => !SEED_IDS.has(id)),
        query,
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
  const wanted = matching(
    rules,
    (rule) =>
      among(rule.channels, channel) &&
      among(rule.themes, theme) &&
      (jurisdiction === undefined || rule.jurisdictions.includes(jurisdiction)) &&
      (kind === undefined || rule.kind === kind) &&
      (status === undefined || rule.status === status),
  );
  return pageOf(wanted, page, (rule) => rule);
}

export interface MuteRuleRequest {
  readonly reason: Text & tags.MinLength<1>;
  /** A future moment: no rule can be muted forever. */
  readonly until: DateTimeText;
}

/** `POST /companies/{companyId}/compliance/rules/{ruleId}/mute`: the rule is still evaluated and logged, but does not block. */
const muteRule: CommandSpec<CompanyState, MuteRuleRequest> = {
  kind: 'company',
  type: 'complianceRule.mute',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const { state, env } = context;
    const id = mutableRule(context);
    const { reason, until } = context.body;
    const stored: Mute = { reason, until: millisecondsOf(until) };
    if (stored.until <= env.now) refuseProperty('until', 'a future date-time', '`until` must be in the future.');
    const before = muteRecords(state).get(id);
    const body: ResourceCreated = { resource: MUTE_TYPE, id, parentId: null, stored };
    return shown(context, id, [before === undefined ? { type: 'ResourceCreated', body } : changed(MUTE_TYPE, before, stored)]);
  },
};

const unmuteRule: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'complianceRule.unmute',
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const id = mutableRule(context);
    const body: ResourceRemoved = { resource: MUTE_TYPE, id, parentId: null };
    return shown(context, id, !muteRecords(context.state).has(id) ? [] : [{ type: 'ResourceRemoved', body }]);
  },
};

export const muteCommands: readonly CommandSpec<CompanyState>[] = [muteRule, unmuteRule];

/** Refuses with 404 for an unknown rule, and 400 for one that the law requires. */
function mutableRule({ state, command }: CommandContext<CompanyState>): string {
  const id = command.params['ruleId'] ?? '';
  const rule = SEED_RULES.find((known) => known.id === id) ?? businessRuleRecords(state).get(id)?.stored;
  if (rule === undefined) refuse('notFound', `There is no compliance rule ${id}.`);
  if (!rule.mutable)
    refuse('badRequest', `The rule ${rule.code} cannot be muted.`, {
      errors: [{ path: 'ruleId', expected: 'a rule with mutable true', message: 'is not mutable' }],
    });
  return id;
}

const shown = ({ env }: CommandContext<CompanyState>, id: string, facts: readonly FactDraft[]): Decision<CompanyState> => ({
  facts,
  reply: (after) => ({ data: ruleView(after, id, env.now) }),
});
