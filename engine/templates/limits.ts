/** What one template may cost (communications 3.5). Steps stand for the two seconds: time would make a rendering depend on the machine. */
export const TEMPLATE_LIMITS = {
  /** Characters of one template. */
  sourceLength: 200_000,
  /** Tokens between one pair of delimiters. */
  tagTokens: 500,
  /** Statements within statements, and brackets within brackets. */
  nesting: 30,
  /** Templates that include or extend one another. */
  includeDepth: 8,
  /** Blocks that are rendered within one another. */
  blockDepth: 10,
  /** Items that all loops of one rendering go over. */
  loopTurns: 10_000,
  /** Characters of a result, and of any text on the way to it. */
  outputLength: 1_048_576,
  /** Evaluated nodes, and what filters do item by item, of one rendering. */
  steps: 500_000,
  /** Characters that are read or made for one step. */
  charactersAStep: 32,
  /** Characters of the format of a date. */
  formatLength: 100,
  /** Numbers reach so far in both directions. */
  largestNumber: 1_000_000_000_000_000,
} as const;
