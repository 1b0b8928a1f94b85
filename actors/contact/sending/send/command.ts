import { must } from '../../../../engine/index.js';
import { isReachable, type PersonState } from '../../../borrower/index.js';
import { refuse } from '../../../errors.js';
import { showing } from '../../interactions/context.js';
import type { InteractionState } from '../../interactions/state.js';
import type { CommandSpec, Decision } from '../../../kernel/actor.js';
import type { SendRequest } from '../requests.js';
import { failedSend, refusalOf } from './failure.js';
import { readOrder } from './order.js';
import { sending } from './sending.js';

/** The status of a send that a rule has stopped: what is recorded stays, and a retry is answered the same. */
export const BLOCKED_STATUS = 422;

/** `POST /communicator/send`: the interaction lies beside its borrower. */
export const sendMessage: CommandSpec<InteractionState> = {
  kind: 'interaction',
  type: 'interaction.send',
  place: { on: 'beside', kind: 'person' },
  decide(context): Decision<InteractionState> {
    const { env, id, besideId, body } = context;
    const person = env.read<PersonState>('person', must(besideId, 'a message goes to a borrower'));
    if (!person || !isReachable(person)) return refuse('notFound', 'There is no such borrower.');
    const { facts, failure } = sending(env, person, readOrder(env, id, person, body as SendRequest), id);
    if (failure === null) return showing(context, person.id, facts);
    const data = failedSend(failure);
    if (facts.length === 0) throw refusalOf(data);
    return { facts, reply: () => ({ status: BLOCKED_STATUS, data, message: data.message }) };
  },
};
