// Words that only this project knows, and what a reader of the field expects in their place. The check finds them in names, comments,
// texts and docs.
//
//   words   a part of a regular expression, matched as whole words in lower case: `coreKeeper` is read as "core keeper"
//   write   what to write in their place
//   names   true: found only where a name is declared and in names of files, since the word is plain English elsewhere

/** Names on disk and on the wire: they keep the spelling in which they are stored and sent. */
export const STORED_NAMES = [
  'toldAt', // field of the shares of mass work that workers of two releases send each other
  'toldDueOn', // field of facts about transactions, and an entry of the key dictionary
  'byInstalment', // section of a loan type, in the contract's spelling
  'lastInstalment', // field of the same section
  'SinkToldOf', // fact of an interaction in test mode: the simulated report of its message
  'MonitoringHitTold', // fact of a borrower: a source has reported a hit
  'CaseWoken', // fact of a case: its snooze has ended
  "action: 'woken", // the same in the case's timeline, which the interface answers
  '\\w+_RESIDENT_ACTORS', // environment variable of earlier releases, still accepted
  'residentActors', // the same setting in the file of settings
  'IndexTaken', // fact of a loan: new values of its product's index were applied
  'LateFeesTaken', // fact of a loan: changed late fee terms of its product were adopted
  'toldSplit', // field of a transaction in facts of a loan: the split that the caller stated
  'tellDelivery', // operations of the interface, in its description and in metrics
  'wakeCase',
  "RECORDED_KEY = 'told", // field of the state of a webhook's deliveries on the disk
  'standing(?=: [dD]ueStatus\\b)', // field of seeded fees in facts of lines: written and read as a due status
  'have told a credit bureau', // the model notice of negative information (12 CFR 1022, appendix B)
  'uscode\\.house\\.gov', // address of the United States Code
];

/** @typedef {{ rule: string, words: string, write: string, names?: boolean }} HouseWord */

/** @type {readonly HouseWord[]} */
export const HOUSE_WORDS = [
  // Riddles: the reader has to find out what is meant.
  { rule: 'anew', words: 'anew', write: 'again; for an actor or a core: reload' },
  { rule: 'whoever', words: 'whoever|whom', write: 'the caller, the reader, the worker: name who it is' },
  { rule: 'told', words: 'told|foretold', write: 'published, reported, sent, answered' },
  { rule: 'tell', words: 'tell|tells|telling', write: 'emit (events); say, report, return, name' },
  { rule: 'the-hard-way', words: 'the hard way', write: 'what is done: "with kill -9"' },
  { rule: 'tried-with', words: 'tried with', write: 'simulated' },
  { rule: 'count-again', words: 'counts? again', write: 'reinstate' },
  { rule: 'take-out', words: 'takes? out|taken out', write: 'void' },
  { rule: 'taken', words: 'index taken|late fees taken', write: 'index rate applied; late fee terms adopted' },

  // Parts of the engine under names of their own.
  { rule: 'guests', words: 'guests?', write: 'remote cache' },
  { rule: 'elsewhere', words: 'elsewhere', write: 'where it is: on another shard; as a state: remote state required' },
  { rule: 'sight', words: 'sights?', write: 'access scope' },
  { rule: 'residents', words: 'residents?(?! memory)', write: 'actor cache' },
  { rule: 'forms', words: 'forms?', write: 'record shapes', names: true },
  { rule: 'words', words: 'words?', write: 'key dictionary; for a set of allowed values: values', names: true },
  { rule: 'wakes', words: 'wakes?|woke|woken|heard', write: 'triggers a job; job trigger; onFact' },
  { rule: 'keeper', words: 'keepers?', write: 'supervisor' },
  { rule: 'turns', words: 'turns?|slicer?s?', write: 'scheduler; time slice', names: true },
  { rule: 'pulse', words: 'pulses?', write: 'heartbeat' },
  { rule: 'house', words: 'houses?', write: 'service' },
  { rule: 'workshop', words: 'workshops?', write: 'offline store' },
  { rule: 'door', words: 'doors?', write: 'commands; for a module: its public interface' },
  { rule: 'happening', words: 'happenings?', write: 'ledger event' },
  { rule: 'hindsight', words: 'hindsight|retouch|retouched|retouches|retouching', write: 'retroactive adjustment' },
  { rule: 'pour', words: 'pours?|poured|pouring', write: 'allocate' },
  { rule: 'goes-back', words: 'goes back|go back|went back', write: 'refund (money); otherwise: return to' },

  // One word for four things.
  { rule: 'standing', words: 'standings?', write: 'status, balances, position: one word for each thing' },
  { rule: 'place', words: 'places?', write: 'sequence, offset, address: one word for each thing', names: true },
  { rule: 'book', words: 'books?', write: 'accrual book (the accounting method); portfolio (many loans); ledger', names: true },
  { rule: 'desk', words: 'desks?', write: 'agent workspace, queue: one word for each thing' },
  { rule: 'instalment', words: 'instalments?', write: 'installment (the product); scheduled interest (the accounting method)' },

  // Error texts that do not say what is wrong.
  { rule: 'ask-for', words: 'ask for a web socket', write: '"WebSocket upgrade required."' },
  { rule: 'no-such-version', words: 'has no such version', write: '"Unsupported API version 2019-01-01. Supported: ..."' },
  { rule: 'in-one-way', words: 'described in one way', write: '"Provide exactly one of `payments` or `frequency`."' },
  { rule: 'of-the-callers', words: "of the caller['’]s(?! own)", write: '"`status` cannot be set on a service credit."' },
];
