import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { BounceReader } from '../../../../actors/index.js';
import { mailReader } from '../../../../gateway/delivery/mail-reader.js';
import { SmtpMessages } from '../../../../gateway/index.js';
import { Renderer } from '../../../../gateway/rendering/renderer.js';
import { Maildir } from '../../../../persistence/index.js';
import { type MailServer, mailServerFor } from '../../delivery-servers.js';
import { idOf, listOf } from '../http-lender.js';
import { openPostedBy, type PostedBy } from './posting.js';

export const ANN = 'annabel.quimby@example.com';

export interface Mailed {
  readonly id: string;
  /** Its headers as they went over the wire. */
  readonly headers: string;
}

export interface WithMailbox extends PostedBy {
  readonly server: MailServer;
  /** Sends an e-mail. */
  mailed(): Promise<Mailed>;
  /** Puts a mail into the mailbox, and reads it. */
  arrive(mail: string): Promise<void>;
  /** The mails that wait, and those that were put aside. */
  left(): readonly [waiting: number, aside: number];
  /** What the mails that were read have come to. */
  readonly outcomes: readonly string[];
  /** Whether the borrower's address of e-mail counts as valid. */
  isValid(): Promise<unknown>;
  /** The consent to marketing by e-mail. */
  marketing(): Promise<Record<string, unknown> | undefined>;
}

const RENDERER = new Renderer({ threads: 1, renderMs: 60_000 });

/** E-mail by a real server, with a mailbox to which reports come. */
export async function openMailbox(t: Test, renderer = RENDERER): Promise<WithMailbox> {
  const server = await mailServerFor(t);
  const email = new SmtpMessages({ url: server.url, from: 'Loans <loans@operator.example>', bounceAddress: 'bounces@operator.example' });
  const posted = await openPostedBy(t, { email });
  await posted.template();
  const folder = join(posted.h.folder, 'bounces');
  const outcomes: string[] = [];
  const bounces = new BounceReader({
    mailbox: new Maildir(folder),
    reportsIn: mailReader(renderer),
    asked: posted.h.engine,
    measure: { reported: (outcome) => void outcomes.push(outcome) },
    report: (message, details) => t.fail(message, details),
  });
  let count = 0;
  return {
    ...posted,
    server,
    outcomes,
    async mailed() {
      const id = idOf(await posted.send());
      await posted.deliver();
      const raw = server.mails.at(-1)?.raw ?? '';
      return { id, headers: raw.slice(0, raw.indexOf('\r\n\r\n')) };
    },
    async arrive(mail) {
      mkdirSync(join(folder, 'new'), { recursive: true });
      writeFileSync(join(folder, 'new', `1700000000.M${String((count += 1))}.host`), mail.replace(/\r?\n/g, '\r\n'));
      await bounces.run();
    },
    left: () => [readdirSync(join(folder, 'new')).length, filesIn(join(folder, 'cur'))],
    async isValid() {
      return listOf(await posted.ask('GET', `/people/${posted.personId}/contacts`)).find(({ contactType }) => contactType === 'email')?.[
        'valid'
      ];
    },
    async marketing() {
      return listOf(await posted.ask('GET', `/people/${posted.personId}/consents`)).find(({ name }) => name === 'emailMarketing');
    },
  };
}

function filesIn(folder: string): number {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0; // it is made with the first mail in it
  }
}
