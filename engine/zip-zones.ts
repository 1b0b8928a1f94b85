import { zonesOfState } from './areas.js';

/**
 * Time zones of the United States by the first three digits of ZIP codes. A row applies up to the next row. If an area lies in two zones,
 * its row has the zone of most inhabitants. Null: posts of the armed forces, which can be anywhere, and digits that are not in use.
 */
const ZONES: readonly (readonly [from: string, zone: string | null])[] = [
  ['000', null],
  ['005', 'America/New_York'],
  ['006', 'America/Puerto_Rico'],
  ['010', 'America/New_York'],
  ['090', null], // armed forces in Europe
  ['100', 'America/New_York'],
  ['324', 'America/Chicago'], // Panama City, Pensacola
  ['326', 'America/New_York'],
  ['340', null], // armed forces in the Americas
  ['341', 'America/New_York'],
  ['350', 'America/Chicago'],
  ['373', 'America/New_York'], // Chattanooga
  ['375', 'America/Chicago'],
  ['376', 'America/New_York'], // Johnson City, Knoxville
  ['380', 'America/Chicago'],
  ['398', 'America/New_York'],
  ['420', 'America/Chicago'], // western Kentucky
  ['425', 'America/New_York'],
  ['463', 'America/Chicago'], // Gary
  ['465', 'America/New_York'],
  ['476', 'America/Chicago'], // Evansville
  ['478', 'America/New_York'],
  ['500', 'America/Chicago'],
  ['569', 'America/New_York'],
  ['570', 'America/Chicago'],
  ['577', 'America/Denver'], // Rapid City
  ['580', 'America/Chicago'],
  ['586', 'America/Denver'], // Dickinson
  ['587', 'America/Chicago'],
  ['590', 'America/Denver'],
  ['600', 'America/Chicago'],
  ['693', 'America/Denver'], // Scottsbluff
  ['700', 'America/Chicago'],
  ['798', 'America/Denver'], // El Paso
  ['835', 'America/Los_Angeles'], // northern Idaho
  ['836', 'America/Denver'],
  ['838', 'America/Los_Angeles'],
  ['840', 'America/Denver'],
  ['850', 'America/Phoenix'],
  ['870', 'America/Denver'],
  ['889', 'America/Los_Angeles'],
  ['962', null], // armed forces in the Pacific
  ['967', 'Pacific/Honolulu'],
  ['969', 'Pacific/Guam'],
  ['970', 'America/Los_Angeles'],
  ['979', 'America/Boise'], // Ontario in Oregon
  ['980', 'America/Los_Angeles'],
  ['995', 'America/Anchorage'],
];

/** The zone of a ZIP code; null for other texts. */
export function zoneOfZip(zip: string | null): string | null {
  if (zip === null || !/^\d{5}/.test(zip)) return null;
  const area = zip.slice(0, 3);
  return ZONES.findLast(([from]) => from <= area)?.[1] ?? null;
}

/** Every zone in which a person with this ZIP code may live; empty for other texts. */
export function zonesOfZip(zip: string | null): readonly string[] {
  const zone = zoneOfZip(zip);
  if (zip === null || zone === null) return [];
  return SHARED_AREAS[zip.slice(0, 5)] ?? SHARED_AREAS[zip.slice(0, 3)] ?? [zone];
}

/** Every zone in which an address may lie: by its ZIP code, else by its state, and by both if they contradict each other. */
export function zonesOfAddress(state: string | null, zip: string | null): readonly string[] {
  const byState = zonesOfState(state);
  const byZip = zonesOfZip(zip);
  if (byZip.length === 0) return byState;
  const isPlausible = byState.length === 0 || byZip.some((zone) => byState.includes(zone));
  return isPlausible ? byZip : [...byZip, ...byState];
}

const MOUNTAIN = 'America/Denver';
const EASTERN_CENTRAL = ['America/New_York', 'America/Chicago'];
const CENTRAL_MOUNTAIN = ['America/Chicago', MOUNTAIN];
const MOUNTAIN_PACIFIC = [MOUNTAIN, 'America/Los_Angeles'];
/** The Navajo Nation moves its clocks, Arizona around it does not. */
const ARIZONA_NAVAJO = ['America/Phoenix', MOUNTAIN];

/** Areas that lie in two zones, and single ZIP codes that do not keep the time of their area. */
const SHARED_AREAS: Readonly<Record<string, readonly string[]>> = {
  '324': EASTERN_CENTRAL, // Gulf County of Florida
  '373': EASTERN_CENTRAL, // Chattanooga, Tullahoma
  '401': EASTERN_CENTRAL, // Breckinridge County of Kentucky
  '426': EASTERN_CENTRAL, // Albany, Monticello
  '427': EASTERN_CENTRAL, // Columbia, Elizabethtown
  '463': EASTERN_CENTRAL, // Starke and Pulaski Counties of Indiana
  '465': EASTERN_CENTRAL, // Knox, Plymouth
  '475': EASTERN_CENTRAL, // Vincennes
  '479': EASTERN_CENTRAL, // Kentland, Lafayette
  '498': EASTERN_CENTRAL, // Iron Mountain, Escanaba
  '499': EASTERN_CENTRAL, // Ironwood, Houghton
  '575': CENTRAL_MOUNTAIN, // Pierre
  '576': CENTRAL_MOUNTAIN, // Mobridge
  '585': CENTRAL_MOUNTAIN, // Bismarck
  '586': CENTRAL_MOUNTAIN, // Dickinson
  '588': CENTRAL_MOUNTAIN, // Williston
  '677': CENTRAL_MOUNTAIN, // Colby, Goodland
  '678': CENTRAL_MOUNTAIN, // Dodge City, Syracuse
  '690': CENTRAL_MOUNTAIN, // McCook, Imperial
  '691': CENTRAL_MOUNTAIN, // North Platte, Ogallala
  '692': CENTRAL_MOUNTAIN, // Valentine
  '798': CENTRAL_MOUNTAIN, // Alpine, Sierra Blanca
  '835': MOUNTAIN_PACIFIC, // Lewiston, Riggins
  '860': ARIZONA_NAVAJO, // Flagstaff, Tuba City
  '865': ARIZONA_NAVAJO, // Window Rock
  '898': MOUNTAIN_PACIFIC, // Elko, West Wendover
  '979': MOUNTAIN_PACIFIC, // Ontario, McDermitt
  '36854': EASTERN_CENTRAL, // Valley in Alabama, by the clocks of Georgia
  '36863': EASTERN_CENTRAL, // Lanett
  '36867': EASTERN_CENTRAL, // Phenix City
  '36869': EASTERN_CENTRAL,
  '36870': EASTERN_CENTRAL,
  '36877': EASTERN_CENTRAL, // Smiths Station
  '37723': EASTERN_CENTRAL, // Crab Orchard in Tennessee
  '96799': ['Pacific/Pago_Pago'],
  '96939': ['Pacific/Palau'],
  '96940': ['Pacific/Palau'],
  '96941': ['Pacific/Pohnpei'],
  '96944': ['Pacific/Kosrae'],
  '96960': ['Pacific/Majuro'],
  '96970': ['Pacific/Kwajalein'],
  '99546': ['America/Adak'],
  '99547': ['America/Adak'],
  '99923': ['America/Anchorage', 'America/Los_Angeles'], // Hyder, by the clocks of British Columbia
};
