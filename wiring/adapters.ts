import { join } from 'node:path';
import type { DeliveryAdapters } from '../actors/index.js';
import type { Settings } from '../bench/index.js';
import { SmtpMessages } from '../gateway/index.js';
import { folderAdapters } from '../persistence/index.js';

/** What brings messages to borrowers: by channel what the settings name, else a folder. */
export function adaptersOf(settings: Settings): DeliveryAdapters {
  const { messages, dataFolder, smtpUrl, smtpFrom } = settings;
  const folder = folderAdapters(messages ?? join(dataFolder, 'messages'));
  return {
    ...folder,
    ...(smtpUrl === null || smtpFrom === null ? {} : { email: new SmtpMessages({ url: smtpUrl, from: smtpFrom }) }),
  };
}
