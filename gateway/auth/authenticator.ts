import { Secret, TOTP } from 'otpauth';
import { Refusal } from '../../actors/index.js';

/** One attempt at a time for each name: whoever guesses in parallel is counted like whoever guesses in turn. */
export class TurnsByName {
  readonly #last = new Map<string, Promise<unknown>>();

  /** `after` is given what nobody is told of, but the next turn has to wait for. */
  run<Result>(name: string, take: (after: (rest: Promise<unknown>) => void) => Promise<Result>): Promise<Result> {
    let rest: Promise<unknown> = Promise.resolve();
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(() =>
      take((later) => {
        rest = later;
      }),
    );
    const over = turn
      .catch(() => undefined)
      .then(() => rest)
      .catch(() => undefined)
      .then(() => {
        // whoever asked is told
        if (this.#last.get(name) === over) this.#last.delete(name);
      });
    this.#last.set(name, over);
    return turn;
  }
}

/** So many at once, so many waiting. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  /** `told`: whoever comes when no more may wait. */
  constructor(private readonly bounds: { readonly atOnce: number; readonly waiting: number; readonly told: string }) {}

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const { atOnce, waiting, told } = this.bounds;
    if (this.#inside >= atOnce) {
      if (this.#waiting.length >= waiting) throw new Refusal('unavailable', told, { retryAfterSeconds: 1 });
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
