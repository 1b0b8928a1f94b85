import { addParts } from './allocate.js';
import { type InstalmentBook, isOpen, noParts, PARTS, type Parts } from './book.js';

/** Interest and charges of a closed loan that nobody has booked as income; nothing while something of it is open. */
export function incomeToBook(book: InstalmentBook): Parts {
  const parts = noParts();
  if (book.advances.length === 0 || book.instalments.some(isOpen)) return parts;
  for (const { due } of book.instalments) addParts(parts, due);
  for (const part of PARTS) parts[part] -= book.chargedBackParts[part] + book.booked[part];
  parts.principal = 0;
  return parts;
}
