import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import type { Test } from 'tap';
import { tempFolder } from '../../temp-folder.js';

/** Of tests that need a second implementation of OpenPGP; false: it is here. */
export const NO_GNUPG = spawnSync('gpg', ['--version']).status === 0 ? false : 'gpg is not installed';

const QUIET = ['--batch', '--yes', '--no-tty', '--pinentry-mode', 'loopback', '--passphrase', '', '--trust-model', 'always'];

/** GnuPG with an empty keyring of its own, as a receiver of files has it. */
export class Gnupg {
  readonly #home: string;

  constructor(t: Test) {
    this.#home = tempFolder(t);
    t.teardown(() => execFileSync('gpgconf', ['--kill', 'gpg-agent'], { env: this.#env }));
  }

  get #env(): NodeJS.ProcessEnv {
    return { ...process.env, GNUPGHOME: this.#home };
  }

  /** A new key that signs and encrypts, armored. `until`: as GnuPG reads it, such as `seconds=5`; `at`: as if made at that time. */
  newKey(name: string, until = '0', at: string | null = null): string {
    const time = at === null ? [] : ['--faked-system-time', at];
    this.#run([...time, '--quick-generate-key', name, 'rsa2048', 'sign', until]);
    const fingerprint = /^fpr:+([0-9A-F]+):/m.exec(this.#run(['--with-colons', '--list-keys', name]).toString())?.[1] ?? '';
    this.#run([...time, '--quick-add-key', fingerprint, 'rsa2048', 'encr', until]);
    return this.#run(['--armor', '--export', name]).toString();
  }

  privateKey = (name: string): string => this.#run(['--armor', '--export-secret-keys', name]).toString();

  import(armored: string): void {
    this.#run(['--import'], armored);
  }

  /** What a file holds, and what GnuPG says of its signature. */
  read(file: Uint8Array): { readonly text: string; readonly status: string } {
    const path = join(this.#home, 'file.pgp');
    writeFileSync(path, file);
    const { stdout, stderr, status } = spawnSync('gpg', [...QUIET, '--status-fd', '2', '--decrypt', path], { env: this.#env });
    if (status !== 0) throw new Error(stderr.toString());
    return { text: stdout.toString('latin1'), status: stderr.toString() };
  }

  /** Encrypts for the key of a name; `signer`: the name of the key that signs. */
  encrypt(
    text: string,
    receiver: string,
    { signer, isArmored = false }: { readonly signer?: string; readonly isArmored?: boolean } = {},
  ): Buffer {
    const signed = signer === undefined ? [] : ['--local-user', signer, '--sign'];
    return this.#run([...(isArmored ? ['--armor'] : []), '--recipient', receiver, ...signed, '--encrypt'], text);
  }

  #run(args: readonly string[], input = ''): Buffer {
    return execFileSync('gpg', [...QUIET, ...args], { env: this.#env, input, stdio: ['pipe', 'pipe', 'ignore'] });
  }
}
