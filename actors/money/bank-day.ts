import {
  addBusinessDays,
  addDays,
  type BusinessCalendar,
  type Cents,
  type Day,
  dayAt,
  instantAt,
  isBusinessDay,
  timeOfDayAt,
} from '../../engine/index.js';
import { type CompanyState, moneyCalendarOf, type ProcessorRecord } from '../company/index.js';
import {
  type Difference,
  type DifferencesBody,
  type KnownDifferencesQuery,
  NOTHING_KNOWN,
  type OpenReconciliationBody,
} from './reconciliation/index.js';
import type { AchSlot } from './ach/ach-file.js';
import type { AchWorkParts } from './ach/ports.js';

/** The clock and the calendar of a processor at one moment. */
export interface BankDay {
  readonly zone: string;
  readonly now: number;
  readonly today: Day;
  readonly calendar: BusinessCalendar;
}

export function bankDayOf(
  { engine, tenant }: Pick<AchWorkParts, 'engine' | 'tenant'>,
  company: CompanyState,
  { stored }: ProcessorRecord,
): BankDay {
  const zone = stored.timezone ?? engine.companyZone(tenant);
  const now = engine.now(tenant);
  return { zone, now, today: dayAt(zone, now), calendar: moneyCalendarOf(company) };
}

/** `HHMM`. */
export function clockOf({ zone, now }: BankDay): string {
  const { hour, minute } = timeOfDayAt(zone, now);
  return `${String(hour).padStart(2, '0')}${String(minute).padStart(2, '0')}`;
}

const timeOf = (seconds: number): Parameters<typeof instantAt>[2] => ({
  hour: Math.floor(seconds / 3_600),
  minute: Math.floor(seconds / 60) % 60,
  second: seconds % 60,
});

/** A cut-off that has passed, and its moment: what is initiated later goes into the next file. */
export interface PassedSlot {
  readonly slot: AchSlot;
  readonly until: number;
}

/**
 * The newest cut-off of each kind that has passed. Days on which the service was away are not made up for one by one: what has waited is in
 * the next file. A same-day file is made on its own day only.
 */
export function passedSlots({ stored }: ProcessorRecord, { zone, now, today, calendar }: BankDay): readonly PassedSlot[] {
  const slotOn = (day: Day, kind: AchSlot['kind'], seconds: number): PassedSlot => ({
    slot: { day, kind },
    until: instantAt(zone, day, timeOf(seconds)),
  });
  const slots: PassedSlot[] = [];
  const { sameDayCutoffSeconds, cutoffSeconds } = stored;
  if (sameDayCutoffSeconds !== null && isBusinessDay(today, calendar)) slots.push(slotOn(today, 'sameDay', sameDayCutoffSeconds));
  const latest = isBusinessDay(today, calendar) ? today : addBusinessDays(today, -1, calendar);
  const own = slotOn(latest, 'nextDay', cutoffSeconds);
  slots.push(own.until <= now ? own : slotOn(addBusinessDays(latest, -1, calendar), 'nextDay', cutoffSeconds));
  return slots.filter(({ until }) => until <= now);
}

/** Records differences in the reconciliation of today, which is opened if need be. */
export async function noteDifferences(
  { calls, tenant }: Pick<AchWorkParts, 'calls' | 'tenant'>,
  processorId: string,
  day: Day,
  items: readonly Difference[],
): Promise<void> {
  const target = await openReconciliation({ calls, tenant }, processorId, day);
  if (items.length > 0) await calls.command({ type: 'reconciliation.add', target, body: { items } satisfies DifferencesBody });
}

/** Days for which a difference is remembered. */
const REMEMBERED_DAYS = 730;

/** Records in the reconciliation of today those differences that no day has. */
export async function noteOnce(
  parts: Pick<AchWorkParts, 'calls' | 'tenant'>,
  processorId: string,
  day: Day,
  items: readonly Difference[],
): Promise<void> {
  if (items.length === 0) return;
  const query: KnownDifferencesQuery = { processorId, from: addDays(day, -REMEMBERED_DAYS), keys: items.map(({ key }) => key) };
  const known = new Set(await parts.calls.query<readonly string[]>('reconciliation.knownKeys', null, query));
  const fresh = items.filter(({ key }) => !known.has(key));
  if (fresh.length > 0) await noteDifferences(parts, processorId, day, fresh);
}

/** The id of the reconciliation of a day. */
export async function openReconciliation(
  { calls, tenant }: Pick<AchWorkParts, 'calls' | 'tenant'>,
  processorId: string,
  day: Day,
): Promise<string> {
  const body: OpenReconciliationBody = { processorId, day };
  const { id } = await calls.query<{ readonly id: string | null }>('reconciliation.ofDay', null, body);
  return id ?? (await calls.command<{ readonly id: string }>({ type: 'reconciliation.open', target: tenant.company, body })).id;
}

/** Money of a reversed payment that is to return to the borrower. */
interface RefusedRefund {
  readonly id: string;
  readonly loanId: string;
  readonly personId: string;
  readonly amountCents: Cents;
}

/** The ledger no longer counts the payment, and the borrower has no money: a person decides. `trace`: by which the processor knows it. */
export const refusedRefund = (
  { id, loanId, personId, amountCents }: RefusedRefund,
  { trace = null, description }: { readonly trace?: string | null; readonly description: string },
): Difference => ({
  ...NOTHING_KNOWN,
  key: `${id}/refused`,
  kind: 'missingAtBank',
  transactionId: id,
  loanId,
  personId,
  trace,
  expectedCents: amountCents,
  description,
});
