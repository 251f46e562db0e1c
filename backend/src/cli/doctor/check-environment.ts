import { existsSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { AppConfig } from '../../platform/config/app-config.js';
import { ALIVE_SECONDS } from '../../platform/health/instances/instance.repository.js';
import { secretFingerprints } from '../../platform/installation/secret-check.js';
import { createFindings, describeReason, type Finding } from './finding.js';

const CONNECT_TIMEOUT = 5000;

/** Checks that the secret is the installation's, and that no other user can read it. */
export async function checkSecrets(config: AppConfig, client: pg.Client): Promise<Finding[]> {
  const { ok, warn, bad } = createFindings('secrets');
  const file = join(config.dataDir, 'app-secret');
  const inFile = !process.env.APP_SECRET && existsSync(file);
  const mode = inFile ? statSync(file).mode & 0o077 : 0;
  const open = mode === 0 ? [] : [bad(`${file} is readable by other users. Run chmod 600 ${file}`)];
  const state = await client.query<{ exists: boolean }>(
    `select to_regclass('public.installation') is not null as "exists"`,
  );
  if (!state.rows[0]!.exists)
    return [...open, warn('No secret is set for this installation yet: the first start does it.')];
  const { rows } = await client.query<{ fingerprint: string | null }>(
    'select secret_fingerprint as fingerprint from installation',
  );
  const fingerprint = rows[0]?.fingerprint;
  if (!fingerprint) return [...open, warn('No secret is set for this installation yet. The next start sets it.')];
  const own = secretFingerprints(config);
  if (!own.includes(fingerprint)) {
    return [
      ...open,
      bad(
        "APP_SECRET is not that of this installation. Use the same secret as the other processes. If it's lost, run npm run installation -- accept-secret",
      ),
    ];
  }
  return [...open, ok(`APP_SECRET matches this installation (fingerprint ${fingerprint.slice(0, 8)}).`)];
}

/** Checks that the public URL leads here, and that a proxy in front of it is declared. */
export async function checkAddress(config: AppConfig, ports: readonly number[]): Promise<Finding[]> {
  const { ok, warn, bad } = createFindings('address');
  const { isSecure, trustProxy } = config;
  const appUrl = localOrPublicUrl(config, ports);
  const proxy =
    isSecure && trustProxy === null
      ? [
          warn(
            "APP_URL is https, but TRUST_PROXY isn't set. All visitors appear with the proxy's address and share its rate limits. Set it to the number of proxies.",
          ),
        ]
      : [];
  try {
    const response = await fetch(`${appUrl}/healthz`, {
      signal: AbortSignal.timeout(CONNECT_TIMEOUT),
      redirect: 'manual',
    });
    const body = (await response.json().catch(() => null)) as { status?: string } | null;
    if (response.status === 200 && body?.status === 'ok') return [ok(`${appUrl} leads to a running Zonary.`), ...proxy];
    return [
      bad(
        `${appUrl} answers ${response.status}, but not from Zonary. Check that the proxy forwards to Zonary and keeps the Host header.`,
      ),
      ...proxy,
    ];
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    return [
      warn(
        `${appUrl} does not answer from this machine (${describeReason(cause)}). Start Zonary, or check the proxy, the DNS and the certificate.`,
      ),
      ...proxy,
    ];
  }
}

/** Returns the public URL, or the URL of a local process, because this command may not know its PORT. */
function localOrPublicUrl(config: AppConfig, ports: readonly number[]): string {
  if (config.effectiveSetting('address').source !== 'default' || ports.length === 0) return config.appUrl;
  return `http://localhost:${ports.includes(config.port) ? config.port : ports[0]}`;
}

/** Returns the ports of the live web processes on this machine. */
export async function findPorts(client: pg.Client): Promise<number[]> {
  if (!(await tableExists(client, 'instances'))) return [];
  const { rows } = await client.query<{ port: number }>(
    `select distinct port from instances where role = 'web' and host = $1 and ${IS_ALIVE_SQL} order by port`,
    [hostname().slice(0, 255)],
  );
  return rows.map(({ port }) => port);
}

const IS_ALIVE_SQL = `seen_at > now() - interval '${ALIVE_SECONDS} seconds'`;

async function tableExists(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as "exists"', [
    `public.${table}`,
  ]);
  return rows[0]!.exists;
}

/** Checks whether Redis responds, if it is configured. */
export async function checkRedis({ redisUrl }: AppConfig): Promise<Finding[]> {
  const { ok, bad } = createFindings('redis');
  if (redisUrl === null) return [ok('REDIS_URL is not set. Jobs run through PostgreSQL.')];
  const { createClient } = await import('redis');
  const client = createClient({ url: redisUrl, socket: { connectTimeout: CONNECT_TIMEOUT, reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return [ok('Redis answers.')];
  } catch (error) {
    return [
      bad(
        `Redis does not answer (${describeReason(error)}). Until it does, workers poll the database, and each process counts rate limits on its own. Check REDIS_URL.`,
      ),
    ];
  } finally {
    if (client.isOpen) client.destroy();
  }
}

interface WorkerState {
  /** Workers whose last heartbeat is younger than a minute. */
  readonly workers: number;
  readonly due: number;
  readonly dead: number;
}

/** Checks the number of running workers and of waiting jobs. */
export async function checkWorkers(client: pg.Client): Promise<Finding[]> {
  const { ok, warn, bad } = createFindings('workers');
  if (!(await tableExists(client, 'instances'))) return [warn('No worker has run yet.')];
  const { rows } = await client.query<WorkerState>(
    `select (select count(*)::int from instances where role = 'worker' and ${IS_ALIVE_SQL}) as workers,
       (select count(*)::int from jobs where state = 'queued' and run_at < now() - interval '1 minute') as due,
       (select count(*)::int from jobs where state = 'dead') as dead`,
  );
  const { workers, due, dead } = rows[0]!;
  const deadJobs =
    dead > 0 ? [warn(`${dead} jobs have failed. Open /admin/jobs, fix their errors and retry them.`)] : [];
  if (workers === 0) {
    return [
      bad(
        `No worker is running, and ${due} jobs are waiting. Start one (npm start includes one; otherwise use ROLE=worker).`,
      ),
      ...deadJobs,
    ];
  }
  const running = workers === 1 ? '1 worker is running' : `${workers} workers are running`;
  return [
    due > 0
      ? warn(`${running}, and ${due} jobs have been waiting for longer than a minute. Start more workers.`)
      : ok(`${running}, and no jobs are waiting.`),
    ...deadJobs,
  ];
}
