/**
 * Header fields that many replies share, joined once: each call into the library costs about as much as writing a
 * whole line, so all of them go with one call. For constants alone, never for anything that a caller sent.
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

/** The header fields that are read from a request; the library lets go of the others. */
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
  /** The empty string for an absent field. */
  readonly headers: Readonly<Record<HeaderName, string>>;
  /** Of the connection; an IPv4 address in IPv6 form is written as IPv4. */
  readonly peerAddress: string;
  /** Whether it asks for a web socket, on a path that is one. */
  readonly isUpgrade: boolean;
}

/** A request, wholly received. */
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
  start(connection: StreamConnection): void;
}

/** The way to one reader, of server-sent events or a web socket alike. */
export interface StreamConnection {
  /** False when the connection is full: write no more before `onDrain`. */
  write(content: string | Uint8Array): boolean;
  /** What `run` writes goes out in one piece. */
  together(run: () => void): void;
  onDrain(listener: () => void): void;
  /** Called once, whoever closed. */
  onClose(listener: () => void): void;
  end(): void;
  /** Cuts the connection without waiting for what it has not taken. */
  cut(): void;
}

/** Why a request is refused before all of it has come. */
export type EarlyRefusal = 'bodyTooLarge' | 'bodyTooSlow' | 'overloaded';

/**
 * What the head of a request alone decides: the answer where nothing of the body is wanted, else whose it is and how the whole is
 * answered.
 */
export type Admission =
  | { readonly type: 'refused'; readonly reply: HttpReply }
  | {
      readonly type: 'admitted';
      /** Most bytes of the body. */
      readonly bodyBytes: number;
      /** Whose bodies count together. */
      readonly address: string;
      readonly answer: HttpHandler;
    };

export type HttpHandler = (request: HttpRequest) => Promise<HttpReply | HttpStreamReply> | HttpReply | HttpStreamReply;
