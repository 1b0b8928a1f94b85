/** Why terms cannot be amortized. */
export type AmortizationFault =
  | 'noDueDates'
  | 'noPrincipal'
  | 'dueDatesOutOfOrder'
  | 'tooManyRows'
  | 'advanceAfterLastDueDate'
  | 'paymentDoesNotCoverInterest'
  | 'amountTooLarge'
  /** The loan type keeps its loans by instalment, and the terms ask for what it does not know. */
  | 'keptByInstalment';

/** Terms that no schedule fits. The caller's input is at fault, not the program. */
export class AmortizationError extends Error {
  override readonly name = 'AmortizationError';

  constructor(
    readonly fault: AmortizationFault,
    message: string,
  ) {
    super(message);
  }
}
