/**
 * What one template may cost. What a rendering does is counted in steps and characters, so that the same template is
 * refused on every machine; the clock is the last net.
 */
export const TEMPLATE_LIMITS = {
  /** Characters of one template. */
  sourceLength: 200_000,
  /** Tags and outputs of one template. */
  tags: 5_000,
  /** Characters between one pair of delimiters. */
  tagLength: 2_000,
  /** Brackets between one pair of delimiters. */
  brackets: 100,
  /** Values and filters of all tags and outputs. */
  parts: 10_000,
  /** Statements within statements. */
  nesting: 30,
  /** Templates that include or extend one another. */
  includeDepth: 8,
  /** Items that all loops of one rendering go over, and templates that it includes. */
  loopTurns: 10_000,
  /** Items of a list that a filter takes or makes. */
  listLength: 10_000,
  /** Both ends of a range lie between zero and this, or its negative. */
  rangeEnd: 100_000,
  /** Characters of a result, and of any text on the way to it. */
  outputLength: 1_048_576,
  /** Characters that one rendering reads and makes, with `stepCost` for each step. */
  cost: 20_000_000,
  /** A statement, a variable, an operator or a filter, in characters. */
  stepCost: 64,
  /** How many comparisons of characters cost one character, where a text is looked for in another. */
  comparisonsACharacter: 16,
  /** Reading a text costs one for so many of its characters. */
  charactersARead: 8,
  /** Milliseconds of one rendering. */
  clock: 2_000,
  /** Values of a context, and how deep they lie. */
  contextValues: 500_000,
  contextDepth: 50,
  /** Characters of the format of a date, and of the name of a property that a filter reads. */
  formatLength: 100,
  nameLength: 100,
  /** Numbers reach so far in both directions. */
  largestNumber: 1_000_000_000_000_000,
} as const;
