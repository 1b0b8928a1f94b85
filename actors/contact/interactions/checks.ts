import {
  agentOutcomeFault,
  type AgentOutcome,
  type Channel,
  type Direction,
  type InteractionStatus,
  statusDetailFault,
  type StatusDetail,
  type WordFault,
} from '../../../engine/index.js';
import type { Fault } from '../../errors.js';

/** What of an interaction has to go together. */
export interface Checked {
  readonly channel: Channel;
  readonly direction: Direction;
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly agentOutcome: AgentOutcome | null;
  readonly mailIsCertified: boolean;
  readonly isAutodialed: boolean;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly scheduledAtFrom: number | null;
  readonly scheduledAtTo: number | null;
  readonly hasFailure: boolean;
}

type Rule = (checked: Checked) => WordFault | null;

const fault = (path: string, expected: string, message: string): WordFault => ({ path, expected, message });

/** The channels on which something goes on for a while. */
const LASTING: ReadonlySet<Channel> = new Set<Channel>(['voice', 'chat']);

/** The rules of one interaction's fields among themselves (communications 4.2 to 4.4 and 4.7). */
const RULES: readonly Rule[] = [
  ({ statusDetails, ...of }) => (statusDetails === null ? null : statusDetailFault({ ...of, statusDetails })),
  ({ agentOutcome, channel, direction }) => (agentOutcome === null ? null : agentOutcomeFault(agentOutcome, channel, direction)),
  ({ status, channel }) =>
    status === 'inProgress' && !LASTING.has(channel)
      ? fault('status', 'inProgress of voice and chat alone', `A ${channel} interaction is never in progress.`)
      : null,
  ({ mailIsCertified, channel }) =>
    mailIsCertified && channel !== 'mail' ? fault('mailIsCertified', 'true of mail alone', 'Only mail is certified.') : null,
  ({ isAutodialed, channel }) =>
    isAutodialed && channel !== 'voice' ? fault('isAutodialed', 'true of voice alone', 'Only calls are dialed.') : null,
  ({ hasFailure, status }) =>
    hasFailure && status !== 'failed' ? fault('failureDescriptionShort', 'only with the status failed', 'It has not failed.') : null,
  ({ startedAt, endedAt }) =>
    endedAt !== null && startedAt !== null && endedAt < startedAt
      ? fault('endedAt', 'not before startedAt', 'It ends before it began.')
      : null,
  ({ scheduledAtFrom, status }) =>
    status === 'scheduled' && scheduledAtFrom === null
      ? fault('scheduledAtFrom', 'the moment from which it is planned', 'A scheduled interaction needs its window.')
      : null,
  ({ scheduledAtFrom, scheduledAtTo }) =>
    scheduledAtTo !== null && (scheduledAtFrom === null || scheduledAtTo < scheduledAtFrom)
      ? fault('scheduledAtTo', 'not before scheduledAtFrom', 'The window ends before it begins.')
      : null,
];

export const faultsOf = (checked: Checked): readonly Fault[] => RULES.map((rule) => rule(checked)).filter((found) => found !== null);

/** A detail of another status no longer fits when the status changes alone (communications 4.4). */
export const fittingDetail = (statusDetails: StatusDetail | null, of: Omit<Checked, 'statusDetails'>): StatusDetail | null =>
  statusDetails !== null && statusDetailFault({ ...of, statusDetails }) === null ? statusDetails : null;
