import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

/**
 * The text of a file that an operator wrote: UTF-8, with or without a byte order mark. Throws where it is in another encoding: read as
 * UTF-8 its letters would silently become U+FFFD.
 */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new Error('is not UTF-8 text: store it in this encoding');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}
