import { test } from 'tap';
import { type Channel, CHANNELS, isRecordable, isSendable } from '../../../engine/index.js';

/** The rows of the interface: sent by the service, taken as a record. */
const ROWS: Readonly<Record<Channel, readonly [isSent: boolean, isRecorded: boolean]>> = {
  voice: [false, true],
  email: [true, true],
  text: [true, true],
  chat: [false, true],
  mail: [true, true],
  gui: [false, true],
  document: [false, true],
  fax: [false, false],
};

for (const [channel, [isSent, isRecorded]] of Object.entries(ROWS) as [Channel, readonly [boolean, boolean]][]) {
  test(`${channel} is ${isSent ? '' : 'not '}sent by the service and ${isRecorded ? '' : 'not '}taken as a record`, async (t) => {
    t.equal(isSendable(channel), isSent);
    t.equal(isRecordable(channel), isRecorded);
  });
}

test('there is no other channel', async (t) => t.strictSame(Object.keys(CHANNELS).sort(), Object.keys(ROWS).sort()));
