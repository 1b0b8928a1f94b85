import { addDays, type Day, startOfDay, weekday } from '../calendar/index.js';
import type { InteractionTheme } from '../communication/index.js';
import type { Considered } from './considered.js';
import { type Minutes, MINUTES_A_DAY, type Opening, shutDuring } from './openings.js';
import { isRequiredLetter } from './plan.js';
import type { BlockStanding } from './situation.js';
import type { Stop } from './stop.js';

/** Themes that `opsServicing` of a block covers. */
const SERVICING: ReadonlySet<InteractionTheme> = new Set([
  'opsServicing',
  'opsServicingStatement',
  'opsServicingPrivacy',
  'opsOrigination',
]);

/** Blocks of the borrower that are about the contact, whatever loan they were made for. */
export function blocksAgainst(considered: Considered): readonly Stop[] {
  const { plan, situation } = considered;
  if (isRequiredLetter(plan)) return [];
  return situation.blocks
    .filter((block) => isMeant(block, considered))
    .map((block) => ({
      objection: {
        reason: 'doNotInteract',
        doNotInteractId: block.id,
        description: 'A Do Not Interact of the borrower blocks this contact.',
      },
      openings: [openingOf(block, situation.companyZone)],
    }));
}

function isMeant(
  { channels, themes, contactLabels }: BlockStanding,
  { plan, situation, channels: meant, isCollection }: Considered,
): boolean {
  const { theme } = plan;
  if (theme === 'opsAccountCredentials') return false;
  const isByChannel = channels.includes('all') || meant.some((channel) => (channels as readonly string[]).includes(channel));
  const isByTheme = themes.some(
    (named) =>
      named === 'all' ||
      named === theme ||
      (named === 'opsServicing' && SERVICING.has(theme)) ||
      (named === 'opsCollDebt' && isCollection) ||
      (named === 'opsServicingNegativeCreditReportNotice' && plan.subject === 'creditNegativeInfoReported'),
  );
  const label = situation.contact?.label;
  return isByChannel && isByTheme && (contactLabels.length === 0 || label === undefined || contactLabels.includes(label));
}

/** Between its first day and its end, on its days and in its hours. Never judged at noon: a list of the morning honours it as it stands. */
function openingOf(block: BlockStanding, companyZone: string): Opening {
  const { endsAt } = block;
  const startsAt = startOfDay(companyZone, block.startDate);
  const { opensAt } = shutDuring(block.timezone, (day) => shutOn(block, day));
  return {
    type: 'dates',
    opensAt(at) {
      if (at < startsAt || (endsAt !== null && at >= endsAt)) return at;
      const open = opensAt(at);
      return endsAt !== null && (open === null || open > endsAt) ? endsAt : open;
    },
  };
}

/** Hours that wrap midnight belong to the day on which they begin. */
function shutOn({ daysOfWeek, timesOfDay }: BlockStanding, day: Day): readonly Minutes[] {
  const isOn = (other: Day): boolean => daysOfWeek.length === 0 || daysOfWeek.includes(weekday(other) - 1);
  if (timesOfDay.length === 0) return isOn(day) ? [[0, MINUTES_A_DAY]] : [];
  return timesOfDay.flatMap(({ fromHour, toHour }): readonly Minutes[] => {
    const [from, to] = [fromHour * 60, toHour * 60];
    if (from < to) return isOn(day) ? [[from, to]] : [];
    return [...(isOn(day) ? [[from, MINUTES_A_DAY] as const] : []), ...(isOn(addDays(day, -1)) ? [[0, to] as const] : [])];
  });
}
