import { test } from 'tap';
import { areaMatch, countyKey } from '../../../../actors/casework/supercases/areas.js';

const address = (state: string | null, countyOrRegion: string | null, country = 'US') => ({
  addressLine1: '1 Mill Road',
  addressLine2: null,
  city: 'Anywhere',
  countyOrRegion,
  state,
  postalCode: null,
  country,
  POBox: null,
});

test('spellings of a county are equal', (t) => {
  const rows: readonly (readonly [string, string | null])[] = [
    ['Albany', 'albany'],
    ['Albany Co.', 'albany'],
    ['ALBANY COUNTY', 'albany'],
    [' Albany (County) ', 'albany'],
    ['Orleans Parish', 'orleans'],
    ['Mayagüez Municipio', 'mayaguez'],
    ['Doña Ana County', 'donaana'],
    ['Dona Ana', 'donaana'],
    ['St. Lawrence County', 'stlawrence'],
    ['Saint Lawrence', 'stlawrence'],
    ['Sainte Genevieve County', 'stegenevieve'],
    ["Prince George's County", 'princegeorges'],
    ['Prince Georges', 'princegeorges'],
    ['De Kalb', 'dekalb'],
    ['DeKalb County', 'dekalb'],
    ['Baltimore City', 'baltimorecity'],
    ['Baltimore County', 'baltimore'],
    ['Nome Census Area', 'nome'],
    ['Statewide', null],
    ['', null],
    ['  ', null],
  ];
  for (const [text, key] of rows) t.equal(countyKey(text), key, text);
  t.equal(countyKey(null), null);
  t.end();
});

test('an address is in an area by state and county, or by the state alone if all of it is declared', (t) => {
  const areas = [
    { state: 'NY', county: 'Albany County' },
    { state: 'NY', county: 'Greene' },
    { state: 'TX', county: null },
  ];
  const rows: readonly (readonly [ReturnType<typeof address>, string])[] = [
    [address('NY', 'albany'), 'inside'],
    [address('US-NY', 'Greene County'), 'inside'],
    [address('NY', 'Kings County'), 'outside'],
    [address('NY', null), 'unknown'],
    [address('TX', null), 'inside'],
    [address('TX', 'Travis'), 'inside'],
    [address('CA', 'Albany'), 'outside'],
    [address(null, 'Albany'), 'outside'],
    [address('NY', 'Albany', 'CA'), 'outside'],
  ];
  for (const [where, match] of rows) t.equal(areaMatch(where, areas), match, `${where.country} ${where.state} ${where.countyOrRegion}`);
  t.end();
});
