/** A setting that an operator can give by flag, environment or file. */
export interface SettingRow<Name extends string> {
  readonly name: Name;
  readonly environment: string;
  readonly standard: string | null;
  readonly meaning: string;
  /** Never printed, not even by `check-config`. */
  readonly secret?: boolean;
  /** What is wrong with the text, or null. */
  readonly fault: (text: string) => string | null;
}

/** How messages leave in live mode. A channel without a way of its own is written into a folder. */
export interface DeliverySettings {
  /** Folder of the messages to borrowers that are to be delivered; null = in the data folder. */
  readonly messages: string | null;
  /** By which delivery adapters sign what they tell of messages. */
  readonly callbackSecret: string | null;
  /** Server of e-mail. */
  readonly smtpUrl: string | null;
  /** The sender of e-mails of companies without a mail domain. */
  readonly smtpFrom: string | null;
}

const anyText = (text: string): string | null => (text.length > 0 ? null : 'must not be empty');
const secretText = (text: string): string | null => (text.length >= 32 ? null : 'must have 32 characters or more');
const senderText = (text: string): string | null =>
  /^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(text) ? null : 'must be an address of e-mail: Loans <loans@example.com>';

function smtpText(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search === ''
    ? null
    : 'must be the address of a server: smtps://user:password@mail.example.com:465';
}

export const DELIVERY_SETTINGS: readonly SettingRow<keyof DeliverySettings>[] = [
  {
    name: 'messages',
    environment: 'TENOR_MESSAGES',
    standard: null,
    fault: anyText,
    meaning:
      'folder of messages in live mode by channels without another way, for whoever delivers them; absent: `messages` in the data folder',
  },
  {
    name: 'callbackSecret',
    environment: 'TENOR_CALLBACK_SECRET',
    standard: null,
    secret: true,
    fault: secretText,
    meaning:
      'secret by which delivery adapters sign what they tell at `POST /communicator/callbacks/{channel}`; absent: nobody is believed',
  },
  {
    name: 'smtpUrl',
    environment: 'TENOR_SMTP_URL',
    standard: null,
    secret: true,
    fault: smtpText,
    meaning:
      'server of e-mail in live mode: `smtps://user:password@mail.example.com:465`, or `smtp://…:587` with STARTTLS (docs/delivery.md)',
  },
  {
    name: 'smtpFrom',
    environment: 'TENOR_SMTP_FROM',
    standard: null,
    fault: senderText,
    meaning: 'sender of e-mails of companies without a verified mail domain: `Loans <loans@example.com>`',
  },
];

interface Needed extends DeliverySettings {
  readonly publicUrl: string | null;
}

interface DeliveryFault {
  readonly name: string;
  readonly message: string;
}

/** What settings need of each other: setting, and what must be there with it. */
const NEEDED: readonly (readonly [keyof Needed, keyof Needed, string])[] = [
  ['smtpUrl', 'smtpFrom', 'TENOR_SMTP_URL needs TENOR_SMTP_FROM, the sender where a company has none'],
  ['smtpUrl', 'publicUrl', 'TENOR_SMTP_URL needs TENOR_PUBLIC_URL, where the links of e-mails lead'],
];

export const deliveryFaults = (settings: Needed): readonly DeliveryFault[] =>
  NEEDED.filter(([name, other]) => settings[name] !== null && settings[other] === null).map(([name, , message]) => ({ name, message }));
