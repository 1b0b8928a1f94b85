/** Every bound of the gateway, in one place. */
export const LIMITS = {
  /** Largest body in bytes: a larger one would hold the one thread while it is read and checked (docs/decisions/fair-requests.md). */
  bodyBytes: 2 * 1024 * 1024,
  /**
   * Contents of documents that are read or written at once, and that may wait for it. The journal needs threads of the same pool, of which
   * Node has four: one is for contents and two for passwords.
   */
  contentsAtOnce: 1,
  contentsWaiting: 512,
  /** Bytes of a file that are looked at, or encrypted, before others have their turn. */
  filePieceBytes: 1024 * 1024,
  /** Largest content of a document, and of the body that carries it among other parts. */
  documentBytes: 25 * 1024 * 1024,
  uploadBodyBytes: 26 * 1024 * 1024,
  /** Parts of a multipart body. */
  uploadParts: 20,
  /** Letters of the name of an uploaded file that are kept. */
  fileNameLength: 255,
  /** Bytes of the compressed objects of a PDF that are looked at for scripts. */
  pdfObjectBytes: 32 * 1024 * 1024,
  /** What is converted to PDF: pixels of a picture, and bytes of a text. */
  convertedPixels: 50_000_000,
  convertedTextBytes: 1024 * 1024,
  /** Bytes of a picture that is converted. */
  convertedPictureBytes: 10 * 1024 * 1024,
  /** Bytes of the pixels of a picture that has to be unpacked: 2,800 by 2,800 with transparency. */
  unpackedBytes: 32 * 1024 * 1024,
  /** Threads that render beside the service: no more than processors beside the first, and two at least. */
  renderThreads: 4,
  /** Longest time of one rendering in a thread, in milliseconds, the start of the thread included. */
  renderMs: 20_000,
  /** Memory of the heap of such a thread, in MB. */
  renderMemoryMb: 256,
  /** Renderings that may wait, of one company and of all. */
  rendersWaitingOfCompany: 64,
  rendersWaiting: 1_024,
  /** How long a thread that renders nothing stays, in milliseconds. */
  renderIdleMs: 60_000,
  /** How much the operating system puts such threads behind others. */
  renderNice: 10,
  /** Largest body of a request that shows no credential. */
  openBodyBytes: 256 * 1024,
  /** Bytes of bodies that may be in memory at once: over all requests, and from one address. A connection has one at a time. */
  bodyBytesInFlight: 256 * 1024 * 1024,
  bodyBytesOfAddress: 64 * 1024 * 1024,
  /** A body that is not wanted is read over up to this length, so that its connection can go on; a longer one ends it. */
  unwantedBodyBytes: 64 * 1024,
  /** A body has so many milliseconds to come, and more as long as it keeps the pace, in bytes a second. */
  bodyMs: 20_000,
  bodyBytesASecond: 16 * 1024,
  /** Request line and header fields in bytes; beyond it the connection gets 431. */
  headerBytes: 16 * 1024,
  /** Requests that may be under way at once; further ones are answered 503. */
  concurrentRequests: 8_192,
  /** What one caller's requests may take of a turn of the event loop before they wait for those of others, in milliseconds. */
  turnMs: 4,
  /**
   * A request that holds the thread longer is heavy: its caller rests so many times as long before the next one, if others have asked
   * within the last while. In milliseconds.
   */
  heavyMs: 8,
  heavyRests: 3,
  othersAskMs: 200,
  /** Requests of one caller that may wait for their turn; further ones are answered 503. */
  waitingOfCaller: 2_048,
  /** Longest time of a request in milliseconds, unless its route says otherwise. */
  requestMs: 30_000,
  /** Longest wait of `sync=true` in milliseconds; then 408. */
  syncMs: 20_000,
  /** How long a shutdown waits for requests under way, in milliseconds. */
  drainMs: 10_000,
  /** Nesting of a body. */
  bodyDepth: 32,
  /**
   * Names and values of a body: as text, 2 MB hold half a million, and reading those holds the one thread for 50 ms and more. The largest
   * that mean something, a migrated loan with 1,566 payments and rows, has some 60,000.
   */
  bodyValues: 100_000,
  /** Significant digits of a number in a body: what a binary float keeps exactly. */
  numberDigits: 15,
  /** Names in a query string or form. */
  formNames: 1_000,
  /** Index of `key[index]` in a form. */
  formIndex: 999,
  /** Faults that one reply lists. */
  faults: 100,
  /** Characters of a caller's name that an error repeats. */
  shownNameLength: 100,
  /** Keys of a `metaData` object, and characters of a key (base, "Limits"). */
  metaDataKeys: 50,
  metaDataKeyLength: 100,
  /** Characters of a path parameter. */
  pathParameterLength: 300,
  idempotencyKeyLength: 128,
  requestIdLength: 128,
  /** Characters of a key or token. */
  credentialLength: 4_096,
  /** Rate-limit buckets kept in memory, and how many are looked at for one to let go. */
  rateBuckets: 100_000,
  rateBucketsLooked: 100,
  /** Longest wait for Redis to connect and to count a request, and how often it is asked while it is away, in milliseconds. */
  redisConnectMs: 1_000,
  redisAnswerMs: 100,
  redisRetryMs: 1_000,
  /** Least milliseconds between questions for a key of tokens that is not known: anybody can make one up. */
  tokenKeysAskedMs: 1_000,
  /** Passwords that are compared at once, and that may wait for it: each takes a processor for a while. */
  passwordsAtOnce: 2,
  passwordsWaiting: 256,
  /** Messages that a company sends a second. */
  sendsPerSecond: 50,
  /** How far the clock of a delivery adapter may be off, and how old its word may be. */
  callbackSeconds: 300,
  /** Streams open at once. */
  streams: 1_000,
  /** Events that a stream reads from the log in one go. */
  streamBatch: 100,
  /** What was written down last of such batches, for readers who get the same. */
  streamBatchesKept: 16,
  /** Newest events of a tenant that its readers share, how many are read for them at once, and of how many tenants. */
  recentEvents: 2_048,
  recentEventsRead: 256,
  recentTenants: 32,
  /** Bytes of a message that a reader sends over a web socket: none means anything. */
  socketMessageBytes: 1_024,
  /** A web socket that answers no ping for this long is closed. */
  socketIdleSeconds: 60,
  /** Bytes that may wait in a stream's connection before no more are read for it. */
  streamBufferBytes: 256 * 1024,
  /** A reader whose connection takes nothing for this long is cut and resumes by its cursor. */
  streamStallMs: 30_000,
  /** Milliseconds between signs of life on a quiet stream. */
  streamHeartbeatMs: 5_000,
  /** Events that are published to a message server before the place is kept, and milliseconds until it is tried again after a failure. */
  publishBatch: 256,
  publishTickMs: 500,
  /** Time of a call to an address that a caller has given, from the look-up of its name to the answer's status. */
  outgoingMs: 10_000,
  /** Bytes of an answer's header fields, and those of its body that are read before the connection is given up. */
  outgoingHeaderBytes: 16 * 1024,
  outgoingAnswerBytes: 64 * 1024,
  /** Milliseconds for one question to a name server, and how often it is asked. */
  nameServerMs: 2_000,
  nameServerTries: 2,
  /** Connections that are kept for the next call, to one host, and how long. */
  outgoingKept: 8,
  outgoingIdleMs: 15_000,
  /** Calls of webhooks at once, over all and to one; a receiver that fails so often in a row gets one at a time. */
  webhookCalls: 1_024,
  webhookConcurrency: 8,
  webhookCautiousAfter: 8,
  /** Messages of a webhook in memory; later events wait in the log. */
  webhookWindow: 1_000,
  /** Events, or messages, that a webhook takes up in one go. */
  webhookBatch: 100,
  /** Ids of messages that are reserved at once. */
  webhookIds: 1_000,
  /** Replays of one webhook under way. */
  webhookReplays: 5,
  /** Milliseconds between looks at what waits for its time. */
  webhookTickMs: 1_000,
  /** Milliseconds between facts about how a webhook does, and of failing until that is told. */
  webhookTellMs: 60_000,
  /** How long a webhook waits after its disk or the journal has failed. */
  webhookRestMs: 5_000,
  /** How long the end of deliveries waits for those that are under way. */
  webhookCloseMs: 1_000,
  /** A webhook of which every delivery has failed for so long is disabled. */
  webhookDisabledAfterMs: 3 * 24 * 3_600_000,
  /** How long, and how many, messages stay in the log of deliveries. */
  webhookLogMs: 90 * 24 * 3_600_000,
  webhookLogMessages: 1_000_000,
  /** Messages that a page of the log looks at before others have their turn. */
  webhookLogSlice: 500,
  /** Time of a query tool's answer, and its bytes. */
  queryToolMs: 300_000,
  queryToolBytes: 128 * 1024 * 1024,
  /** Time to put a file by SFTP. */
  sftpMs: 300_000,
} as const;
