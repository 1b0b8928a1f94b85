/** Stored fields that no code reads, and the reason. A field includes all fields below it. */
export interface Exception {
  readonly why: string;
  readonly fields: readonly string[];
}

const LOAN_TYPE = 'CompanyState.loanTypes[]';
const SETTINGS = `${LOAN_TYPE}.versions[].settings`;
const PROFILE = 'CompanyState.profile';
const ORIGINATION = 'LoanRecord.atOrigination';

export const EXCEPTIONS: readonly Exception[] = [
  {
    why: 'One value alone is taken, the one that is carried out; the others are refused (loan-type-rules.ts, decide/company.ts)',
    fields: [`${SETTINGS}.overpayment`, `${SETTINGS}.schedule.allowNegativeAmortization`, `${PROFILE}.config.monitoring`],
  },
  {
    why: 'Another field of the same settings carries it out, and the two are kept equal (loan-type-sections.ts, loan-type-rules.ts)',
    fields: [`${SETTINGS}.interest.accrueOn`, `${SETTINGS}.interest.balanceMethod`],
  },
  {
    why: 'Limits that `ratesValidation` and `enforceRateLimits` compare APRs with: views/validation.ts is what carries them out',
    fields: [
      `${SETTINGS}.interest.maxAprNominal`,
      `${SETTINGS}.interest.maxAprEffective`,
      `${ORIGINATION}.aprNominal`,
      `${ORIGINATION}.aprEffective`,
      'Draw.atOrigination.aprNominal',
      'Draw.atOrigination.aprEffective',
    ],
  },
  {
    why: 'Free words and data of the lender: the contract asks that they come back, and no more',
    fields: [
      `${LOAN_TYPE}.description`,
      `${LOAN_TYPE}.extraFields`,
      `${PROFILE}.metaData`,
      'LoanRecord.metaData',
      'LoanRecord.nickname',
      'Draw.metaData',
      'Draw.nickname',
    ],
  },
  {
    why: 'Variables of templates, which templates/shown-company.ts takes by a list of names',
    fields: [`${PROFILE}.shortDomainName`, `${PROFILE}.type`],
  },
  {
    why: 'Disclosed or decided values: the contract requires that they are shown; nothing is computed from them (loans 1.2)',
    fields: [
      `${ORIGINATION}.downPaymentCents`,
      `${ORIGINATION}.totalDiscountCents`,
      `${ORIGINATION}.fees.totalOtherFeesCents`,
      `${ORIGINATION}.itemsOrServicesFinanced`,
      `${ORIGINATION}.merchantId`,
      `${ORIGINATION}.personAddress`,
      `${ORIGINATION}.personAddressId`,
      `${ORIGINATION}.isAddressValid`,
      `${ORIGINATION}.rateCaps[].rateCapReason`,
      'LoanRecord.cancellationReason',
      'LoanRecord.declineReason',
      'Draw.declineReason',
    ],
  },
  {
    why: 'Passed on whole to functions that take any band of days and rates (rates/rows.ts, draws/rates.ts)',
    fields: [
      `${ORIGINATION}.promoRates[].days`,
      `${ORIGINATION}.promoRates[].rate`,
      'Draw.atOrigination.promoRates[].days',
      'Draw.atOrigination.promoRates[].rate',
    ],
  },
  {
    why: 'Of a given schedule the dates, amounts and principal count; the rest is what the lender showed beside them (loan-terms 1)',
    fields: [
      'paymentType',
      'interestCents',
      'interestBeforeDiscountCents',
      'unroundedPrincipal',
      'unroundedInterest',
      'unroundedInterestBeforeDiscount',
      'dynamicFee',
    ].map((field) => `${ORIGINATION}.expectedPayments[].${field}`),
  },
  {
    why: 'Shown to those who work with it: names, telephone numbers, addresses, reasons and how a console lays a field out',
    fields: [
      'CaseType.customFieldSchemas[].description',
      'CaseType.customFieldSchemas[].displayOrder',
      'CaseType.customFieldSchemas[].displayPostfix',
      'CaseType.customFieldSchemas[].displayPrefix',
      'CaseType.customFieldSchemas[].name',
      'Employee.phone',
      'IndexRate.country',
      'IndexRate.indexDescription',
      'Mute.reason',
      'SendingDomain.dnsRecords[].type',
      'SendingDomain.dnsRecords[].verified',
      'StoredBusinessRule.name',
      'Team.email',
      'User.number',
    ],
  },
  {
    why: 'Passed on whole to the guard, which judges by the parameters of a rule of the engine (engine/compliance)',
    fields: ['StoredBusinessRule.kind', 'StoredBusinessRule.parameters'],
  },
  {
    why: 'The loan type of a fee type is found the other way: fee types are listed by their loan type',
    fields: ['FeeType.loanTypeId'],
  },
  {
    why: 'Until notices, documents of statements and delivery of e-mail by the service itself are built',
    fields: [`${SETTINGS}.statements`, `${SETTINGS}.notices`],
  },
  {
    why: 'Until processors, merchants, cards, investors and loan tapes are built: no file or transfer is made yet',
    fields: [
      `${SETTINGS}.processors`,
      `${SETTINGS}.refunds`,
      `${SETTINGS}.snapshotDaysAfterPayoff`,
      `${ORIGINATION}.credit.card`,
      `${ORIGINATION}.discountProgramIds`,
      `${ORIGINATION}.merchantDiscount`,
      `${ORIGINATION}.originatingCreditorName`,
      `${ORIGINATION}.originationLicense`,
      'Draw.atOrigination.merchantDiscount',
    ],
  },
  {
    why: 'Recorded by the service for lists and replies: when something was made, who made it, and from what',
    fields: [
      'CompanyState.updatedAt',
      'CompanyState.keys[].createdAt',
      'CompanyState.keys[].updatedAt',
      'CompanyState.signIns[].challenge.until',
      'CompanyState.signIns[].code.until',
      'Draw.additionalPeople[].createdAt',
      'Draw.createdBy',
      'Draw.createdStamp',
      'Draw.labels',
      'Draw.updatedAt',
      'LoanRecord.additionalPeople[].createdAt',
      'LoanRecord.areExternalIdsFree',
      'LoanRecord.assetDisplayName',
      'LoanRecord.assetType',
      'LoanRecord.createdStamp',
      'LoanRecord.managedByService',
    ],
  },
];
