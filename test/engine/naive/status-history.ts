import { type LedgerSettings, type LedgerTerms, must } from '../../../engine/index.js';
import type { NaiveStatus } from './parts.js';

/** The status of a loan, and the days on which it changed. */
export class StatusHistory {
  #status: NaiveStatus = 'active';
  #before: NaiveStatus = 'active';
  /** The first day of the current freeze. */
  frozenSince = 0;
  acceleratedSince: number | null = null;
  chargedOffSince: number | null = null;

  get status(): NaiveStatus {
    return this.#status;
  }

  is(...statuses: readonly NaiveStatus[]): boolean {
    return statuses.includes(this.#status);
  }

  become(status: NaiveStatus, day: number): void {
    this.#before = this.#status;
    this.#status = status;
    if (status === 'frozen') this.frozenSince = day;
    if (status === 'accelerated') this.acceleratedSince = day;
    if (status === 'chargedOff') this.chargedOffSince = day;
  }

  /** An order for a paid-off loan takes effect when the loan is reopened. Returns whether that changes the status. */
  orderPaidOff(status: 'active' | 'frozen', day: number): boolean {
    if (this.#before === status || (this.#before !== 'active' && this.#before !== 'frozen')) return false;
    this.#before = status;
    if (status === 'frozen') this.frozenSince = day;
    return true;
  }

  /** A paid-off loan has its previous status again. */
  reopen(): void {
    this.#status = this.#before;
  }
}

/** The settings of the product on a day. */
export const settingsOn = ({ settings }: LedgerTerms, day: number): LedgerSettings =>
  must(settings.findLast(({ from }) => from <= day) ?? settings[0], 'terms have settings').value;

/** The waterfall for a payment or a credit. */
export function waterfallOf(settings: LedgerSettings, status: NaiveStatus, isCredit: boolean): readonly string[] {
  const named = (dueStatus: string, component: string): string => dueStatus + component.slice(0, 1).toUpperCase() + component.slice(1);
  if (status === 'chargedOff') return settings.chargedOffWaterfall.map((component) => named('chargedOff', component));
  if (status === 'accelerated') {
    return settings.acceleratedWaterfall.flatMap((component) =>
      ['overdue', 'due', 'nonDue'].map((dueStatus) => named(dueStatus, component)),
    );
  }
  return isCredit ? settings.creditWaterfall : settings.paymentWaterfall;
}

/** A refund pays principal first, from the end of the schedule, then interest and fees. */
export function refundBuckets(status: NaiveStatus): { readonly principal: readonly string[]; readonly costs: readonly string[] } {
  if (status === 'chargedOff') return { principal: ['chargedOffPrincipal'], costs: ['chargedOffInterest', 'chargedOffFees'] };
  return {
    principal: ['nonDuePrincipal', 'duePrincipal', 'overduePrincipal'],
    costs: ['overdueInterest', 'dueInterest', 'nonDueInterest', 'overdueFees', 'dueFees', 'nonDueFees'],
  };
}
