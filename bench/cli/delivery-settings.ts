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
  /** Where texts are posted to. */
  readonly textUrl: string | null;
  /** Signs requests for texts, or is the password of the account. */
  readonly textSecret: string | null;
  /** Of a provider that takes forms; null: the requests are signed JSON. */
  readonly textAccount: string | null;
  /** The number of companies without one. */
  readonly textFrom: string | null;
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

function providerText(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  return url !== null && (isPlain || url.protocol === 'https:') && url.username === ''
    ? null
    : 'must be an https address without a login: https://texts.example.com/messages';
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
  {
    name: 'textUrl',
    environment: 'TENOR_TEXT_URL',
    standard: null,
    fault: providerText,
    meaning: 'where texts are posted to in live mode, as signed JSON or as a form (docs/delivery.md); needs `TENOR_TEXT_SECRET`',
  },
  {
    name: 'textSecret',
    environment: 'TENOR_TEXT_SECRET',
    standard: null,
    secret: true,
    fault: anyText,
    meaning: 'by which requests for texts are signed; with `TENOR_TEXT_ACCOUNT` the token of the account',
  },
  {
    name: 'textAccount',
    environment: 'TENOR_TEXT_ACCOUNT',
    standard: null,
    fault: anyText,
    meaning: 'id of the account at a provider that takes forms; absent: texts are posted as signed JSON',
  },
  {
    name: 'textFrom',
    environment: 'TENOR_TEXT_FROM',
    standard: null,
    fault: (text) => (/^\+[1-9]\d{6,14}$/.test(text) ? null : 'must be a number in E.164: +12025550100'),
    meaning: 'sender of texts of companies without a number',
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
  ['textUrl', 'textSecret', 'TENOR_TEXT_URL needs TENOR_TEXT_SECRET'],
  ['textAccount', 'publicUrl', 'TENOR_TEXT_ACCOUNT needs TENOR_PUBLIC_URL, where the provider tells what became of texts'],
  ['smtpUrl', 'publicUrl', 'TENOR_SMTP_URL needs TENOR_PUBLIC_URL, where the links of e-mails lead'],
];

export const deliveryFaults = (settings: Needed): readonly DeliveryFault[] =>
  NEEDED.filter(([name, other]) => settings[name] !== null && settings[other] === null).map(([name, , message]) => ({ name, message }));
