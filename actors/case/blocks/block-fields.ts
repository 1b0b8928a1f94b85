import { addDays, type Day, formatDay, startOfDay } from '../../../engine/index.js';
import { type PersonState, zoneOfPerson } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../runtime/actor.js';
import type { Block, BlockFields } from '../state.js';

/** What a body that says nothing asks for: no communication at all, from today on. Its hours are those where the borrower lives; without one, the company's. */
export function firstBlock(env: DecideEnv, personId: string | null): BlockFields {
  const zone = zoneOf(companyOf(env, env.tenant));
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  const timezone = (person && zoneOfPerson(env, person)) ?? zone;
  return {
    channels: ['all'], themes: ['all'], startDate: formatDay(env.today(zone)), endDate: null, endsAt: null, daysOfWeek: [], timesOfDay: [], timezone, contactLabels: [],
  };
}

export const fieldsOf = ({ channels, themes, startDate, endDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels }: Block): BlockFields =>
  ({ channels, themes, startDate, endDate, endsAt, daysOfWeek, timesOfDay, timezone, contactLabels });

/** The first moment after a day. */
export const endOfDay = (zone: string, day: Day): number => startOfDay(zone, addDays(day, 1));
