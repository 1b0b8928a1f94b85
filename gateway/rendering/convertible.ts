import { LIMITS } from '../limits.js';

/*
 * The types that can be converted to PDF. Apart from the conversion itself, so that only render threads load the library that draws.
 */

/** The types that can be converted to PDF, each with its largest content in bytes. */
const LARGEST_BYTES = {
  'image/png': LIMITS.convertedPictureBytes,
  'image/jpeg': LIMITS.convertedPictureBytes,
  'text/plain': LIMITS.convertedTextBytes,
  'text/csv': LIMITS.convertedTextBytes,
} as const;

export type ConvertibleType = keyof typeof LARGEST_BYTES;

export const TOO_LARGE = 'The document is too large to be converted to PDF.';

const isConvertible = (contentType: string): contentType is ConvertibleType => Object.hasOwn(LARGEST_BYTES, contentType);

/** Why a document cannot be converted, by its type and size alone; null where it can. */
export function objectionTo(contentType: string, bytes: number): string | null {
  if (!isConvertible(contentType))
    return `A document of type ${contentType} cannot be converted to PDF. Supported: ${Object.keys(LARGEST_BYTES).join(', ')}.`;
  return bytes > LARGEST_BYTES[contentType] ? TOO_LARGE : null;
}
