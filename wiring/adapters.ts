import { join } from 'node:path';
import type { DeliveryAdapters } from '../actors/index.js';
import { readFileSync } from 'node:fs';
import { lettersBatchOf, type Settings, sftpLocation } from '../bench/index.js';
import { must } from '../engine/index.js';
import { type CallbackSecrets, Renderer, SmtpMessages, TextProvider } from '../gateway/index.js';
import {
  bucketLocation,
  bucketTarget,
  folderAdapters,
  folderTarget,
  LetterBatches,
  type LetterTarget,
  sftpTarget,
} from '../persistence/index.js';

type Report = (message: string, details: Readonly<Record<string, unknown>>) => void;

/** What brings messages to borrowers: by channel what the settings name, else a folder. */
export function adaptersOf(settings: Settings, report: Report): DeliveryAdapters {
  const { messages, dataFolder } = settings;
  return {
    ...folderAdapters(messages ?? join(dataFolder, 'messages')),
    ...directAdaptersOf(settings),
    ...letterAdapterOf(settings, report),
  };
}

/** Those that reach a recipient at once: codes for one use go by no others. */
export function directAdaptersOf(settings: Settings): Partial<Pick<DeliveryAdapters, 'email' | 'text'>> {
  const { smtpUrl, smtpFrom, bounceAddress, textUrl, textSecret, textAccount: account, textFrom, publicUrl } = settings;
  return {
    ...(smtpUrl === null || smtpFrom === null ? {} : { email: new SmtpMessages({ url: smtpUrl, from: smtpFrom, bounceAddress }) }),
    ...(textUrl === null || textSecret === null
      ? {}
      : { text: new TextProvider({ url: textUrl, secret: textSecret, account, from: textFrom, publicUrl }) }),
  };
}

/** By what callbacks about messages are believed. */
export const callbackSecretsOf = ({ callbackSecret, textAccount, textSecret, publicUrl }: Settings): CallbackSecrets => ({
  callback: callbackSecret,
  textAccountKey: textAccount === null || textSecret === null || publicUrl === null ? null : { secret: textSecret, publicUrl },
});

function letterAdapterOf(settings: Settings, report: Report): Partial<Pick<DeliveryAdapters, 'mail'>> {
  const { letters: to, lettersFolder, lettersBatch, dataFolder } = settings;
  if (to === null) return {};
  const renderer = new Renderer(); // its threads come with the first letter
  const mail = new LetterBatches({
    folder: lettersFolder ?? join(dataFolder, 'letters'),
    target: targetOf(settings, to),
    ...must(lettersBatchOf(lettersBatch) ?? undefined, 'a setting that was checked'),
    pages: async (company, html) => Buffer.from(await renderer.render<'letter'>(company, { type: 'letter', html })),
    nowMs: Date.now,
    report,
  });
  return { mail };
}

function targetOf({ s3KeyId, s3Secret, lettersHostKey, lettersKeyFile, lettersPassword }: Settings, to: string): LetterTarget {
  const bucket = bucketLocation(to, { id: s3KeyId ?? '', secret: s3Secret ?? '' });
  if (bucket !== null) return bucketTarget(bucket);
  const server = sftpLocation(to);
  if (server === null) return folderTarget(to);
  return sftpTarget({
    ...server,
    hostKey: lettersHostKey ?? '',
    privateKey: lettersKeyFile === null ? null : readFileSync(lettersKeyFile),
    password: lettersPassword,
  });
}
