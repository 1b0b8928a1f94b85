/** Every limit of the gateway, in one place. */
export const LIMITS = {
  /** Largest body in bytes: a larger one would hold the one thread while it is read and checked (docs/decisions/fair-requests.md). */
  bodyBytes: 2 * 1024 * 1024,
  /**
   * Contents of documents that are read or written at once, and that may wait for it. The journal needs threads of the same pool, of which
   * Node has four: one is for contents and two for passwords.
   */
  contentsAtOnce: 1,
  contentsWaiting: 512,
  /** Bytes of a file that are checked or encrypted before other work runs. */
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
  /** Limits of conversion to PDF: pixels of a picture, and bytes of a text. */
  convertedPixels: 50_000_000,
  convertedTextBytes: 1024 * 1024,
  /** Bytes of a picture that is converted. */
  convertedPictureBytes: 10 * 1024 * 1024,
  /** Bytes of the pixels of a picture that has to be unpacked: 2,800 by 2,800 with transparency. */
  unpackedBytes: 32 * 1024 * 1024,
  /** Connections to the server of e-mail, messages that one carries before it is opened again, and what it may take to answer. */
  smtpConnections: 4,
  smtpMessagesOfConnection: 200,
  smtpWaitMs: 20_000,
  /** Recipients of one report of a mail server, and the nesting and bytes of headers of its mail. */
  reportedRecipients: 20,
  mailDepth: 20,
  mailHeaderBytes: 256 * 1024,
  /** Bytes of the documents of one message. */
  attachedBytes: 20 * 1024 * 1024,
  /** How long a provider of texts may take to answer, and the bytes of its answer that are read. */
  textWaitMs: 20_000,
  textAnswerBytes: 64 * 1024,
  /** Texts that are handed to the provider within a second: carriers throttle a sender who is faster. */
  textsPerSecond: 25,
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
  /** The nice value of such threads, the lowest priority: what a rendering loses, the requests of others gain. */
  renderNice: 19,
  /** Largest body of a request without a credential. */
  openBodyBytes: 256 * 1024,
  /** Bytes of bodies that may be in memory at once: over all requests, and from one address. A connection has one at a time. */
  bodyBytesInFlight: 256 * 1024 * 1024,
  bodyBytesOfAddress: 64 * 1024 * 1024,
  /** The body of a refused request is discarded up to this length, so that its connection can go on; a longer one closes the connection. */
  unwantedBodyBytes: 64 * 1024,
  /** The time limit of a body in milliseconds, extended as long as it keeps this rate, in bytes a second. */
  bodyMs: 20_000,
  bodyBytesASecond: 16 * 1024,
  /** Request line and header fields in bytes; beyond it the connection gets 431. */
  headerBytes: 16 * 1024,
  /** Requests that may be under way at once; further ones are answered 503. */
  concurrentRequests: 8_192,
  /** How long requests of one caller may run before they wait for those of others, in milliseconds. */
  timeSliceMs: 4,
  /**
   * A request that holds the thread longer than `heavyMs` is heavy: its caller then rests `heavyRests` times as long, if others have sent
   * requests within the last `othersAskMs`. In milliseconds.
   */
  heavyMs: 8,
  heavyRests: 3,
  othersAskMs: 200,
  /** Requests of one caller that may wait; further ones are answered 503. */
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
   * Names and values of a body: 2 MB of text hold half a million, and reading those holds the one thread for 50 ms and more. The largest
   * body in practice, a migrated loan with 1,566 payments and rows, has some 60,000.
   */
  bodyValues: 100_000,
  /** Significant digits of a number in a body: a binary float keeps so many exactly. */
  numberDigits: 15,
  /** Names in a query string or form. */
  formNames: 1_000,
  /** Index of `key[index]` in a form. */
  formIndex: 999,
  /** Faults that one reply lists. */
  faults: 100,
  /** Characters of a caller's name that an error repeats. */
  shownNameLength: 100,
  /** Keys of a `metaData` object, and characters of a key. */
  metaDataKeys: 50,
  metaDataKeyLength: 100,
  /** Characters of a path parameter. */
  pathParameterLength: 300,
  idempotencyKeyLength: 128,
  requestIdLength: 128,
  /** Characters of a key or token. */
  credentialLength: 4_096,
  /** Rate-limit buckets kept in memory, and how many are looked at to find one to drop. */
  rateBuckets: 100_000,
  rateBucketsLooked: 100,
  /** Longest wait for Redis to connect and to count a request, and how often it is tried while it does not answer, in milliseconds. */
  redisConnectMs: 1_000,
  redisAnswerMs: 100,
  redisRetryMs: 1_000,
  /** Least milliseconds between reads of unknown token keys: anybody can make up the id of one. */
  tokenKeysAskedMs: 1_000,
  /** Passwords that are compared at once, and that may wait for it: each takes a processor for a while. */
  passwordsAtOnce: 2,
  passwordsWaiting: 256,
  /** Messages that a company sends a second. */
  sendsPerSecond: 50,
  /** Largest difference between the clock of a delivery adapter and ours, in seconds, and largest age of its callback. */
  callbackSeconds: 300,
  /** Streams open at once. */
  streams: 1_000,
  /** Events that a stream reads from the log in one go. */
  streamBatch: 100,
  /** Encoded batches that are kept for readers who get the same. */
  streamBatchesKept: 16,
  /** Newest events of a tenant that its readers share, how many are read at once, and for how many tenants they are kept. */
  recentEvents: 2_048,
  recentEventsRead: 256,
  recentTenants: 32,
  /** Bytes of a message that a reader sends over a WebSocket; its content is ignored. */
  socketMessageBytes: 1_024,
  /** A WebSocket that answers no ping for this long is closed. */
  socketIdleSeconds: 60,
  /** Bytes that may wait in the connection of a stream before it is paused. */
  streamBufferBytes: 256 * 1024,
  /** A reader that accepts nothing for this long is disconnected, and can resume from its cursor. */
  streamStallMs: 30_000,
  /** Milliseconds between heartbeats on a quiet stream. */
  streamHeartbeatMs: 5_000,
  /** Events that are published to a message server before the position is stored, and milliseconds until a retry after a failure. */
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
  /** Events, or messages, that a webhook reads at once. */
  webhookBatch: 100,
  /** Ids of messages that are reserved at once. */
  webhookIds: 1_000,
  /** Replays of one webhook under way. */
  webhookReplays: 5,
  /** Milliseconds between checks for messages that are due. */
  webhookTickMs: 1_000,
  /** Milliseconds between facts about the health of a webhook, and how long it must fail until it is reported as failing. */
  webhookHealthMs: 60_000,
  /** How long a webhook waits after a failure of its disk or the journal, in milliseconds. */
  webhookRestMs: 5_000,
  /** How long a shutdown waits for deliveries under way, in milliseconds. */
  webhookCloseMs: 1_000,
  /** A webhook is disabled when every delivery has failed for this long. */
  webhookDisabledAfterMs: 3 * 24 * 3_600_000,
  /** Tries of the e-mail that a webhook was disabled, and the pause after one that failed, in milliseconds. */
  webhookNoticeTries: 24,
  webhookNoticeRetryMs: 3_600_000,
  /** How long, and how many, messages stay in the log of deliveries. */
  webhookLogMs: 90 * 24 * 3_600_000,
  webhookLogMessages: 1_000_000,
  /** Messages that a page of the log reads before other work runs. */
  webhookLogSlice: 500,
  /** Time of a query tool's answer, and its bytes. */
  queryToolMs: 300_000,
  queryToolBytes: 128 * 1024 * 1024,
  /** Memory of the heap of the thread that reads an answer, in MB, and the rows that are taken over from it at once. */
  queryToolMemoryMb: 1_024,
  queryToolPiece: 1_000,
  /** Time to put a file by SFTP. */
  sftpMs: 300_000,
  /** How long a processor of cards may take to answer, in milliseconds, and the bytes of its answer and of the results of a day. */
  cardProcessorMs: 20_000,
  cardProcessorBytes: 64 * 1024,
  cardResultsBytes: 64 * 1024 * 1024,
  /** Threads that encrypt and decrypt files at once, and what may wait for one; time and memory of the heap of one; bytes of a file. */
  pgpThreads: 2,
  pgpWaiting: 64,
  pgpMs: 120_000,
  pgpMemoryMb: 256,
  pgpBytes: 128 * 1024 * 1024,
  /** Largest file for a credit agency that can be downloaded, since a reply is held in memory: about 150,000 accounts. */
  creditFileBytes: 64 * 1024 * 1024,
  /** The same of a loan tape: packed, a million loans with twenty columns. */
  tapeFileBytes: 128 * 1024 * 1024,
} as const;
