import { actorView, type ActorView } from '../../kernel/actor-view.js';
import { type DateText, dateText, type DateTimeText, dateTimeText } from '../../wire.js';
import type { StatusChange } from '../state.js';

export interface StatusChangeReply {
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly effectiveDate: DateText;
  readonly createdAt: DateTimeText;
  readonly createdBy: ActorView;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export const statusChangeReply = (change: StatusChange): StatusChangeReply => ({
  oldStatus: change.oldStatus,
  newStatus: change.newStatus,
  effectiveDate: dateText(change.effectiveDay),
  createdAt: dateTimeText(change.recordedAt),
  createdBy: actorView(change.by),
  caseId: change.caseId,
  reason: change.reason ?? change.writtenReason,
});
