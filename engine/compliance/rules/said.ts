import type { Subject } from '../../communication/index.js';
import { counted } from '../considered.js';
import type { ContactPlan } from '../plan.js';
import type { PastContact } from '../situation.js';

/** What was said to the borrower before. */

export const isAnswerToCease = (subject: Subject | null): boolean => subject?.startsWith('ceaseCommunication') ?? false;

/** Whether something of this subject went out since a moment. */
export const wasSaid = (history: readonly PastContact[], subject: Subject | null, since: number): boolean =>
  counted(history).some((past) => past.subject === subject && past.startedAt >= since);

/** A stop is confirmed once (47 CFR 64.1200(a)(12)); another confirmation of the same channel within a day would be a second one of the same stop. */
const CONFIRMED_WITHIN_MS = 86_400_000;

export const isConfirmationOfStop = ({ subject, channel, at }: ContactPlan, history: readonly PastContact[]): boolean =>
  subject === 'electronicConsentOptOut' &&
  !counted(history).some(
    (past) => past.subject === subject && past.channel === channel && past.startedAt > at - CONFIRMED_WITHIN_MS && past.startedAt <= at,
  );
