import { createHash } from 'node:crypto';
import type SftpClient from 'ssh2-sftp-client';
import { type BankAccess, type BankServers, type InboxFile, OutsideFault, type Placed, UploadUncertain } from '../../actors/index.js';
import { digestOfFile, fetchedFile } from './fetched-file.js';
import type { ServerKeys } from './server-keys.js';
import { codeOf, onSftpServer } from './sftp.js';
import type { AddressRules } from '../outgoing.js';

/** The folders of a bank's SFTP server. Every method opens a connection of its own, and throws `OutsideFault`. */
export class BankSftp implements BankServers {
  constructor(
    private readonly rules: AddressRules,
    private readonly keys: ServerKeys,
  ) {}

  /** Logs in and looks into both folders. Answers the number of files in the inbox. */
  test(access: BankAccess): Promise<number> {
    return this.#connected(access, async (client) => {
      await client.list(folderOf(access.outbox));
      return (await client.list(folderOf(access.inbox))).length;
    });
  }

  /**
   * Puts a file under its name, whole or not at all. What lies there already with the same content is left as it is: an earlier try has
   * put it.
   * Throws `UploadUncertain` if the connection breaks while the file gets its name.
   */
  put(access: BankAccess, name: string, content: Buffer): Promise<Placed> {
    return this.#connected(access, async (client) => {
      const path = `${folderOf(access.outbox)}/${name}`;
      if ((await client.exists(path)) !== false) {
        if ((await digestOfFile(client, path)) === digestOf(content)) return 'wasThere';
        throw new OutsideFault('Another file with the same name lies in the folder of the bank.');
      }
      const partial = `${path}.part`;
      await client.put(content, partial);
      await client.rename(partial, path).catch((cause: unknown) => {
        throw new UploadUncertain(`The file has lost its connection while it got its name: ${codeOf(cause)}.`, { cause });
      });
      return 'put';
    });
  }

  /** Whether the file lies in the outbox under its name, under the name of a part, or not at all: the bank may have taken it. */
  look(access: BankAccess, name: string, sha256: string): Promise<'there' | 'part' | 'absent'> {
    return this.#connected(access, async (client) => {
      const path = `${folderOf(access.outbox)}/${name}`;
      if ((await client.exists(path)) !== false) return (await digestOfFile(client, path)) === sha256 ? 'there' : 'absent';
      return (await client.exists(`${path}.part`)) === false ? 'absent' : 'part';
    });
  }

  list(access: BankAccess): Promise<readonly InboxFile[]> {
    return this.#connected(access, async (client) =>
      (await client.list(folderOf(access.inbox)))
        .filter(({ type }) => type === '-')
        .map(({ name, size, modifyTime }) => ({ name, bytes: size, modifiedAt: modifyTime })),
    );
  }

  get(access: BankAccess, name: string, mostBytes: number): Promise<Buffer> {
    return this.#connected(access, (client) => fetchedFile(client, `${folderOf(access.inbox)}/${name}`, mostBytes));
  }

  async #connected<Result>(access: BankAccess, work: (client: SftpClient) => Promise<Result>): Promise<Result> {
    const { host, username, tenant } = access;
    if (host === null || username === null) throw new OutsideFault('The processor has no SFTP server, or no user there.');
    const { rules, keys } = this;
    return onSftpServer({ tenant, rules, keys }, { ...access, host, username }, "The bank's SFTP server has refused", work);
  }
}

const folderOf = (folder: string | null): string => (folder === null || folder === '' ? '.' : folder.replace(/\/+$/, '') || '/');

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
