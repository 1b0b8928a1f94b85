import { agentOf } from '../call-context.js';
import type { Call } from '../routing/call.js';
import type { Origin } from './accounts.js';

/** From where a call comes. */
export const originOf = ({ caller, requestId }: Pick<Call, 'caller' | 'requestId'>): Origin => ({
  address: caller.address,
  requestId,
  actor: agentOf(caller),
});
