import {
  addBusinessDays,
  addDays,
  type BusinessCalendar,
  civil,
  type Day,
  dayOf,
  daysInMonth,
  formatDay,
} from '../../../../engine/index.js';
import {
  blockingTypesOf,
  type CaseMoment,
  companyOf,
  type DoNotInteractType,
  fires,
  workCalendarOf,
  zoneOf,
} from '../../../company/index.js';
import type { DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import { orNull } from '../../../wire.js';
import { fact } from '../context.js';
import type { Block, BlockFields } from '../state.js';
import { endOfDay, fieldsOf, firstBlock, widened } from './block-fields.js';

interface Moved {
  readonly personId: string;
  readonly caseTypeId: string | null;
  /** The block that the case has. */
  readonly block: Block | null;
  /** Null of a new case. */
  readonly before: CaseMoment | null;
  readonly after: CaseMoment;
}

/**
 * What the company's Do Not Interact types make of a case that was opened or moved: a block, or the one that it
 * has, made wider.
 */
export function automaticBlocks(env: DecideEnv, { personId, caseTypeId, block, before, after }: Moved): readonly FactDraft[] {
  if (caseTypeId === null) return [];
  const [first, ...others] = blockingTypesOf(companyOf(env, env.tenant), caseTypeId).filter((type) => fires(type, before, after));
  if (first === undefined) return [];
  const blockOf = (type: DoNotInteractType): BlockFields => ({ ...firstBlock(env, personId), ...extentOf(env, type) });
  const wider = (fields: BlockFields, type: DoNotInteractType): BlockFields => widened(fields, blockOf(type));
  if (block) return [fact('BlockChanged', { id: block.id, ...[first, ...others].reduce(wider, fieldsOf(block)) })];
  const fields = others.reduce(wider, blockOf(first));
  return [fact('BlockSet', { id: env.newId('DN'), ...fields, source: 'system', doNotInteractTypeId: first.id })];
}

type Extent = Pick<BlockFields, 'channels' | 'themes' | 'endDate' | 'endsAt'>;

function extentOf(env: DecideEnv, { channel, theme, duration, unit }: DoNotInteractType): Extent {
  const company = companyOf(env, env.tenant);
  const zone = zoneOf(company);
  const lastDay = duration === null || duration === 0 ? null : LATER[unit](env.today(zone), duration, workCalendarOf(company));
  return {
    channels: [channel],
    themes: [theme],
    endDate: orNull(formatDay, lastDay),
    endsAt: orNull((day: Day) => endOfDay(zone, day), lastDay),
  };
}

const LATER: Readonly<Record<DoNotInteractType['unit'], (today: Day, duration: number, calendar: BusinessCalendar) => Day>> = {
  calendarDays: addDays,
  businessDays: addBusinessDays,
  months: (today, duration) => {
    const { year, month, day } = civil(today);
    const months = year * 12 + (month - 1) + duration;
    const [inYear, inMonth] = [Math.floor(months / 12), (months % 12) + 1];
    return dayOf(inYear, inMonth, Math.min(day, daysInMonth(inYear, inMonth)));
  },
};
