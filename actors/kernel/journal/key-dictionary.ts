/**
 * Names of properties that records are full of: a record has the place of each in this list instead of its letters. The list is part of
 * the format of the journal: words are added at its end, and none is ever moved or taken out. What is not in it is written as text. The
 * first 128 take one byte.
 */
const WORDS: readonly string[] = `
actualCents additionalPeople amount amountCents amountFinancedCents aprEffective aprNominal atOrigination autopayPaymentIds autopayPlanId balances
becameCurrentDate bufferToPushOutSchedule cancellationReason caseId cause change changes contract createdAt createdWhile currency date day daysOverdue
declineReason description details digest drawId dueDate dueDay duration effective effectiveAt effectiveDate endDate endDay expectedPayments externalId
failureCode failureReason fee feeId feeTypeId fees from hold id instrument interest interestCents interestRates interestType isExternal isFollowed
isForced isOpen isOver isPrepaymentEnabled isProcessing isReplay kind lateFees loanTypeId managedByService metaData move name newDrawsAllowed
newStatus number obligationId oldStatus oldestObligationId originalEffectiveDay originatingCreditorName originationFeeCents overdue overdueAmount
overdueSinceDate payment paymentFrequency paymentInstrumentId payments period periodId periodicPaymentCents personAddress personId previousBalances
previousDaysOverdue principal principalCents purchaseId rate rates reason recordedDay reimbursement returnFeeCounter rows scheduledCents scheduledDate
scheduledDay seconds serviceCredit serviceFeeCents servicedBy settlement startDate status terms through timestamps timezone to toldDueOn total
totalInterestCapCents totalInterestCents transaction transactionId transactionType type until version zone
`
  .trim()
  .split(/\s+/);

const PLACES: ReadonlyMap<string, number> = new Map(WORDS.map((word, place) => [word, place]));

/** Undefined for a name that is no word. */
export const placeOfWord = (name: string): number | undefined => PLACES.get(name);

export const wordAt = (place: number): string | undefined => WORDS[place];
