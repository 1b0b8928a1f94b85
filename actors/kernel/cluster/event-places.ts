import { must } from '../../../engine/index.js';
import { UNITS, type Unit } from './units.js';

/**
 * The order of events over the cluster, (stamp, unit), as one number. Within a unit stamps rise strictly; two units may give
 * the same. Numbers count from 2030, so that they are exact from 2014 to 2046.
 */
const ORIGIN = Date.UTC(2030, 0, 1) * 1000;

const numbers = new Map(UNITS.map((unit, number) => [unit, number]));
const numberOf = (unit: Unit): number => must(numbers.get(unit), unit.name);

/** Where an event of the unit stands. */
export const placeOf = (stamp: number, unit: Unit): number => (stamp - ORIGIN) * UNITS.length + numberOf(unit);

/** The place behind all events of a stamp, whatever their unit. */
export const placeAfter = (stamp: number): number => (stamp - ORIGIN + 1) * UNITS.length - 1;

/** The highest stamp of which no unit has an event behind the place. */
export const stampThrough = (place: number): number => Math.floor((place + 1) / UNITS.length) - 1 + ORIGIN;

/** The highest stamp of the unit at the place or before it: its later events stand behind. */
export const lastStampAt = (place: number, unit: Unit): number => Math.floor((place - numberOf(unit)) / UNITS.length) + ORIGIN;

/** The lowest stamp of the unit at the place or behind it. */
export const firstStampAt = (place: number, unit: Unit): number => Math.ceil((place - numberOf(unit)) / UNITS.length) + ORIGIN;
