import { newNetworkHeaders } from './browser.mjs';
import { forEachConcurrently, resourceTypeOf, operationsOf } from './findings.mjs';
import { EXCLUDED, combiningMarks, validValue } from './fuzz.mjs';
import { withHealthProbe } from './health-probe.mjs';
import { actorFor, createResource, send } from './test-data.mjs';

/** Marks take two bytes each: a megabyte of them, and as many as fit the longest text that is processed. */
const LENGTHS = [500_000, 9_900];
/** As many as fit a URL, where each takes six characters. */
const IN_URL = combiningMarks(2000);

const pickFirst = (list) => list[0];

/** Returns the paths of a route's string fields, including nested ones. */
function stringFieldsOf(schema, contract, parents = []) {
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  if (!resolved || parents.length > 3) return [];
  if (resolved.allOf) return stringFieldsOf(resolved.allOf[0], contract, parents);
  if (resolved.type === 'array') return stringFieldsOf(resolved.items, contract, [...parents, 0]);
  if (resolved.type === 'string') return [parents];
  return Object.entries(resolved.properties ?? {}).flatMap(([name, field]) =>
    stringFieldsOf(field, contract, [...parents, name]),
  );
}

/** Returns a valid body with another value in one field. */
function bodyWith(schema, contract, fieldPath, value) {
  const root = { body: validValue(schema, contract, pickFirst) };
  let parent = root;
  for (const name of ['body', ...fieldPath.slice(0, -1)]) parent = parent?.[name];
  if (fieldPath.length === 0) return value;
  if (typeof parent === 'object' && parent !== null) parent[fieldPath.at(-1)] = value;
  return root.body;
}

function* bodyRequests(contract, testData) {
  for (const { method, path, operation } of operationsOf(contract)) {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!schema || EXCLUDED.test(`${method} ${path}`)) continue;
    const resourceType = resourceTypeOf(path);
    const address = path.replace(/\{(\w+)\}/g, (_, name) =>
      name === 'id' ? String(testData.ids[resourceType] ?? 1) : '1',
    );
    const { Cookie } = actorFor(path, testData).headers;
    for (const fieldPath of stringFieldsOf(schema, contract))
      for (const length of LENGTHS) {
        const raw = JSON.stringify(bodyWith(schema, contract, fieldPath, combiningMarks(length)));
        yield {
          what: `${length} marks in the field ${fieldPath.join('.')}`,
          method,
          address,
          headers: { Cookie },
          raw,
        };
      }
  }
}

/** Requests of every searchable list, with marks as the search text. */
function* searchRequests(contract, testData) {
  for (const { method, path, operation } of operationsOf(contract)) {
    const parameters = (operation.parameters ?? []).filter(
      ({ in: location, name }) => location === 'query' && /^(q|title)$/.test(name),
    );
    const { Cookie } = actorFor(path, testData).headers;
    const address = path.replace('{id}', String(testData.ids[resourceTypeOf(path)] ?? 1));
    for (const { name } of parameters)
      yield {
        what: `marks in the parameter ${name}`,
        method,
        headers: { Cookie },
        address: `${address}?${name}=${encodeURIComponent(IN_URL)}`,
      };
  }
}

/** Submits a form with one file. */
async function sendForm(url, path, { headers }, field, name, bytes, extraFields = {}) {
  const form = new FormData();
  for (const [key, value] of Object.entries(extraFields)) form.append(key, value);
  form.append(field, new Blob([bytes]), name);
  const startedAt = performance.now();
  const options = {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers, ...newNetworkHeaders() },
    body: form,
  };
  const response = await fetch(url + path, options).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error) => ({ status: 0, text: String(error.cause ?? error) }),
  );
  return { ...response, ms: performance.now() - startedAt };
}

/** Sends inputs that aren't JSON: file names in both types of uploads, and cells of an imported table. */
async function sendForms(url, { owner, zone, ids }, recordResponse) {
  const filesPath = `/api/zones/${zone.id}/files`;
  const importPath = `/api/zones/${ids['private zone']}/members/import`;
  const importOptions = { mode: 'invite', dryRun: 'true' };
  const table = (cell) =>
    `email,firstName,lastName\n${Array.from({ length: 10 }, () => `${cell},${cell},x`).join('\n')}\n`;
  for (const length of [...LENGTHS, 2000, 400]) {
    const text = combiningMarks(length);
    recordResponse(
      `a file name of ${length} marks`,
      await sendForm(url, filesPath, owner, 'files', `${text}.txt`, 'x'),
    );
    recordResponse(
      `cells of ${length} marks`,
      await sendForm(url, importPath, owner, 'file', 'people.csv', table(text), importOptions),
    );
  }
  const filename = Buffer.from(combiningMarks(2000)).toString('base64');
  const headers = { ...owner.headers, 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' };
  const metadata = `filename ${filename},zoneId ${Buffer.from(String(zone.id)).toString('base64')}`;
  const request = { headers: { ...headers, ...newNetworkHeaders(), 'Upload-Metadata': metadata } };
  recordResponse('the file name of a resumable upload', await send(url, 'POST', '/api/uploads', request));
}

/** Joins by a link, and creates links, with a password of marks. */
async function sendLinkPasswords(url, { owner, ids }, recordResponse) {
  const zone = ids['private zone'];
  const link = { name: 'Marks', expiresInHours: 1, password: 'a plain word' };
  const { token } = await createResource(url, owner.headers, `/api/zones/${zone}/temporary-links`, link);
  for (const length of LENGTHS) {
    const password = combiningMarks(length);
    const path = `/api/temporary-links/${token}/join`;
    const body = { email: 'marks@example.com', emailConsent: true, password };
    recordResponse(
      'joining with a link password',
      await send(url, 'POST', path, { headers: newNetworkHeaders(), body }),
    );
    const request = { headers: { ...owner.headers, ...newNetworkHeaders() }, body: { ...link, password } };
    recordResponse('setting a link password', await send(url, 'POST', `/api/zones/${zone}/temporary-links`, request));
  }
}

/** Checks that each request succeeds with plain text, so that only the marks can be the reason for a rejection. */
async function checkPreconditions(url, { owner, superAdmin, zone, ids }, findings) {
  const headersOf = ({ headers }) => ({ ...headers, ...newNetworkHeaders() });
  const sendAs = (actor, method, path, body) => send(url, method, path, { headers: headersOf(actor), body });
  const check = (what, response, status) => findings.checkPrecondition('combining-marks', what, response, status);
  check('a folder', await sendAs(owner, 'POST', `/api/zones/${zone.id}/folders`, { name: 'Plain' }), 201);
  check('a search', await sendAs(owner, 'GET', '/api/search?q=plain'), 200);
  check('an admin search', await sendAs(superAdmin, 'GET', '/api/admin/users?q=plain'), 200);
  check('a file', await sendForm(url, `/api/zones/${zone.id}/files`, owner, 'files', 'plain.txt', 'x'), 201);
  const importPath = `/api/zones/${ids['private zone']}/members/import`;
  const table = 'email,firstName,lastName\nplain@example.com,Ada,Test\n';
  const importOptions = { mode: 'invite', dryRun: 'true' };
  check('an import', await sendForm(url, importPath, owner, 'file', 'people.csv', table, importOptions), 200);
}

/**
 * Sends a megabyte of combining marks in every text field: code that normalises before it checks the length would block
 * the event loop.
 */
export async function testCombiningMarks(url, contract, testData, findings, deadline) {
  await checkPreconditions(url, testData, findings);
  const recordResponse = (what, response, size = 0) => {
    findings.count('combining-marks', response);
    // The server stops reading a body beyond its limit, so the response may not arrive.
    const isCut = response.status === 0 && size > 64_000 && /EPIPE|ECONNRESET|closed/.test(response.text);
    if (!isCut && (response.status === 0 || response.status >= 500))
      findings.add('combining-marks', `${response.status} ${what} ${response.text.slice(0, 100)}`);
    if (response.status === 429) findings.add('combining-marks', `precondition failed: ${what} was rate limited`);
  };
  let remaining = 0;
  const probeResult = await withHealthProbe('combining-marks', url, findings, async () => {
    const requests = [...bodyRequests(contract, testData), ...searchRequests(contract, testData)];
    remaining = await forEachConcurrently(requests, 2, deadline, async ({ what, method, address, headers, raw }) => {
      const response = await send(url, method, address, { headers: { ...headers, ...newNetworkHeaders() }, raw });
      recordResponse(`${method} ${address.slice(0, 60)}, ${what}`, response, raw?.length);
    });
    await sendLinkPasswords(url, testData, recordResponse);
    await sendForms(url, testData, (what, response) => recordResponse(what, response, 1_000_000));
  });
  if (remaining > 0) findings.add('combining-marks', `${remaining} requests were not sent before the deadline`);
  console.log(`combining-marks: ${findings.formatStatuses('combining-marks')}; ${probeResult}`);
}
