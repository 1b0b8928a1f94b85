import type { CommandContext } from '../../../kernel/actor.js';
import { requireBody, requireCase, requirePerson, requireProduct } from '../../context.js';
import type { ActionRequest } from '../../requests.js';
import type { LoanState } from '../../state.js';

/** What every command about a purchase asks first: the person of the path, a line of credit, a case where one is needed. */
export function beginPurchase<Request extends Pick<ActionRequest, 'caseId'>>({
  state,
  env,
  command,
  body,
}: CommandContext<LoanState>): Request {
  requirePerson(state, command.params['personId'], env);
  requireProduct(state, 'lineOfCredit');
  const request = requireBody<Request>(body);
  requireCase(env, state, command, request.caseId);
  return request;
}
