import { Secret, TOTP } from 'otpauth';

/** What every authenticator application takes without being told (RFC 6238, 4 and 5.2). */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Time steps by which the clocks of a phone and of the service may differ. */
const STEPS_APART = 1;

const generator = (secret: string, label = '', issuer = ''): TOTP =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

/** In base 32. */
export const newAuthenticatorSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an application reads from a picture to be set up. */
export const enrolmentUrl = (secret: string, issuer: string, userName: string): string => generator(secret, userName, issuer).toString();

/** The time step that a code is of; null where it is none of the secret's now. */
export function timeStepOf(secret: string, code: string, nowMs: number): number | null {
  const apart = generator(secret).validate({ token: code, timestamp: nowMs, window: STEPS_APART });
  return apart === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + apart;
}
