import type { tags } from 'typia';
import { ownJson } from '../../../engine/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { Refusal } from '../../errors.js';
import type { Tenant } from '../../kernel/fact.js';
import type { SftpLogin } from '../sftp-access.js';
import { orNull } from '../../wire.js';

/** Where a campaign's file is put. */
export interface SftpAddress {
  /** `name` or `name:port`. */
  readonly host: string;
  readonly username: string;
  readonly cdDir: string | null;
  /** SHA-256 of the server's key in base64: nothing goes to another server. Absent: the recorded key counts (`server-keys.ts`). */
  readonly hostKey?: string;
}

/** A server, and with what the service logs in there. */
export type SftpServer = SftpAddress & SftpLogin;

/** A file, whole or in pieces. */
export type SftpContent = Uint8Array | (() => AsyncIterable<Uint8Array>);

/** Puts a file on a server, whole or not at all: it gets its name once it is there. Throws `OutsideFault`. */
export type PutFile = (tenant: Tenant, server: SftpServer, name: string, content: SftpContent) => Promise<void>;

type Host = string & tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?$'> & tags.MaxLength<260>;
type Login = string & tags.MinLength<1> & tags.MaxLength<200>;
/** The fingerprint of a server's key, as `ssh-keygen -lf` shows it: `SHA256:` and 43 letters, or these letters alone. */
export type HostKey = string & tags.MaxLength<200>;

/** The 43 letters of a fingerprint; refuses any other text with 422. Absent or null: none. */
export function hostKeyOf(path: string, text: string | null | undefined): string | undefined {
  if (text == null) return undefined;
  const [, letters] = /^(?:SHA256:)?([A-Za-z0-9+/]{43})=?$/.exec(text.trim()) ?? [];
  if (letters !== undefined) return letters;
  const expected = 'the SHA-256 of the key as ssh-keygen -lf shows it: SHA256: and 43 letters';
  throw new Refusal('businessValidation', `\`${path}\` is no fingerprint of a server's key.`, {
    errors: [{ path, expected, message: 'is no fingerprint of a key' }],
  });
}

/** The pinned key after a change: left out it stays, null removes it. */
export const keptHostKey = (
  path: string,
  sent: string | null | undefined,
  before: Pick<SftpAddress, 'hostKey'> | null,
): Pick<SftpAddress, 'hostKey'> => {
  const hostKey = sent === undefined ? before?.hostKey : hostKeyOf(path, sent);
  return hostKey === undefined ? {} : { hostKey };
};

export type Secret = string & tags.MinLength<1> & tags.MaxLength<2000>;

export interface SftpBody {
  /** `name` or `name:port`; without a port it is 22. */
  readonly host: Host;
  readonly username: Login;
  /** Write only. Left out in a change it stays; the mask that replies show leaves it, too. */
  readonly password?: Secret;
  readonly cdDir?: (string & tags.MaxLength<500>) | null;
  /** The fingerprint of the server's key: nothing goes to another server. Left out in a change it stays; null removes it. */
  readonly hostKey?: HostKey | null;
}

export interface SftpView extends Omit<SftpAddress, 'hostKey'> {
  readonly hostKey: string | null;
  readonly password: string | null;
}

/** What replies show of a secret. */
export const MASK = '********';

/** What is secret in a campaign or a worker, sealed with the record's own key; null = nothing is. */
export interface Secrets {
  readonly queryApiKey?: string | null;
  readonly sftpPassword?: string | null;
  readonly sftpPrivateKey?: string | null;
  readonly s3Secret?: string | null;
}

/** What replies may know of sealed secrets. */
export interface Sealed {
  readonly sealed: Uint8Array;
  readonly holds: readonly (keyof Secrets)[];
}

const contextOf = (id: string): string => `campaigns/${id}`;

type Sealing = Pick<DecideEnv, 'createKey' | 'seal'>;

/** A record that keeps no secret has no key. */
export function sealedSecrets(env: Sealing, id: string, secrets: Secrets): Sealed | null {
  const holds = (['queryApiKey', 'sftpPassword', 'sftpPrivateKey', 's3Secret'] as const).filter((name) => secrets[name] != null);
  if (holds.length === 0) return null;
  env.createKey(id);
  return { sealed: env.seal(id, JSON.stringify(secrets), contextOf(id)), holds };
}

interface Opening {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

export function openSecrets(env: Opening, id: string, secrets: Sealed | null): Secrets {
  const text = secrets === null ? undefined : env.open(id, secrets.sealed, contextOf(id));
  return text === undefined ? {} : ownJson<Secrets>(text);
}

/** A secret after a change: what is left out stays, and so does one that was read and sent back. */
export const keptSecret = (sent: string | null | undefined, before: string | null | undefined): string | null =>
  sent === undefined || sent === MASK ? (before ?? null) : sent;

/** `before`: what was stored of the server; null of a new one. */
export const sftpAddressOf = ({ host, username, cdDir = null, hostKey }: SftpBody, before: SftpAddress | null): SftpAddress => ({
  host,
  username,
  cdDir,
  ...keptHostKey('sftpSettings.hostKey', hostKey, before),
});

/** What is stored of a server after a change: absent leaves all as it is, null removes it. */
export function changedSftp(
  before: WithSftp,
  sftp: SftpBody | null | undefined,
  { id, env }: { readonly id: string; readonly env: Sealing & Opening },
): WithSftp {
  if (sftp === undefined) return { sftpSettings: before.sftpSettings, secrets: before.secrets };
  if (sftp === null) return { sftpSettings: null, secrets: null };
  const { sftpPassword } = openSecrets(env, id, before.secrets);
  return {
    sftpSettings: sftpAddressOf(sftp, before.sftpSettings),
    secrets: sealedSecrets(env, id, { sftpPassword: keptSecret(sftp.password, sftpPassword) }),
  };
}

interface WithSftp {
  readonly sftpSettings: SftpAddress | null;
  readonly secrets: Sealed | null;
}

export const sftpView = (address: SftpAddress | null, secrets: Sealed | null): SftpView | null =>
  orNull(
    (known) => ({ ...known, hostKey: known.hostKey ?? null, password: secrets?.holds.includes('sftpPassword') === true ? MASK : null }),
    address,
  );
