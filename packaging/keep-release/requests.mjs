// Requests that write the data of a release, beside the examples, and requests that read it. People and amounts are invented.

const FEE_TYPE = { name: { displayName: 'Copies', apiName: 'copies' }, feeType: 'adHoc', amountLogic: 'fixed', amount: 5 };

/** Written before the service is stopped in order, and after its restart: the second half is later than the last snapshot. */
export const HALVES = [
  [
    ['POST', '/people', { externalId: 'b-2', name: { firstName: 'Tom', lastName: 'Berg' }, dateOfBirth: '1971-11-30' }],
    [
      'POST',
      '/people/ext-b-2/contacts',
      {
        contactType: 'address',
        label: 'home',
        status: 'primary',
        address: { addressLine1: '4 Mill Lane', city: 'Albany', state: 'NY', postalCode: '12207' },
      },
    ],
    ['POST', '/people/ext-b-2/contacts', { contactType: 'phone', label: 'personal', status: 'primary', value: '+1 (202) 555-0143' }],
    [
      'POST',
      '/people/ext-b-2/payment-instruments?force=true',
      {
        instrumentType: 'bankAccount',
        accountNumber: '7700112233',
        routingNumber: '021000021',
        accountType: 'checking',
        accountHolderType: 'personal',
        accountHolderName: 'Tom Berg',
        verified: true,
        externalId: 'checking',
      },
    ],
    ['POST', '/loan-types/{installmentType}/fee-types', FEE_TYPE],
    ['POST', '/people/ext-b-2/loans', loan('l-2', 10_000, 36)],
    ['POST', '/people/ext-b-2/loans/ext-l-2/activate', {}],
    ['POST', '/people/ext-b-2/loans/ext-l-2/transactions', paid(500, 'p-1')],
    ['POST', '/people/ext-b-2/loans/ext-l-2/transactions', { ...paid(40, 'p-2'), status: 'pending' }],
    ['POST', '/people/ext-b-2/loans/ext-l-2/transactions', { ...paid(60, 'p-5'), status: 'scheduled', scheduledDate: '2024-06-25' }],
    ['POST', '/people/ext-b-2/loans/ext-l-2/rates?sync=true', { interestRate: { status: 'active', annualRate: 0.12 }, sendNotice: false }],
    ['POST', '/people/ext-b-2/loans/ext-l-2/fees', { apiName: 'copies', externalId: 'fee-1' }],
    [
      'POST',
      '/people/ext-b-2/loans/ext-l-2/custom-payment-plans',
      { paymentPlanType: 'interestOnlyAndFees', numberOfPeriods: 2, isExtendLoanDuration: true },
    ],
    ['POST', '/people/ext-b-2/cases', { caseType: 'generic', externalId: 'k-2' }],
    ['POST', '/people/ext-b-2/cases/ext-k-2/notes', { content: 'Asked for a copy of the contract.' }],
    ['POST', '/test-clocks/{clock}/advance?sync=true', { to: '2024-05-20' }],
  ],
  [
    ['POST', '/people/ext-b-2/loans/ext-l-2/transactions', { ...paid(320.5, 'p-3'), effectiveDate: '2024-05-10' }],
    ['PUT', '/people/ext-b-2/loans/ext-l-2/transactions/ext-p-2', { status: 'failed', failureReason: 'paymentStopped' }],
    ['POST', '/people/ext-b-2/cases/ext-k-2/notes', { content: 'The copy was sent.' }],
    ['POST', '/test-clocks/{clock}/advance?sync=true', { to: '2024-06-20' }],
    ['POST', '/people/ext-b-2/loans/ext-l-2/transactions', paid(100, 'p-4')],
  ],
];

/** Reads that the release answers, and later releases still do. */
export const ASKED = [
  '/companies',
  '/companies/{company}/loan-types',
  '/test-clocks',
  '/people?limit=100',
  '/loans?limit=100',
  '/transactions?limit=100',
  '/people/ext-b-1/cases/ext-k-1',
  '/people/ext-b-1/cases/ext-k-1/notes',
  '/people/ext-b-2/cases/ext-k-2/notes',
  ...['b-1', 'b-2'].flatMap((person) => ['', '/contacts', '/payment-instruments', '/loans'].map((part) => `/people/ext-${person}${part}`)),
  ...[
    ['b-1', 'l-1'],
    ['b-1', 'c-1'],
    ['b-2', 'l-2'],
  ].flatMap(([person, loanId]) =>
    [
      '',
      '/balances',
      '/obligations',
      '/periods',
      '/expected-payments',
      '/transactions',
      '/statements',
      '/fees',
      '/rates/details',
      '/custom-payment-plans',
    ].map((part) => `/people/ext-${person}/loans/ext-${loanId}${part}`),
  ),
  '/people/ext-b-1/loans/ext-c-1/draws',
  '/people/ext-b-1/loans/ext-c-1/draws/ext-d-1/purchases',
  ...['l-1', 'c-1', 'l-2'].map((loanId) => `/loans/ext-${loanId}/events?order=asc&limit=100`),
];

function loan(externalId, amountFinanced, duration) {
  return {
    type: 'installment',
    loanTypeId: '{installmentType}',
    externalId,
    status: 'originated',
    servicedBy: 'creditor',
    newDrawsAllowed: false,
    atOrigination: {
      amountFinanced,
      duration,
      paymentFrequency: 'monthly',
      specificDays: [1],
      interestRates: [{ interestType: 'absolute', days: null, rate: 0.0999 }],
      personAddress: { addressLine1: '4 Mill Lane', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' },
      originationLicense: 'stateLicense',
      originatingCreditorName: 'First Lender',
    },
  };
}

function paid(amount, externalId) {
  return { type: 'oneTime', amount, isExternal: true, status: 'succeeded', externalId };
}
