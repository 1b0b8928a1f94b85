import type { MailReport } from '../../actors/index.js';
import type { MessageOrder, Rendered, StatementOrder, StatementReading, Trial, TrialOrder } from '../../engine/index.js';

/** A job of a render thread: plain data and bytes. */
export type RenderJob =
  | { readonly type: 'message'; readonly order: MessageOrder }
  /** A template on invented borrowers: what it costs, and what rules about words say to it. */
  | { readonly type: 'trial'; readonly order: TrialOrder }
  /** A letter's HTML as pages. */
  | { readonly type: 'letter'; readonly html: string }
  /** A document as pages. */
  | { readonly type: 'converted'; readonly contentType: string; readonly content: Uint8Array }
  /** A PDF that was uploaded: whether it has scripts or actions. */
  | { readonly type: 'pdf'; readonly content: Uint8Array }
  /** A bank's statement: what it says, or why it cannot be read. */
  | { readonly type: 'statement'; readonly content: Uint8Array; readonly order: StatementOrder }
  /** A mail from the mailbox of reports: what it reports. */
  | { readonly type: 'mail'; readonly content: Uint8Array };

export interface RenderResults {
  readonly message: Rendered;
  readonly trial: Trial;
  readonly letter: Uint8Array;
  readonly converted: Uint8Array;
  readonly pdf: boolean;
  readonly statement: StatementReading;
  readonly mail: { readonly reports: readonly MailReport[] | null };
}

export type RenderResult<Type extends RenderJob['type']> = RenderResults[Type] | Unrenderable;

/** Why the content cannot be rendered; the text goes to the caller. */
export interface Unrenderable {
  readonly unrenderable: string;
}

/** Thrown within a render thread. */
export class CannotRender extends Error {}
