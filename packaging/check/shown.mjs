// How the faults of a part are shown: by rule, those of changed files first, as new ones most likely are there.

/** The most places of one rule that are shown. */
const MOST_SHOWN = 20;

/**
 * The lines that name the faults.
 * @param {readonly import('./tools.mjs').Fault[]} faults @param {ReadonlySet<string>} changed files to name first
 * @returns {readonly string[]}
 */
export function linesOf(faults, changed) {
  const isChanged = ({ at }) => changed.has(at.split(':')[0]);
  return [...groupByRule(faults)].flatMap(([rule, found]) => {
    const shown = [...found.filter(isChanged), ...found.filter((fault) => !isChanged(fault))].slice(0, MOST_SHOWN);
    const more = found.length - shown.length;
    return [...shown.map(({ at, text }) => `${rule}: ${at} ${text}`), ...(more > 0 ? [`  and ${more} more of ${rule}`] : [])];
  });
}

/** `Map.groupBy` is there from Node 21 on, and Node 20 is supported. */
function groupByRule(faults) {
  const byRule = new Map();
  for (const fault of faults) byRule.set(fault.rule, [...(byRule.get(fault.rule) ?? []), fault]);
  return byRule;
}
