/* How values of a loan and a person become values of fields. */

/** Whole dollars, cents cut off; what is owed to the borrower is zero. */
export const wholeDollars = (cents: number): number => (cents <= 0 ? 0 : Math.floor(cents / 100));

/** Upper-case text of the basic Latin alphabet, cut to the field; null when nothing is left. */
export function fieldText(value: string | null | undefined, length: number): string | null {
  const plain = (value ?? '')
    .normalize('NFD')
    .replaceAll(/[̀-ͯ]/g, '')
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
    .toUpperCase()
    .slice(0, length)
    .trimEnd();
  return plain === '' ? null : plain;
}

const GENERATIONS: Readonly<Record<string, string>> = {
  JR: 'J',
  SR: 'S',
  II: '2',
  III: '3',
  IV: '4',
  V: '5',
  VI: '6',
  VII: '7',
  VIII: '8',
  IX: '9',
};

/** The code of a suffix such as `Jr.`; null for others, as `MD`. */
export const generationOf = (suffix: string | null): string | null =>
  GENERATIONS[(suffix ?? '').replaceAll(/[^A-Za-z]/g, '').toUpperCase()] ?? null;

type Frequency = 'weekly' | 'everyTwoWeeks' | 'twiceMonthly' | 'monthly' | 'singleTerm';

/** Payments a month in hundredths: a weekly payment counts 4.33 times. */
const HUNDREDTHS_A_MONTH: Readonly<Record<Frequency, number>> = {
  weekly: 433,
  everyTwoWeeks: 216,
  twiceMonthly: 200,
  monthly: 100,
  singleTerm: 100,
};

const FREQUENCIES: Readonly<Record<Frequency, string>> = {
  weekly: 'W',
  everyTwoWeeks: 'B',
  twiceMonthly: 'E',
  monthly: 'M',
  singleTerm: 'P',
};

export const frequencyCode = (frequency: Frequency): string => FREQUENCIES[frequency];

/** A payment as an amount a month, in cents; cut off, as all amounts of a file. */
export const monthlyCents = (cents: number, frequency: Frequency): number => Math.floor((cents * HUNDREDTHS_A_MONTH[frequency]) / 100);

const MONTHS_A_YEAR = 12;

/** The duration in months, for a mortgage in years: at least one. */
export function termsDuration(payments: number, frequency: Frequency, isMortgage: boolean): string {
  const months = Math.max(1, Math.round((payments * 100) / HUNDREDTHS_A_MONTH[frequency]));
  return String(Math.min(999, isMortgage ? Math.max(1, Math.ceil(months / MONTHS_A_YEAR)) : months)).padStart(3, '0');
}

const CHAPTERS = ['chapter7', 'chapter11', 'chapter12', 'chapter13'] as const;

/** The consumer information indicator of a bankruptcy: petition, discharged or dismissed, by chapter. */
export function bankruptcyIndicator(
  chapter: string | null,
  stage: 'petition' | 'discharged' | 'dismissed' | 'withdrawn' | 'reaffirmed',
): string {
  if (stage === 'reaffirmed') return 'R';
  const index = CHAPTERS.findIndex((known) => known === chapter);
  if (index < 0) return stage === 'petition' ? 'Z' : 'Q';
  return { petition: 'ABCD', discharged: 'EFGH', dismissed: 'IJKL', withdrawn: 'MNOP' }[stage][index] ?? 'Z';
}

/** What takes the indicator that was sent last off the file; null: nothing is on file. */
export function indicatorRemoval(sent: string | null): 'Q' | 'S' | null {
  if (sent === null || sent === 'Q' || sent === 'S') return null;
  return sent === 'R' ? 'S' : 'Q';
}

/** Closed accounts whose rating says how they were before. */
const RATED: ReadonlySet<string> = new Set(['05', '13', '65', '88', '89', '94', '95']);

export const needsRating = (status: string): boolean => RATED.has(status);
