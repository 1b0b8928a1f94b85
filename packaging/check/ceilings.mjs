// Ceilings: how often a rule may still be broken. They are in one file, a number for each rule, and only fall. A rule that is not named
// there may not be broken at all.
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'packaging/check/ceilings.json';

/** The most places of one rule that are shown. */
const MOST_SHOWN = 20;

/** @typedef {Readonly<Record<string, Readonly<Record<string, number>>>>} Ceilings by part, then by rule */

/** @returns {Ceilings} */
export const readCeilings = () => JSON.parse(readFileSync(FILE, 'utf8'));

/**
 * Compares the faults of a part with its ceilings.
 * @param {readonly import('./tools.mjs').Fault[]} faults @param {Readonly<Record<string, number>>} ceilings of the part
 * @param {ReadonlySet<string>} changed files to name first, since a new fault most likely is there
 * @returns {{ faults: readonly string[], fallen: Readonly<Record<string, number>> }} `fallen`: rules below their ceiling
 */
export function holdCeilings(part, faults, ceilings, changed) {
  const byRule = groupByRule(faults);
  const above = [...byRule].filter(([rule, found]) => found.length > (ceilings[rule] ?? 0));
  const fallen = Object.entries(ceilings).filter(([rule, most]) => (byRule.get(rule)?.length ?? 0) < most);
  return {
    faults: above.flatMap(([rule, found]) => linesOf(part, rule, found, ceilings[rule] ?? 0, changed)),
    fallen: Object.fromEntries(fallen.map(([rule]) => [rule, byRule.get(rule)?.length ?? 0])),
  };
}

/** `Map.groupBy` is there from Node 21 on, and Node 20 is supported. */
function groupByRule(faults) {
  const byRule = new Map();
  for (const fault of faults) byRule.set(fault.rule, [...(byRule.get(fault.rule) ?? []), fault]);
  return byRule;
}

function linesOf(part, rule, found, most, changed) {
  const near = most === 0 ? [] : found.filter(({ at }) => changed.has(at.split(':')[0]));
  const shown = near.length > 0 ? near : found;
  return [
    ...(most === 0
      ? []
      : [
          `${part}/${rule}: ${found.length}, and the ceiling is ${most} (${FILE}). ` +
            (near.length > 0 ? 'In files that have changed:' : 'Some of them:'),
        ]),
    ...shown.slice(0, MOST_SHOWN).map(({ at, text }) => `${most === 0 ? `${rule}: ` : '  '}${at} ${text}`),
    ...(shown.length > MOST_SHOWN ? [`  and ${shown.length - MOST_SHOWN} more of ${rule}`] : []),
  ];
}

/** Writes what has fallen. @param {Ceilings} fallen */
export function lowerCeilings(fallen) {
  const ceilings = readCeilings();
  const lowered = Object.entries(ceilings).map(([part, rules]) => {
    const next = Object.entries({ ...rules, ...fallen[part] }).filter(([, most]) => most > 0);
    return [part, Object.fromEntries(next.sort(([a], [b]) => a.localeCompare(b)))];
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
}
