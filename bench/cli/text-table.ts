/** A table for people: texts to the left, numbers to the right, one line a row. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[], indent = '  '): string {
  const shown = rows.map((row) => row.map((value) => (typeof value === 'number' ? value.toLocaleString('en-US') : value)));
  const widths = head.map((name, column) => Math.max(name.length, ...shown.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], index: number): string =>
    indent +
    cells
      .map((cell, column) => (isNumeric(rows, index, column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head, 0), indent + widths.map((width) => '-'.repeat(width)).join('  '), ...shown.map(line)].join('\n');
}

const NUMERIC = /^[-+]?[\d,.]+( ?(ms|s|%|x|us|MB|KB|B|\/s))?$/;

/** A column is numeric by its cell; the head follows its first row. */
function isNumeric(rows: readonly (readonly (string | number)[])[], index: number, column: number): boolean {
  const value = (rows[index] ?? rows[0])?.[column];
  return typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(value));
}

/** `12,345.60` */
export const money = (amount: number): string => amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
