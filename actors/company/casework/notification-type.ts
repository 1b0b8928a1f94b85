import type { Trigger, TriggerBody } from './trigger.js';
import type { tags } from 'typia';
import type { NotificationChannel, OutboundTheme } from '../../../engine/index.js';
import type { VersionedCreateBody, VersionedListQuery, VersionedUpdateBody, VersionedView } from '../../kernel/resources/index.js';
import type { AnyId, Whole } from '../../wire.js';
import type { Linked } from './links.js';

/** What sends a message for a case by itself. */
export interface NotificationType extends Trigger, Linked {
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** A template by its id, or by its number. */
  readonly templateId: string | number | null;
  /** Between the firing and the sending. */
  readonly delay: number;
  readonly unit: DelayUnit;
}

type DelayUnit = 'calendarDays' | 'hours' | 'businessDays';

export const NOTIFICATION_TYPE_TYPE = 'notificationType';

interface FieldsBody extends TriggerBody {
  readonly channel?: NotificationChannel;
  readonly theme?: OutboundTheme;
  readonly templateId?: AnyId | Whole | null;
  readonly delay?: Whole & tags.Maximum<87600>;
  readonly unit?: DelayUnit;
  readonly caseTypeIds?: readonly AnyId[] & tags.MaxItems<100>;
}

/** Channel, theme and template may be left out of a copy alone. */
export interface NotificationTypeCreateBody extends VersionedCreateBody, FieldsBody {}

export interface NotificationTypeUpdateBody extends VersionedUpdateBody, FieldsBody {}

export interface NotificationTypeListQuery extends VersionedListQuery {
  /** Those that act on its cases. */
  readonly caseTypeId?: AnyId;
}

export interface NotificationTypeView extends VersionedView, NotificationType {
  readonly object: 'notificationType';
}
