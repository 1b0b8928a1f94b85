/** One line of CSV as RFC 4180 has it, without its end. */
export const csvLine = (values: readonly string[]): string => values.map(cell).join(',');

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const CELL = /,(?:\s*"((?:[^"]|"")*)"[^,]*|([^,]*))/g;

/** The cells of one line of CSV, as `csvLine` writes them. A quoted cell has no line break. */
export const csvCells = (line: string): readonly string[] =>
  [...`,${line}`.matchAll(CELL)].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
