import type { DecideEnv } from '../../kernel/actor.js';

/** What is secret in a payment processor or a funding instrument, sealed with the record's own key. */
export interface ProcessorSecrets {
  readonly sftpPassword?: string | null;
  readonly sftpPrivateKey?: string | null;
  readonly accountNumber?: string | null;
  /** Armored: it signs what leaves and decrypts what comes. */
  readonly gpgPrivateKey?: string | null;
  /** With which the service calls a processor of cards, and with which the processor signs its callbacks. */
  readonly cardApiKey?: string | null;
  readonly cardWebhookSecret?: string | null;
}

/** The sealed secrets, and which of them are there: all that replies may know. */
export interface SealedProcessorSecrets {
  readonly sealed: Uint8Array;
  readonly holds: readonly (keyof ProcessorSecrets)[];
}

const NAMES = ['sftpPassword', 'sftpPrivateKey', 'accountNumber', 'gpgPrivateKey', 'cardApiKey', 'cardWebhookSecret'] as const;

const contextOf = (id: string): string => `processors/${id}`;

export const isSameSecrets = (a: ProcessorSecrets, b: ProcessorSecrets): boolean =>
  NAMES.every((name) => (a[name] ?? null) === (b[name] ?? null));

/** A record that keeps no secret has no key. */
export function sealedProcessorSecrets(
  env: Pick<DecideEnv, 'createKey' | 'seal'>,
  id: string,
  secrets: ProcessorSecrets,
): SealedProcessorSecrets | null {
  const holds = NAMES.filter((name) => secrets[name] != null);
  if (holds.length === 0) return null;
  env.createKey(id);
  return { sealed: env.seal(id, JSON.stringify(secrets), contextOf(id)), holds };
}

export function openProcessorSecrets(
  env: { open(owner: string, sealed: Uint8Array, context: string): string | undefined },
  id: string,
  secrets: SealedProcessorSecrets | null,
): ProcessorSecrets {
  const text = secrets === null ? undefined : env.open(id, secrets.sealed, contextOf(id));
  const secretsOpen: ProcessorSecrets = text === undefined ? {} : JSON.parse(text);
  return secretsOpen;
}
