import { isSendable, must, type SendableChannel, type StatusDetail } from '../../../../engine/index.js';
import { refuse } from '../../../errors.js';
import type { CatalogRow, CommandSpec, QuerySpec } from '../../../kernel/actor.js';
import { DEFAULT_LIMIT, type PageQuery } from '../../../list-order.js';
import type { ListResult } from '../../../wire.js';
import { fact } from '../../interactions/evolve.js';
import type { InteractionState } from '../../interactions/index.js';
import { interactionView, readerOf, withInteractionReply } from '../../interactions/view.js';
import { failedSend, laterMoment, objectionNow, refusalOf } from '../send/screened.js';
import { BLOCKED_STATUS } from '../send/sending.js';
import { postponed } from './attempt.js';
import { isSinkOf, triesAreUsedUp } from './delivery.js';

/*
 * Messages whose tries are used up: nobody has refused them, they only could not be handed over. An operator who has mended the way there
 * sends them again.
 */

export interface UndeliveredQuery extends PageQuery {
  readonly channel?: SendableChannel;
}

/** What a message comes to whose tries are used up (`GIVEN_UP`). */
const DETAILS: ReadonlySet<unknown> = new Set<StatusDetail>(['emailDropped', 'textUnknownError', 'letterFailedToCreate']);

const isUndelivered = ({ status, statusDetails, delivery }: InteractionState): boolean =>
  status === 'failed' && DETAILS.has(statusDetails) && delivery !== null && triesAreUsedUp(delivery);

/** The newest first, without what was said. */
export const listUndelivered: QuerySpec<InteractionState> = {
  kind: 'interaction',
  type: 'interaction.listUndelivered',
  on: 'tenant',
  async read({ query, request, env }): Promise<ListResult> {
    const { limit = DEFAULT_LIMIT, startingAfter, endingBefore, channel } = (query ?? {}) as UndeliveredQuery;
    const stateOf = ({ id }: Pick<CatalogRow, 'id'>): InteractionState => must(env.stateOf<InteractionState>('interaction', id), id);
    const page = await env.listInSlices('interaction', {
      limit,
      ...(startingAfter === undefined ? {} : { startingAfter }),
      ...(endingBefore === undefined ? {} : { endingBefore }),
      matches: (row) =>
        row.fields['status'] === 'failed' &&
        row.fields['isExternal'] === false &&
        DETAILS.has(row.fields['statusDetails']) &&
        (channel === undefined || row.fields['channel'] === channel) &&
        isUndelivered(stateOf(row)),
    });
    const reader = readerOf(request.permissions, {});
    return {
      items: page.rows.map((row) => interactionView(stateOf(row), env, { reader, includeContent: false })),
      total: page.total,
      hasMore: page.hasMore,
      hasPrevious: page.hasPrevious,
      order: page.order(),
    };
  },
};

/**
 * It waits as at first, with all its tries, under the same key: who has it after all brings it once. Each try is screened. At a wrong hour
 * it waits for the next allowed one. What is blocked for good is refused with 422 and stays in the list.
 */
export const sendAgain: CommandSpec<InteractionState> = {
  kind: 'interaction',
  type: 'interaction.sendAgain',
  place: { on: 'target' },
  decide(context) {
    const { state, env } = context;
    const { id, channel, personId, delivery, content } = state;
    if (!isUndelivered(state) || delivery === null || !isSendable(channel))
      return refuse('invalidState', `The message ${id} is none whose tries are used up.`);
    if (content === null) return refuse('invalidState', `What the message ${id} said is gone.`);
    const against = objectionNow(env, state);
    if (against !== null) {
      const later = laterMoment(against, env.now);
      if (later !== null) return withInteractionReply(context, personId, [...postponed(later), ...against.logged]);
      const data = failedSend({ ...against, interactionId: id });
      if (against.logged.length === 0) throw refusalOf(data);
      return { facts: against.logged, reply: () => ({ status: BLOCKED_STATUS, data, message: data.message }) };
    }
    const { senderId, origin = 'request' } = delivery;
    return withInteractionReply(context, personId, [
      fact('InteractionChanged', { changes: { status: 'attempted', statusDetails: null, providerErrorCode: null, failure: null } }),
      { type: 'MessageQueued', body: { channel, senderId, origin, isSink: isSinkOf(env.tenant.mode), at: env.now } },
    ]);
  },
};
