import { Secret, TOTP } from 'otpauth';
import { Refusal } from '../../actors/index.js';

/** Runs one attempt at a time for each name, so that parallel guesses are counted like guesses one after another. */
export class AttemptsByName {
  readonly #last = new Map<string, Promise<unknown>>();

  /** `after` takes work that goes on after the answer; the next attempt waits for it. */
  run<Result>(name: string, attempt: (after: (rest: Promise<unknown>) => void) => Promise<Result>): Promise<Result> {
    let rest: Promise<unknown> = Promise.resolve();
    const running = (this.#last.get(name) ?? Promise.resolve()).then(() =>
      attempt((later) => {
        rest = later;
      }),
    );
    const over = running
      .catch(() => undefined) // the caller of `run` handles the failure
      .then(() => rest)
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(name) === over) this.#last.delete(name);
      });
    this.#last.set(name, over);
    return running;
  }
}

/** Runs at most `atOnce` pieces of work at a time; at most `waiting` more wait. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  /** `refusal`: the text for work that comes when no more may wait. */
  constructor(private readonly bounds: { readonly atOnce: number; readonly waiting: number; readonly refusal: string }) {}

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const { atOnce, waiting, refusal } = this.bounds;
    if (this.#inside >= atOnce) {
      if (this.#waiting.length >= waiting) throw new Refusal('unavailable', refusal, { retryAfterSeconds: 1 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#inside += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }
}

/** The defaults of every authenticator application (RFC 6238, 4 and 5.2). */
const PERIOD_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** Time steps by which the clocks of a phone and of the service may differ. */
const STEPS_APART = 1;

const generator = (secret: string, label = '', issuer = ''): TOTP =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

/** In base 32. */
export const newAuthenticatorSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The URL that an authenticator application reads from a QR code when it is set up. */
export const enrolmentUrl = (secret: string, issuer: string, userName: string): string => generator(secret, userName, issuer).toString();

/** The time step of a code; null where the code is not valid for the secret now. */
export function timeStepOf(secret: string, code: string, nowMs: number): number | null {
  const apart = generator(secret).validate({ token: code, timestamp: nowMs, window: STEPS_APART });
  return apart === null ? null : Math.floor(nowMs / 1000 / PERIOD_SECONDS) + apart;
}
