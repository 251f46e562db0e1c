import { elsewhere } from './browser.mjs';
import { each, kindOf, operationsOf } from './findings.mjs';
import { deep, LEFT_OUT, manyKeys } from './fuzz.mjs';
import { watched } from './health-probe.mjs';
import { actorFor, send } from './test-data.mjs';

/** Most unknown field names in one error response. */
const MOST_NAMED = 20;

/** Nested objects, each with twenty unknown fields. */
const objects = (count) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `unknown${at}`,
        Object.fromEntries(Array.from({ length: 20 }, (__, field) => [`unknown${at}x${field}`, 1])),
      ]),
    ),
  );

const BODIES = [
  ['110,000 unknown keys', manyKeys(110_000)],
  ['a depth of 1,000', deep(1000)],
  ['20 objects of 20 unknown fields', objects(20)],
  // Within the limits, so that the fields are checked and named.
  ['9 objects of 20 unknown fields', objects(9)],
  ['190 unknown fields', manyKeys(190)],
];

/** Wide and deep bodies at every route with a body, and how many unknown fields the responses name. */
export async function unknownKeys(url, contract, scene, findings, until) {
  const operations = operationsOf(contract).filter(
    ({ method, path, operation }) =>
      operation.requestBody?.content?.['application/json'] && !LEFT_OUT.test(`${method} ${path}`),
  );
  let named = 0;
  const requests = operations.flatMap((one) => BODIES.map(([what, raw]) => ({ ...one, what, raw })));
  let left = 0;
  const met = await watched('keys', url, findings, async () => {
    left = await each(requests, 2, until, async ({ method, path, what, raw }) => {
      const kind = kindOf(path);
      const address = path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? String(scene.ids[kind] ?? 1) : '1'));
      const answer = await send(url, method, address, {
        headers: { ...actorFor(path, scene).headers, ...elsewhere() },
        raw,
      });
      findings.count('keys', answer);
      const cut = answer.status === 0 && raw.length > 64_000 && /EPIPE|ECONNRESET|closed/.test(answer.text);
      if (!cut && (answer.status < 400 || answer.status >= 500))
        findings.add('keys', `${answer.status} to ${what} at ${method} ${path} ${answer.text.slice(0, 100)}`);
      const names = new Set(answer.text.match(/\b(unknown\d+(x\d+)?|k\d+)\b/g));
      named = Math.max(named, names.size);
      if (names.size > MOST_NAMED) findings.add('keys', `${names.size} fields named to ${what} at ${method} ${path}`);
    });
  });
  if (named === 0) findings.add('keys', 'did not try: no answer named an unknown field');
  if (left > 0) findings.add('keys', `${left} requests were not made, the time was up`);
  console.log(`keys: ${findings.statuses('keys')}; at most ${named} unknown fields named; ${met}`);
}
