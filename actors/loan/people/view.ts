import { dateText, dateTimeText, orNull } from '../../wire.js';
import type { AdditionalPerson, LoanPersonView } from './decide.js';

export const loanPersonView = (person: AdditionalPerson): LoanPersonView => ({
  id: person.id,
  personId: person.personId,
  loanRelationType: person.loanRelationType,
  startDate: dateText(person.startDay),
  endDate: orNull(dateText, person.endDay),
  receivesNotices: person.receivesNotices,
  createdAt: dateTimeText(person.createdAt),
  deletedAt: null,
});
