interface ChannelRow {
  /** Whether the service itself brings a message on its way, and when it does not, what it does instead. */
  readonly sending: 'sent' | 'insideOpenChat' | 'renderedOnly' | 'dialedElsewhere' | 'refused';
  /** New records of it are taken. */
  readonly isRecordable: boolean;
}

/** The ways in which a borrower and a lender meet. */
export const CHANNELS = {
  /** A telephone call. Others dial, the service records. */
  voice: { sending: 'dialedElsewhere', isRecordable: true },
  email: { sending: 'sent', isRecordable: true },
  text: { sending: 'sent', isRecordable: true },
  /** A message inside a chat that the borrower opened. */
  chat: { sending: 'insideOpenChat', isRecordable: true },
  /** A letter on paper. */
  mail: { sending: 'sent', isRecordable: true },
  /** Text shown in a portal. */
  gui: { sending: 'renderedOnly', isRecordable: true },
  document: { sending: 'renderedOnly', isRecordable: true },
  /** Deprecated: old rows keep it, new ones are refused. */
  fax: { sending: 'refused', isRecordable: false },
} as const satisfies Readonly<Record<string, ChannelRow>>;

export type Channel = keyof typeof CHANNELS;

/** Those by which a send goes out. */
export type SendableChannel = { [Name in Channel]: (typeof CHANNELS)[Name]['sending'] extends 'sent' ? Name : never }[Channel];

export type RecordableChannel = { [Name in Channel]: (typeof CHANNELS)[Name]['isRecordable'] extends true ? Name : never }[Channel];

export const isSendable = (channel: Channel): channel is SendableChannel => CHANNELS[channel].sending === 'sent';

export const isRecordable = (channel: Channel): channel is RecordableChannel => CHANNELS[channel].isRecordable;

/** Those that a notification type names: the ones that reach a borrower. */
export type NotificationChannel = 'voice' | 'email' | 'text' | 'mail' | 'chat';

/** What a Do Not Interact names: `all`, or what reaches a borrower, the deprecated fax included. */
export type BlockedChannel = 'all' | Exclude<Channel, 'gui' | 'document'>;

/** Seen from the lender. */
export type Direction = 'outbound' | 'inbound';
