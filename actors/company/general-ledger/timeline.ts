import type { Day } from '../../../engine/index.js';

/** What holds from a day on. */
export interface FromDay {
  readonly from: Day;
}

/**
 * Ascending days, each with what holds from it on. Of several that begin on one day the last one holds, and one that begins earlier than a
 * former one replaces it.
 */
export function timelineOf<Item extends FromDay>(inOrderOfRecording: Iterable<Item>): readonly Item[] {
  const timeline: Item[] = [];
  for (const item of inOrderOfRecording) {
    while ((timeline.at(-1)?.from ?? -Infinity) >= item.from) timeline.pop();
    timeline.push(item);
  }
  return timeline;
}

export const inForceOn = <Item extends FromDay>(timeline: readonly Item[], day: Day): Item | undefined =>
  timeline.findLast(({ from }) => from <= day);
