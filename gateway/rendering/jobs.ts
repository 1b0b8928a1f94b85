import type { MessageOrder, Rendered } from '../../engine/index.js';

/** A job of a render thread: plain data and bytes. */
export type RenderJob =
  | { readonly type: 'message'; readonly order: MessageOrder }
  /** A letter's HTML as pages. */
  | { readonly type: 'letter'; readonly html: string }
  /** A document as pages. */
  | { readonly type: 'converted'; readonly contentType: string; readonly content: Uint8Array };

export interface RenderResults {
  readonly message: Rendered;
  readonly letter: Uint8Array;
  readonly converted: Uint8Array;
}

export type RenderResult<Type extends RenderJob['type']> = RenderResults[Type] | Unrenderable;

/** Why the content cannot be rendered; the text goes to the caller. */
export interface Unrenderable {
  readonly unrenderable: string;
}

/** Thrown within a render thread. */
export class CannotRender extends Error {}
