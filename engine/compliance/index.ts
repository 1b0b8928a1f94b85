export { type BusinessRule, type ComplianceRule, minutesOf, type RuleBasis, type RuleKind } from './rule.js';
export { chooseContact, type ContactFault, faultOfContact, isForChannel, needsContact } from './steps.js';
export {
  askedOf,
  firstAskedFrom,
  GUARD_VERSION,
  GUARD_VERSIONS,
  isAboutLoan,
  isCollecting,
  isLasting,
  judge,
  NEWEST_ASKED,
  windowStart,
} from './judge.js';
export { isAttorney, speaksForBorrower } from './persons.js';
export { type ContactOrigin, type ContactPlan, PLAIN_PLAN } from './considered.js';
export { isWrittenDisclosure } from './rules/consent.js';
export { rightToCureIn } from './right-to-cure.js';
export { SEED_RULES } from './rules/index.js';
export type {
  AskedFor,
  BlockReason,
  ScreenedBlock,
  ScreenedCase,
  ScreenedConsent,
  ConsentTopic,
  ScreenedContact,
  DoNotCall,
  GuardVerdict,
  HomeArea,
  ScreenedLoan,
  PastContact,
  ScreenedPerson,
  RuleOutcome,
  Situation,
} from './situation.js';
export { barToCollecting, type CollectingBar, isReportWrong } from './borrower-status.js';
export type { LintFinding } from './content-lint.js';
export { type Trial, type TrialOrder, tryTemplate } from './template-trial.js';
export { type MessageText, messageTextOf, type SenderDetails } from './content-wording.js';
