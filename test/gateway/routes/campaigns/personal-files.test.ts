import { test } from 'tap';
import { dataOf, idOf } from '../http-lender.js';
import { type CampaignOverHttp, openCampaigns } from './campaign-over-http.js';

/** A key for campaigns alone. */
const CAMPAIGNS = ['campaign:create', 'campaign:read', 'campaign:update', 'campaign:run'];
const READER = [...CAMPAIGNS, 'person:read'];

const EXPORTERS = '/campaign-workers/contact-exporters';
const PERSONAL = { columnSettings: [{ field: 'person.id' }, { field: 'person.firstName' }, { field: 'contact.value' }] };
const PLAIN = { columnSettings: [{ field: 'person.id' }, { field: 'contact.externalId' }, { field: 'loan.status' }] };
const QUERY = 'SELECT person_id AS id FROM v_people';
const SFTP = { host: 'files.example', username: 'tenor' };
const REFUSED = { statusCode: 403, errorType: 'permissionDenied', permission: 'person:read' };

const fileOf = ({ runsOf }: CampaignOverHttp, campaignId: string, run: Readonly<Record<string, unknown>>): string =>
  `${runsOf(campaignId)}/${String(run['id'])}/file`;

test('an exporter with columns of personal data is made and changed by callers who may read borrowers', async (t) => {
  const { askWith, exporter } = await openCampaigns(t);
  const refused = await askWith(CAMPAIGNS, 'POST', EXPORTERS, PERSONAL);
  t.match(refused.json, { ...REFUSED, detail: /person\.firstName, contact\.value/ }, 'the refusal names the columns');
  t.equal((await askWith(READER, 'POST', EXPORTERS, PERSONAL)).status, 200);

  const plain = `${EXPORTERS}/${idOf(await askWith(CAMPAIGNS, 'POST', EXPORTERS, PLAIN))}`;
  for (const field of ['person.lastName', 'person.dateOfBirth', 'person.timezone', 'address.line1', 'address.state'])
    t.match((await askWith(CAMPAIGNS, 'PUT', plain, { columnSettings: [{ field }] })).json, REFUSED, field);
  t.equal((await askWith(CAMPAIGNS, 'PUT', plain, { ...PLAIN, sftpSettings: SFTP, fileNamePattern: 'list.csv' })).status, 200);

  const personal = `${EXPORTERS}/${await exporter(PERSONAL)}`;
  t.match((await askWith(CAMPAIGNS, 'PUT', personal, PLAIN)).json, REFUSED, 'its columns are not changed either');
  t.match((await askWith(CAMPAIGNS, 'PUT', personal, { sftpSettings: SFTP })).json, REFUSED, 'nor where its file goes');
  t.equal((await askWith(CAMPAIGNS, 'PUT', personal, { ...PERSONAL, fileNamePattern: 'list.csv' })).status, 200, 'the rest is');
  t.equal((await askWith(READER, 'PUT', personal, { ...PLAIN, sftpSettings: SFTP })).status, 200);
});

test('a campaign is given such an exporter by callers who may read borrowers', async (t) => {
  const { askWith, exporter, campaign } = await openCampaigns(t);
  const personal = await exporter(PERSONAL);
  const plain = await exporter(PLAIN);
  const body = { query: QUERY, contactExporterId: personal };
  t.match((await askWith(CAMPAIGNS, 'POST', '/campaigns', body)).json, { ...REFUSED, detail: /person\.firstName, contact\.value/ });
  t.equal((await askWith(READER, 'POST', '/campaigns', body)).status, 200);
  const made = await askWith(CAMPAIGNS, 'POST', '/campaigns', { ...body, contactExporterId: plain });
  t.match((await askWith(CAMPAIGNS, 'PUT', `/campaigns/${idOf(made)}`, { contactExporterId: personal })).json, REFUSED);

  const given = `/campaigns/${await campaign(body)}`;
  t.match((await askWith(CAMPAIGNS, 'PUT', given, { sftpSettings: SFTP })).json, REFUSED, 'nor is its file sent to another server');
  t.equal((await askWith(CAMPAIGNS, 'PUT', given, { contactExporterId: personal, name: 'Late' })).status, 200, 'the rest is changed');
});

test('a file with personal data is given to callers who may read borrowers', async (t) => {
  const lender = await openCampaigns(t);
  const { ask, askWith, exporter, campaign, ran } = lender;
  const contactExporterId = await exporter(PERSONAL);
  const campaignId = await campaign({ query: QUERY, contactExporterId });
  const run = await ran(campaignId);
  const file = fileOf(lender, campaignId, run);
  t.match((await askWith(CAMPAIGNS, 'GET', file)).json, REFUSED);
  t.match((await askWith(READER, 'GET', file)).text, /Annabel/);

  await ask('PUT', `${EXPORTERS}/${contactExporterId}`, PLAIN);
  const later = await ran(campaignId);
  t.match((await askWith(CAMPAIGNS, 'GET', file)).json, REFUSED, 'a file stays personal when its exporter changes');
  t.match((await askWith(CAMPAIGNS, 'GET', fileOf(lender, campaignId, later))).text, /^person\.id,contact\.externalId,loan\.status\r\n/);
});

test('columns of a query whose author may read borrowers are personal, too', async (t) => {
  const lender = await openCampaigns(t);
  const { askWith, exporter, campaign, sender, ran } = lender;
  const contactExporterId = await exporter({ columnSettings: [{ field: 'query.first_name' }] });
  const query = 'SELECT person_id AS id, first_name FROM v_people';
  const campaignId = await campaign({ query, contactExporterId });
  const run = await ran(campaignId);
  t.match((await askWith(CAMPAIGNS, 'GET', fileOf(lender, campaignId, run))).json, REFUSED);
  t.match((await askWith(CAMPAIGNS, 'PUT', `${EXPORTERS}/${contactExporterId}`, { sftpSettings: SFTP })).json, REFUSED);

  const sending = await campaign({
    query,
    bulkSenderId: await sender({ interactionSubject: 'freeForm', interactionTheme: 'opsServicing' }),
  });
  const other = await exporter({ columnSettings: [{ field: 'query.first_name' }] });
  const change = { bulkSenderId: null, contactExporterId: other };
  t.match((await askWith(CAMPAIGNS, 'PUT', `/campaigns/${sending}`, change)).json, { ...REFUSED, detail: /query\.first_name/ });

  const own = {
    query: 'SELECT person_id AS id, status FROM v_people',
    contactExporterId: await exporter({ columnSettings: [{ field: 'query.status' }] }),
  };
  const blind = idOf(await askWith(CAMPAIGNS, 'POST', '/campaigns', own));
  t.match((await askWith(CAMPAIGNS, 'GET', fileOf(lender, blind, await ran(blind)))).text, /^query\.status\r\nactive\r\n/);
  t.ok(dataOf(await askWith(CAMPAIGNS, 'GET', `/campaigns/${blind}`)));
});
