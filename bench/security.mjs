import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fields } from './security/invalid-fields.mjs';
import { Findings } from './security/findings.mjs';
import { forgeries, WEBHOOK_SECRETS } from './security/forged-requests.mjs';
import { fuzz } from './security/fuzz.mjs';
import { identity } from './security/identity.mjs';
import { unknownKeys } from './security/unknown-fields.mjs';
import { lockingOut } from './security/lockout.mjs';
import { combiningMarks } from './security/combining-marks.mjs';
import { matrix } from './security/access-matrix.mjs';
import { behindProxy } from './security/proxy.mjs';
import { METRICS_TOKEN, stallsOf } from './security/health-probe.mjs';
import { races } from './security/races.mjs';
import { wrongCodes } from './security/registration.mjs';
import { slowConnections } from './security/slow-connections.mjs';
import { strangersMails } from './security/email-abuse.mjs';
import { takeover } from './security/takeover.mjs';
import { tokens } from './security/tokens.mjs';
import { world } from './security/test-data.mjs';
import { databaseOf } from './lib/database.mjs';
import { root, startProduct } from './lib/product.mjs';

/**
 * `npm run attack [fuzz requests] [seed] [parts]`: attacks the built product, which it starts on this machine with its
 * own data folders, and nothing else. Prints counts, figures and findings, and exits with 1 if there are findings.
 * Parts are separated by commas: those of `wide` try all routes without rate limits; those of `doors` repeat attacks
 * that once succeeded, each against the product as installed: with rate limits, behind one proxy.
 */
const count = Math.min(Number(process.argv[2] ?? 6000), 200_000);
const seed = Number(process.argv[3] ?? 14);
/**
 * Minutes after the start when the parts of `wide`, and those of `doors`, send no more requests; everything ends within
 * 15.
 */
const [WIDE_MINUTES, DOORS_MINUTES] = [9, 12];
const [wideUntil, doorsUntil] = [WIDE_MINUTES, DOORS_MINUTES].map((minutes) => performance.now() + minutes * 60_000);

const contract = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'));
const findings = new Findings();

const wide = {
  matrix: ({ url, pool, scene }) => matrix(url, pool, contract, scene, findings, wideUntil),
  races: ({ url, pool, dataDir, scene }) => races(url, pool, dataDir, scene, findings),
  identity: ({ url, pool, dataDir, scene }) => identity(url, pool, dataDir, scene, findings),
  takeover: ({ url, dataDir, scene }) => takeover(url, dataDir, scene, findings),
  fuzz: ({ url, scene }) => fuzz(url, contract, scene, findings, { count, seed, until: wideUntil }),
  fields: ({ url, scene }) => fields(url, contract, scene, findings, wideUntil),
};
const doors = {
  proxy: ({ url }) => behindProxy(url, findings),
  tokens: ({ url, pool, dataDir, scene }) => tokens(url, pool, dataDir, contract, scene, findings),
  forged: ({ url, pool, dataDir, scene }) => forgeries(url, pool, dataDir, scene, findings),
  lockout: ({ url, dataDir }) => lockingOut(url, dataDir, findings),
  register: ({ url, dataDir }) => wrongCodes(url, dataDir, findings, doorsUntil),
  strangers: ({ url, pool, dataDir }) => strangersMails(url, pool, dataDir, findings),
  keys: ({ url, scene }) => unknownKeys(url, contract, scene, findings, doorsUntil),
  marks: ({ url, scene }) => combiningMarks(url, contract, scene, findings, doorsUntil),
  slow: ({ url, dataDir, scene }) => slowConnections(url, dataDir, scene, findings),
};

const known = [...Object.keys(wide), ...Object.keys(doors)];
const asked = process.argv[4]?.split(',') ?? known;
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`);

/** Starts a product, runs the requested parts against it and stops it. */
async function against(env, parts) {
  const chosen = Object.entries(parts).filter(([name]) => asked.includes(name));
  if (chosen.length === 0) return;
  const dataDir = mkdtempSync(join(tmpdir(), 'zonary-attack-'));
  let [product, pool] = [];
  try {
    product = await startProduct({ DATA_DIR: dataDir, METRICS_TOKEN, ...WEBHOOK_SECRETS, ...env });
    pool = await databaseOf(dataDir);
    const scene = await world(product.url, pool);
    for (const [name, work] of chosen) {
      const begun = performance.now();
      // An exception in one part is reported as a finding, and the other parts continue.
      await work({ url: product.url, pool, dataDir, scene }).catch((error) =>
        findings.add(name, `did not come to its end: ${error.stack}`),
      );
      console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
    const stalls = await stallsOf(product.url);
    console.log(`event loop stalls over 200 ms in all these: ${stalls.count}, ${stalls.seconds.toFixed(1)} s in all`);
  } finally {
    await pool?.end();
    await product?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await against({ RATE_LIMIT: 'off' }, wide);
await against({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, doors);
process.exitCode = findings.print() > 0 ? 1 : 0;
