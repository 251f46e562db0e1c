import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './lib/database.mjs';
import { root, startProduct } from './lib/product.mjs';
import { testAccess } from './security/access-matrix.mjs';
import { testCombiningMarks } from './security/combining-marks.mjs';
import { testEmailAbuse } from './security/email-abuse.mjs';
import { Findings } from './security/findings.mjs';
import { testForgedRequests, WEBHOOK_SECRETS } from './security/forged-requests.mjs';
import { fuzzRequests } from './security/fuzz.mjs';
import { METRICS_TOKEN, readStalls } from './security/health-probe.mjs';
import { testIdentity } from './security/identity.mjs';
import { testInvalidFields } from './security/invalid-fields.mjs';
import { testLockout } from './security/lockout.mjs';
import { testProxy } from './security/proxy.mjs';
import { testRaces } from './security/races.mjs';
import { testRegistration } from './security/registration.mjs';
import { testSlowConnections } from './security/slow-connections.mjs';
import { testTakeover } from './security/takeover.mjs';
import { createTestData } from './security/test-data.mjs';
import { testTokens } from './security/tokens.mjs';
import { testUnknownFields } from './security/unknown-fields.mjs';

/**
 * `npm run test:security -- [requests] [seed] [parts]`: attacks the built product, which it starts on this machine with
 * its own data folders, and nothing else. Prints counts, figures and findings, and exits with 1 if there are findings.
 * Arguments: the number of requests of the part `fuzz`, its seed, and the parts to run, separated by commas. Parts
 * without rate limits try all routes; parts with rate limits repeat attacks that once succeeded, each against the product
 * as installed, behind one proxy.
 */
const fuzzCount = Math.min(Number(process.argv[2] ?? 6000), 200_000);
const seed = Number(process.argv[3] ?? 14);
/** Minutes after the start when the parts of each group stop sending requests; everything ends within 15. */
const [UNLIMITED_MINUTES, LIMITED_MINUTES] = [9, 12];
const [unlimitedDeadline, limitedDeadline] = [UNLIMITED_MINUTES, LIMITED_MINUTES].map(
  (minutes) => performance.now() + minutes * 60_000,
);

const contract = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'));
const findings = new Findings();

const partsWithoutRateLimits = {
  matrix: ({ url, pool, testData }) => testAccess(url, pool, contract, testData, findings, unlimitedDeadline),
  races: ({ url, pool, dataDir, testData }) => testRaces(url, pool, dataDir, testData, findings),
  identity: ({ url, pool, dataDir, testData }) => testIdentity(url, pool, dataDir, testData, findings),
  takeover: ({ url, dataDir, testData }) => testTakeover(url, dataDir, testData, findings),
  fuzz: ({ url, testData }) =>
    fuzzRequests(url, contract, testData, findings, { count: fuzzCount, seed, deadline: unlimitedDeadline }),
  'invalid-fields': ({ url, testData }) => testInvalidFields(url, contract, testData, findings, unlimitedDeadline),
};
const partsWithRateLimits = {
  proxy: ({ url }) => testProxy(url, findings),
  tokens: ({ url, pool, dataDir, testData }) => testTokens(url, pool, dataDir, contract, testData, findings),
  forged: ({ url, pool, dataDir, testData }) => testForgedRequests(url, pool, dataDir, testData, findings),
  lockout: ({ url, dataDir }) => testLockout(url, dataDir, findings),
  registration: ({ url, dataDir }) => testRegistration(url, dataDir, findings, limitedDeadline),
  'email-abuse': ({ url, pool, dataDir }) => testEmailAbuse(url, pool, dataDir, findings),
  'unknown-fields': ({ url, testData }) => testUnknownFields(url, contract, testData, findings, limitedDeadline),
  'combining-marks': ({ url, testData }) => testCombiningMarks(url, contract, testData, findings, limitedDeadline),
  'slow-connections': ({ url, dataDir, testData }) => testSlowConnections(url, dataDir, testData, findings),
};

const partNames = [...Object.keys(partsWithoutRateLimits), ...Object.keys(partsWithRateLimits)];
const requestedParts = process.argv[4]?.split(',') ?? partNames;
const unknownParts = requestedParts.filter((name) => !partNames.includes(name));
if (unknownParts.length > 0)
  throw new Error(`Unknown part: ${unknownParts.join(', ')}. The parts are ${partNames.join(', ')}.`);

/** Starts a product, runs the requested parts against it and stops it. */
async function runParts(env, parts) {
  const chosenParts = Object.entries(parts).filter(([name]) => requestedParts.includes(name));
  if (chosenParts.length === 0) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-security-'));
  let [product, pool] = [];
  try {
    product = await startProduct({ DATA_DIR: dataDir, METRICS_TOKEN, ...WEBHOOK_SECRETS, ...env });
    pool = await openDatabase(dataDir);
    const testData = await createTestData(product.url, pool);
    for (const [name, runPart] of chosenParts) {
      const startedAt = performance.now();
      // An exception in one part is reported as a finding, and the other parts continue.
      await runPart({ url: product.url, pool, dataDir, testData }).catch((error) =>
        findings.add(name, `stopped by an exception: ${error.stack}`),
      );
      console.log(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    }
    const stalls = await readStalls(product.url);
    console.log(
      `event loop stalls over 200 ms in these parts: ${stalls.count}, ${stalls.seconds.toFixed(1)} s in total`,
    );
  } finally {
    await pool?.end();
    await product?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await runParts({ RATE_LIMIT: 'off' }, partsWithoutRateLimits);
await runParts({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, partsWithRateLimits);
process.exitCode = findings.print() > 0 ? 1 : 0;
