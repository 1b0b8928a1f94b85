/** What is wrong with the words of a communication: the field, what would do, and why. */
export interface WordFault {
  readonly path: string;
  readonly expected: string;
  readonly message: string;
}
