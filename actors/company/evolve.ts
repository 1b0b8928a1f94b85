import { day, must } from '../../engine/index.js';
import { evolveResources } from '../kernel/resources/index.js';
import type { Fact } from '../kernel/fact.js';
import { APPLY_TO_SIGN_INS } from './access/sign-in-facts.js';
import type { CompanyFacts } from './facts.js';
import type { CompanyState, LoanType } from './state.js';
import { APPLY_TO_WEBHOOKS } from './webhooks/facts.js';

/** Before every loan: the first settings of a loan type hold for its whole past. 0001-01-01 is earlier than any date read. */
export const EVER = day(-719_162);

type Apply = { [Type in keyof CompanyFacts]: (state: CompanyState, body: CompanyFacts[Type], fact: Fact) => void };

const APPLY: Apply = {
  ...APPLY_TO_SIGN_INS,
  ...APPLY_TO_WEBHOOKS,
  CompanyCreated(state, { profile }, fact) {
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    state.profile = profile;
  },
  CompanyUpdated(state, { profile }, fact) {
    state.profile = profile;
    state.updatedAt = fact.businessAt;
  },
  ApiKeyCreated(state, body, fact) {
    const key = { ...body, status: 'active', createdAt: fact.businessAt, updatedAt: null, deletedAt: null } as const;
    state.keys = new Map(state.keys).set(body.id, key);
  },
  ApiKeyUpdated(state, body, fact) {
    const before = must(state.keys.get(body.id), `an update of the unknown key ${body.id}`);
    state.keys = new Map(state.keys).set(body.id, { ...before, ...body, updatedAt: fact.businessAt });
  },
  ApiKeyRevoked(state, { id }, fact) {
    const before = must(state.keys.get(id), `the unknown key ${id} was revoked`);
    const at = fact.businessAt;
    state.keys = new Map(state.keys).set(id, { ...before, status: 'inactive', updatedAt: at, deletedAt: at });
  },
  LoanTypeCreated(state, { id, fields, settings }, fact) {
    const recordedAt = fact.businessAt;
    const loanType: LoanType = {
      id,
      ...fields,
      createdAt: recordedAt,
      updatedAt: null,
      versions: [{ version: 1, from: EVER, recordedAt, settings }],
    };
    state.loanTypes = new Map(state.loanTypes).set(id, loanType);
  },
  LoanTypeUpdated(state, { id, fields, settings, from }, fact) {
    const before = must(state.loanTypes.get(id), `an update of the unknown loan type ${id}`);
    const version = { version: before.versions.length + 1, from, recordedAt: fact.businessAt, settings };
    const versions = settings === null ? before.versions : [...before.versions, { ...version, settings }];
    state.loanTypes = new Map(state.loanTypes).set(id, { ...before, ...fields, updatedAt: fact.businessAt, versions });
  },
};

/** Applies a fact to a company. Nothing of a company is an event of the contract. */
export function evolveCompany(state: CompanyState, fact: Fact): void {
  if (!evolveResources(state, fact)) {
    const apply = must(APPLY[fact.type as keyof CompanyFacts], `a company knows no fact ${fact.type}`);
    (apply as (state: CompanyState, body: unknown, fact: Fact) => void)(state, fact.body, fact);
  }
  state.updatedStamp = fact.stamp;
}
