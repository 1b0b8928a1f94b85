import { BLOCKED_STATUS, type FailedSend, refusalOf, textOf } from '../../../actors/index.js';
import type { Reply } from '../../routing/route.js';

/** What came of a command that sends: a message that was stopped is recorded, and refused all the same. Throws 422. */
export function orStopped(reply: Reply): Reply {
  if (reply.status === BLOCKED_STATUS) throw refusalOf(JSON.parse(textOf(reply.data)) as FailedSend); // a stored reply is text
  return reply;
}
