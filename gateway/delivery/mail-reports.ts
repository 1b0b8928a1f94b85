import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { ComplaintReport, DeliveryReport, MailReport } from '../../actors/index.js';
import { signalOfMailStatus } from '../../engine/communication/index.js';
import { LIMITS } from '../limits.js';

/*
 * Anybody can send a mail to the mailbox of reports. So each pattern here reads a text in time that grows as its length does.
 */

/** The id that `SmtpMessages` gives: interaction, company and mode. */
const MESSAGE_ID = /<(IN-[A-Z1-9]{4}-[A-Z1-9]{4})\.(CP-[A-Z1-9]{4}-[A-Z1-9]{4})\.(live|test)@[^>\s]{1,255}>/;

/** A mail of the type multipart/report. */
interface Report {
  readonly mail: Email;
  /** The headers of the e-mail of the service that come back with it. */
  readonly returned: Fields;
  readonly sent: Pick<MailReport, 'company' | 'mode' | 'interactionId'>;
}

type Reader = (report: Report) => readonly MailReport[] | null;

/** The readers by `report-type`: delivery status notifications (RFC 3464), and complaints of recipients (RFC 5965). */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['delivery-status', deliveryReports],
  ['feedback-report', complaintReports],
]);

/**
 * The reports in a mail. Null: the mail is none, says nothing of an e-mail of the service, or is for people. The list is empty where
 * nothing changes: a mail that is delayed or was passed on, or a recipient who says that it is no spam.
 */
export async function mailReports(bytes: Uint8Array): Promise<readonly MailReport[] | null> {
  const mail = await parsedMail(bytes);
  const read = mail === null ? undefined : READERS.get(reportType(mail));
  if (mail === null || read === undefined) return null;
  const returned = returnedHeaders(mail);
  const sent = sentMessage(mail, returned);
  return sent === null ? null : read({ mail, returned, sent });
}

/** What cannot be read as a mail is none. */
async function parsedMail(mail: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(mail, {
      forceRfc822Attachments: true,
      attachmentEncoding: 'utf8',
      maxNestingDepth: LIMITS.mailDepth,
      maxHeadersSize: LIMITS.mailHeaderBytes,
    });
  } catch {
    // A person looks at it: it is put aside.
    return null;
  }
}

/** Empty for a mail that is no report. */
function reportType({ headers }: Email): string {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (!/^multipart\/report\b/i.test(type)) return '';
  return (/\breport-type="?([a-z-]+)/i.exec(type)?.[1] ?? '').toLowerCase();
}

function partOf({ attachments }: Email, ...types: readonly string[]): string | null {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()));
  return part === undefined ? null : textOf(part);
}

const textOf = ({ content }: Attachment): string => (typeof content === 'string' ? content : new TextDecoder().decode(content));

/** The types of the part that has the e-mail, or its headers alone. */
const RETURNED = ['message/rfc822', 'text/rfc822-headers', 'message/rfc822-headers', 'message/global', 'message/global-headers'] as const;

function returnedHeaders(mail: Email): Fields {
  const [headers = ''] = (partOf(mail, ...RETURNED) ?? '').split(/\r?\n\r?\n/, 1);
  return fieldsOf(headers);
}

/** The e-mail by the headers that come back; some servers only name it as what they answer. */
function sentMessage({ inReplyTo, references }: Email, returned: Fields): Report['sent'] | null {
  const named = MESSAGE_ID.exec(returned.get('message-id') ?? '') ?? MESSAGE_ID.exec(inReplyTo ?? references ?? '');
  if (named === null) return null;
  const [, interactionId = '', company = '', mode] = named;
  return { interactionId, company, mode: mode === 'test' ? 'test' : 'live' };
}

type Fields = ReadonlyMap<string, string>;

/** The fields of the message, then those of each recipient (RFC 3464, 2.1). */
const blocksOf = (status: string): readonly Fields[] =>
  status
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map(fieldsOf)
    .filter((fields) => fields.size > 0);

const fieldsOf = (text: string): Fields => new Map(linesOf(text));

/** Fields with their names in lower case, folded lines joined. */
const linesOf = (text: string): readonly (readonly [name: string, value: string])[] =>
  text
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const at = line.indexOf(':');
      return at <= 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
    });

function deliveryReports({ mail, sent }: Report): readonly DeliveryReport[] | null {
  const status = partOf(mail, 'message/delivery-status');
  if (status === null) return null;
  const [, ...recipients] = blocksOf(status);
  return recipients.slice(0, LIMITS.reportedRecipients).flatMap((fields) => {
    const report = deliveryOf(fields);
    return report === null ? [] : [{ type: 'delivery', ...sent, ...report } as const];
  });
}

/** What the fields of a recipient say; null where nothing is final. */
function deliveryOf(fields: Fields): Pick<DeliveryReport, 'recipient' | 'signal' | 'code'> | null {
  const recipient = addressIn(fields.get('original-recipient')) ?? addressIn(fields.get('final-recipient'));
  const action = (fields.get('action') ?? '').toLowerCase();
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '')?.[1] ?? null;
  if (recipient === null || (action !== 'failed' && action !== 'delivered')) return null;
  return { recipient, signal: action === 'delivered' ? 'emailDelivered' : signalOfMailStatus(code), code };
}

/** `rfc822; ann@example.com` */
function addressIn(field: string | undefined): string | null {
  const address = /^(?:rfc822|utf-8)\s*;\s*<?([^<>\s]+)>?\s*$/i.exec(field ?? '')?.[1];
  return address !== undefined && isAddress(address) ? address : null;
}

/** An `@` with something on both sides. */
function isAddress(text: string): boolean {
  const at = text.indexOf('@', 1);
  return at > 0 && at < text.length - 1;
}

/**
 * What a feedback type says (RFC 5965, 7.3; `not-spam` by RFC 6430, `opt-out` of its drafts is still sent). Others, such as a virus or a
 * failed authentication, are nothing that a borrower says: they are for people.
 */
const FEEDBACK: ReadonlyMap<string, 'complaint' | 'nothing'> = new Map([
  ['abuse', 'complaint'],
  ['fraud', 'complaint'],
  ['opt-out', 'complaint'],
  ['not-spam', 'nothing'],
]);

/** A report that asks for no more such mail: one, by whichever of its recipients. */
function complaintReports({ mail, returned, sent }: Report): readonly ComplaintReport[] | null {
  const lines = linesOf(partOf(mail, 'message/feedback-report') ?? '');
  const said = FEEDBACK.get(lines.find(([name]) => name === 'feedback-type')?.[1].toLowerCase() ?? '');
  if (said === undefined) return null;
  if (said === 'nothing') return [];
  const named = lines.filter(([name]) => name === 'original-rcpt-to').flatMap(([, value]) => addressesIn(value));
  const recipients = [...named, ...addressesIn(returned.get('to') ?? '')].slice(0, LIMITS.reportedRecipients);
  return [{ type: 'complaint', ...sent, recipients, unsubscribeCode: codeIn(returned.get('list-unsubscribe') ?? '', sent) }];
}

const addressesIn = (value: string): readonly string[] => value.split(/[\s<>,;:"]+/).filter(isAddress);

/** The sealed code of the link by which the recipient could have unsubscribed. */
const codeIn = (header: string, { company, mode, interactionId }: Report['sent']): string | null =>
  new RegExp(`/unsubscribe/${company}/${mode}/${interactionId}/([A-Za-z0-9_-]{1,${LIMITS.credentialLength}})>`).exec(header)?.[1] ?? null;
