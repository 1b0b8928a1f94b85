import { test } from 'tap';
import { zoneOfZip } from '../../engine/zip-zones.js';
import { isZone } from '../../engine/index.js';

test('a ZIP code gives the time zone', async (t) => {
  const known: readonly (readonly [zip: string, zone: string])[] = [
    ['12207', 'America/New_York'],
    ['00901', 'America/Puerto_Rico'],
    ['32501', 'America/Chicago'],
    ['33101', 'America/New_York'],
    ['37402', 'America/New_York'],
    ['37201', 'America/Chicago'],
    ['42001', 'America/Chicago'],
    ['46402', 'America/Chicago'],
    ['46204', 'America/New_York'],
    ['57701', 'America/Denver'],
    ['60601-1234', 'America/Chicago'],
    ['79901', 'America/Denver'],
    ['75201', 'America/Chicago'],
    ['83501', 'America/Los_Angeles'],
    ['83702', 'America/Denver'],
    ['85001', 'America/Phoenix'],
    ['89101', 'America/Los_Angeles'],
    ['96813', 'Pacific/Honolulu'],
    ['96910', 'Pacific/Guam'],
    ['97914', 'America/Boise'],
    ['99501', 'America/Anchorage'],
  ];
  for (const [zip, zone] of known) {
    t.equal(zoneOfZip(zip), zone, zip);
    t.ok(isZone(zone));
  }
  for (const none of [null, '', '123', 'SW1A 1AA', '09012', '34012', '96201']) t.equal(zoneOfZip(none), null, String(none));
});
