import { type ContactPlan, GUARD_VERSION, type GuardVerdict, must } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { Fact, FactDraft } from '../../kernel/fact.js';
import { COMPLIANCE_DECISION, type DecisionState, type Said, type Shelf } from './state.js';

/** What happens to an entry of the log. */
interface DecisionFacts {
  readonly ComplianceDecided: Said;
  /** Newer ones of the borrower have taken its place in the list index; it stays in the log. */
  readonly ComplianceDecisionShelved: { readonly previousId: string | null };
  /** Of earlier releases: it has left the log. */
  readonly ComplianceDecisionPassed: Readonly<Record<string, never>>;
}

type Apply = { [Type in keyof DecisionFacts]: (state: DecisionState, body: DecisionFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  ComplianceDecided(state, said, fact) {
    state.said = said;
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
  },
  ComplianceDecisionShelved(state, { previousId }) {
    state.shelved = { previousId };
  },
  ComplianceDecisionPassed(state) {
    state.said = null;
  },
};

/** Applies a fact to an entry. The check emits nothing. */
export function evolveDecision(state: DecisionState, fact: Fact): void {
  const apply = must(APPLY[fact.type as keyof DecisionFacts], `a compliance decision knows no fact ${fact.type}`);
  (apply as (state: DecisionState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
}

/**
 * Entries of one borrower in the list index, which is in memory: the newest. The others are kept as long as the journal (three years by 12
 * CFR 1006.100), each naming the one before, and are read one by one by who asks for them.
 */
const LISTED_DECISIONS = 100;

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
  env: Pick<DecideEnv, 'list' | 'newId' | 'read'>,
  { personId, contactId, source, interactionId = null, plan, verdict }: Decided,
): readonly FactDraft[] {
  const { origin, loanIds, caseId, channel, direction, subject, theme, isTransactional, isAutodialed, at } = plan;
  const { result, blockReason, ruleId, ruleCode, doNotInteractId, sendAt, rules } = verdict;
  const { rows } = env.list(COMPLIANCE_DECISION, { parentId: personId, limit: Number.MAX_SAFE_INTEGER });
  const { shelf, facts } = shelved(env, rows);
  const said: Said = {
    ...(shelf === undefined ? {} : { shelf }),
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
    rulesVersion: GUARD_VERSION,
  };
  return [{ type: 'ComplianceDecided', body: said, target: { kind: COMPLIANCE_DECISION, id: env.newId('CG') } }, ...facts];
}

/** What the newest entry makes leave the index, the oldest first, and the shelf with it. `rows` are those of the borrower, newest first. */
function shelved(
  env: Pick<DecideEnv, 'read'>,
  rows: readonly { readonly id: string }[],
): { readonly shelf: Shelf | undefined; readonly facts: readonly FactDraft[] } {
  const [newest] = rows;
  let shelf = newest && env.read<DecisionState>(COMPLIANCE_DECISION, newest.id)?.said?.shelf;
  const facts: FactDraft[] = [];
  for (const { id } of rows.slice(LISTED_DECISIONS - 1).toReversed()) {
    facts.push({
      type: 'ComplianceDecisionShelved',
      body: { previousId: shelf?.headId ?? null },
      target: { kind: COMPLIANCE_DECISION, id },
    });
    shelf = { headId: id, count: (shelf?.count ?? 0) + 1 };
  }
  return { shelf, facts };
}
