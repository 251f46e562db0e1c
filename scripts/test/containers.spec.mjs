import { existsSync, readFileSync } from 'node:fs';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { projectPath } from '../lib/project.mjs';
import { serverEnv, serverFlags, workerEnv, workerFlags } from '../lib/server-flags.mjs';

/**
 * No container engine runs where the tests do: this compares what the files name with the product and with each other.
 */
const read = (name) => readFileSync(projectPath(name), 'utf8');
const text = read('docker-compose.yml');
const compose = load(text, { schema: YAML11_SCHEMA });
const dockerfile = read('Dockerfile');
const services = Object.entries(compose.services);
const own = services.filter(([, service]) => service.build);

describe('docker-compose.yml', () => {
  it('defines the required services and roles', () => {
    expect(services.map(([name]) => name).sort()).toEqual(['mail', 'postgres', 'proxy', 'redis', 'web', 'worker']);
    expect(own.map(([name, { environment }]) => [name, environment.ROLE])).toEqual([
      ['web', 'web'],
      ['worker', 'worker'],
    ]);
  });

  const variables = ['variables', 'email.variables', 'billing.variables']
    .map((name) => read(`backend/src/platform/config/${name}.ts`))
    .flatMap((source) => [...source.matchAll(/'([A-Z][A-Z0-9_]+)'/g)].map((match) => match[1]));

  it('sets only variables the product reads and leaves the rest to .env', () => {
    for (const [, { environment, env_file: file }] of own) {
      expect(Object.keys(environment).filter((name) => !variables.includes(name))).toEqual([]);
      expect(file).toBe('.env');
    }
  });

  it('uses a mail server host without a dot, for which no certificate is required', () => {
    const [, url] = /\$\{SMTP_URL:-(smtp:[^}]*)\}/.exec(text);
    // The product takes a name without a dot for a host on the same network (`app-config.ts`).
    expect(Object.keys(compose.services)).toContain(new URL(url).hostname);
    expect(new URL(url).hostname).toMatch(/^[a-z]+$/);
  });

  it('uses the same memory settings and Node.js flags as npm start and child workers', () => {
    const [[name, value]] = Object.entries(workerEnv);
    const memory = Object.entries(serverEnv).map((pair) => pair.join('='));
    expect(dockerfile).toContain(`\nENV ${memory.join(' ')}\n`);
    const program = 'dist/backend/src/main.js';
    expect(dockerfile).toContain(`CMD ${JSON.stringify(['node', ...serverFlags, program]).replaceAll(',', ', ')}`);
    // The image sets the variables of web processes, and a child inherits those of its parent.
    const webOnly = Object.keys(serverEnv).filter((variable) => !(variable in workerEnv));
    const environment = [...webOnly.map((variable) => `--unset=${variable}`), `${name}=${value}`];
    expect(compose.services.worker.command).toEqual(['env', ...environment, 'node', ...workerFlags, program]);
    const child = read('backend/src/process/worker-process.ts');
    for (const variable of webOnly) expect(child).toContain(`'${variable}'`);
    for (const flag of workerFlags) expect(child).toContain(`'${flag}'`);
    expect(child).toContain(`{ ${name}: '${value}' }`);
  });

  it('declares the volumes it uses and mounts existing files', () => {
    const sources = services.flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(':')[0]));
    const files = sources.filter((source) => source.startsWith('./'));
    const named = new Set(sources.filter((source) => !source.startsWith('./')));
    expect([...named].sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(files.filter((file) => !existsSync(projectPath(file)))).toEqual([]);
  });

  it('lets the proxy read, but not change, the files that Zonary hands over to it', () => {
    const [, location] = /^\$\{SENDFILE-x-accel:(\/\w+)\/\}$/.exec(compose.services.web.environment.SENDFILE);
    expect(compose.services.web.volumes).toEqual([`files:${compose.services.web.environment.DATA_DIR}`]);
    expect(compose.services.proxy.volumes).toContain('files:/zonary:ro');
    for (const line of ['root * /zonary/files', `uri strip_prefix ${location}`, `X-Accel-Redirect ${location}/*`])
      expect(read('deploy/Caddyfile')).toContain(line);
  });

  it('depends only on services with a health check', () => {
    for (const [, { depends_on: wanted = {} }] of services) {
      for (const [name, { condition }] of Object.entries(wanted)) {
        expect(condition).toBe('service_healthy');
        const { healthcheck, build } = compose.services[name];
        expect(Boolean(healthcheck) || (Boolean(build) && dockerfile.includes('HEALTHCHECK'))).toBe(true);
      }
    }
  });

  it('requires the variables that have no default and lists them in the example', () => {
    const required = new Set([...text.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]));
    expect([...required].sort()).toEqual(['APP_SECRET', 'POSTGRES_PASSWORD']);
    const example = [...read('deploy/env.example').matchAll(/^#?([A-Z_]+)=/gm)].map((match) => match[1]);
    expect([...required].filter((name) => !example.includes(name))).toEqual([]);
    expect(example.filter((name) => !text.includes(`\${${name}`) && !variables.includes(name))).toEqual([]);
  });

  it('limits the memory and the logs of every service', () => {
    const unlimited = services.filter(
      ([, { mem_limit: memory, logging }]) => !memory || !logging?.options?.['max-size'],
    );
    expect(unlimited.map(([name]) => name)).toEqual([]);
  });

  it('lets the worker create LibreOffice’s namespaces as docs/operations/documents.md says', () => {
    const options = compose.services.worker.security_opt;
    expect(options).toEqual(expect.arrayContaining(['seccomp=unconfined', 'systempaths=unconfined']));
    for (const option of ['seccomp=unconfined', 'systempaths=unconfined'])
      expect(read('docs/operations/documents.md')).toContain(`--security-opt ${option}`);
    expect(compose.services.web.security_opt).toBeUndefined();
  });

  it('publishes only the proxy’s ports', () => {
    const open = services.flatMap(([name, { ports = [] }]) =>
      ports.filter((port) => !port.startsWith('127.')).map(() => name),
    );
    expect(new Set(open)).toEqual(new Set(['proxy']));
  });
});

describe('Dockerfile', () => {
  const lines = dockerfile.split('\n');
  it('runs the built program as an unprivileged user with a health check', () => {
    const program = /CMD \["node".*"(dist\/[^"]+)\.js"\]$/m.exec(dockerfile)[1];
    expect(existsSync(projectPath(`${program.replace('dist/', '')}.ts`))).toBe(true);
    expect(lines.findIndex((line) => line === 'USER node')).toBeLessThan(
      lines.findIndex((line) => line.startsWith('CMD')),
    );
    expect(lines.filter((line) => line === 'USER node')).toHaveLength(1);
    expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]*\/readyz/);
  });

  it('installs the optional packages', () => {
    expect(lines.filter((line) => /^RUN npm ci/.test(line) && /optional/.test(line))).toEqual([]);
  });
});
