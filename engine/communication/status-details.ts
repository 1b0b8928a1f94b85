import { AGENT_OUTCOMES, type AgentOutcome } from './agent-outcomes.js';
import type { Channel, Direction } from './channels.js';
import type { WordFault } from './fault.js';
import { type StatusDetail, type StatusDetailRow, STATUS_DETAILS } from './status-detail-rows.js';
import type { InteractionStatus } from './statuses.js';

export { type StatusDetail, STATUS_DETAILS } from './status-detail-rows.js';

/** What older callers said in `statusDetails` although a person had found it out. */
export type MovedOutcome = Exclude<AgentOutcome, StatusDetail>;

/** What a request may say in `statusDetails`. */
export type StatusDetailWord = StatusDetail | MovedOutcome;

export interface DetailedStatus {
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail;
  readonly channel: Channel;
  readonly direction: Direction;
  readonly mailIsCertified: boolean;
}

/** Why a detail does not go with the rest; null when it does. */
export function statusDetailFault({ status, statusDetails, channel, direction, mailIsCertified }: DetailedStatus): WordFault | null {
  const row: StatusDetailRow = STATUS_DETAILS[statusDetails];
  const fault = (expected: string, message: string): WordFault => ({ path: 'statusDetails', expected, message });
  if (row.isReserved === true) return fault('a value that is not reserved', `${statusDetails} is reserved.`);
  if (row.status !== status)
    return fault(`a detail of ${status}`, `${statusDetails} goes with the status ${row.status}, not with ${status}.`);
  if (row.channel !== null && row.channel !== channel)
    return fault(`a detail of ${channel}`, `${statusDetails} goes with the channel ${row.channel}, not with ${channel}.`);
  if (row.direction !== undefined && row.direction !== direction)
    return fault(`a detail of ${direction} interactions`, `${statusDetails} is of ${row.direction} interactions only.`);
  if (row.isOfCertifiedMail === true && !mailIsCertified)
    return fault('a detail of mail that is not certified', `${statusDetails} is of certified mail only.`);
  return null;
}

export interface ToldDetail {
  readonly statusDetails: StatusDetail;
  /** Null when the word told of no person's outcome. */
  readonly agentOutcome: AgentOutcome | null;
}

/**
 * What a word of `statusDetails` tells: an outcome that a person found out belongs to `agentOutcome`, and says that the call was
 * connected.
 */
export const detailTold = (word: StatusDetailWord): ToldDetail =>
  isMovedOutcome(word) ? { statusDetails: 'voiceConnected', agentOutcome: word } : { statusDetails: word, agentOutcome: null };

const isMovedOutcome = (word: StatusDetailWord): word is MovedOutcome =>
  Object.hasOwn(AGENT_OUTCOMES, word) && !Object.hasOwn(STATUS_DETAILS, word);
