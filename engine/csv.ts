/** One line of CSV as RFC 4180 has it, without its end. */
export const csvLine = (values: readonly string[]): string => values.map(cell).join(',');

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
