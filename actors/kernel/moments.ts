import { type Day, day } from '../../engine/index.js';

/**
 * Deadlines are moments, days are too coarse for them. Who waits for a moment stands on the agenda of this zone, whose
 * days last a second; they are never closed, but are over when the tenant's time has passed them.
 */
export const MOMENTS = 'moments';

/** The first day of the zone on which a moment has come. */
export const dayOfMoment = (milliseconds: number): Day => day(Math.ceil(milliseconds / 1000));

/** Today of the zone. */
export const momentsToday = (now: number): Day => day(Math.floor(now / 1000));
