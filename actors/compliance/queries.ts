import { must } from '../../engine/index.js';
import { resolveId } from '../case/context.js';
import { DEFAULT_LIMIT } from '../page.js';
import type { CatalogRow, QueryEnv, QuerySpec } from '../runtime/actor.js';
import { dateTimeText, type ListResult, millisecondsOf, orNull } from '../wire.js';
import type { ComplianceDecisionQuery, ComplianceDecisionView } from './requests.js';
import { COMPLIANCE_DECISION, type DecisionState } from './state.js';

/** The log, newest first (communications 5.1). Lines of the list index tell which entries are asked for. */
export const decisionQueries: readonly QuerySpec<DecisionState>[] = [
  {
    kind: COMPLIANCE_DECISION,
    type: 'complianceDecision.list',
    on: 'tenant',
    below: ({ query }) => ({ kind: 'person', target: (query as ComplianceDecisionQuery | undefined)?.personId }),
    read: ({ query, env }) => listed(query as ComplianceDecisionQuery, env),
  },
];

function listed(
  { personId, result, ruleId, createdAtAfter, createdAtBefore, limit = DEFAULT_LIMIT, ...cursor }: ComplianceDecisionQuery,
  env: QueryEnv,
): ListResult {
  const after = createdAtAfter === undefined ? -Infinity : millisecondsOf(createdAtAfter);
  const before = createdAtBefore === undefined ? Infinity : millisecondsOf(createdAtBefore);
  const matches = ({ fields }: CatalogRow): boolean => {
    const createdAt = Number(fields['createdAt']);
    return (
      (result === undefined || fields['result'] === result) &&
      createdAt > after &&
      createdAt < before &&
      (ruleId === undefined || (fields['ruleIds'] as readonly string[]).includes(ruleId))
    );
  };
  // A borrower whom nobody knows has no entries.
  const below = personId === undefined ? {} : { parentId: resolveId(env, env.tenant, 'person', personId) ?? personId };
  const page = env.list(COMPLIANCE_DECISION, { ...below, matches, limit, ...cursor });
  const items = page.rows.map(({ id }) =>
    decisionView(must(env.stateOf<DecisionState>(COMPLIANCE_DECISION, id), `the listed decision ${id}`)),
  );
  return { items, total: page.total, hasMore: page.hasMore, hasPrevious: page.hasPrevious, order: page.order() };
}

function decisionView({ id, tenant, said, createdAt }: DecisionState): ComplianceDecisionView {
  const { sendAt, judgedAt, ...plain } = must(said, `the listed decision ${id}`);
  return {
    id,
    object: 'complianceDecision',
    companyId: tenant.company,
    ...plain,
    sendAt: orNull(dateTimeText, sendAt),
    evaluatedAt: dateTimeText(judgedAt),
    createdAt: dateTimeText(createdAt),
    updatedAt: null,
    deletedAt: null,
  };
}
