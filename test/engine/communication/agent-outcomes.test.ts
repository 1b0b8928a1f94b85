import { test } from 'tap';
import { type AgentOutcome, AGENT_OUTCOMES, agentOutcomeFault, type Channel, CHANNELS, type Direction } from '../../../engine/index.js';

/** The rows of the interface. */
const ROWS: Readonly<Record<AgentOutcome, readonly Direction[]>> = {
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
  voiceNumberDisconnected: ['outbound', 'inbound'],
};

const BOTH: readonly Direction[] = ['outbound', 'inbound'];

for (const [outcome, directions] of Object.entries(ROWS) as [AgentOutcome, readonly Direction[]][]) {
  test(`${outcome} is an outcome of ${directions.join(' and ')} calls only`, async (t) => {
    for (const channel of Object.keys(CHANNELS) as Channel[]) {
      for (const direction of BOTH) {
        const isTaken = channel === 'voice' && directions.includes(direction);
        t.equal(agentOutcomeFault(outcome, channel, direction) === null, isTaken, `${direction} ${channel}`);
      }
    }
  });
}

test('there is no other outcome', async (t) => t.strictSame(Object.keys(AGENT_OUTCOMES).sort(), Object.keys(ROWS).sort()));
