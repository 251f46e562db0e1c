import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../wait-until.js';
import { reservePort } from './reserve-port.js';

interface Site {
  /** The web server's own folder, for its files. */
  readonly folder: string;
  readonly port: number;
  /** Host and port of the product. */
  readonly product: string;
  /** Folder of the product's storage. */
  readonly files: string;
}

interface Kind {
  readonly program: string;
  readonly configure: (site: Site) => string;
  readonly args: (config: string) => readonly string[];
}

const readConfig = (name: string) => readFileSync(join(import.meta.dirname, '../../../../deploy', name), 'utf8');

/** Replaces parts of a configuration that differ in tests; each must be in it. */
function replaceParts(text: string, parts: readonly (readonly [found: string, replacement: string])[]): string {
  return parts.reduce((result, [found, replacement]) => {
    if (!result.includes(found)) throw new Error(`The configuration in deploy/ has no "${found}".`);
    return result.replaceAll(found, replacement);
  }, text);
}

/** `deploy/nginx.conf` without TLS. */
function configureNginx({ folder, port, product, files }: Site): string {
  const site = replaceParts(readConfig('nginx.conf'), [
    ['server 127.0.0.1:3000;', `server ${product};`],
    ['listen 80;', `listen unix:${folder}/redirect.sock;`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
    ['listen [::]:443 ssl http2;', ''],
    ['ssl_certificate /etc/ssl/zones.example.com.pem;', ''],
    ['ssl_certificate_key /etc/ssl/zones.example.com.key;', ''],
    ['alias /srv/zonary-files/;', `alias ${files}/;`],
    ['proxy_set_header Host $host;', `proxy_set_header Host ${product};`],
  ]);
  // Started by root, its workers would run as another user, who can't read the folders of a test.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `${user} worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit; events {}
http { access_log off; ${folders.join(' ')} ${site} }`;
}

/** `deploy/Caddyfile` without TLS. */
function configureCaddy({ folder, port, product, files }: Site): string {
  const site = replaceParts(readConfig('Caddyfile'), [
    ['{$APP_HOST:localhost}', `http://:${port}`],
    ['dynamic a web 3000 {\n\t\t\trefresh 5s\n\t\t}', `to ${product}\n\t\theader_up Host ${product}`],
    ['root * /zonary/files', `root * ${files}`],
  ]);
  return `{\n\tadmin off\n\tauto_https off\n\tlog {\n\t\tlevel ERROR\n\t}\n\tstorage file_system ${folder}\n}\n${site}`;
}

const kinds = {
  nginx: {
    program: '/usr/sbin/nginx',
    configure: configureNginx,
    args: (config) => ['-c', config, '-e', 'stderr', '-g', 'daemon off;'],
  },
  caddy: {
    program: process.env.CADDY ?? '/usr/bin/caddy',
    configure: configureCaddy,
    args: (config) => ['run', '--config', config, '--adapter', 'caddyfile'],
  },
} satisfies Record<string, Kind>;

/** For suites that need a web server: skipped without it. */
export const describeWithWebServer = (name: keyof typeof kinds) =>
  spawnSync(kinds[name].program, ['-v']).error ? describe.skip : describe;

/** A real web server in front of the product, with its configuration of `deploy/`. */
export class WebServer {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * @param product URL of the product
   * @param files folder of its storage
   */
  static async start(name: keyof typeof kinds, product: string, files: string): Promise<WebServer> {
    const { program, configure, args }: Kind = kinds[name];
    const folder = mkdtempSync(join(tmpdir(), `zonary-${name}-`));
    const port = await reservePort();
    const config = join(folder, 'config');
    writeFileSync(config, configure({ folder, port, product: new URL(product).host, files }));
    const child = spawn(program, args(config), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder },
    });
    let log = '';
    child.stderr.on('data', (chunk) => (log += chunk));
    await waitUntil(`${name} responds`, () => {
      if (child.exitCode !== null) throw new Error(`${name} exited:\n${log}`);
      return isReachable(port);
    });
    return new WebServer(`http://127.0.0.1:${port}`, folder, child);
  }

  async close(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Both configurations answer this themselves. */
function isReachable(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/metrics`).then(
    ({ status }) => status === 404,
    () => false,
  );
}
