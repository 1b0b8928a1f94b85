import type { tags } from 'typia';
import type { BlockedChannel, BlockedTheme } from '../../../../engine/index.js';
import type { PageQuery } from '../../../page.js';
import type { DateText, DateTimeText, ShortText, Whole } from '../../../wire.js';

interface TimeOfDayRange {
  readonly fromHour: Whole & tags.Maximum<24>;
  /** Exclusive; before `fromHour` it is an hour of the next day. */
  readonly toHour: Whole & tags.Maximum<24>;
}

export interface DoNotInteractRequest {
  /** Default: all. */
  readonly channels?: readonly BlockedChannel[] & tags.MinItems<1> & tags.MaxItems<20>;
  /** Default: all. */
  readonly themes?: readonly BlockedTheme[] & tags.MinItems<1> & tags.MaxItems<20>;
  /** Default: today. */
  readonly startDate?: DateText;
  /** The block holds to the end of that day; null = it has no end. */
  readonly endDate?: DateText | null;
  /** 0 is Monday; none are all. */
  readonly daysOfWeek?: (readonly (Whole & tags.Maximum<6>)[] & tags.MaxItems<7>) | null;
  /** None is the whole day. */
  readonly timesOfDay?: (readonly TimeOfDayRange[] & tags.MaxItems<24>) | null;
  readonly timezone?: ShortText;
  /** None are all. */
  readonly contactLabels?: (readonly ('personal' | 'work' | 'home' | 'military')[] & tags.MaxItems<4>) | null;
}

export interface ListPersonBlocksQuery extends PageQuery {
  readonly activeOnly?: boolean;
}

/** A Do Not Interact as replies show it. */
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
