/**
 * Time zones of the United States by the first three digits of ZIP codes: each row holds up to the next one. Where a border of zones runs
 * through such an area, the zone is that of most who live there. Null: posts of the armed forces, which lie anywhere, and digits that are not given.
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

/** The zone of a ZIP code; null for what is none. */
export function zoneOfZip(zip: string | null): string | null {
  if (zip === null || !/^\d{5}/.test(zip)) return null;
  const area = zip.slice(0, 3);
  return ZONES.findLast(([from]) => from <= area)?.[1] ?? null;
}
