import { createTransport, type SentMessageInfo, type Transporter } from 'nodemailer';
import { type AttachedFiles, type DeliveryAdapter, MessageRefused, type OutgoingMessage } from '../../actors/index.js';
import { type FeedbackSignal, fieldsOf, signalOfMailStatus } from '../../engine/index.js';
import { LIMITS } from '../limits.js';

export interface SmtpOptions {
  /** `smtps://user:password@mail.example.com:465`, or `smtp://…:587`, which must offer STARTTLS unless it is this machine. */
  readonly url: string;
  /** The sender where the company has no mail domain of its own. */
  readonly from: string;
  /** Where mail servers report what became of an e-mail; null: to its sender. */
  readonly bounceAddress?: string | null;
}

/**
 * Sends e-mail by SMTP over few connections that stay open. A refusal of the recipient is a bounce at once; a refusal for the
 * moment, and a server that is away, are failures of the way there.
 */
export class SmtpMessages implements DeliveryAdapter {
  readonly #transport: Transporter<SentMessageInfo>;

  constructor(private readonly options: SmtpOptions) {
    this.#transport = createTransport(transportOptions(options.url));
  }

  async submit(message: OutgoingMessage, files: AttachedFiles): Promise<{ readonly providerMessageId: string }> {
    const attached = await files(message);
    const { from, bounceAddress = null } = this.options;
    const mail = mailOf(message, from, bounceAddress);
    try {
      const { messageId } = await this.#transport.sendMail({
        ...mail,
        attachments: attached.map(({ fileName, contentType, content }) => ({ filename: fileName, contentType, content })),
      });
      return { providerMessageId: messageId };
    } catch (cause) {
      throw failureOf(cause);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

function transportOptions(text: string): Parameters<typeof createTransport>[0] {
  const url = new URL(text);
  const isSecure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    secure: isSecure,
    requireTLS: !isSecure && !LOOPBACK.has(url.hostname),
    ignoreTLS: !isSecure && LOOPBACK.has(url.hostname),
    ...(url.username === '' ? {} : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } }),
    pool: true,
    maxConnections: LIMITS.smtpConnections,
    maxMessages: LIMITS.smtpMessagesOfConnection,
    connectionTimeout: LIMITS.smtpWaitMs,
    greetingTimeout: LIMITS.smtpWaitMs,
    socketTimeout: LIMITS.smtpWaitMs,
    // What a template says is text: it reads no file and no address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

function mailOf(message: OutgoingMessage, standardFrom: string, bounceAddress: string | null): object {
  const { content, replyTo, idempotencyKey, company, mode, unsubscribeUrl, isTransactional } = message;
  const { from, to, cc, subjectLine, contentHtml, contentText } = content;
  const sender = typeof from === 'string' ? from : standardFrom;
  return {
    from: sender,
    to,
    ...(cc === undefined ? {} : { cc }),
    // Servers report to the sender of the envelope.
    ...(bounceAddress === null ? {} : { envelope: { from: bounceAddress, to: [to ?? [], cc ?? []].flat() } }),
    ...(replyTo === null ? {} : { replyTo }),
    subject: subjectLine ?? '',
    ...(contentHtml === undefined ? {} : { html: contentHtml }),
    ...(contentText === undefined ? {} : { text: contentText }),
    // The same at each try: a mailbox shows what came twice once.
    messageId: `<${idempotencyKey}.${company}.${mode}@${domainOf(sender)}>`,
    headers: { 'Auto-Submitted': 'auto-generated', ...(isTransactional || unsubscribeUrl === null ? {} : oneClick(unsubscribeUrl)) },
  };
}

/** RFC 8058. */
const oneClick = (url: string): Readonly<Record<string, string>> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const domainOf = (sender: string): string => /@([A-Za-z0-9.-]+)>?\s*$/.exec(sender)?.[1] ?? 'localhost';

/** Its text names recipients, so that only its codes are reported. */
function failureOf(cause: unknown): Error {
  const { code, command, response, responseCode } = fieldsOf(cause);
  const said = typeof responseCode === 'number' ? responseCode : null;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})/.exec(typeof response === 'string' ? response : '')?.[1] ?? null;
  const step = typeof command === 'string' ? command : 'CONN';
  const isAboutIt = said !== null && said >= 500 && (step === 'RCPT TO' || step === 'DATA');
  if (isAboutIt) return new MessageRefused(signalOf(step, enhanced), enhanced === null ? String(said) : `${said} ${enhanced}`);
  return new Error(`the mail server answered ${said ?? 'nothing'} to ${step} (${typeof code === 'string' ? code : 'no code'})`);
}

/** What is refused as a whole says nothing of the recipient. */
const signalOf = (step: string, enhanced: string | null): FeedbackSignal =>
  step === 'DATA' ? 'emailDropped' : signalOfMailStatus(enhanced);
