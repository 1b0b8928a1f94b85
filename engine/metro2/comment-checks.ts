import { type AccountCheck, ENDED, GONE, isIn, LATE, PAID } from './check.js';

/** Special comments: field 19. */
export const COMMENT_CHECKS: readonly AccountCheck[] = [
  {
    id: 'SCC-AccountChange-1',
    fields: ['specialComment', 'L1.changeIndicator'],
    use: 'warn',
    message: 'a transferred account without new numbers is right where the new servicer reports on its own',
    isWrong: ({ comment, change }) => comment === 'O' && !isIn(change?.indicator ?? '', '1 2 3'),
  },
  {
    id: 'SCC-APD-1',
    fields: ['specialComment', 'amountPastDue'],
    use: 'block',
    message: 'nothing is past due on an account that has ended',
    isWrong: ({ comment, pastDue }) => ENDED.has(comment) && pastDue > 0,
  },
  {
    id: 'SCC-APD-2',
    fields: ['specialComment', 'amountPastDue'],
    use: 'block',
    message: 'the comment speaks of an amount past due',
    isWrong: ({ comment, pastDue }) => isIn(comment, 'BA BD BG BI BK BO') && pastDue <= 0,
  },
  {
    id: 'SCC-Balance-1',
    fields: ['specialComment', 'currentBalance'],
    use: 'block',
    message: 'an account that has ended has no balance',
    isWrong: ({ comment, balance }) => ENDED.has(comment) && balance > 0,
  },
  {
    id: 'SCC-Balance-2',
    fields: ['specialComment', 'currentBalance'],
    use: 'block',
    message: 'the comment speaks of a balance',
    isWrong: ({ comment, balance }) => isIn(comment, 'BA BD BG BI BK BO CP') && balance <= 0,
  },
  {
    id: 'SCC-DateClosed-1',
    fields: ['specialComment', 'dateClosed'],
    use: 'block',
    message: 'forbearance is for open accounts',
    isWrong: ({ comment, closed }) => isIn(comment, 'BO CP') && closed !== null,
  },
  {
    id: 'SCC-DateClosed-2',
    fields: ['specialComment', 'dateClosed'],
    use: 'block',
    message: 'an account that the lender has closed has a closing date',
    isWrong: ({ comment, closed }) => comment === 'M' && closed === null,
  },
  {
    id: 'SCC-DateClosed-3',
    fields: ['specialComment', 'currentBalance', 'dateClosed', 'L1.changeIndicator'],
    use: 'block',
    message: 'an account that is with another company is closed here',
    isWrong: ({ comment, balance, change, closed }) => GONE.has(comment) && balance <= 0 && change === null && closed === null,
  },
  {
    id: 'SCC-PurchasedSold-1',
    fields: ['specialComment', 'K2.purchasedSoldIndicator'],
    use: 'block',
    message: 'the account was purchased, and no segment K2 names the buyer',
    isWrong: ({ comment, sold }) => comment === 'AH' && sold?.indicator !== '2',
  },
  {
    id: 'SCC-PurchasedSold-2',
    fields: ['specialComment', 'K2.purchasedSoldName'],
    use: 'block',
    message: 'the account was purchased, and the segment K2 does not name the buyer',
    isWrong: ({ comment, sold }) => comment === 'AH' && sold?.name === '',
  },
  {
    id: 'SCC-Status-1',
    fields: ['specialComment', 'accountStatus'],
    use: 'block',
    message: 'a comment about a settlement needs a settled account',
    isWrong: ({ comment, status }) =>
      (isIn(comment, 'BC BF') && status !== '13') || (isIn(comment, 'AU AX BP C') && status !== '13' && !PAID.has(status)),
  },
  {
    id: 'SCC-Status-2',
    fields: ['specialComment', 'accountStatus'],
    use: 'block',
    message: 'a settled account has no arrangement any more',
    isWrong: ({ comment, status }) => isIn(comment, 'AP BD CP') && (status === '13' || PAID.has(status)),
  },
  {
    id: 'SCC-Status-3',
    fields: ['specialComment', 'accountStatus'],
    use: 'block',
    message: 'the comment needs a default',
    isWrong: ({ comment, status }) => comment === 'BA' && !LATE.has(status) && !isIn(status, '88 89 93 94 95 96 97'),
  },
  {
    id: 'SCC-Status-4',
    fields: ['specialComment', 'accountStatus'],
    use: 'block',
    message: 'the comment needs an open account',
    isWrong: ({ comment, status }) => comment === 'BO' && (isIn(status, '13 88 89 94') || PAID.has(status)),
  },
  {
    id: 'SCC-Status-5',
    fields: ['specialComment', 'accountStatus', 'portfolioType', 'currentBalance', 'L1.changeIndicator'],
    use: 'warn',
    message: 'a transferred account is usually reported with the status 05',
    isWrong: ({ comment, balance, change, status, portfolio }) =>
      GONE.has(comment) &&
      balance <= 0 &&
      change === null &&
      !LATE.has(status) &&
      !isIn(status, '11 93 97 DA DF') &&
      !(portfolio === 'I' && status === '96') &&
      !(isIn(portfolio, 'C M') && isIn(status, '89 94')),
  },
];
