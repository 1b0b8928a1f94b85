import { addDays, civil, type Day, dayOf, must } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';

/*
 * Names of the files of a tape: date placeholders as of strftime, and `{{loanTapeId}}`, `{{loanTapeTypeId}}` and
 * `{{tapeName}}`. A name cannot lead out of its folder.
 */

export const DEFAULT_FILE_NAME = '{{tapeName}}_%Y%m%d';

const two = (value: number): string => String(value).padStart(2, '0');

const DATES: Readonly<Record<string, (day: Day) => string>> = {
  '%Y': (day) => String(civil(day).year),
  '%y': (day) => two(civil(day).year % 100),
  '%m': (day) => two(civil(day).month),
  '%d': (day) => two(civil(day).day),
  '%j': (day) => String(day - addDays(dayOf(civil(day).year, 1, 1), -1)).padStart(3, '0'),
};

const PLACEHOLDER = /%.|\{\{[^{}]*\}\}/g;

export interface Named {
  readonly loanTapeId: string;
  readonly loanTapeTypeId: string;
  readonly tapeName: string;
  readonly reportDay: Day;
}

export const fileNameOf = (pattern: string, { reportDay, ...names }: Named): string =>
  pattern.replaceAll(PLACEHOLDER, (found) =>
    found.startsWith('%')
      ? must(DATES[found], `a checked placeholder: ${found}`)(reportDay)
      : must(new Map(Object.entries(names)).get(found.slice(2, -2)), `a checked placeholder: ${found}`).replaceAll(/[^A-Za-z0-9._-]/g, '_'),
  );

const NAMES: ReadonlySet<string> = new Set(['{{loanTapeId}}', '{{loanTapeTypeId}}', '{{tapeName}}']);

/** Throws 400 for what makes no file name. */
export function checkedFileName(pattern: string): string {
  const expected = `letters, digits, dots, hyphens and underscores, with ${[...Object.keys(DATES), ...NAMES].join(', ')}`;
  for (const [found] of pattern.matchAll(PLACEHOLDER))
    if (!Object.hasOwn(DATES, found) && !NAMES.has(found)) refuseProperty('customFileName', expected, `There is no placeholder ${found}.`);
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(pattern.replaceAll(PLACEHOLDER, 'x')))
    refuseProperty('customFileName', expected, 'The pattern makes no file name.');
  return pattern;
}
