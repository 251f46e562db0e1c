import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { AppConfig } from '../../platform/config/app-config.js';
import { secretFingerprints } from '../../platform/installation/secret-check.js';
import { findings, reasonOf, type Finding } from './finding.js';

const PATIENCE = 5000;
/** A clock job runs each minute. */
const BEAT = 180;

/** Whether the secret is that of the installation, and nobody else can read it. */
export async function checkSecrets(config: AppConfig, client: pg.Client): Promise<Finding[]> {
  const { ok, warn, bad } = findings('secrets');
  const file = join(config.dataDir, 'app-secret');
  const inFile = !process.env.APP_SECRET && existsSync(file);
  const mode = inFile ? statSync(file).mode & 0o077 : 0;
  const open = mode === 0 ? [] : [bad(`${file} can be read by others: chmod 600 ${file}`)];
  const there = await client.query<{ there: boolean }>(
    `select to_regclass('public.installation') is not null as there`,
  );
  if (!there.rows[0]!.there)
    return [...open, warn('No secret is set for this installation yet: the first start does it.')];
  const { rows } = await client.query<{ fingerprint: string | null }>(
    'select secret_fingerprint as fingerprint from installation',
  );
  const fingerprint = rows[0]?.fingerprint;
  if (!fingerprint) return [...open, warn('No secret is set for this installation yet: the next start does it.')];
  const own = secretFingerprints(config);
  if (!own.includes(fingerprint)) {
    return [
      ...open,
      bad(
        'APP_SECRET is not that of this installation: give this process the same as the others. If it is lost: npm run installation -- accept-secret',
      ),
    ];
  }
  return [...open, ok(`APP_SECRET is that of this installation (fingerprint ${fingerprint.slice(0, 8)}).`)];
}

/** Whether the public address leads here, and whether the proxy in front of it is declared. */
export async function checkAddress({ appUrl, secure, trustProxy }: AppConfig): Promise<Finding[]> {
  const { ok, warn, bad } = findings('address');
  const proxy =
    secure && trustProxy === null
      ? [
          warn(
            'APP_URL is https and TRUST_PROXY is not set: everybody has the address of the proxy and shares its rate limits. Set it to the number of proxies.',
          ),
        ]
      : [];
  try {
    const answer = await fetch(`${appUrl}/healthz`, { signal: AbortSignal.timeout(PATIENCE), redirect: 'manual' });
    const body = (await answer.json().catch(() => null)) as { status?: string } | null;
    if (answer.status === 200 && body?.status === 'ok') return [ok(`${appUrl} leads to a running Zonary.`), ...proxy];
    return [
      bad(`${appUrl} answers ${answer.status}, and not as Zonary does: let the proxy lead there, with Host kept.`),
      ...proxy,
    ];
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    return [
      warn(
        `${appUrl} does not answer from this machine (${reasonOf(cause)}): start the product, or look at the proxy, the DNS and the certificate.`,
      ),
      ...proxy,
    ];
  }
}

/** Whether Redis answers, when there is to be one. */
export async function checkRedis({ redisUrl }: AppConfig): Promise<Finding[]> {
  const { ok, bad } = findings('redis');
  if (redisUrl === null) return [ok('REDIS_URL is not set: PostgreSQL carries the jobs.')];
  const { createClient } = await import('redis');
  const client = createClient({ url: redisUrl, socket: { connectTimeout: PATIENCE, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return [ok('Redis answers.')];
  } catch (error) {
    return [
      bad(
        `Redis does not answer (${reasonOf(error)}): workers look into the database meanwhile, and limits are counted by each process. Look at REDIS_URL.`,
      ),
    ];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

interface Work {
  /** Seconds since a worker last did what is done each minute; null when none ever did. */
  readonly beat: number | null;
  readonly due: number;
  readonly dead: number;
}

/** Whether a worker runs, and what waits for one. */
export async function checkWorkers(client: pg.Client): Promise<Finding[]> {
  const { ok, warn, bad } = findings('workers');
  const there = await client.query<{ there: boolean }>(`select to_regclass('public.clock_runs') is not null as there`);
  if (!there.rows[0]!.there) return [warn('None has run yet.')];
  const { rows } = await client.query<Work>(
    `select (select extract(epoch from now() - max(slot))::int from clock_runs) as beat,
       (select count(*)::int from jobs where state = 'queued' and run_at < now() - interval '1 minute') as due,
       (select count(*)::int from jobs where state = 'dead') as dead`,
  );
  const { beat, due, dead } = rows[0]!;
  const dying =
    dead > 0
      ? [warn(`${dead} jobs have given up: look at /admin/jobs, mend what their errors say, and retry them.`)]
      : [];
  if (beat === null || beat > BEAT) {
    const since = beat === null ? 'None has run yet' : `None has worked for ${beat} s`;
    return [
      bad(`${since}, and ${due} jobs wait: start one (npm start has one by itself; otherwise ROLE=worker).`),
      ...dying,
    ];
  }
  return [
    due > 0
      ? warn(`One runs, and ${due} jobs wait for longer than a minute: start more workers.`)
      : ok('One runs, and nothing waits.'),
    ...dying,
  ];
}
