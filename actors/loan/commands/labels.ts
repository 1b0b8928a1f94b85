import { companyOf, loanLabelOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, Decision } from '../../kernel/actor.js';
import { recordOf } from '../context.js';
import type { LoanUpdated } from '../facts.js';
import type { ActionRequest, AttachLabelsRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { loanView, type ViewEnv } from '../views/loan.js';
import { beginAction } from './order.js';
import { type Checked, refuseFaults } from './update.js';

/** Labels that one loan may carry. */
const MAX_LABELS = 100;

/** `POST L/labels`: adds labels; those that the loan has already stay. */
export const attachLabels: CommandSpec<LoanState, AttachLabelsRequest> = {
  kind: 'loan',
  type: 'loan.attachLabels',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env } = context;
    const company = companyOf(env, env.tenant);
    const checks: Checked[] = [];
    const labels = new Set(recordOf(state).labels);
    request.labelIds.forEach((anyId, index) => {
      const label = loanLabelOf(company, anyId);
      if (label !== undefined) labels.add(label.id);
      else
        checks.push({
          errorType: 'ruleViolation',
          path: `labelIds[${index}]`,
          expected: 'a label of the company',
          message: 'there is no such object',
        });
    });
    refuseFaults(checks);
    if (labels.size > MAX_LABELS) refuse('ruleViolation', `A loan can have at most ${MAX_LABELS} labels.`);
    return labeled(state, env, request, [...labels]);
  },
};

/** `DELETE L/labels/{labelId}`. */
export const detachLabel: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loan.detachLabel',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env, command } = context;
    const asked = command.params['labelId'] ?? '';
    const id = loanLabelOf(companyOf(env, env.tenant), asked)?.id;
    const { labels } = recordOf(state);
    if (id === undefined || !labels.includes(id)) refuse('notFound', `The loan ${state.id} does not have the label ${asked}.`);
    return labeled(
      state,
      env,
      request,
      labels.filter((known) => known !== id),
    );
  },
};

function labeled(state: LoanState, env: ViewEnv, { previewMode }: ActionRequest, labels: readonly string[]): Decision<LoanState> {
  const { labels: before, personId } = recordOf(state);
  const body: LoanUpdated = { labels };
  return {
    facts: labels.length === before.length ? [] : [{ type: 'LoanUpdated', body }],
    preview: previewMode === true,
    reply: (after) => ({ data: loanView(after, env), sealedFor: personId }),
  };
}
