import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const docs = execSync("git ls-files docs README.md CONTRIBUTING.md SECURITY.md 'backend/**/*.md' 'frontend/**/*.md'", { encoding: 'utf8' }).trim().split('\n').filter((f) => f.endsWith('.md'));
const src = execSync("git ls-files backend frontend scripts bench deploy .ci package.json jest.config.js nest-cli.json Dockerfile docker-compose.yml openapi.json eslint.config.js .dependency-cruiser.cjs", { encoding: 'utf8' }).trim().split('\n').filter((f) => /\.(tsx?|m?js|cjs|json|ya?ml|hbs|css|html|c|sh|conf)$|run$|Dockerfile$/.test(f) && !f.endsWith('schema.d.ts'));
const words = new Set();
for (const f of src) { words.add(f.split('/').pop()); for (const m of readFileSync(f, 'utf8').matchAll(/[A-Za-z_$][\w$]*/g)) words.add(m[0]); for (const p of f.split('/')) for (const m of p.matchAll(/[A-Za-z_$][\w$]*/g)) words.add(m[0]); }
for (const f of docs) {
  const t = readFileSync(f, 'utf8');
  t.split('\n').forEach((line, i) => {
    for (const m of line.matchAll(/`([^`]+)`/g)) for (const w of m[1].matchAll(/[A-Za-z_$][\w$]*/g)) {
      if (w[0].length < 3 || words.has(w[0])) continue;
      if (/^(GET|POST|PUT|PATCH|DELETE|npm|git)$/.test(w[0])) continue;
      if (/[a-z][A-Z]|^[A-Z][a-z]+[A-Z]/.test(w[0])) console.log(`${f}:${i + 1} ${w[0]}   in \`${m[1].slice(0, 70)}\``);
    }
  });
}
