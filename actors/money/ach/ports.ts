import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { BankAccess, FilePgp } from '../../company/index.js';
import { OutsideFault } from '../../contact/index.js';
import type { Tenant } from '../../kernel/fact.js';
import type { AskedEngine, ServiceCalls, SharedEngine } from '../../kernel/jobs/service-calls.js';

/** A file in the folder of a bank. */
export interface InboxFile {
  readonly name: string;
  readonly bytes: number;
  /** Milliseconds. */
  readonly modifiedAt: number;
}

/** `wasThere`: an earlier try has put the same bytes under the name. */
export type Placed = 'put' | 'wasThere';

/** It is not known whether the file got its name: the connection broke while it was renamed. */
export class UploadUncertain extends OutsideFault {}

/** The SFTP servers of banks. Every method throws `OutsideFault`. */
export interface BankServers {
  put(access: BankAccess, name: string, content: Buffer): Promise<Placed>;
  look(access: BankAccess, name: string, sha256: string): Promise<'there' | 'part' | 'absent'>;
  list(access: BankAccess): Promise<readonly InboxFile[]>;
  /** Throws where the file has more than so many bytes, whatever its server has said of it before. */
  get(access: BankAccess, name: string, mostBytes: number): Promise<Buffer>;
}

interface FileContents {
  put(content: Uint8Array): Promise<OpenContent>;
  get(content: OpenContent): Promise<Uint8Array>;
}

export interface AchRunnerParts {
  readonly engine: SharedEngine;
  /** Where loans and borrowers of all shards are asked. */
  readonly asked: AskedEngine;
  readonly contents: FileContents;
  readonly banks: BankServers;
  readonly pgp: FilePgp;
  /** Hears of what could not be done; it is tried again. */
  report(message: string, details: Readonly<Record<string, unknown>>): void;
}

/** What the work for one processor needs. */
export interface AchWorkParts extends AchRunnerParts {
  readonly tenant: Tenant;
  readonly calls: ServiceCalls;
  readonly isClosed: () => boolean;
  /** Waits for nothing but cut-offs. */
  readonly isForced: boolean;
}

/** Entries that are worked on side by side. */
const ENTRIES_AT_ONCE = 16;

/** Does the work for each item, some side by side, in their order. The first failure ends it. */
export async function forEachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  atOnce = ENTRIES_AT_ONCE,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}
