import type { Mode } from '../../actors/index.js';

/** A text that proves to have come to an address of the user. */
export interface CodeMessage {
  readonly company: string;
  readonly mode: Mode;
  readonly channel: 'email' | 'text';
  readonly destination: string;
  readonly purpose: 'signIn' | 'secondFactor' | 'passwordReset' | 'contactConfirmation';
  /** Six digits, or the token of a password reset. */
  readonly code: string;
}

/** Brings codes to users: a lender's own part sends them by e-mail or text. */
export interface CodeSender {
  /** Whether codes of this mode arrive anywhere. */
  sends(mode: Mode): boolean;
  send(message: CodeMessage): Promise<void>;
}

/** Without a part that sends, codes of the test mode can be read in the log; those of the live mode are not made. */
export const logSender = (log: (message: CodeMessage) => void): CodeSender => ({
  sends: (mode) => mode === 'test',
  send: async (message) => log(message),
});

export const NO_SENDER: CodeSender = { sends: () => false, send: () => Promise.resolve() };
