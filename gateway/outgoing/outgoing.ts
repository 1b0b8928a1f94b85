/** A POST to an address that a caller of the interface has given. */
export interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why there was no answer. */
export type OutgoingFault =
  | 'timeout'
  | 'addressNotAllowed'
  | 'dnsFailed'
  | 'connectionRefused'
  | 'connectionLost'
  | 'tlsFailed'
  | 'badAnswer';

export type OutgoingAnswer =
  | { readonly type: 'answered'; readonly status: number }
  | { readonly type: 'failed'; readonly fault: OutgoingFault };

/** Calls the world outside. Answers within the time-out whatever happens, and never throws. */
export interface Outgoing {
  post(call: OutgoingCall): Promise<OutgoingAnswer>;
  /** Ends what is under way. */
  close(): void;
}
