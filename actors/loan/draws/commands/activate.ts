import { settingsAt } from '../../ledger/settings.js';
import { companyOf, loanTypeVersions } from '../../../company/index.js';
import type { CommandContext, CommandSpec } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { beginAction, finished } from '../../commands/order.js';
import { effectiveNow, recordOf } from '../../context.js';
import { lineRows } from '../../line/rows.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';
import type { ActivationReply } from '../../views/types.js';
import { drawContractOf } from '../contract.js';
import type { Draw } from '../draw.js';
import type { DrawActivated } from '../evolve.js';
import { drawOf, requireDrawMove } from '../find.js';
import { drawAmountsValidation, drawRatesValidation } from '../view.js';
import { requireNewDraws } from './create.js';

/** `POST D/activate`: the draw takes purchases from now on; its line must be active. */
export const activateDraw: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'draw.activate',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<ActionRequest>(context, 'purchase');
    const { env, state, command } = context;
    const draw = drawOf(state, command.params['drawId']);
    requireDrawMove(context, draw, 'activate');
    requireNewDraws(state);
    return {
      facts: [drawActivation(context, draw, request.caseId ?? null)],
      preview: request.previewMode === true,
      reply: (after) => {
        const activated = drawOf(after, draw.id);
        const data: ActivationReply = {
          schedule: lineRows(after, env, activated.draw),
          ratesValidation: drawRatesValidation(after, env, activated),
          amountsValidation: drawAmountsValidation(activated),
        };
        return finished(context, request, { data });
      },
    };
  },
};

/** The fact that a draw is active from now on, under the product's settings of today. */
export function drawActivation(
  { state, env }: Pick<CommandContext<LoanState>, 'state' | 'env'>,
  draw: Draw,
  caseId: string | null,
): FactDraft {
  const effective = effectiveNow(env, state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), recordOf(state).loanTypeId), effective.day);
  const change = drawContractOf(state, env, draw, settings, effective.day);
  const body: DrawActivated = { drawId: draw.id, change, recordedDay: effective.day, caseId, reason: null };
  return { type: 'DrawActivated', body, effective };
}
