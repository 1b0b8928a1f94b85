import { effectiveAtActivation, productAtActivation } from '../origination/at-activation.js';
import { addDays, type Day, LAST_DAY } from '../../../engine/index.js';
import { heldAtActivation } from '../ledger/thresholds.js';
import { companyOf, loanTypeVersions } from '../../company/index.js';
import type { CommandContext, Decision } from '../../kernel/actor.js';
import { finished } from '../commands/order.js';
import { recordOf } from '../context.js';
import type { LineActivated } from '../facts.js';
import { originatedPrograms } from '../promo-programs/make.js';
import { settingsAt } from '../ledger/settings.js';
import { indexOf } from '../rates/rows.js';
import type { ActivateLoanRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { scheduleRows } from '../views/schedule.js';
import type { ActivationReply } from '../views/types.js';
import { amountsValidation, ratesValidation } from '../views/validation.js';
import { lineContractOf } from './contract.js';

/** `POST L/activate` of a line: its first period opens, with a row of zero. */
export function activateLine(context: CommandContext<LoanState>, request: ActivateLoanRequest, day: Day): Decision<LoanState> {
  const { state, env } = context;
  const { atOrigination: origination, loanTypeId } = recordOf(state);
  const settings = settingsAt(loanTypeVersions(companyOf(env, state.tenant), loanTypeId), day);
  const contract = lineContractOf({ origination, settings, day, index: indexOf(state, env) });
  const body: LineActivated = { contract, ...productAtActivation(state, env) };
  return {
    facts: [
      { type: 'LineActivated', body, effective: effectiveAtActivation(env, state, day) },
      ...originatedPrograms(state, env, { activation: day, lastDue: addDays(LAST_DAY, -1) }),
      ...heldAtActivation(env, state),
    ],
    preview: request.previewMode === true,
    reply(after) {
      const data: ActivationReply = {
        schedule: scheduleRows(after, env),
        ratesValidation: ratesValidation(after, env),
        amountsValidation: amountsValidation(after),
      };
      return finished(context, request, { data });
    },
  };
}
