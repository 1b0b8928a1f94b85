// Lines that are too wide for a screen: the formatter breaks code, and leaves comments, texts and prose to who writes them.

/** As biome.json formats. */
const MOST_COLUMNS = 140;

/** Rows of a table, and a link or path alone, cannot be broken. */
const UNBREAKABLE = /^\s*\||^\s*\S+$/;

/** @param {readonly { path: string, lines: readonly string[] }[]} files */
export function checkLines(files) {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      line.length > MOST_COLUMNS && !UNBREAKABLE.test(line)
        ? [
            {
              rule: path.endsWith('.md') ? 'prose' : 'code',
              at: `${path}:${index + 1}`,
              text: `has ${line.length} columns: break the line, at most ${MOST_COLUMNS}.`,
            },
          ]
        : [],
    ),
  );
}
