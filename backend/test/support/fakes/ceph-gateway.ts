import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../wait-until.js';
import { reservePort } from './reserve-port.js';

const programs = [
  'radosgw',
  'radosgw-admin',
  'ceph-mon',
  'ceph-osd',
  'ceph-mgr',
  'ceph',
  'ceph-authtool',
  'monmaptool',
];
const isInstalled = programs.every((program) => spawnSync('which', [program]).status === 0);

/** For suites that need Ceph's S3 gateway: skipped without it, because its packages are large. */
export const describeWithCeph = isInstalled && process.getuid?.() === 0 ? describe : describe.skip;

const run = promisify(execFile);

/** Ceph's S3 gateway with one node in memory: a complete S3 server, ready after some 15 seconds. Needs root. */
export class CephGateway {
  readonly credentials = { accessKeyId: 'test-access', secretAccessKey: 'test-secret' };

  private constructor(
    readonly url: string,
    private readonly folder: string,
  ) {}

  static async start(): Promise<CephGateway> {
    const folder = mkdtempSync(join(tmpdir(), 'zonary-ceph-'));
    const ports = [await reservePort(), await reservePort(), await reservePort()] as const;
    const gateway = new CephGateway(`http://127.0.0.1:${ports[0]}`, folder);
    try {
      await startDaemons(folder, ports);
      await waitUntil('the gateway responds', () =>
        fetch(gateway.url).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const { accessKeyId, secretAccessKey } = gateway.credentials;
      const user = [
        '--uid=test',
        '--display-name=test',
        `--access-key=${accessKeyId}`,
        `--secret-key=${secretAccessKey}`,
      ];
      await run('radosgw-admin', ['-c', join(folder, 'ceph.conf'), 'user', 'create', ...user]);
      return gateway;
    } catch (error) {
      gateway.close();
      throw error;
    }
  }

  close(): void {
    const runFolder = join(this.folder, 'run');
    for (const file of readdirSync(runFolder).filter((name) => name.endsWith('.pid'))) {
      try {
        process.kill(Number(readFileSync(join(runFolder, file), 'utf8')), 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function startDaemons(folder: string, ports: readonly [number, number, number]): Promise<void> {
  for (const name of ['mon', 'osd', 'mgr', 'run', 'rgw']) mkdirSync(join(folder, name));
  const [clusterId, osdId] = [randomUUID(), randomUUID()];
  const config = join(folder, 'ceph.conf');
  writeFileSync(config, createConfig(folder, clusterId, ports));
  const execute = (program: string, ...args: string[]) =>
    run(program, args, { cwd: folder, env: { ...process.env, CEPH_CONF: config } });
  const ceph = (...args: string[]) => execute('ceph', '-c', config, ...args);

  await execute(
    'ceph-authtool',
    '--create-keyring',
    'mon.keyring',
    '--gen-key',
    '-n',
    'mon.',
    '--cap',
    'mon',
    'allow *',
  );
  const admin = ['-n', 'client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'];
  await execute('ceph-authtool', '--create-keyring', 'keyring', '--gen-key', ...admin);
  await execute('ceph-authtool', 'mon.keyring', '--import-keyring', 'keyring');
  const addresses = `[v2:127.0.0.1:${ports[1]},v1:127.0.0.1:${ports[2]}]`;
  await execute('monmaptool', '--create', '--fsid', clusterId, '--addv', 'a', addresses, 'monmap');
  const monitor = ['-c', config, '-i', 'a'];
  await execute('ceph-mon', ...monitor, '--mkfs', '--monmap', 'monmap', '--keyring', 'mon.keyring');
  await execute('ceph-mon', ...monitor);
  await ceph('auth', 'get-or-create', 'mgr.a', 'mon', 'allow profile mgr', 'osd', 'allow *', '-o', 'mgr/keyring');
  await execute('ceph-mgr', '-c', config, '-i', 'a');
  await ceph('osd', 'new', osdId);
  const osd = ['-c', config, '-i', '0'];
  await execute('ceph-osd', ...osd, '--mkfs', '--mkkey', '--no-mon-config', '--osd-uuid', osdId);
  const osdCaps = ['mon', 'allow profile osd', 'mgr', 'allow profile osd', 'osd', 'allow *'];
  await ceph('auth', 'add', 'osd.0', ...osdCaps, '-i', 'osd/keyring');
  await ceph('osd', 'crush', 'add', 'osd.0', '1.0', 'root=default', 'host=localhost');
  await execute('ceph-osd', ...osd);
  const gatewayCaps = ['mon', 'allow rwx', 'osd', 'allow rwx', 'mgr', 'allow rw'];
  await ceph('auth', 'get-or-create', 'client.rgw.a', ...gatewayCaps, '-o', 'rgw/keyring');
  await execute('radosgw', '-c', config, '-n', 'client.rgw.a');
}

function createConfig(folder: string, clusterId: string, [gateway, monitor, monitorV1]: readonly number[]): string {
  return `[global]
fsid = ${clusterId}
mon_host = v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitorV1}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
run_dir = ${folder}/run
admin_socket = ${folder}/run/$cluster-$name.asok
log_file = ${folder}/$name.log
pid_file = ${folder}/run/$name.pid
osd_objectstore = memstore
memstore_device_bytes = 2147483648
mon_data = ${folder}/mon
osd_data = ${folder}/osd
mgr_data = ${folder}/mgr
keyring = ${folder}/keyring
[mgr]
keyring = ${folder}/mgr/keyring
[osd]
keyring = ${folder}/osd/keyring
[client.rgw.a]
keyring = ${folder}/rgw/keyring
rgw_frontends = beast endpoint=127.0.0.1:${gateway}
rgw_data = ${folder}/rgw
rgw_dns_name = localhost
`;
}
