import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
const R = '/work/sendfile/';
const { startProduct, registerUser, cpuSeconds } = await import(R + 'bench/lib/product.mjs');
const { startHandOverNginx, startNginx } = await import(R + 'bench/lib/nginx.mjs');
const { EmbeddedPostgres } = await import(R + 'dist/backend/src/platform/database/embedded/embedded-postgres.js');
const { connectionToUrl } = await import(R + 'dist/backend/src/platform/database/pool/database-connection.js');
const w = mkdtempSync('/tmp/zonary-bench-'); chmodSync(w, 0o711);
const pgs = new EmbeddedPostgres({ dataDir: w + '/postgres', database: 'zonary' });
const connection = await pgs.start();
let p, n, b;
try {
  b = await startNginx(w, 10 * 2 ** 20);
  p = await startProduct({ DATA_DIR: w + '/data', DATABASE_URL: connectionToUrl(connection), APP_SECRET: randomBytes(32).toString('hex'), SENDFILE: 'x-accel:/protected/', ROLE: 'web' });
  const c = await registerUser(p.url, 'probe');
  const zone = await (await c.call('POST', '/api/zones', { name: 'Bench', type: 'private' })).json();
  const f = new FormData(); f.append('files', new Blob([randomBytes(10 * 2 ** 20)]), 'a.bin');
  const r = await fetch(`${c.url}/api/zones/${zone.id}/files`, { method: 'POST', headers: { cookie: c.cookie, 'sec-fetch-site': 'same-origin' }, body: f });
  const [file] = await (await c.call('GET', `/api/zones/${zone.id}/files`)).json();
  n = await startHandOverNginx(w, p.url, w + '/data/files');
  const run = (label, url, conns = 4, secs = 4) => {
    const before = cpuSeconds(p.child.pid);
    const out = execFileSync('wrk', ['-t2', `-c${conns}`, `-d${secs}s`, '-H', `Cookie: ${c.cookie}`, url], { encoding: 'utf8' });
    const n = Number(/(\d+) requests in/.exec(out)[1]);
    console.log(label, /Requests\/sec:\s+\S+/.exec(out)[0], /Transfer\/sec:\s+\S+/.exec(out)[0], /Latency\s+\S+/.exec(out)[0], 'product CPU ms/request', ((cpuSeconds(p.child.pid) - before) * 1000 / n).toFixed(2));
  };
  const path = `/api/files/${file.id}/download`;
  run('warm', p.url + path);
  run('direct, names the file only', p.url + path);
  run('direct /api/user/profile    ', p.url + '/healthz');
  for (let i = 0; i < 2; i++) {
    run('nginx sendfile              ', b.url + '/file.bin');
    run('hand-over                   ', n.url + path);
    run('sendfile 16 connections     ', b.url + '/file.bin', 16);
    run('hand-over 16 connections    ', n.url + path, 16);
  }
} finally { await n?.stop(); await b?.stop(); await p?.stop(); await pgs.stop(); rmSync(w, { recursive: true, force: true }); }
