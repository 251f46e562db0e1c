import { elsewhere } from './browser.mjs';
import { each, kindOf, operationsOf } from './findings.mjs';
import { LEFT_OUT, marks, wellFormed } from './fuzz.mjs';
import { watched } from './health-probe.mjs';
import { actorFor, create, send } from './test-data.mjs';

/** Marks take two bytes each: a megabyte of them, and as many as fit the longest text that is processed. */
const LENGTHS = [500_000, 9_900];
/** As many as fit a URL, where each takes six characters. */
const IN_ADDRESS = marks(2000);

const first = (list) => list[0];

/** Paths of a route's string fields, including nested ones. */
function textsOf(schema, contract, before = []) {
  const resolved = schema?.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;
  if (!resolved || before.length > 3) return [];
  if (resolved.allOf) return textsOf(resolved.allOf[0], contract, before);
  if (resolved.type === 'array') return textsOf(resolved.items, contract, [...before, 0]);
  if (resolved.type === 'string') return [before];
  return Object.entries(resolved.properties ?? {}).flatMap(([name, field]) =>
    textsOf(field, contract, [...before, name]),
  );
}

/** A valid body with another value in one field. */
function bodyWith(schema, contract, place, value) {
  const body = { at: wellFormed(schema, contract, first) };
  let inner = body;
  for (const name of ['at', ...place.slice(0, -1)]) inner = inner?.[name];
  if (place.length === 0) return value;
  if (typeof inner === 'object' && inner !== null) inner[place.at(-1)] = value;
  return body.at;
}

function* bodies(contract, scene) {
  for (const { method, path, operation } of operationsOf(contract)) {
    const schema = operation.requestBody?.content?.['application/json']?.schema;
    if (!schema || LEFT_OUT.test(`${method} ${path}`)) continue;
    const kind = kindOf(path);
    const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(scene.ids[kind] ?? 1) : '1'));
    const { Cookie } = actorFor(path, scene).headers;
    for (const place of textsOf(schema, contract))
      for (const length of LENGTHS) {
        const raw = JSON.stringify(bodyWith(schema, contract, place, marks(length)));
        yield { what: `${length} marks as ${place.join('.')}`, method, address, headers: { Cookie }, raw };
      }
  }
}

/** Every searchable list, with marks as the search text. */
function* searches(contract, scene) {
  for (const { method, path, operation } of operationsOf(contract)) {
    const asked = (operation.parameters ?? []).filter(
      ({ in: place, name }) => place === 'query' && /^(q|title)$/.test(name),
    );
    const { Cookie } = actorFor(path, scene).headers;
    const address = path.replace('{id}', String(scene.ids[kindOf(path)] ?? 1));
    for (const { name } of asked)
      yield {
        what: `${name} of marks`,
        ...{ method, headers: { Cookie } },
        address: `${address}?${name}=${encodeURIComponent(IN_ADDRESS)}`,
      };
  }
}

/** Submits a form with one file. */
async function sendForm(url, path, { headers }, field, name, bytes, more = {}) {
  const form = new FormData();
  for (const [key, value] of Object.entries(more)) form.append(key, value);
  form.append(field, new Blob([bytes]), name);
  const begun = performance.now();
  const asked = {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', ...headers, ...elsewhere() },
    body: form,
  };
  const answer = await fetch(url + path, asked).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error) => ({ status: 0, text: String(error.cause ?? error) }),
  );
  return { ...answer, ms: performance.now() - begun };
}

/** Inputs that aren't JSON: file names in both kinds of uploads, and cells of an imported table. */
async function forms(url, { owner, zone, ids }, note) {
  const files = `/api/zones/${zone.id}/files`;
  const people = `/api/zones/${ids['private zone']}/members/import`;
  const add = { mode: 'invite', dryRun: 'true' };
  const table = (cell) =>
    `email,firstName,lastName\n${Array.from({ length: 10 }, () => `${cell},${cell},x`).join('\n')}\n`;
  for (const length of [...LENGTHS, 2000, 400]) {
    const text = marks(length);
    note(`a file’s name of ${length} marks`, await sendForm(url, files, owner, 'files', `${text}.txt`, 'x'));
    note(`cells of ${length} marks`, await sendForm(url, people, owner, 'file', 'people.csv', table(text), add));
  }
  const filename = Buffer.from(marks(2000)).toString('base64');
  const headers = { ...owner.headers, 'Tus-Resumable': '1.0.0', 'Upload-Length': '1' };
  const metadata = `filename ${filename},zoneId ${Buffer.from(String(zone.id)).toString('base64')}`;
  const upload = { headers: { ...headers, ...elsewhere(), 'Upload-Metadata': metadata } };
  note('the name of an upload', await send(url, 'POST', '/api/uploads', upload));
}

/** Passwords of links, set and tried. */
async function linkPasswords(url, { owner, ids }, note) {
  const zone = ids['private zone'];
  const link = { name: 'Marks', expiresInHours: 1, password: 'a plain word' };
  const { token } = await create(url, owner.headers, `/api/zones/${zone}/temporary-links`, link);
  for (const length of LENGTHS) {
    const password = marks(length);
    const path = `/api/temporary-links/${token}/join`;
    const body = { email: 'marks@example.com', emailConsent: true, password };
    note('a link’s password, tried', await send(url, 'POST', path, { headers: elsewhere(), body }));
    const made = { headers: { ...owner.headers, ...elsewhere() }, body: { ...link, password } };
    note('a link’s password, set', await send(url, 'POST', `/api/zones/${zone}/temporary-links`, made));
  }
}

/** Each request must succeed with plain text, so that the marks are what is refused. */
async function controls(url, { owner, superAdmin, zone, ids }, findings) {
  const as = ({ headers }) => ({ ...headers, ...elsewhere() });
  const ask = (actor, method, path, body) => send(url, method, path, { headers: as(actor), body });
  const control = (what, answer, status) => findings.control('marks', what, answer, status);
  control('a folder', await ask(owner, 'POST', `/api/zones/${zone.id}/folders`, { name: 'Plain' }), 201);
  control('a search', await ask(owner, 'GET', '/api/search?q=plain'), 200);
  control('a search of staff', await ask(superAdmin, 'GET', '/api/admin/users?q=plain'), 200);
  control('a file', await sendForm(url, `/api/zones/${zone.id}/files`, owner, 'files', 'plain.txt', 'x'), 201);
  const people = `/api/zones/${ids['private zone']}/members/import`;
  const table = 'email,firstName,lastName\nplain@example.com,Ada,Test\n';
  const add = { mode: 'invite', dryRun: 'true' };
  control('a table', await sendForm(url, people, owner, 'file', 'people.csv', table, add), 200);
}

/**
 * Sends a megabyte of combining marks in every text field: code that normalises before it checks the length would
 * block.
 */
export async function combiningMarks(url, contract, scene, findings, until) {
  await controls(url, scene, findings);
  const note = (what, answer, size = 0) => {
    findings.count('marks', answer);
    // The server stops reading a body beyond its limit, so the response may not arrive.
    const cut = answer.status === 0 && size > 64_000 && /EPIPE|ECONNRESET|closed/.test(answer.text);
    if (!cut && (answer.status === 0 || answer.status >= 500))
      findings.add('marks', `${answer.status} ${what} ${answer.text.slice(0, 100)}`);
    if (answer.status === 429) findings.add('marks', `did not try: ${what} was limited`);
  };
  let left = 0;
  const met = await watched('marks', url, findings, async () => {
    const requests = [...bodies(contract, scene), ...searches(contract, scene)];
    left = await each(requests, 2, until, async ({ what, method, address, headers, raw }) => {
      const answer = await send(url, method, address, { headers: { ...headers, ...elsewhere() }, raw });
      note(`${method} ${address.slice(0, 60)}, ${what}`, answer, raw?.length);
    });
    await linkPasswords(url, scene, note);
    await forms(url, scene, (what, answer) => note(what, answer, 1_000_000));
  });
  if (left > 0) findings.add('marks', `${left} requests were not made, the time was up`);
  console.log(`marks: ${findings.statuses('marks')}; ${met}`);
}
