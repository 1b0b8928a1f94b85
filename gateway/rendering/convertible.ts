import { LIMITS } from '../limits.js';

/*
 * What can be made a PDF, apart from how: the service asks this, and only its render threads load the library that draws.
 */

/** The largest content in bytes of each type that can be made a PDF. */
const LARGEST_BYTES = {
  'image/png': LIMITS.convertedPictureBytes,
  'image/jpeg': LIMITS.convertedPictureBytes,
  'text/plain': LIMITS.convertedTextBytes,
  'text/csv': LIMITS.convertedTextBytes,
} as const;

export type ConvertibleType = keyof typeof LARGEST_BYTES;

export const TOO_LARGE = 'The content is too large to be converted.';

const isConvertible = (contentType: string): contentType is ConvertibleType => Object.hasOwn(LARGEST_BYTES, contentType);

/** Why a content is not converted, by what is known of it without reading it; null where it may be. */
export function objectionTo(contentType: string, bytes: number): string | null {
  if (!isConvertible(contentType)) return `A document of the type ${contentType} cannot be converted.`;
  return bytes > LARGEST_BYTES[contentType] ? TOO_LARGE : null;
}
