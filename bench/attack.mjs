import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fields } from './attack/fields.mjs';
import { Findings } from './attack/findings.mjs';
import { fuzz } from './attack/fuzz.mjs';
import { identity } from './attack/identity.mjs';
import { matrix } from './attack/matrix.mjs';
import { races } from './attack/races.mjs';
import { slowConnections } from './attack/slow.mjs';
import { world } from './attack/world.mjs';
import { databaseOf } from './lib/database.mjs';
import { root, startProduct } from './lib/product.mjs';

/**
 * `npm run bench:attack [requests of the fuzz] [seed] [parts]`: attacks the built product, which it starts itself on this
 * machine with a data folder of its own, and nothing else. Every route by every actor; requests made of the contract
 * with something odd in each (the same for the same seed); every field of every route wrong in every way; races; second
 * factors, passkeys and confirmations replayed and borrowed; slow connections. Prints counts and findings, and ends with 1
 * when there are any. Parts: matrix, races, identity, fuzz, fields, slow, separated by commas.
 */
const count = Math.min(Number(process.argv[2] ?? 6000), 200_000);
const seed = Number(process.argv[3] ?? 14);
const parts = new Set((process.argv[4] ?? 'matrix,races,identity,fuzz,fields,slow').split(','));
/** Minutes after which no part begins another request. */
const MOST_MINUTES = 20;

const contract = JSON.parse(readFileSync(`${root}openapi.json`, 'utf8'));
const dataDir = mkdtempSync(join(tmpdir(), 'zonary-attack-'));
const findings = new Findings();
let product;
let pool;
try {
  product = await startProduct({
    DATA_DIR: dataDir,
    METRICS_TOKEN: 'a token for the figures of the attack',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_attack',
    STRIPE_ACEDUMY_WEBHOOK_SECRET: 'whsec_of_the_other_attack',
    WOOCOMMERCE_WEBHOOK_SECRET: 'a secret of the shop',
    ACEDUMY_WEBHOOK_SECRET: 'a secret of the service',
    MAIL_EVENTS_SECRET: 'a secret of the mail server',
  });
  const until = performance.now() + MOST_MINUTES * 60_000;
  pool = await databaseOf(dataDir);
  const scene = await world(product.url, pool);
  const timed = async (name, work) => {
    if (!parts.has(name)) return;
    const begun = performance.now();
    // What stops a part is told as a finding, and the other parts go on.
    await work().catch((error) => findings.add(name, `did not come to its end: ${error.stack}`));
    console.log(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  };
  await timed('matrix', () => matrix(product.url, pool, contract, scene, findings, until));
  await timed('races', () => races(product.url, pool, dataDir, scene, findings));
  await timed('identity', () => identity(product.url, pool, dataDir, scene, findings));
  await timed('fuzz', () => fuzz(product.url, contract, scene, findings, { count, seed, until }));
  await timed('fields', () => fields(product.url, contract, scene, findings, until));
  await timed('slow', () => slowConnections(product.url, scene, findings));
  const figures = await fetch(`${product.url}/metrics`, {
    headers: { Authorization: 'Bearer a token for the figures of the attack' },
  });
  const metrics = await figures.text();
  const told = (name) => new RegExp(`^zonary_event_loop_stall${name} ([\\d.]+)`, 'm').exec(metrics)?.[1] ?? 'not told';
  console.log(`event loop stalls over 200 ms: ${told('s_total')}, ${told('_seconds_sum')} s in all, within`);
  for (const [, le, count] of metrics.matchAll(/^zonary_event_loop_stall_seconds_bucket\{le="([\d.]+)"\} (\d+)/gm))
    console.log(`  ${le} s: ${count}`);
  process.exitCode = findings.print() > 0 ? 1 : 0;
} finally {
  await pool?.end();
  await product?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
