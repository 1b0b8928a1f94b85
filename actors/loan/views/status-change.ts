import type { Agent } from '../../runtime/fact.js';
import { type DateText, dateText, type DateTimeText, dateTimeText } from '../../wire.js';
import type { StatusChange } from '../state.js';

export interface StatusChangeReply {
  readonly oldStatus: string | null;
  readonly newStatus: string;
  readonly effectiveDate: DateText;
  readonly createdAt: DateTimeText;
  readonly createdBy: AgentReply;
  readonly caseId: string | null;
  readonly reason: string | null;
}

export interface AgentReply {
  readonly type: 'key' | 'user' | 'system';
  readonly id: string;
  readonly userId: string | null;
}

export const agentReply = ({ type, id, userId }: Agent): AgentReply => ({ type, id, userId: userId ?? null });

export const statusChangeReply = (change: StatusChange): StatusChangeReply => ({
  oldStatus: change.oldStatus,
  newStatus: change.newStatus,
  effectiveDate: dateText(change.effectiveDay),
  createdAt: dateTimeText(change.recordedAt),
  createdBy: agentReply(change.by),
  caseId: change.caseId,
  reason: change.reason,
});
