import type { NotificationChannel, OutboundTheme } from '../../../../engine/index.js';
import { dateTimeText, type DateTimeText, orNull } from '../../../wire.js';
import type { CaseState } from '../state.js';
import type { Notification, NotificationStatus } from './notification.js';

/** The firing of a notification type on a case. */
export interface NotificationView {
  readonly id: string;
  readonly object: 'notification';
  readonly caseId: string;
  readonly notificationTypeId: string;
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** What was sent, or was stopped; null for as long as nothing is. */
  readonly interactionId: string | null;
  readonly status: NotificationStatus;
  readonly scheduledAt: DateTimeText;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
}

export const notificationView = ({ id: caseId }: CaseState, notification: Notification): NotificationView => ({
  id: notification.id,
  object: 'notification',
  caseId,
  notificationTypeId: notification.notificationTypeId,
  notificationTypeVersion: notification.notificationTypeVersion,
  channel: notification.channel,
  theme: notification.theme,
  interactionId: notification.interactionId ?? null,
  status: notification.status,
  scheduledAt: dateTimeText(notification.scheduledAt),
  createdAt: dateTimeText(notification.createdAt),
  updatedAt: orNull(dateTimeText, notification.updatedAt),
});
