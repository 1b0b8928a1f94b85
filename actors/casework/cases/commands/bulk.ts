import type { CaseOutcome } from '../../../company/index.js';
import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '../../../kernel/actor.js';
import { fieldsOf, widened } from '../blocks/block-fields.js';
import { blockFrom } from '../blocks/decide.js';
import type { DoNotInteractRequest } from '../blocks/types.js';
import { fact, onCase } from '../context.js';
import { isClosed } from '../machine.js';
import { sealText } from '../sealing.js';
import { activeBlock, type CaseState } from '../state.js';
import { closing } from './closing.js';

/** What mass work asks of each subcase of a supercase. Those that it has no use for stay as they are. */

const nothing: Decision<CaseState> = { facts: [], reply: () => ({ data: undefined }) };

const done = (facts: Decision<CaseState>['facts']): Decision<CaseState> => ({ ...nothing, facts });

export interface CloseSubcase {
  readonly outcome: CaseOutcome;
  readonly note: string | null;
}

/** One that is closed already stays as it is. */
export const closeSubcase = onCase('case.closeInBulk', null, (context) => {
  const { state, env } = context;
  if (isClosed(state.status)) return nothing;
  const { outcome, note } = context.body as CloseSubcase;
  const { personId, id } = state;
  const outcomeNote = sealText(env, { personId, place: 'outcomeNote', id }, note);
  return done(closing(env, state, { status: 'completed', outcome, ...(outcomeNote === null ? {} : { outcomeNote }) }));
});

/** A case that blocks already keeps its own block, made wider where it blocks less than what is set for all. */
export const blockSubcase = onCase('doNotInteract.createInBulk', null, ({ state, env, body }) => {
  if (isClosed(state.status)) return nothing;
  const fields = blockFrom(env, state.personId, body as DoNotInteractRequest);
  const known = activeBlock(state);
  if (known) {
    const wider = widened(fieldsOf(known), fields);
    return isDeepStrictEqual(wider, fieldsOf(known)) ? nothing : done([fact('BlockChanged', { id: known.id, ...wider })]);
  }
  return done([fact('BlockSet', { id: env.newId('DN'), ...fields, source: 'supercase', doNotInteractTypeId: null })]);
});

/** Only what was set for all is lifted for all. */
export const liftSubcaseBlock = onCase('doNotInteract.deleteInBulk', null, ({ state }) => {
  const block = activeBlock(state);
  return block?.source === 'supercase' ? done([fact('BlockEnded', { id: block.id, status: 'lifted' })]) : nothing;
});
