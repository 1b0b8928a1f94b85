import { test } from 'tap';
import { countyKey, standingOf } from '../../../../actors/casework/supercases/disasters.js';

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

test('a county is the same however a source writes it', (t) => {
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

test('an address lies in an area by state and county, in all of a state without one, and nowhere known without its own', (t) => {
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
  for (const [where, standing] of rows)
    t.equal(standingOf(where, areas), standing, `${where.country} ${where.state} ${where.countyOrRegion}`);
  t.end();
});
