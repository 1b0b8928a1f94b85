import { AssertionError, LiquidError } from 'liquidjs';

/**
 * `syntax`: the text is no template. `undefined`: a strict rendering met a variable that nobody gave. `value`: a filter or an operator
 * got what it cannot take. `limit`: the rendering costs too much. `template`: an included or extended template is not there.
 */
export type TemplateErrorKind = 'syntax' | 'undefined' | 'value' | 'limit' | 'template';

/** Why a template cannot be read or rendered. Its message names variables and filters of the text, never values. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(
    readonly kind: TemplateErrorKind,
    message: string,
    /** From 1. */
    readonly line: number,
    /** The variable of `undefined`: `loan.displayId`. */
    readonly variable: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Thrown inside of the library, which adds the place. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';

  constructor(
    readonly kind: TemplateErrorKind,
    message: string,
  ) {
    super(message);
  }
}

export function failSyntax(message: string): never {
  throw new TemplateFault('syntax', message);
}

export function failValue(message: string): never {
  throw new TemplateFault('value', message);
}

export function failLimit(message: string): never {
  throw new TemplateFault('limit', message);
}

/** What the library threw, as the error of a template; whatever is none of its errors is a bug and thrown again. */
export function templateErrorOf(cause: unknown, phase: 'parse' | 'render'): TemplateError {
  if (cause instanceof RangeError) return new TemplateError('limit', TOO_DEEP, 1, null, { cause });
  if (isOutOfTime(cause)) return new TemplateError('limit', TOO_MUCH, 1, null, { cause });
  if (!LiquidError.is(cause)) throw cause;
  const root = rootOf(cause);
  // Of a template that is included, and is none.
  if (root instanceof TemplateError) return root;
  const [line = 1] = cause.token.getPosition();
  if (root instanceof TemplateFault) return new TemplateError(root.kind, sentence(root.message), line, null, { cause });
  const variable = missingVariable(root);
  if (variable !== null) return new TemplateError('undefined', `The variable ${variable} is missing.`, line, variable, { cause });
  if (root instanceof RangeError) return new TemplateError('limit', TOO_DEEP, line, null, { cause });
  if (isOutOfTime(root)) return new TemplateError('limit', TOO_MUCH, line, null, { cause });
  return phase === 'parse'
    ? new TemplateError('syntax', sentence(root.message), line, null, { cause })
    : new TemplateError('value', 'The statement cannot be computed.', line, null, { cause });
}

const TOO_DEEP = 'The template is too deep or too large.';
const TOO_MUCH = 'The template computes too much.';

/** Caught in the net of the library itself: between statements of the outermost template it knows no place. */
const isOutOfTime = (cause: unknown): boolean => cause instanceof AssertionError && cause.message.endsWith('limit exceeded');

/** What was thrown first. */
function rootOf(error: LiquidError): Error {
  const { originalError } = error;
  if (originalError === undefined) return error;
  return LiquidError.is(originalError) ? rootOf(originalError) : originalError;
}

const missingVariable = (root: Error): string | null =>
  'variableName' in root && typeof root.variableName === 'string' ? root.variableName : null;

/** The library adds the place to some of its messages. */
const sentence = (message: string): string =>
  `${message
    .replace(/, line:\d+, col:\d+$/, '')
    .replace(/^undefined filter:/, 'There is no filter')
    .replace(/\.$/, '')}.`;
