import type { tags } from 'typia';
import {
  addBusinessDays,
  addDays,
  type BlockedChannel,
  type BlockedTheme,
  type BusinessCalendar,
  civil,
  type Day,
  dayOf,
  daysInMonth,
  formatDay,
  must,
  startOfDay,
} from '../../../engine/index.js';
import { type PersonState, zoneOfPerson } from '../../borrower/index.js';
import {
  blockingTypesOf,
  type CaseMoment,
  checkTimezone,
  companyOf,
  type DoNotInteractType,
  fires,
  workCalendarOf,
  zoneOf,
} from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv, Decision } from '../../kernel/actor.js';
import type { Agent, FactDraft } from '../../kernel/fact.js';
import type { PageQuery } from '../../list-order.js';
import { type DateText, type DateTimeText, dayOfText, orNull, type ShortText, type Whole } from '../../wire.js';
import { type Context, decided, fact, itemOf, onCase } from './context.js';
import { activeBlock, type Block, type BlockFields, type BlockPart, type CaseState } from './state.js';
import { blockView } from './view.js';

/**
 * The block of an empty body: no communication at all, from today on. Hours are in the borrower's time zone; without a home, the
 * company's.
 */
function firstBlock(env: DecideEnv, personId: string | null): BlockFields {
  const zone = zoneOf(companyOf(env, env.tenant));
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  const timezone = (person && zoneOfPerson(env, person)) ?? zone;
  return {
    channels: ['all'],
    themes: ['all'],
    startDate: formatDay(env.today(zone)),
    endDate: null,
    endsAt: null,
    daysOfWeek: [],
    timesOfDay: [],
    timezone,
    contactLabels: [],
  };
}

export const fieldsOf = ({
  channels,
  themes,
  startDate,
  endDate,
  endsAt,
  daysOfWeek,
  timesOfDay,
  timezone,
  contactLabels,
}: Block): BlockFields => ({ channels, themes, startDate, endDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels });

/** What of a block would be left if the block for all subcases had never been set; null: nothing. */
export function partBeside({ withoutSupercase, ...block }: Block): BlockPart | null {
  if (withoutSupercase != null) return withoutSupercase;
  const { source, doNotInteractTypeId } = block;
  return source === 'supercase' ? null : { ...fieldsOf(block), source, doNotInteractTypeId };
}

/**
 * A block that covers both: a case has only one, so a second one widens the first. If the two have different limits, the result may
 * block more than both together, never less: a channel of one is combined with the hours of the other, and hours in different time
 * zones become the whole day.
 */
export function widened(one: BlockFields, other: BlockFields): BlockFields {
  const isLater = one.endsAt !== null && (other.endsAt === null || other.endsAt > one.endsAt);
  return {
    channels: union(one.channels, other.channels),
    themes: union(one.themes, other.themes),
    startDate: one.startDate < other.startDate ? one.startDate : other.startDate,
    endDate: isLater ? other.endDate : one.endDate,
    endsAt: isLater ? other.endsAt : one.endsAt,
    daysOfWeek: one.timezone === other.timezone ? narrowing(one.daysOfWeek, other.daysOfWeek) : [],
    timesOfDay: one.timezone === other.timezone ? narrowing(one.timesOfDay, other.timesOfDay) : [],
    timezone: one.timezone,
    contactLabels: narrowing(one.contactLabels, other.contactLabels),
  };
}

const union = <T>(one: readonly T[], other: readonly T[]): readonly T[] => [...new Set([...one, ...other])];

/** An empty list means all. */
const narrowing = <T>(one: readonly T[], other: readonly T[]): readonly T[] =>
  one.length === 0 || other.length === 0 ? [] : union(one, other);

/** The first moment after a day. */
const endOfDay = (zone: string, day: Day): number => startOfDay(zone, addDays(day, 1));

interface TimeOfDayRange {
  readonly fromHour: Whole & tags.Maximum<24>;
  /** Exclusive. If it is before `fromHour`, it is an hour of the next day. */
  readonly toHour: Whole & tags.Maximum<24>;
}

export interface DoNotInteractRequest {
  /** Default: all. */
  readonly channels?: readonly BlockedChannel[] & tags.MinItems<1> & tags.MaxItems<20>;
  /** Default: all. */
  readonly themes?: readonly BlockedTheme[] & tags.MinItems<1> & tags.MaxItems<20>;
  /** Default: today. */
  readonly startDate?: DateText;
  /** The block lasts to the end of that day; null = it has no end. */
  readonly endDate?: DateText | null;
  /** 0 is Monday; an empty list means all. */
  readonly daysOfWeek?: (readonly (Whole & tags.Maximum<6>)[] & tags.MaxItems<7>) | null;
  /** An empty list means the whole day. */
  readonly timesOfDay?: (readonly TimeOfDayRange[] & tags.MaxItems<24>) | null;
  readonly timezone?: ShortText;
  /** An empty list means all. */
  readonly contactLabels?: (readonly ('personal' | 'work' | 'home' | 'military')[] & tags.MaxItems<4>) | null;
}

export interface ListPersonBlocksQuery extends PageQuery {
  readonly activeOnly?: boolean;
}

/** A Do Not Interact as replies show it. */
export interface DoNotInteractView {
  readonly id: string;
  readonly object: 'doNotInteract';
  readonly caseId: string;
  readonly personId: string;
  readonly channels: readonly BlockedChannel[];
  readonly themes: readonly BlockedTheme[];
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly daysOfWeek: readonly number[];
  readonly timesOfDay: readonly { readonly fromHour: number; readonly toHour: number }[];
  readonly timezone: string;
  readonly contactLabels: readonly ('personal' | 'work' | 'home' | 'military')[];
  readonly source: 'api' | 'agent' | 'system' | 'supercase';
  readonly doNotInteractTypeId: string | null;
  /** `lifted` and `expired` ones block nothing. */
  readonly status: 'active' | 'lifted' | 'expired';
  readonly endedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
}

/** `POST .../do-not-interacts`: a case has at most one active block. */
export const setBlock = onCase('doNotInteract.create', 'work', (context: Context<DoNotInteractRequest>) => {
  const { state, command, env } = context;
  const before = activeBlock(state);
  if (before) refuse('doNotInteractExists', `The case already has the block ${before.id}. Change that instead.`);
  const id = env.newId('DN');
  const fields = blockFrom(env, state.personId, context.body);
  return shown(context, id, fact('BlockSet', { id, ...fields, source: sourceOf(command.actor), doNotInteractTypeId: null }));
});

/** `PUT .../do-not-interacts/{doNotInteractId}`. */
export const changeBlock = onCase('doNotInteract.update', 'work', (context: Context<DoNotInteractRequest>) => {
  const before = activeOf(context);
  const fields = blockOf(context.env, context.body, fieldsOf(before));
  // Who changes a block of several origins decides about all of it.
  const part = before.withoutSupercase == null ? {} : { withoutSupercase: { ...before.withoutSupercase, ...fields } };
  return shown(context, before.id, fact('BlockChanged', { id: before.id, ...fields, ...part }));
});

/** `DELETE .../do-not-interacts/{doNotInteractId}`: a block outlives the end of its case, so it can be lifted after that. */
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

/** The new block of a body. */
export const blockFrom = (env: DecideEnv, personId: string | null, body: DoNotInteractRequest): BlockFields =>
  blockOf(env, body, firstBlock(env, personId));

function blockOf(env: DecideEnv, body: DoNotInteractRequest, before: BlockFields): BlockFields {
  const { startDate = before.startDate, endDate = before.endDate, timezone = before.timezone } = body;
  const zone = zoneOf(companyOf(env, env.tenant));
  checkTimezone(timezone);
  if (endDate !== null && endDate !== before.endDate && endDate < formatDay(env.today(zone)))
    refuseProperty('endDate', 'a future date', '`endDate` must not be in the past.');
  if (endDate !== null && endDate < startDate)
    refuseProperty('endDate', 'a date that is not before startDate', '`endDate` must not be before `startDate`.');
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
  const empty = ranges.findIndex(({ fromHour, toHour }) => fromHour === toHour || (fromHour === 24 && toHour === 0));
  if (empty >= 0)
    refuseProperty(
      `timesOfDay[${empty}]`,
      'hours that begin and end at different times',
      `The range from ${must(ranges[empty], 'the range').fromHour} to the same hour is empty.`,
    );
  return ranges;
}

interface Moved {
  readonly personId: string;
  readonly caseTypeId: string | null;
  /** The active block of the case. */
  readonly block: Block | null;
  /** Null for a new case. */
  readonly before: CaseMoment | null;
  readonly after: CaseMoment;
}

/**
 * The facts of the company's Do Not Interact types that fire for a case that was opened or moved: a new block, or the active
 * one, widened.
 */
export function automaticBlocks(env: DecideEnv, { personId, caseTypeId, block, before: earlier, after }: Moved): readonly FactDraft[] {
  if (caseTypeId === null) return [];
  const [first, ...others] = blockingTypesOf(companyOf(env, env.tenant), caseTypeId).filter((type) => fires(type, earlier, after));
  if (first === undefined) return [];
  const blockNow = (type: DoNotInteractType): BlockFields => ({ ...firstBlock(env, personId), ...extentOf(env, type) });
  const wider = (fields: BlockFields, type: DoNotInteractType): BlockFields => widened(fields, blockNow(type));
  const own: BlockPart = { ...others.reduce(wider, blockNow(first)), source: 'system', doNotInteractTypeId: first.id };
  if (block === null) return [fact('BlockSet', { id: env.newId('DN'), ...own })];
  const fields = [first, ...others].reduce(wider, fieldsOf(block));
  const before = partBeside(block);
  const isOfSupercase = block.source === 'supercase' || block.withoutSupercase != null;
  const part = isOfSupercase ? { withoutSupercase: before === null ? own : { ...before, ...widened(before, own) } } : {};
  return [fact('BlockChanged', { id: block.id, ...fields, ...part })];
}

type Extent = Pick<BlockFields, 'channels' | 'themes' | 'endDate' | 'endsAt'>;

function extentOf(env: DecideEnv, { channel, theme, duration, unit }: DoNotInteractType): Extent {
  const company = companyOf(env, env.tenant);
  const zone = zoneOf(company);
  const lastDay = duration === null || duration === 0 ? null : LATER[unit](env.today(zone), duration, workCalendarOf(company));
  return {
    channels: [channel],
    themes: [theme],
    endDate: orNull(formatDay, lastDay),
    endsAt: orNull((day: Day) => endOfDay(zone, day), lastDay),
  };
}

const LATER: Readonly<Record<DoNotInteractType['unit'], (today: Day, duration: number, calendar: BusinessCalendar) => Day>> = {
  calendarDays: addDays,
  businessDays: addBusinessDays,
  months: (today, duration) => {
    const { year, month, day } = civil(today);
    const months = year * 12 + (month - 1) + duration;
    const [inYear, inMonth] = [Math.floor(months / 12), (months % 12) + 1];
    return dayOf(inYear, inMonth, Math.min(day, daysInMonth(inYear, inMonth)));
  },
};
