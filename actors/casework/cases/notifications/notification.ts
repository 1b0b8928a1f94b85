import type { NotificationChannel, OutboundTheme } from '../../../../engine/index.js';

/** The firing of a notification type: a message that is to be sent for the case. */
export interface Notification extends NotificationFields {
  readonly id: string;
  readonly status: NotificationStatus;
  /** Its time has come and what it asks for was so: it waits to be sent. */
  readonly isDue: boolean;
  /** What was sent, or would have been; absent from what was recorded before anything was sent. */
  readonly interactionId?: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
}

export interface NotificationFields {
  readonly notificationTypeId: string;
  /** The version that fired; what it asks for is asked again when the time has come. */
  readonly notificationTypeVersion: number;
  readonly channel: NotificationChannel;
  readonly theme: OutboundTheme;
  /** A template by its id, or by its number. */
  readonly templateId: string | number | null;
  readonly scheduledAt: number;
}

/** `canceled`: what it asks for was no longer so when its time came, or the case was deleted. */
export type NotificationStatus = 'scheduled' | 'sent' | 'blocked' | 'canceled' | 'failed';

export const isScheduled = ({ status }: Notification): boolean => status === 'scheduled';
