import type { MsgHdrs } from '@nats-io/transport-node';

/*
 * All that the journal asks of a stream: of JetStream (`nats-stream.ts`), or of what a simulation puts in its place.
 */

/** A message as it lies in the stream. */
export interface StreamMessage {
  readonly subject: string;
  /** Its place in the stream. */
  readonly sequence: number;
  readonly headers: MsgHdrs | undefined;
  readonly bytes: Uint8Array;
}

export interface NewMessage {
  readonly subject: string;
  readonly bytes: Uint8Array;
  readonly headers: MsgHdrs;
  /** Sequence of the subject's last message; 0 while it has none. With another one the message is not taken. */
  readonly follows: number;
  /** One that comes again under the same name is not taken twice. */
  readonly messageId?: string;
}

export interface StreamServer {
  /** The largest payload that it takes. */
  readonly payloadBytes: number;
  /**
   * Where the message lies. Throws `Overtaken`, or `NotTaken` for a message that is surely not in the stream; after all else it may be
   * there, or come there yet.
   */
  publish(message: NewMessage): Promise<number>;
  /**
   * How much more the stream takes, where it has a limit, and the limit; infinite where it has none. Absent: nothing is known of limits.
   */
  room?(): Promise<{ readonly leftBytes: number; readonly ofBytes: number }>;
  /** The last message of the subject. */
  last(subject: string): Promise<StreamMessage | null>;
  /** The first message of the subject at the sequence or behind it. */
  next(subject: string, sequence: number): Promise<StreamMessage | null>;
  /** Messages of the subject (one or many, `journal.*`) from the sequence on, as they come; until the signal. */
  follow(subject: string, sequence: number, signal: AbortSignal): AsyncIterable<StreamMessage>;
}

/** Another message has come to the subject meanwhile. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** The server has refused the message. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}
