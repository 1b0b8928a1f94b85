import { test } from 'tap';
import { ANYWHERE, isZone, areaOfPhone, stateNamed, zonesOfAddress, zonesOfState, zonesOfZip } from '../../engine/index.js';

test('a telephone number gives its state and every zone in which it may lie', async (t) => {
  const known: readonly (readonly [number: string, state: string | null, zones: readonly string[]])[] = [
    ['+12125550143', 'NY', ['America/New_York']],
    ['+16155550143', 'TN', ['America/Chicago']],
    ['+14235550143', 'TN', ['America/New_York', 'America/Chicago']],
    ['+18505550143', 'FL', ['America/New_York', 'America/Chicago']],
    ['+18135550143', 'FL', ['America/New_York']],
    ['+18085550143', 'HI', ['Pacific/Honolulu']],
    ['+16025550143', 'AZ', ['America/Phoenix']],
    ['+19285550143', 'AZ', ['America/Phoenix', 'America/Denver']],
    ['+17875550143', 'PR', ['America/Puerto_Rico']],
  ];
  for (const [number, state, zones] of known) t.strictSame(areaOfPhone(number), { state, zones }, number);
  for (const none of ['+18005550143', '+18885550143', '+442071838750', '+15005550143', '', '2125550143'])
    t.strictSame(areaOfPhone(none), { state: null, zones: [] }, none);
});

test('a ZIP code whose area lies in two zones gives both', async (t) => {
  t.strictSame(zonesOfZip('43215'), ['America/New_York']);
  t.strictSame(zonesOfZip('37355'), ['America/New_York', 'America/Chicago']);
  t.strictSame(zonesOfZip('37402'), ['America/New_York'], 'Chattanooga itself is Eastern');
  t.strictSame(zonesOfZip('32501'), ['America/Chicago']);
  t.strictSame(zonesOfZip('86515-0001'), ['America/Phoenix', 'America/Denver'], 'the Navajo Nation moves its clocks');
  t.strictSame(zonesOfZip('99546'), ['America/Adak'], 'a code may have a clock of its own');
  for (const none of [null, '', 'SW1A 1AA', '09012']) t.strictSame(zonesOfZip(none), []);
});

test('an address is in the zones of its ZIP code, else of its state, and of both where they contradict each other', async (t) => {
  t.strictSame(zonesOfAddress('TN', '37402'), ['America/New_York']);
  t.strictSame(zonesOfAddress('TN', null), ['America/New_York', 'America/Chicago']);
  t.strictSame(zonesOfAddress(null, '90001'), ['America/Los_Angeles']);
  t.strictSame(zonesOfAddress('NY', '90001'), ['America/Los_Angeles', 'America/New_York']);
  t.strictSame(zonesOfAddress('AE', '09012'), []);
});

test('places that keep the time of their neighbours, or lie beyond the date line, have their own zones', async (t) => {
  const known: readonly (readonly [zip: string, zones: readonly string[]])[] = [
    ['36867', ['America/New_York', 'America/Chicago']],
    ['37723', ['America/New_York', 'America/Chicago']],
    ['99923', ['America/Anchorage', 'America/Los_Angeles']],
    ['96940', ['Pacific/Palau']],
    ['96941', ['Pacific/Pohnpei']],
    ['96944', ['Pacific/Kosrae']],
    ['96960', ['Pacific/Majuro']],
    ['96970', ['Pacific/Kwajalein']],
  ];
  for (const [zip, zones] of known) {
    t.strictSame(zonesOfZip(zip), zones, zip);
    for (const zone of zones) t.ok(isZone(zone), zone);
  }
  t.strictSame(areaOfPhone('+12195550143').zones, ['America/New_York', 'America/Chicago'], 'Pulaski County of Indiana is Eastern');
});

test('states are known by their letters, and all of their zones exist', async (t) => {
  t.strictSame(['NY', 'us-ny', ' ny '].map(stateNamed), ['NY', 'NY', 'NY']);
  t.strictSame([null, '', 'New York', 'N1'].map(stateNamed), [null, null, null, null]);
  t.strictSame(zonesOfState('TX'), ['America/Chicago', 'America/Denver']);
  t.strictSame(zonesOfState('AE'), [], 'the armed forces lie anywhere');
  for (const state of ['FL', 'ID', 'AK', 'GU', 'AS', 'VI', 'MP']) for (const zone of zonesOfState(state)) t.ok(isZone(zone), zone);
  for (const zone of ANYWHERE) t.ok(isZone(zone));
});
