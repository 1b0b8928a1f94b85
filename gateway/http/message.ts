/**
 * Header fields that many replies share, joined once: each call into the library costs about as much as writing a whole line, so one call
 * writes all of them. For constants only, never for anything that a caller sent.
 */
export class SharedHeaders {
  readonly name: string;
  /** The first field's value and the lines of the others. */
  readonly value: string;

  constructor(first: readonly [string, string], others: Readonly<Record<string, string>>) {
    this.name = first[0];
    this.value = [first[1], ...Object.entries(others).map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  }
}

/** The header fields that are read from a request; all others are ignored. */
const REQUEST_HEADERS = [
  'authorization',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'last-event-id',
  'tenor-unknown-fields',
  'transfer-encoding',
  'x-api-key',
  'x-api-version',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-request-id',
  'x-signature',
  'x_api_key',
] as const;

type HeaderName = (typeof REQUEST_HEADERS)[number];

export interface RequestHead {
  readonly method: string;
  /** As sent, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly queryText: string;
  /** The empty string for an absent field. An absent idempotency key is null: an empty one is refused. */
  readonly headers: Readonly<Record<Exclude<HeaderName, 'idempotency-key'>, string>> & { readonly 'idempotency-key': string | null };
  /** The address of the connection; an IPv4-mapped IPv6 address is written as IPv4. */
  readonly peerAddress: string;
  /** Whether the request upgrades to a WebSocket, on the path of one. */
  readonly isUpgrade: boolean;
}

/** A request that has arrived completely. */
export interface HttpRequest extends RequestHead {
  readonly body: Buffer;
}

export interface HttpReply {
  readonly status: number;
  /** Sent before `headers`. */
  readonly shared?: SharedHeaders;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** A reply that goes on: `start` gets the connection once the head is sent. */
export interface HttpStreamReply {
  readonly status: number;
  /** Sent before `headers`. */
  readonly shared?: SharedHeaders;
  readonly headers: Readonly<Record<string, string>>;
  readonly start: (connection: StreamConnection) => void;
}

/** The connection to one reader of server-sent events or a WebSocket. */
export interface StreamConnection {
  /** False when the connection is full: write no more before `onDrain`. */
  write(content: string | Uint8Array): boolean;
  /** Sends all that `run` writes in one piece. */
  together(run: () => void): void;
  onDrain(listener: () => void): void;
  /** Called once, when either side has closed. */
  onClose(listener: () => void): void;
  end(): void;
  /** Cuts the connection without waiting until it has sent everything. */
  cut(): void;
}

/** Why a request is refused before all of it has come. */
export type EarlyRefusal = 'bodyTooLarge' | 'bodyTooSlow' | 'overloaded';

/**
 * The decision from the head of a request alone: the answer of a refused request, or the limits of its body and the handler of the whole.
 */
export type Admission =
  | { readonly type: 'refused'; readonly reply: HttpReply }
  | {
      readonly type: 'admitted';
      /** Most bytes of the body. */
      readonly bodyBytes: number;
      /** Bodies from one network count together. */
      readonly network: string;
      readonly answer: HttpHandler;
      /** The answer where the body is not taken. */
      readonly refuse: (reason: EarlyRefusal) => HttpReply;
    };

export type HttpHandler = (request: HttpRequest) => Promise<HttpReply | HttpStreamReply> | HttpReply | HttpStreamReply;
