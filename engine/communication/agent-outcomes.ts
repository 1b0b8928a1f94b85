import type { Channel, Direction } from './channels.js';
import type { WordFault } from './fault.js';

/** What a person made of a call, by the directions of calls that it can happen in. Calls alone have one. */
export const AGENT_OUTCOMES = {
  voiceSpokeWithFirstParty: ['outbound', 'inbound'],
  voiceSpokeWithThirdParty: ['outbound', 'inbound'],
  voiceLeftVoicemail: ['outbound'],
  voiceReachedVoicemailNoMessageLeft: ['outbound', 'inbound'],
  voiceRangNoPickup: ['outbound'],
  voiceLineBusyNoRing: ['outbound'],
  voicePickedHungUp: ['outbound', 'inbound'],
  voiceDisconnectedWhileQueuedOnHold: ['inbound'],
  voiceUnexpectedDisconnect: ['outbound', 'inbound'],
  voiceFailedToInitiate: ['outbound'],
  /** Tells of the contact as well: its phone is disconnected. */
  voiceNumberDisconnected: ['outbound', 'inbound'],
} as const satisfies Readonly<Record<string, readonly Direction[]>>;

export type AgentOutcome = keyof typeof AGENT_OUTCOMES;

export function agentOutcomeFault(agentOutcome: AgentOutcome, channel: Channel, direction: Direction): WordFault | null {
  const fault = (expected: string): WordFault => ({
    path: 'agentOutcome',
    expected,
    message: `${agentOutcome} is no outcome of an ${direction} ${channel} interaction.`,
  });
  if (channel !== 'voice') return fault('none but for voice');
  const directions: readonly Direction[] = AGENT_OUTCOMES[agentOutcome];
  return directions.includes(direction) ? null : fault(`one of ${direction} calls`);
}
