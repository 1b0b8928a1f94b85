import { test } from 'tap';
import { type FeedbackSignal, outranks, type SignalEffect, signalRow, type StatusDetail, STATUS_DETAILS } from '../../../engine/index.js';

type Row = readonly [signal: FeedbackSignal, status: string, statusDetails: string | null, effects?: readonly SignalEffect[]];

/** The rows of the interface. */
const ROWS: readonly Row[] = [
  ['emailAccepted', 'attempted', 'emailSent'],
  ['emailDelivered', 'succeeded', 'emailDelivered'],
  ['emailOpened', 'succeeded', 'emailOpened'],
  ['emailClicked', 'succeeded', 'emailClick'],
  ['emailDeferred', 'failed', 'emailBlocked'],
  ['emailBounced', 'failed', 'emailBounced', ['emailInvalid']],
  ['emailDropped', 'failed', 'emailDropped'],
  ['emailReportedAsSpam', 'failed', 'emailReportedAsSpam', ['marketingStopped']],
  ['textDelivered', 'succeeded', null],
  ['textMessageBlocked', 'failed', 'textMessageBlocked'],
  ['textUnsubscribedRecipient', 'failed', 'textUnsubscribedRecipient', ['textsStopped']],
  ['textLandlineOrUnreachableCarrier', 'failed', 'textLandlineOrUnreachableCarrier', ['textsStopped']],
  ['textNumberDisconnected', 'failed', 'textNumberDisconnected', ['phoneDisconnected']],
  ['letterCreated', 'attempted', 'letterCreated'],
  ['letterInTransit', 'attempted', 'letterInTransit'],
  ['letterDelivered', 'succeeded', 'letterDelivered'],
  ['letterReturnedToSender', 'failed', 'letterReturnedToSender', ['addressInvalid']],
];

for (const [signal, status, statusDetails, effects = []] of ROWS) {
  test(`${signal} makes it ${status}${statusDetails === null ? '' : ` with ${statusDetails}`}`, async (t) =>
    t.strictSame(signalRow(signal), { effects, status, statusDetails }));
}

test('each detail of texts and letters is a signal of its own status', async (t) => {
  for (const [detail, { status }] of Object.entries(STATUS_DETAILS).filter(([name]) => /^(text|letter)/.test(name)))
    t.match(signalRow(detail as FeedbackSignal), { status, statusDetails: detail }, detail);
});

test('a later signal of a higher rank replaces a lower one, never the other way', async (t) => {
  const order: readonly StatusDetail[] = ['emailDelivered', 'emailOpened', 'emailClick'];
  for (const [at, before] of order.entries()) {
    for (const [place, next] of order.entries()) t.equal(outranks(next, before), place > at, `${next} after ${before}`);
  }
  t.ok(outranks('emailSent', null));
  t.ok(outranks('letterRerouted', 'letterInTransit'), 'without a rank as they come');
  t.notOk(outranks('letterCreated', 'letterInTransit'));
  t.notOk(outranks(null, 'emailDelivered'));
});
