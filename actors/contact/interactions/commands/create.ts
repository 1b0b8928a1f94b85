import { must } from '../../../../engine/index.js';
import { companyOf, zoneOf } from '../../../company/index.js';
import { refuse } from '../../../errors.js';
import type { CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import { type Context, refuseTaken, showing } from '../context.js';
import { drafted } from '../draft.js';
import { fact } from '../facts.js';
import { disconnection, reasonTold } from '../on-contact.js';
import type { CreateInteractionRequest } from '../requests.js';
import { type InteractionFields, type InteractionState, NOTHING_SAID } from '../state.js';

/** `POST /people/{personId}/interactions`: what was said elsewhere. Nothing is sent and nobody is told. */
export const createInteraction: CommandSpec<InteractionState> = {
  kind: 'interaction',
  type: 'interaction.create',
  place: { on: 'beside', kind: 'person' },
  decide(context: Context) {
    const { env, id, besideId, body } = context;
    const personId = must(besideId, 'an interaction lies beside its borrower');
    const { channel, direction = 'outbound', ...said } = body as CreateInteractionRequest;
    if (direction === 'outbound') requireCase(context, said.caseId);
    const recorded = newFields(env, { id, personId, channel, direction, isExternal: true, said });
    return showing(context, personId, [
      fact('InteractionRecorded', recorded),
      ...disconnection(env, recorded, null),
      ...reasonTold(env, recorded, null),
    ]);
  },
};

/** Where the company asks for it, an agent says for which case a borrower was contacted (communications 4.8). */
function requireCase({ env, command }: Context, caseId: string | null | undefined): void {
  if (command.actor.type !== 'user' || caseId != null || companyOf(env, env.tenant).profile?.forceCaseIdOnAgentActions !== true) return;
  refuse('caseRequired', 'The interaction needs a case.', {
    errors: [{ path: 'caseId', expected: 'the id of a case', message: 'missing' }],
  });
}

export interface NewInteraction {
  readonly id: string;
  readonly personId: string | null;
  readonly channel: CreateInteractionRequest['channel'];
  readonly direction: NonNullable<CreateInteractionRequest['direction']>;
  readonly isExternal: boolean;
  readonly said: Omit<CreateInteractionRequest, 'channel' | 'direction'>;
}

/** The fields of a new record, as a body says them. */
export function newFields(env: DecideEnv, { id, personId, channel, direction, isExternal, said }: NewInteraction): InteractionFields {
  env.today(zoneOf(companyOf(env, env.tenant))); // the tenant lives by the calendar from here on, and with it windows
  refuseTaken(env, said.externalId, id);
  const blank: InteractionFields = {
    ...NOTHING_SAID,
    channel,
    direction,
    personId,
    isExternal,
    status: direction === 'outbound' ? 'attempted' : 'succeeded',
    templateVersionId: null,
    supercaseBulkOperationId: null,
  };
  return { ...blank, ...drafted(env, { id, personId }, blank, said) };
}
