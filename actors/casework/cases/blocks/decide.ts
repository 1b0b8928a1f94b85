import { formatDay, must } from '../../../../engine/index.js';
import { checkTimezone, companyOf, zoneOf } from '../../../company/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { DecideEnv, Decision } from '../../../kernel/actor.js';
import type { Agent, FactDraft } from '../../../kernel/fact.js';
import { dayOfText } from '../../../wire.js';
import { type Context, decided, fact, itemOf, onCase } from '../context.js';
import { activeBlock, type Block, type BlockFields, type CaseState } from '../state.js';
import { endOfDay, fieldsOf, firstBlock } from './block-fields.js';
import type { DoNotInteractRequest } from './types.js';
import { blockView } from './view.js';

/** `POST .../do-not-interacts`: a case blocks in one way at a time. */
export const setBlock = onCase('doNotInteract.create', 'work', (context) => {
  const { state, command, env } = context;
  const before = activeBlock(state);
  if (before) refuse('doNotInteractExists', `The case has a block already: ${before.id}.`);
  const id = env.newId('DN');
  const fields = blockFrom(env, state.personId, context.body as DoNotInteractRequest);
  return shown(context, id, fact('BlockSet', { id, ...fields, source: sourceOf(command.actor), doNotInteractTypeId: null }));
});

/** `PUT .../do-not-interacts/{doNotInteractId}`. */
export const changeBlock = onCase('doNotInteract.update', 'work', (context) => {
  const before = activeOf(context);
  return shown(
    context,
    before.id,
    fact('BlockChanged', { id: before.id, ...blockOf(context.env, context.body as DoNotInteractRequest, fieldsOf(before)) }),
  );
});

/** `DELETE .../do-not-interacts/{doNotInteractId}`: outlives the end of its case, and so may be lifted after it. */
export const liftBlock = onCase('doNotInteract.delete', null, (context) => {
  const { id } = activeOf(context);
  return { facts: [fact('BlockEnded', { id, status: 'lifted' })], reply: () => ({ data: undefined }) };
});

const shown = ({ state }: Context, id: string, draft: FactDraft): Decision<CaseState> =>
  decided(state.personId, [draft], (after) => blockView(after, itemOf(after.blocks, id, 'Do Not Interact')));

function activeOf({ state, command }: Context): Block {
  const block = itemOf(state.blocks, command.params['doNotInteractId'], 'Do Not Interact');
  return block.status === 'active' ? block : refuse('invalidState', `The block ${block.id} is ${block.status}.`);
}

const SOURCES = { key: 'api', user: 'agent', borrower: 'agent', system: 'system' } as const satisfies Record<
  Agent['type'],
  Block['source']
>;

const sourceOf = ({ type }: Agent): Block['source'] => SOURCES[type];

/** What a body says of a new block. */
export const blockFrom = (env: DecideEnv, personId: string | null, body: DoNotInteractRequest): BlockFields =>
  blockOf(env, body, firstBlock(env, personId));

function blockOf(env: DecideEnv, body: DoNotInteractRequest, before: BlockFields): BlockFields {
  const { startDate = before.startDate, endDate = before.endDate, timezone = before.timezone } = body;
  const zone = zoneOf(companyOf(env, env.tenant));
  checkTimezone(timezone);
  if (endDate !== null && endDate !== before.endDate && endDate < formatDay(env.today(zone)))
    refuseProperty('endDate', 'a date to come', 'The last day of the block is past.');
  if (endDate !== null && endDate < startDate)
    refuseProperty('endDate', 'a date that is not before startDate', 'The block ends before it begins.');
  const { channels = before.channels, themes = before.themes } = body;
  return {
    channels: [...new Set(channels)],
    themes: [...new Set(themes)],
    startDate,
    endDate,
    endsAt: endDate === null ? null : endOfDay(zone, dayOfText(endDate)),
    daysOfWeek: body.daysOfWeek === undefined ? before.daysOfWeek : [...new Set(body.daysOfWeek ?? [])].sort((a, b) => a - b),
    timesOfDay: body.timesOfDay === undefined ? before.timesOfDay : checkedHours(body.timesOfDay ?? []),
    timezone,
    contactLabels: body.contactLabels === undefined ? before.contactLabels : [...new Set(body.contactLabels ?? [])],
  };
}

function checkedHours(ranges: BlockFields['timesOfDay']): BlockFields['timesOfDay'] {
  const empty = ranges.findIndex(({ fromHour, toHour }) => fromHour === toHour);
  if (empty >= 0)
    refuseProperty(
      `timesOfDay[${empty}]`,
      'hours that begin and end at different times',
      `From ${must(ranges[empty], 'the range').fromHour} to the same hour is no time at all.`,
    );
  return ranges;
}
