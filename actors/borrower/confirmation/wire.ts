/** What the gateway has made: six digits. */
export interface NewCodeBody {
  readonly code: string;
}

export interface CodeSentView {
  readonly contactId: string;
}
