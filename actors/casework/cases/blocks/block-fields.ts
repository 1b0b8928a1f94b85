import { addDays, type Day, formatDay, startOfDay } from '../../../../engine/index.js';
import { type PersonState, zoneOfPerson } from '../../../borrower/index.js';
import { companyOf, zoneOf } from '../../../company/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { Block, BlockFields } from '../state.js';

/**
 * What a body that says nothing asks for: no communication at all, from today on. Its hours are those where the borrower lives; without
 * one, the company's.
 */
export function firstBlock(env: DecideEnv, personId: string | null): BlockFields {
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

/**
 * Blocks whatever either blocks (one a case, so a second makes the first wider). Where they narrow differently it blocks more
 * than the two together, never less: a channel of the one and the hours of the other are not told apart, and hours of different zones
 * become the whole day.
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

/** None are all. */
const narrowing = <T>(one: readonly T[], other: readonly T[]): readonly T[] =>
  one.length === 0 || other.length === 0 ? [] : union(one, other);

/** The first moment after a day. */
export const endOfDay = (zone: string, day: Day): number => startOfDay(zone, addDays(day, 1));
