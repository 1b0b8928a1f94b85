import { join } from 'node:path';
import type { Test } from 'tap';
import { type DeliveryAdapters, Messenger, type OutgoingMessage } from '../../../../actors/index.js';
import { readAttached } from '../../../../gateway/delivery/attached-files.js';
import { ContentStore } from '../../../../gateway/documents/content-store.js';
import { Renderer } from '../../../../gateway/index.js';
import { FolderBlobs } from '../../../../persistence/index.js';
import { PUBLIC_URL } from '../http-lender.js';
import { openWriting, type Writing } from './writing.js';

export interface PostedBy extends Writing {
  /** Hands over what waits, once. */
  deliver(): Promise<void>;
  /** What could not be handed over, as it is reported. */
  readonly reports: string[];
}

/** The live mode over adapters of the service: whatever a channel has none for fails. */
export async function openPostedBy(t: Test, adapters: Partial<DeliveryAdapters>): Promise<PostedBy> {
  const writing = await openWriting(t, 'live');
  const { h } = writing;
  const reports: string[] = [];
  const none = { submit: () => Promise.reject(new Error('no such adapter')) };
  const messenger = new Messenger({
    engine: h.engine,
    asked: h.engine,
    adapters: { email: none, text: none, mail: none, ...adapters },
    files: filesOf(writing),
    publicUrl: PUBLIC_URL,
    random: () => 0,
    report: (message, details) => reports.push(JSON.stringify([message, details])),
  });
  t.teardown(() => Object.values(adapters).forEach((adapter) => void adapter.close?.()));
  return { ...writing, reports, deliver: () => messenger.run() };
}

const RENDERER = new Renderer();

function filesOf({ h }: Writing): (message: OutgoingMessage) => ReturnType<typeof readAttached> {
  const contents = new ContentStore(new FolderBlobs(join(h.folder, 'documents')));
  return (message) => readAttached({ engine: h.engine, contents, renderer: RENDERER }, message);
}
