import type { Direction } from './channels.js';
import type { WordFault } from './fault.js';
import { type Subject, type SubjectRow, SUBJECTS } from './subjects.js';
import { type InteractionTheme, isInboundTheme, isSettableTheme } from './themes.js';

export interface ThemeQuestion {
  readonly subject: Subject | null;
  readonly theme: InteractionTheme | null;
  readonly direction: Direction;
}

export type ResolvedTheme = { readonly theme: InteractionTheme | null } | { readonly fault: WordFault };

/**
 * The theme of a communication. A subject decides it where it can; where it cannot, the theme has to be said. Null
 * only without a subject and without a theme: nobody knows then what it was about, and rules that limit contacts should count it.
 */
export function resolveTheme({ subject, theme, direction }: ThemeQuestion): ResolvedTheme {
  const unfit = theme === null ? null : themeFault('theme', theme, direction);
  if (unfit !== null) return { fault: unfit };
  if (subject === null) return { theme };
  const implicit = implicitTheme(subject);
  if (implicit === null) return theme === null ? { fault: themeFaultOf('a theme', `The subject ${subject} needs a theme.`) } : { theme };
  if (theme !== null && theme !== implicit)
    return { fault: themeFaultOf(implicit, `The subject ${subject} is always of the theme ${implicit}.`) };
  return { theme: implicit };
}

/** The theme that a subject implies; null when it has to be said. */
export const implicitTheme = (subject: Subject): InteractionTheme | null => (SUBJECTS[subject] as SubjectRow).theme;

/** Without a subject nothing says that a message answered anything. */
export const defaultTransactional = (subject: Subject | null): boolean => subject !== null && SUBJECTS[subject].isTransactional;

/** Why a theme cannot be set here; null when it can. `borrowerSelectedTheme` takes every settable one. */
export function themeFault(path: 'theme' | 'borrowerSelectedTheme', theme: InteractionTheme, direction: Direction): WordFault | null {
  if (!isSettableTheme(theme))
    return { path, expected: 'a theme that is not deprecated', message: `The theme ${theme} is no longer taken.` };
  if (path === 'theme' && isInboundTheme(theme) && direction === 'outbound')
    return { path, expected: 'a theme of outbound interactions', message: `The theme ${theme} is of inbound interactions only.` };
  return null;
}

const themeFaultOf = (expected: string, message: string): WordFault => ({ path: 'theme', expected, message });
