import { bucketLocation } from '../../persistence/index.js';
import { anyText } from './setting-texts.js';

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
  /** By which delivery adapters sign their callbacks. */
  readonly callbackSecret: string | null;
  /** Server of e-mail. */
  readonly smtpUrl: string | null;
  /** The sender of e-mails of companies without a mail domain. */
  readonly smtpFrom: string | null;
  /** The sender of envelopes, where mail servers report. */
  readonly bounceAddress: string | null;
  /** Folder of the mails that come there. */
  readonly bounces: string | null;
  /** Where texts are posted to. */
  readonly textUrl: string | null;
  /** Signs requests for texts, or is the password of the account. */
  readonly textSecret: string | null;
  /** Of an account at a common provider; null: the requests are signed JSON. */
  readonly textAccount: string | null;
  /** The number of companies without one. */
  readonly textFrom: string | null;
  /** Where batches of letters go: a folder, `sftp://…` or `s3://…`; null: letters are written as messages are. */
  readonly letters: string | null;
  /** Where letters wait for their batch; null = in the data folder. */
  readonly lettersFolder: string | null;
  /** Letters of a batch, and seconds after its first one. */
  readonly lettersBatch: string;
  /** The SFTP server's key: SHA-256 in base64. */
  readonly lettersHostKey: string | null;
  /** File of the private key that is shown to it. */
  readonly lettersKeyFile: string | null;
  readonly lettersPassword: string | null;
}

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

const lettersText = (text: string): string | null =>
  text.length > 0 && (!text.startsWith('sftp:') || sftpLocation(text) !== null) && (!text.startsWith('s3:') || isBucket(text))
    ? null
    : 'must be a folder, sftp://user@host:22/path, or s3://bucket/prefix?region=us-east-1';

const isBucket = (text: string): boolean => bucketLocation(text, { id: '', secret: '' }) !== null;

export interface SftpLocation {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly path: string;
}

/** `sftp://user@host:22/path`; null where it is none. */
export function sftpLocation(text: string): SftpLocation | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'sftp:' || url.hostname === '' || url.username === '' || url.password !== '' || url.search !== '') return null;
  const [host, port] = [url.hostname.replace(/^\[|\]$/g, ''), url.port === '' ? 22 : Number(url.port)];
  return { host, port, username: decodeURIComponent(url.username), path: decodeURIComponent(url.pathname) || '/' };
}

/** `500/3600`: letters and seconds; null where it is none. */
export function lettersBatchOf(text: string): { readonly letters: number; readonly seconds: number } | null {
  const match = /^(\d{1,4})\/(\d{1,5})$/.exec(text);
  const [letters, seconds] = [Number(match?.[1]), Number(match?.[2])];
  return letters > 0 && seconds > 0 ? { letters, seconds } : null;
}

export const DELIVERY_SETTINGS: readonly SettingRow<keyof DeliverySettings>[] = [
  {
    name: 'messages',
    environment: 'TENOR_MESSAGES',
    standard: null,
    fault: anyText,
    meaning: 'folder of the messages of live mode, by channels without settings of their own; absent: `messages` in the data folder',
  },
  {
    name: 'callbackSecret',
    environment: 'TENOR_CALLBACK_SECRET',
    standard: null,
    secret: true,
    fault: secretText,
    meaning:
      'secret by which delivery adapters sign what they report at `POST /communicator/callbacks/{channel}`; absent: nobody is believed',
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
    name: 'bounceAddress',
    environment: 'TENOR_BOUNCE_ADDRESS',
    standard: null,
    fault: (text) => (/^[^\s@<>]+@[^\s@<>]+$/.test(text) ? null : 'must be an address of e-mail: bounces@example.com'),
    meaning:
      'where mail servers report what became of an e-mail, as the sender of its envelope; absent: to the sender that its reader sees',
  },
  {
    name: 'bounces',
    environment: 'TENOR_BOUNCES',
    standard: null,
    fault: anyText,
    meaning: 'folder of that mailbox (Maildir), in a cluster on a volume of all workers; absent: only callbacks report (docs/delivery.md)',
  },
  {
    name: 'textUrl',
    environment: 'TENOR_TEXT_URL',
    standard: null,
    fault: providerText,
    meaning: 'where texts are posted to in live mode (docs/delivery.md); needs `TENOR_TEXT_SECRET`',
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
    meaning: 'id of the account at a common provider; absent: texts are posted as signed JSON',
  },
  {
    name: 'textFrom',
    environment: 'TENOR_TEXT_FROM',
    standard: null,
    fault: (text) => (/^\+[1-9]\d{6,14}$/.test(text) ? null : 'must be a number in E.164: +12025550100'),
    meaning: 'sender of texts of companies without a number',
  },
  {
    name: 'letters',
    environment: 'TENOR_LETTERS',
    standard: null,
    fault: lettersText,
    meaning: 'where batches of letters go in live mode: a folder, `sftp://user@host/path` or `s3://bucket/prefix` (docs/delivery.md)',
  },
  {
    name: 'lettersFolder',
    environment: 'TENOR_LETTERS_FOLDER',
    standard: null,
    fault: anyText,
    meaning: 'where letters wait for their batch, in a cluster on a volume of all workers; absent: `letters` in the data folder',
  },
  {
    name: 'lettersBatch',
    environment: 'TENOR_LETTERS_BATCH',
    standard: '500/3600',
    fault: (text) => (lettersBatchOf(text) === null ? 'must be letters and seconds: 500/3600' : null),
    meaning: 'letters of a batch at most, and seconds after its first one at which it leaves',
  },
  {
    name: 'lettersHostKey',
    environment: 'TENOR_LETTERS_HOST_KEY',
    standard: null,
    fault: (text) => (/^[A-Za-z0-9+/]{43}$/.test(text) ? null : 'must be the SHA-256 of the key in base64, 43 letters'),
    meaning: 'the key of the SFTP server, as `ssh-keygen -lf` shows it behind `SHA256:`: no other server gets letters',
  },
  {
    name: 'lettersKeyFile',
    environment: 'TENOR_LETTERS_KEY_FILE',
    standard: null,
    fault: anyText,
    meaning: 'file of the private key that is shown to the SFTP server',
  },
  {
    name: 'lettersPassword',
    environment: 'TENOR_LETTERS_PASSWORD',
    standard: null,
    secret: true,
    fault: anyText,
    meaning: 'password at the SFTP server, where there is no key file',
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
  ['bounceAddress', 'smtpUrl', 'TENOR_BOUNCE_ADDRESS needs TENOR_SMTP_URL'],
  ['textUrl', 'textSecret', 'TENOR_TEXT_URL needs TENOR_TEXT_SECRET'],
  ['textAccount', 'publicUrl', 'TENOR_TEXT_ACCOUNT needs TENOR_PUBLIC_URL, where the provider reports the status of texts'],
  ['smtpUrl', 'publicUrl', 'TENOR_SMTP_URL needs TENOR_PUBLIC_URL, where the links of e-mails lead'],
];

export const deliveryFaults = (settings: Needed): readonly DeliveryFault[] =>
  [...NEEDED.filter(([name, other]) => settings[name] !== null && settings[other] === null), ...sftpFaults(settings)].map(
    ([name, , message]) => ({ name, message }),
  );

/** An SFTP server is known by its key, and let in by a key or a password. */
function sftpFaults({ letters, lettersHostKey, lettersKeyFile, lettersPassword }: Needed): typeof NEEDED {
  if (letters === null || sftpLocation(letters) === null) return [];
  return [
    ...(lettersHostKey === null ? [['letters', 'lettersHostKey', 'an SFTP server needs TENOR_LETTERS_HOST_KEY'] as const] : []),
    ...(lettersKeyFile === null && lettersPassword === null
      ? [['letters', 'lettersKeyFile', 'an SFTP server needs TENOR_LETTERS_KEY_FILE or TENOR_LETTERS_PASSWORD'] as const]
      : []),
  ];
}
