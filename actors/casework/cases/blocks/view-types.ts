import type { BlockedChannel, BlockedTheme } from '../../../../engine/index.js';
import type { DateText, DateTimeText } from '../../../wire.js';

/** A Do Not Interact as replies show it (cases 9). */
export interface DoNotInteractView {
  readonly id: string;
  readonly object: 'doNotInteract';
  readonly caseId: string;
  readonly personId: string;
  readonly channels: readonly BlockedChannel[];
  readonly themes: readonly BlockedTheme[];
  readonly startDate: DateText;
  readonly endDate: DateText | null;
  readonly daysOfWeek: readonly number[];
  readonly timesOfDay: readonly { readonly fromHour: number; readonly toHour: number }[];
  readonly timezone: string;
  readonly contactLabels: readonly ('personal' | 'work' | 'home' | 'military')[];
  readonly source: 'api' | 'agent' | 'system' | 'supercase';
  readonly doNotInteractTypeId: string | null;
  /** `lifted` and `expired` ones block nothing. */
  readonly status: 'active' | 'lifted' | 'expired';
  readonly endedAt: DateTimeText | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
}
