import { IANAZone } from 'luxon';
import { assert } from '../assert.js';
import { type Day, day as dayFrom } from './day.js';

/** Wall-clock time of a day. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Offsets change on quarter hours only, so one look-up serves a quarter of an hour. */
const OFFSET_GRAIN_MS = 15 * MINUTE_MS;

/** Offsets kept a zone; looking one up costs microseconds. A full cache is emptied. */
const MAX_CACHED_OFFSETS = 8192;

interface ZoneRecord {
  readonly zone: IANAZone;
  readonly offsets: Map<number, number>;
  readonly starts: Map<Day, number>;
}

const records = new Map<string, ZoneRecord>();

/** Whether the name is a time zone of the IANA database. */
export const isZone = (name: string): boolean => records.has(name) || IANAZone.isValidZone(name);

/**
 * The first instant of a day in a zone, in milliseconds since 1970 UTC. If the clock skips midnight, the day begins with
 * the first time that exists. If the clock is set back across midnight, the day begins the last time that midnight passes.
 */
export function startOfDay(zone: string, value: Day): number {
  const record = recordOf(zone);
  const cached = record.starts.get(value);
  if (cached !== undefined) return cached;
  const start = findStart(record, value);
  keep(record.starts, value, start);
  return start;
}

/** The calendar date in a zone at an instant. */
export function dayAt(zone: string, instantMs: number): Day {
  const record = recordOf(zone);
  return dayFrom(Math.floor((instantMs + offsetMs(record, instantMs)) / DAY_MS));
}

export function timeOfDayAt(zone: string, instantMs: number): TimeOfDay {
  const record = recordOf(zone);
  const local = instantMs + offsetMs(record, instantMs);
  const seconds = Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / 1000);
  return { hour: Math.floor(seconds / 3600), minute: Math.floor(seconds / 60) % 60, second: seconds % 60 };
}

/** The instant of a wall-clock time. A time that the clock skips is moved on by the gap; of a doubled one the first counts. */
export function instantAt(zone: string, value: Day, time: TimeOfDay): number {
  const record = recordOf(zone);
  const local = value * DAY_MS + ((time.hour * 60 + time.minute) * 60 + time.second) * 1000;
  const before = local - offsetMs(record, local - DAY_MS);
  if (before + offsetMs(record, before) === local) return before;
  const after = local - offsetMs(record, local + DAY_MS);
  return after + offsetMs(record, after) === local ? after : before;
}

/** A piece of a day in which the clock runs evenly: its instants, and what local time is ahead of them. */
export interface EvenStretch {
  readonly from: number;
  readonly to: number;
  readonly offsetMs: number;
}

/** A day of a zone in its stretches: one, or two where the clock is moved. */
export function stretchesOfDay(zone: string, value: Day): readonly EvenStretch[] {
  const record = recordOf(zone);
  const from = startOfDay(zone, value);
  const to = startOfDay(zone, dayFrom(value + 1));
  const before = offsetMs(record, from);
  const after = offsetMs(record, to - 1);
  if (before === after) return [{ from, to, offsetMs: before }];
  const change = findChange(record, from, to, before);
  return [
    { from, to: change, offsetMs: before },
    { from: change, to, offsetMs: after },
  ];
}

function recordOf(name: string): ZoneRecord {
  const known = records.get(name);
  if (known) return known;
  assert(IANAZone.isValidZone(name), `not a time zone: ${name}`);
  const record: ZoneRecord = { zone: IANAZone.create(name), offsets: new Map(), starts: new Map() };
  records.set(name, record);
  return record;
}

function offsetMs(record: ZoneRecord, instantMs: number): number {
  const grain = Math.floor(instantMs / OFFSET_GRAIN_MS);
  const cached = record.offsets.get(grain);
  if (cached !== undefined) return cached;
  const offset = record.zone.offset(grain * OFFSET_GRAIN_MS) * MINUTE_MS;
  keep(record.offsets, grain, offset);
  return offset;
}

function keep<Key>(cache: Map<Key, number>, key: Key, value: number): void {
  if (cache.size >= MAX_CACHED_OFFSETS) cache.clear();
  cache.set(key, value);
}

/**
 * Local midnight has the offset of the evening before or of the morning after. Of these two instants and the change of
 * offset between them, the day starts at the last one at which the date changes.
 */
function findStart(record: ZoneRecord, value: Day): number {
  const midnight = value * DAY_MS;
  const evening = offsetMs(record, midnight - DAY_MS);
  const morning = offsetMs(record, midnight + DAY_MS);
  if (evening === morning) return midnight - evening;
  const change = findChange(record, midnight - DAY_MS, midnight + DAY_MS, evening);
  const candidates = [midnight - evening, midnight - morning, change].sort((a, b) => b - a);
  const start = candidates.find((instant) => startsDay(record, instant, midnight));
  assert(start !== undefined, `the day ${value} has no start in ${record.zone.name}`);
  return start;
}

const startsDay = (record: ZoneRecord, instant: number, midnight: number): boolean =>
  instant + offsetMs(record, instant) >= midnight && instant - 1 + offsetMs(record, instant - 1) < midnight;

/** The first instant after `from` at which the offset is no longer `before`. */
function findChange(record: ZoneRecord, from: number, to: number, before: number): number {
  let low = Math.floor(from / OFFSET_GRAIN_MS);
  let high = Math.ceil(to / OFFSET_GRAIN_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(record, middle * OFFSET_GRAIN_MS) === before) low = middle;
    else high = middle;
  }
  return high * OFFSET_GRAIN_MS;
}
