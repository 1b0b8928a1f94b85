import {
  type AgentOutcome,
  detailTold,
  type Direction,
  implicitTheme,
  type InteractionTheme,
  resolveTheme,
  startOfDay,
  type StatusDetail,
  type StatusDetailWord,
  type Subject,
  subjectNamed,
  themeFault,
} from '../../../engine/index.js';
import { type PersonState, zoneOfPerson } from '../../borrower/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { Fault } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { dayOfText, millisecondsOf } from '../../wire.js';

/** What a body says in words of the vocabulary, with what is wrong with it gathered in `faults`. */
export class Told {
  readonly faults: Fault[] = [];

  subject(word: string | null | undefined, before: Subject | null): Subject | null {
    if (word === undefined) return before;
    if (word === null) return null;
    const named = subjectNamed(word);
    if ('subject' in named) return named.subject;
    this.faults.push(named.fault);
    return before;
  }

  /** A theme that stood before gives way to what the subject implies. */
  theme(
    subject: Subject | null,
    theme: InteractionTheme | null | undefined,
    before: InteractionTheme | null,
    direction: Direction,
  ): InteractionTheme | null {
    const kept = subject !== null && implicitTheme(subject) !== null ? null : before;
    if (theme === undefined && kept !== null) return kept;
    const resolved = resolveTheme({ subject, theme: theme ?? null, direction });
    if ('theme' in resolved) return resolved.theme;
    this.faults.push(resolved.fault);
    return before;
  }

  selectedTheme(theme: InteractionTheme | null | undefined, before: InteractionTheme | null): InteractionTheme | null {
    const fault = theme == null ? null : themeFault('borrowerSelectedTheme', theme, 'outbound');
    if (fault !== null) this.faults.push(fault);
    return theme === undefined ? before : theme;
  }

  /** What older callers said in the details is the outcome; it contradicts another outcome. */
  outcome(
    word: StatusDetailWord | null | undefined,
    outcome: AgentOutcome | null | undefined,
  ): { readonly statusDetails?: StatusDetail | null; readonly agentOutcome?: AgentOutcome | null } {
    const told = word == null ? null : detailTold(word);
    const moved = told?.agentOutcome ?? null;
    if (moved !== null && outcome != null && outcome !== moved)
      this.faults.push({ path: 'statusDetails', expected: outcome, message: `${moved} is another outcome than agentOutcome names` });
    return {
      ...(word === undefined ? {} : { statusDetails: told && told.statusDetails }),
      ...(outcome === undefined && moved === null ? {} : { agentOutcome: outcome ?? moved }),
    };
  }
}

/**
 * A moment, or the first instant of a day where the borrower lives: limits count days of that calendar. Without a home it is the
 * company's.
 */
export function momentOf(env: DecideEnv, personId: string | null, text: string): number {
  if (text.includes('T')) return millisecondsOf(text);
  const person = personId === null ? undefined : env.read<PersonState>('person', personId);
  return startOfDay((person && zoneOfPerson(env, person)) ?? zoneOf(companyOf(env, env.tenant)), dayOfText(text));
}
