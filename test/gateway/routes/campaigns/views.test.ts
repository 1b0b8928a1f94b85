import { test } from 'tap';
import { must } from '../../../../engine/index.js';
import { EMAIL, HOME, PHONE } from '../../../actors/borrower/lender.js';
import { dataOf, idOf, listOf, openHttpLender } from '../http-lender.js';
import { openLineOverHttp } from '../line-over-http.js';
import { openCampaigns } from './campaign-over-http.js';
import { fills, othersFindNone, type Rows, rowsOf } from './view-rows.js';

test('contacts have a row each, which follows, with values for who may read borrowers', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, askWith, personId } = lender;
  const shown = 'SELECT contact_type, label, status, value, city, state FROM v_contacts ORDER BY contact_type';
  t.same(await rowsOf(lender, shown), [
    ['address', 'home', 'primary', null, 'Albany', 'NY'],
    ['email', 'personal', 'primary', 'annabel.quimby@example.com', null, null],
    ['phone', 'personal', 'primary', '+12025550143', null, null],
  ]);
  t.same(await rowsOf(lender, `SELECT count(*)::INTEGER FROM v_contacts WHERE person_id = '${personId}'`), [[3]]);
  const email = must((await rowsOf(lender, "SELECT contact_id FROM v_contacts WHERE contact_type = 'email'"))[0]?.[0], 'an e-mail address');
  t.equal((await ask('PUT', `/people/${personId}/contacts/${String(email)}`, { value: 'ann@example.com' })).status, 200);
  const values = "SELECT value FROM v_contacts WHERE contact_type = 'email' AND status = 'primary'";
  t.same(await rowsOf(lender, values), [['ann@example.com']], 'a change is seen by the next question');
  for (const column of ['value', 'address_line_1', 'city', 'state', 'postal_code', 'country']) {
    const blind = await askWith(['report:ask'], 'POST', '/questions', { sql: `SELECT ${column} FROM v_contacts` });
    t.match(blind.json, { statusCode: 400, errors: [{ path: 'query' }] }, column);
  }
  const all = await askWith(['report:ask'], 'POST', '/questions', { sql: 'SELECT * FROM v_contacts' });
  t.equal((dataOf(all)['rows'] as Rows).length, 3, 'the other columns are there');
  t.notMatch(all.text, /ann@example|Larkspur|555/);
  await othersFindNone(t, lender, 'v_contacts', 'contact_id');
});

test('a contact shows what another contact of the borrower knows of its number, as the choice of a contact does', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, personId } = lender;
  const contacts = `/people/${personId}/contacts`;
  const add = async (body: object): Promise<string> => idOf(await ask('POST', contacts, { ...PHONE, status: 'additional', ...body }));
  const [same, other] = [await add({ label: 'home' }), await add({ value: '+12025550144' })];
  const shown = `SELECT label, value, is_disconnected, may_be_reassigned FROM v_contacts WHERE contact_type = 'phone' ORDER BY 2, 1`;
  const numbers = (): Promise<Rows> => rowsOf(lender, shown);
  t.same(await numbers(), [
    ['home', '+12025550143', false, false],
    ['personal', '+12025550143', false, false],
    ['personal', '+12025550144', false, false],
  ]);
  await ask('PUT', `${contacts}/${same}`, { phoneDisconnectionDetails: { disconnectionStatus: 'disconnected' } });
  await ask('POST', `${contacts}/${other}/number-checks`, { list: 'reassigned', isListed: true, checkedOn: '2026-03-02' });
  t.same(await numbers(), [
    ['home', '+12025550143', true, false],
    ['personal', '+12025550143', true, false],
    ['personal', '+12025550144', false, true],
  ]);
  await ask('POST', `${contacts}/${same}/number-checks`, { list: 'reassigned', isListed: true, checkedOn: '2026-03-02' });
  t.same(
    (await numbers()).map((row) => row[3]),
    [true, true, true],
  );
});

test('on a new day loans have its balances, and what does not depend on the day follows', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, goTo, personId } = lender;
  const figures = `SELECT l.days_overdue, b.outstanding_interest, p.status, c.value FROM v_loans l JOIN v_balances b USING (loan_id)
    JOIN v_people p USING (person_id) JOIN v_contacts c USING (person_id) WHERE c.contact_type = 'phone'`;
  const [[overdue, interest, ...others] = []] = await rowsOf(lender, figures);
  await goTo('2026-03-05');
  await ask('POST', `/people/${personId}/contacts`, EMAIL);
  const [[overdueThen, interestThen, ...othersThen] = []] = await rowsOf(lender, figures);
  t.ok(Number(interestThen) > Number(interest), `${String(interest)}, three days later ${String(interestThen)}`);
  t.same([overdueThen, ...othersThen], [overdue, ...others]);
  t.same(await rowsOf(lender, 'SELECT count(*)::INTEGER FROM v_contacts'), [[4]], 'with what came since');
});

test('who may read personal data shares the views of all others, unless the question reads it', async (t) => {
  const lender = await openCampaigns(t);
  const { askWith } = lender;
  const counted = 'SELECT count(*)::INTEGER FROM v_people JOIN v_loans USING (person_id)';
  const blind = async (sql: string): Promise<unknown> => dataOf(await askWith(['report:ask'], 'POST', '/questions', { sql }))['rows'];
  t.same([await blind(counted), await fills(lender.h)], [[[1]], 2], 'borrowers and loans are filled');
  t.same([await rowsOf(lender, counted), await fills(lender.h)], [[[1]], 2], 'and not again for who may see more');
  t.same([await rowsOf(lender, 'SELECT first_name FROM v_people'), await fills(lender.h)], [[['Annabel']], 3], 'a name is read');
  t.same([await rowsOf(lender, 'SELECT count(*)::INTEGER FROM v_people'), await fills(lender.h)], [[[1]], 3], 'from what is there');
  t.same([await blind('SELECT count(*)::INTEGER FROM v_people'), await fills(lender.h)], [[[1]], 3], 'so for the others');
  const all = await askWith(['report:ask'], 'POST', '/questions', { sql: 'SELECT * FROM v_people' });
  t.notMatch(all.text, /Annabel|first_name/, 'a name is still read by nobody else');
});

test('draws have a row each with their balances, and follow purchases', async (t) => {
  const lender = await openLineOverHttp(t);
  const { ask, draw, line } = lender;
  const path = await draw({ nickname: 'Kitchen', atOrigination: { creditLimitAmount: 900 } });
  const figures =
    'SELECT status, outstanding_total, outstanding_principal, credit_limit_amount, interest_rate, is_amortized, nickname FROM v_draws';
  t.same(await rowsOf(lender, figures), [['active', '0.00', '0.00', '900.00', '0.18', false, 'Kitchen']]);
  const bought = await ask('POST', `${path}/purchases`, { amount: 125.5, status: 'settled' });
  t.ok(bought.status < 300, bought.text);
  t.same(await rowsOf(lender, 'SELECT outstanding_total, outstanding_principal FROM v_draws'), [['125.50', '125.50']]);
  const [[drawId, loanId] = []] = await rowsOf(lender, 'SELECT draw_id, loan_id FROM v_draws');
  t.same([drawId, loanId], [path.split('/').at(-1), line.split('/').at(-1)]);
  await othersFindNone(t, lender, 'v_draws', 'draw_id');
});

test('events have a row each, as the log has them, and follow', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, askWith, loan, loanId } = lender;
  const listed = async (): Promise<unknown> =>
    listOf(await ask('GET', '/events?order=asc&limit=100')).map(({ id, eventType, loanId: of }) => [id, eventType, of]);
  const seen = 'SELECT event_id, event_type, loan_id FROM v_events ORDER BY created_at';
  t.same(await rowsOf(lender, seen), await listed());
  await ask('POST', `${loan}/transactions`, { type: 'oneTime', amount: 10, isExternal: true, status: 'succeeded' });
  const since = await rowsOf(lender, seen);
  const all = (await listed()) as Rows; // the message about the payment may come meanwhile
  t.same(since, all.slice(0, since.length), 'also those that came since');
  const paid = "FROM v_events WHERE event_type = 'payment.succeeded'";
  t.same(await rowsOf(lender, `SELECT loan_id, object_type, actor_type, data->>'$.amount' ${paid}`), [
    [loanId, 'transaction', 'api', '10'],
  ]);
  const blind = await askWith(['report:ask'], 'POST', '/questions', { sql: `SELECT data ${paid}` });
  t.match(blind.json, { statusCode: 400, errors: [{ path: 'query' }] });
  await ask('POST', `${loan}/close`, { closeReason: 'other', closeReasonDescription: 'The neighbor of Annabel complained' });
  t.same(await rowsOf(lender, "SELECT event_id FROM v_events WHERE data LIKE '%neighbor%'"), [], 'no free text is kept');
  await othersFindNone(t, lender, 'v_events', 'event_id');
});

test('a borrower who is erased is in no view any more', async (t) => {
  const lender = await openHttpLender(t);
  const { ask, h } = lender;
  const ids: string[] = [];
  for (const firstName of ['Ada', 'Bea']) ids.push(idOf(await ask('POST', '/people', { name: { firstName, lastName: 'Alder' } })));
  for (const id of ids) await ask('POST', `/people/${id}/contacts`, EMAIL);
  const names = 'SELECT p.first_name FROM v_people p JOIN v_contacts c USING (person_id) ORDER BY 1';
  t.same(await rowsOf(lender, names), [['Ada'], ['Bea']]);
  await h.data('person.erase', must(ids[0], 'a borrower'), {});
  t.same(await rowsOf(lender, names), [['Bea']]);
  t.same(await rowsOf(lender, 'SELECT count(*)::INTEGER FROM v_contacts'), [[1]]);
});

test('over a cluster each row of all parts is in the views once', async (t) => {
  const lender = await openHttpLender(t, 'cluster');
  const { ask } = lender;
  const made = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      const id = idOf(await ask('POST', '/people', { name: { firstName: 'Ada', lastName: `Alder ${at}` } }));
      for (const contact of [HOME, PHONE]) await ask('POST', `/people/${id}/contacts`, contact);
    }
  };
  const counts = `SELECT (SELECT count(*) FROM v_people)::INTEGER, (SELECT count(DISTINCT person_id) FROM v_contacts)::INTEGER,
    (SELECT count(*) FROM v_contacts)::INTEGER`;
  await made(12);
  t.same(await rowsOf(lender, counts), [[12, 12, 24]]);
  await made(3);
  t.same(await rowsOf(lender, counts), [[15, 15, 30]]);
  const created = "SELECT count(DISTINCT person_id)::INTEGER FROM v_events WHERE event_type = 'person.created'";
  t.same(await rowsOf(lender, created), [[15]]);
});
