import { contactOf, personOf } from '../../borrower/index.js';
import { checkTimezone } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { millisecondsOf } from '../../wire.js';
import { callTaskCanceled } from './agent-work.js';
import { type Context, decided, fact, itemOf, onCase, wrongId } from './context.js';
import type { RescheduleCallRequest, ScheduleCallRequest } from './requests.js';
import type { CallFields, CaseState, ScheduledCall } from './state.js';
import { callView, sealText } from './view.js';

/** `POST .../scheduled-calls`. */
export const scheduleCall = onCase('scheduledCall.create', 'work', (context: Context<ScheduleCallRequest>) => {
  const id = context.env.newId('SH');
  return shown(context, id, [fact('CallScheduled', { id, ...fieldsOf(context, id, context.body, NO_CALL) })]);
});

/** `PUT .../scheduled-calls/{id}`. */
export const rescheduleCall = onCase('scheduledCall.update', 'work', (context: Context<RescheduleCallRequest>) => {
  const call = scheduledOf(context);
  const fields = fieldsOf(context, call.id, context.body, call);
  return shown(context, call.id, [
    fact('CallRescheduled', { id: call.id, ...fields }),
    ...callTaskCanceled(context.env, context.state, call.id),
  ]);
});

/** `DELETE .../scheduled-calls/{id}`. */
export const cancelCall = onCase('scheduledCall.delete', 'work', (context) => {
  const { id } = scheduledOf(context);
  return shown(context, id, [fact('CallEnded', { id, status: 'canceled' }), ...callTaskCanceled(context.env, context.state, id)]);
});

const NO_CALL: CallFields = { scheduledAt: 0, contactId: null, timezone: null, instructions: null };

const shown = ({ state, env }: Context, id: string, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(state.personId, facts, (after) => callView(after, itemOf(after.calls, id, 'scheduled call'), env));

function scheduledOf({ state, command }: Context): ScheduledCall {
  const call = itemOf(state.calls, command.params['scheduledCallId'], 'scheduled call');
  return call.status === 'scheduled' ? call : refuse('invalidState', `The call ${call.id} is ${call.status}.`);
}

function fieldsOf({ state, env }: Context, id: string, body: RescheduleCallRequest, before: CallFields): CallFields {
  const { contactId = before.contactId, timezone = before.timezone, instructions } = body;
  const scheduledAt = body.scheduledAt === undefined ? before.scheduledAt : millisecondsOf(body.scheduledAt);
  if (scheduledAt !== before.scheduledAt && scheduledAt <= env.now)
    refuseProperty('scheduledAt', 'a future date-time', '`scheduledAt` must be in the future.');
  checkTimezone(timezone);
  const contact =
    contactId === null || contactId === before.contactId
      ? null
      : (contactOf(personOf(env, state.personId), contactId) ?? wrongId('contactId', 'a contact', contactId));
  if (contact !== null && contact.contactType !== 'phone')
    refuseProperty('contactId', 'a phone contact of the borrower', '`contactId` must be a phone contact of the borrower.');
  return {
    scheduledAt,
    timezone,
    contactId: contact?.id ?? contactId,
    instructions:
      instructions === undefined ? before.instructions : sealText(env, { personId: state.personId, part: 'call', id }, instructions),
  };
}
