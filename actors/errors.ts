import type { ErrorType } from './error-types.js';
import { ERRORS } from './error-types.js';

export { ERRORS, type ErrorType } from './error-types.js';

/** One fault of a request: where, what would be right there, and what is wrong. */
export interface Fault {
  /** `atOrigination.fees[0].amount`, a query parameter's or a header's name. */
  readonly path: string;
  readonly expected: string;
  readonly message: string;
}

export interface RefusalDetails {
  readonly errors?: readonly Fault[];
  /** Further properties of the error body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * The one way to say no to a caller. Nothing has been changed when it is thrown. The message goes to the caller:
 * ids and amounts, never personal data.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly errors: readonly Fault[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly errorType: ErrorType,
    message: string,
    details: RefusalDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.errors = details.errors ?? [];
    this.extra = details.extra ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get statusCode(): number {
    return ERRORS[this.errorType].status;
  }

  get title(): string {
    return ERRORS[this.errorType].title;
  }
}

/** Throws a `Refusal`. */
export function refuse(errorType: ErrorType, message: string, details: RefusalDetails = {}): never {
  throw new Refusal(errorType, message, details);
}

/** Throws the refusal of a body or parameter whose named property is wrong. */
export function refuseProperty(path: string, expected: string, message: string): never {
  throw new Refusal('validationError', message, { errors: [{ path, expected, message }] });
}

/** For the log: with its place where it has one, and with what it came from. */
export function traceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined ? String(cause.stack) : `${String(cause.stack)}\nfrom ${traceOf(cause.cause)}`;
}
