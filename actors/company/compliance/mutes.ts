import type { tags } from 'typia';
import { SEED_RULES } from '../../../engine/index.js';
import { changed, type ResourceCreated, type ResourceRemoved } from '../../kernel/resources/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type DateTimeText, millisecondsOf, type Text } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { ruleView } from './rule-view.js';
import { businessRuleRecords, MUTE_TYPE, type Mute, muteRecords } from './stored.js';

export interface MuteRuleRequest {
  readonly reason: Text & tags.MinLength<1>;
  /** A moment to come: no rule is muted for good. */
  readonly until: DateTimeText;
}

/** `POST /companies/{companyId}/compliance/rules/{ruleId}/mute`: evaluated and logged still, it blocks no more. */
const muteRule: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'complianceRule.mute',
  place: { on: 'target' },
  catchUpFirst: false,
  decide(context) {
    const { state, env } = context;
    const id = mutableRule(context);
    const { reason, until } = context.body as MuteRuleRequest;
    const stored: Mute = { reason, until: millisecondsOf(until) };
    if (stored.until <= env.now) refuseProperty('until', 'a moment to come', 'The mute would be over already.');
    const before = muteRecords(state).get(id);
    const body: ResourceCreated = { resource: MUTE_TYPE, id, parentId: null, stored };
    return shown(context, id, [before === undefined ? { type: 'ResourceCreated', body } : changed(MUTE_TYPE, before, stored)]);
  },
};

const unmuteRule: CommandSpec<CompanyState> = {
  kind: 'company',
  type: 'complianceRule.unmute',
  place: { on: 'target' },
  catchUpFirst: false,
  decide(context) {
    const id = mutableRule(context);
    const body: ResourceRemoved = { resource: MUTE_TYPE, id, parentId: null };
    return shown(context, id, !muteRecords(context.state).has(id) ? [] : [{ type: 'ResourceRemoved', body }]);
  },
};

export const muteCommands: readonly CommandSpec<CompanyState>[] = [muteRule, unmuteRule];

/** 404 for a rule that nobody knows, 400 for one that the law asks of everybody. */
function mutableRule({ state, command }: CommandContext<CompanyState>): string {
  const id = command.params['ruleId'] ?? '';
  const rule = SEED_RULES.find((known) => known.id === id) ?? businessRuleRecords(state).get(id)?.stored;
  if (rule === undefined) refuse('notFound', `There is no compliance rule ${id}.`);
  if (!rule.mutable)
    refuse('badRequest', `The rule ${rule.code} cannot be muted.`, {
      errors: [{ path: 'ruleId', expected: 'a rule that is mutable', message: 'holds for everybody' }],
    });
  return id;
}

const shown = ({ env }: CommandContext<CompanyState>, id: string, facts: readonly FactDraft[]): Decision<CompanyState> => ({
  facts,
  reply: (after) => ({ data: ruleView(after, id, env.now) }),
});
