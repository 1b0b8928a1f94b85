import { refuseProperty } from '../errors.js';

/** Refuses what is not a time zone's IANA name. */
export function checkTimezone(timezone: string | null | undefined): void {
  if (timezone === null || timezone === undefined || isTimezone(timezone)) return;
  refuseProperty('timezone', 'an IANA time zone such as America/New_York', `There is no time zone ${timezone.slice(0, 50)}.`);
}

function isTimezone(name: string): boolean {
  // Offsets such as +01:00 are understood as zones too, but have no daylight-saving rules.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
