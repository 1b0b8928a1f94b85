import { refuse } from '../../errors.js';
import { pageOf, type PageQuery } from '../../page.js';
import type { QueryContext, QuerySpec } from '../../kernel/actor.js';
import { requirePerson } from './context.js';
import { maySeeContent, type Reader, readerOf, SENSITIVE } from './reader.js';
import { chainOf } from './references.js';
import type { InteractionContent, InteractionContentView } from './types.js';
import { openJson } from './sealing.js';
import type { InteractionState } from './state.js';
import { interactionView } from './view.js';

type Context = QueryContext<InteractionState>;

const onInteraction = (type: string, read: (context: Context, reader: Reader) => unknown): QuerySpec<InteractionState> => ({
  kind: 'interaction',
  type,
  on: 'target',
  read(context) {
    const { state, request, env, query } = context;
    requirePerson(state, request.params['personId'], env);
    const reader = readerOf(request.permissions, query);
    if (reader.isBorrower && state.theme === 'agentNotification')
      refuse('notFound', `There is no interaction ${state.id} of this borrower.`);
    return read(context, reader);
  },
});

/** Reads of one interaction. */
export const interactionQueries: readonly QuerySpec<InteractionState>[] = [
  onInteraction('interaction.get', ({ state, env }, reader) => interactionView(state, env, { reader })),
  onInteraction('interaction.listPrevious', ({ state, env, query }, reader) =>
    pageOf(
      [...chainOf(env, state)],
      (query ?? {}) as PageQuery,
      (link) => interactionView(link, env, { reader }),
      ({ externalId }) => externalId,
    ),
  ),
  onInteraction('interaction.getContent', ({ state, env }, reader): InteractionContentView => {
    if (!maySeeContent(state, env, reader)) refuse('permissionDenied', 'What was said is sensitive.', { extra: { permission: SENSITIVE } });
    const content = openJson<InteractionContent>(env, state, 'content');
    const { id, channel, personId, templateVersionId, hasRecording } = state;
    const recording = hasRecording && personId !== null ? content?.recordingDocumentId : undefined;
    return {
      interactionId: id,
      object: 'interactionContent',
      channel,
      content,
      templateVersionId,
      recordingUrl: recording === undefined ? null : `/people/${personId}/documents/${recording}/content`,
    };
  }),
];
