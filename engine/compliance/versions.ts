/**
 * Versions of the seed rules, the oldest first. Each verdict of the log carries the one that it was judged under, so that it can be
 * explained after a rule has changed. A change that alters verdicts is a new row (`test/engine/compliance/versions.test.ts`).
 */
export const GUARD_VERSIONS: readonly { readonly version: number; readonly changes: string }[] = [
  { version: 1, changes: 'All rules before versions were counted. Verdicts without a version are of it.' },
  {
    version: 2,
    changes:
      'Marketing by text or by an autodialer needs a consent in writing. US-BANKRUPTCY stops late fee notices and reminders of promises. ' +
      'US-FREQ-AFTERCALL and WV-FREQ count a conversation with the person to be called, and with a guardian. A template cannot make an ' +
      'overdue notice a letter that a law asks for.',
  },
  {
    version: 3,
    changes:
      'A message that answers what the borrower sent within a week is a reply. Who uses a channel that they refused is answered ' +
      'once by it, and letters that a law asks for go to who refused letters. WA-CELL-DAY ' +
      'counts phones that may be mobile, and no answers. MA-FREQ counts personal phones and work apart. DC-FREQ is about debts more than ' +
      '30 days past due that no home secures, and counts neither answers nor calls that rang out. US-FREQ-7IN7 and US-FREQ-AFTERCALL count another person apart from the ' +
      'borrower, and are not about attorneys. Who has agreed to contact at unusual times is reached at any hour. OR-WORK is new. No template makes a reminder ' +
      'or marketing a letter that a law asks for. Another person may be called once to find the borrower, by the new US-LOCATE. ' +
      'A call that the borrower has asked for is in excess of no limit of the nation, the ' +
      'District of Columbia, New York City and Washington. Word that a loan was declined or its terms have changed needs the consent of ' +
      'US-ECONSENT.',
  },
];

/** The newest of them: what a verdict is judged under. */
export const GUARD_VERSION = 3;
