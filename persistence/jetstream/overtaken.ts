import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';

/** Another message has come to the subject meanwhile. */
export function isOvertaken(cause: unknown): boolean {
  return (
    cause instanceof JetStreamApiError &&
    (cause.code === JetStreamApiCodes.StreamWrongLastSequence || cause.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}
