import { join } from 'node:path';
import type { DeliveryAdapters } from '../actors/index.js';
import type { Settings } from '../bench/index.js';
import { type CallbackSecrets, SmtpMessages, TextProvider } from '../gateway/index.js';
import { folderAdapters } from '../persistence/index.js';

/** What brings messages to borrowers: by channel what the settings name, else a folder. */
export function adaptersOf(settings: Settings): DeliveryAdapters {
  const { messages, dataFolder } = settings;
  return { ...folderAdapters(messages ?? join(dataFolder, 'messages')), ...directAdaptersOf(settings) };
}

/** Those that reach a recipient at once: codes for one use go by no others. */
export function directAdaptersOf(settings: Settings): Partial<Pick<DeliveryAdapters, 'email' | 'text'>> {
  const { smtpUrl, smtpFrom, textUrl, textSecret, textAccount: account, textFrom, publicUrl } = settings;
  return {
    ...(smtpUrl === null || smtpFrom === null ? {} : { email: new SmtpMessages({ url: smtpUrl, from: smtpFrom }) }),
    ...(textUrl === null || textSecret === null
      ? {}
      : { text: new TextProvider({ url: textUrl, secret: textSecret, account, from: textFrom, publicUrl }) }),
  };
}

/** By what those are believed who tell what became of messages. */
export const callbackSecretsOf = ({ callbackSecret, textAccount, textSecret, publicUrl }: Settings): CallbackSecrets => ({
  callback: callbackSecret,
  textForm: textAccount === null || textSecret === null || publicUrl === null ? null : { secret: textSecret, publicUrl },
});
