import { type ContactPlan, type GuardVerdict, must } from '../../engine/index.js';
import type { DecideEnv } from '../runtime/actor.js';
import type { Fact, FactDraft } from '../runtime/fact.js';
import { COMPLIANCE_DECISION, type DecisionState, type Said } from './state.js';

/** What happens to an entry of the log. */
interface DecisionFacts {
  readonly ComplianceDecided: Said;
  /** Newer ones of the borrower have taken its place. */
  readonly ComplianceDecisionPassed: Readonly<Record<string, never>>;
}

type Apply = { [Type in keyof DecisionFacts]: (state: DecisionState, body: DecisionFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  ComplianceDecided(state, said, fact) {
    state.said = said;
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  ComplianceDecisionPassed(state) {
    state.said = null;
  },
};

/** Applies a fact to an entry. The check emits nothing (communications 5.2). */
export function evolveDecision(state: DecisionState, fact: Fact): void {
  const apply = must(APPLY[fact.type as keyof DecisionFacts], `a compliance decision knows no fact ${fact.type}`);
  (apply as (state: DecisionState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
}

/** Entries that are kept of one borrower: the newest. */
const MAX_DECISIONS = 100;

/** A verdict to be kept. */
export interface Decided {
  readonly personId: string;
  readonly contactId: string | null;
  readonly source: Said['source'];
  /** Of the record that the send has made. */
  readonly interactionId?: string | null;
  readonly plan: ContactPlan;
  readonly verdict: GuardVerdict;
}

/** Facts that keep a verdict in the log, beside whatever else is decided on the borrower's shard. */
export function decisionBeside(
  env: Pick<DecideEnv, 'list' | 'newId'>,
  { personId, contactId, source, interactionId = null, plan, verdict }: Decided,
): readonly FactDraft[] {
  const { origin, loanIds, caseId, channel, direction, subject, theme, isTransactional, isAutodialed, at } = plan;
  const { result, blockReason, ruleId, ruleCode, doNotInteractId, sendAt, rules } = verdict;
  const said: Said = {
    personId,
    source,
    origin,
    contactId,
    loanIds,
    caseId,
    interactionId,
    channel,
    direction,
    subject,
    theme,
    isTransactional,
    isAutodialed,
    result,
    blockReason,
    ruleId,
    ruleCode,
    doNotInteractId,
    sendAt,
    judgedAt: at,
    rules,
  };
  const { rows } = env.list(COMPLIANCE_DECISION, { parentId: personId, limit: Number.MAX_SAFE_INTEGER });
  const passed = rows
    .slice(MAX_DECISIONS - 1)
    .map(({ id }): FactDraft => ({ type: 'ComplianceDecisionPassed', body: {}, target: { kind: COMPLIANCE_DECISION, id } }));
  return [{ type: 'ComplianceDecided', body: said, target: { kind: COMPLIANCE_DECISION, id: env.newId('CG') } }, ...passed];
}
