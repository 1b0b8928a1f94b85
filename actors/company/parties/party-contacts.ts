import type { tags } from 'typia';

/** Names, addresses and telephone numbers of parties other than borrowers. */
export type PartyName = string & tags.MinLength<1> & tags.MaxLength<256>;
export type PartyEmail = string & tags.Format<'email'> & tags.MaxLength<320>;
export type PartyPhone = string & tags.MinLength<1> & tags.MaxLength<15>;
