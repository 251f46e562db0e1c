import { newNetworkHeaders } from './browser.mjs';
import { forEachConcurrently, resourceTypeOf, operationsOf } from './findings.mjs';
import { nestedJson, EXCLUDED, jsonWithKeys } from './fuzz.mjs';
import { withHealthProbe } from './health-probe.mjs';
import { actorFor, send } from './test-data.mjs';

/** Maximum number of unknown fields that an error response may name. */
const MAX_NAMED_FIELDS = 20;

/** JSON with nested objects of twenty unknown fields each. */
const nestedObjects = (count) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `unknown${index}`,
        Object.fromEntries(Array.from({ length: 20 }, (__, field) => [`unknown${index}x${field}`, 1])),
      ]),
    ),
  );

const BODIES = [
  ['110,000 unknown fields', jsonWithKeys(110_000)],
  ['a depth of 1,000', nestedJson(1000)],
  ['20 objects of 20 unknown fields', nestedObjects(20)],
  // Within the limits, so that the fields are validated and named.
  ['9 objects of 20 unknown fields', nestedObjects(9)],
  ['190 unknown fields', jsonWithKeys(190)],
];

/** Sends wide and deep bodies to every route with a body, and counts the unknown fields that the responses name. */
export async function testUnknownFields(url, contract, testData, findings, deadline) {
  const operations = operationsOf(contract).filter(
    ({ method, path, operation }) =>
      operation.requestBody?.content?.['application/json'] && !EXCLUDED.test(`${method} ${path}`),
  );
  let maxNamed = 0;
  const requests = operations.flatMap((operation) => BODIES.map(([what, raw]) => ({ ...operation, what, raw })));
  let remaining = 0;
  const probeResult = await withHealthProbe('unknown-fields', url, findings, async () => {
    remaining = await forEachConcurrently(requests, 2, deadline, async ({ method, path, what, raw }) => {
      const resourceType = resourceTypeOf(path);
      const address = path.replace(/\{(\w+)\}/g, (_, name) =>
        name === 'id' ? String(testData.ids[resourceType] ?? 1) : '1',
      );
      const response = await send(url, method, address, {
        headers: { ...actorFor(path, testData).headers, ...newNetworkHeaders() },
        raw,
      });
      findings.count('unknown-fields', response);
      const isCut = response.status === 0 && raw.length > 64_000 && /EPIPE|ECONNRESET|closed/.test(response.text);
      if (!isCut && (response.status < 400 || response.status >= 500))
        findings.add(
          'unknown-fields',
          `${response.status} with ${what} at ${method} ${path} ${response.text.slice(0, 100)}`,
        );
      const names = new Set(response.text.match(/\b(unknown\d+(x\d+)?|k\d+)\b/g));
      maxNamed = Math.max(maxNamed, names.size);
      if (names.size > MAX_NAMED_FIELDS)
        findings.add('unknown-fields', `${names.size} fields named with ${what} at ${method} ${path}`);
    });
  });
  if (maxNamed === 0) findings.add('unknown-fields', 'precondition failed: no response named an unknown field');
  if (remaining > 0) findings.add('unknown-fields', `${remaining} requests were not sent before the deadline`);
  console.log(
    `unknown-fields: ${findings.formatStatuses('unknown-fields')}; at most ${maxNamed} unknown fields named; ${probeResult}`,
  );
}
