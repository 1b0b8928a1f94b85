import { refuse, refuseProperty } from '../../errors.js';
import { millisecondsOf } from '../../wire.js';
import { type Context, decided, fact, onCase } from './context.js';
import type { SnoozeRequest } from './requests.js';
import { sealText, snoozeView } from './view.js';

/** `POST .../snooze`: snoozes the case until a moment; replaces a former snooze. */
export const snoozeCase = onCase('caseSnooze.create', 'work', ({ state, body: request, env }: Context<SnoozeRequest>) => {
  const until = millisecondsOf(request.until);
  if (until <= env.now) refuseProperty('until', 'a future date-time', '`until` must be in the future.');
  const id = env.newId('SZ');
  const reason = sealText(env, { personId: state.personId, part: 'snooze', id }, request.reason);
  return decided(
    state.personId,
    [fact('CaseSnoozed', { id, until, reason })],
    (after) => after.snooze && snoozeView(after, after.snooze, env),
  );
});

/** `DELETE .../snooze`. */
export const endSnooze = onCase('caseSnooze.delete', 'work', ({ state }) => {
  const { id } = state.snooze ?? refuse('notFound', `The case ${state.id} is not snoozed.`);
  return { facts: [fact('CaseWoken', { id })], reply: () => ({ data: undefined }) };
});
