import PostalMime, { type Attachment, type Email } from 'postal-mime';
import type { DeliveryReport } from '../../actors/index.js';
import { signalOfMailStatus } from '../../engine/index.js';
import { LIMITS } from '../limits.js';

/** The id that `SmtpMessages` gives: interaction, company and mode. */
const MESSAGE_ID = /<(IN-[A-Z1-9]{4}-[A-Z1-9]{4})\.(CP-[A-Z1-9]{4}-[A-Z1-9]{4})\.(live|test)@[^>\s]+>/;

/**
 * Reads a delivery status notification (RFC 3464). Null: the mail is none, or says nothing of an e-mail of the service. Reports that a mail
 * is delayed, or was passed on, say nothing of what becomes of it, so that the list may be empty.
 */
export async function deliveryReports(mail: Uint8Array): Promise<readonly DeliveryReport[] | null> {
  const parsed = await parsedMail(mail);
  if (parsed === null || !isReport(parsed)) return null;
  const status = partOf(parsed, 'message/delivery-status');
  const sent = sentMessage(parsed);
  if (status === null || sent === null) return null;
  const [, ...recipients] = blocksOf(status);
  return recipients.slice(0, LIMITS.reportedRecipients).flatMap((fields) => {
    const report = reportOf(fields);
    return report === null ? [] : [{ ...sent, ...report }];
  });
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

function isReport({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  return /^multipart\/report\b/i.test(type) && /\breport-type="?delivery-status\b/i.test(type);
}

function partOf({ attachments }: Email, ...types: readonly string[]): string | null {
  const part = attachments.find(({ mimeType }) => types.includes(mimeType.toLowerCase()));
  return part === undefined ? null : textOf(part);
}

const textOf = ({ content }: Attachment): string => (typeof content === 'string' ? content : new TextDecoder().decode(content));

/** The e-mail by the headers that come back; some servers only name it as what they answer. */
function sentMessage(report: Email): Pick<DeliveryReport, 'company' | 'mode' | 'interactionId'> | null {
  const returned = partOf(report, 'message/rfc822', 'text/rfc822-headers', 'message/global', 'message/global-headers') ?? '';
  const [headers = ''] = returned.split(/\r?\n\r?\n/, 1);
  const named = MESSAGE_ID.exec(fieldsOf(headers).get('message-id') ?? '') ?? MESSAGE_ID.exec(report.inReplyTo ?? report.references ?? '');
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

/** Fields by their names in lower case, folded lines joined. */
function fieldsOf(text: string): Fields {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at <= 0 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()] as const];
    }),
  );
}

/** What the fields of a recipient say; null where nothing is final. */
function reportOf(fields: Fields): Pick<DeliveryReport, 'recipient' | 'signal' | 'code'> | null {
  const recipient = addressIn(fields.get('original-recipient')) ?? addressIn(fields.get('final-recipient'));
  const action = (fields.get('action') ?? '').toLowerCase();
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(fields.get('status') ?? '')?.[1] ?? null;
  if (recipient === null || (action !== 'failed' && action !== 'delivered')) return null;
  return { recipient, signal: action === 'delivered' ? 'emailDelivered' : signalOfMailStatus(code), code };
}

/** `rfc822; ann@example.com` */
const addressIn = (field: string | undefined): string | null =>
  /^(?:rfc822|utf-8)\s*;\s*<?([^<>\s]+@[^<>\s]+?)>?\s*$/i.exec(field ?? '')?.[1] ?? null;
