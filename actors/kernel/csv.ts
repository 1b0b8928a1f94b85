/** One line of CSV as RFC 4180 has it, without its end. */
export const csvLine = (values: readonly string[]): string => values.map(cell).join(',');

const cell = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Cents as an amount with two decimals. */
export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
