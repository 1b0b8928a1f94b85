/** What the thread of a pulse begins with. */
export interface PulseStart {
  readonly memory: SharedArrayBuffer;
  readonly nats: string;
  /** Shows in the server's list of connections. */
  readonly name: string;
  readonly bucket: string;
  readonly key: string;
  readonly beatMs: number;
  /** A worker that has not said for so long that it lives is not kept alive any more. */
  readonly stallMs: number;
}

/** What it is told. */
export type ToPulse =
  | { readonly type: 'record'; readonly record: Uint8Array; readonly turn: number }
  | { readonly type: 'resume' }
  | { readonly type: 'stop' };

/** What it says: that it is connected; each `record` was beaten once, or missed; and what ended its beats until it is told to go on. */
export type FromPulse =
  | { readonly type: 'ready' }
  | { readonly type: 'beaten'; readonly turn: number }
  | { readonly type: 'conflict'; readonly key: string };
