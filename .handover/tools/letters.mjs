// Share of words inked in our rendering among those inked in poppler's, per script.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module'; const sharp = createRequire('/work/main/package.json')('sharp');
import { openPdf } from '/work/main/dist/backend/src/platform/rendering/pdf/pdf-renderer.mjs';
const SCRIPTS = { Latin: /\p{sc=Latin}/u, Cyrillic: /\p{sc=Cyrillic}/u, Greek: /\p{sc=Greek}/u, Arabic: /\p{sc=Arabic}/u, Han: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u, Hangul: /\p{sc=Hangul}/u, Hebrew: /\p{sc=Hebrew}/u, Thai: /\p{sc=Thai}/u, Devanagari: /\p{sc=Devanagari}/u };
const files = readFileSync('/tmp/corpus/unembedded.txt', 'utf8').trim().split('\n');
const W = 1200; const stats = {}; const perScript = {}; const bad = [];
const ink = async (input) => { const { data, info } = await sharp(input).flatten({ background: '#fff' }).grayscale().raw().toBuffer({ resolveWithObject: true }); return { data, w: info.width, h: info.height }; };
const contrast = (img, box) => { let min = 255, max = 0; const [x0, y0, x1, y1] = [box[0] * img.w, box[1] * img.h, box[2] * img.w, box[3] * img.h].map(Math.round); for (let y = Math.max(0, y0); y <= Math.min(img.h - 1, y1); y++) for (let x = Math.max(0, x0); x <= Math.min(img.w - 1, x1); x++) { const v = img.data[y * img.w + x]; if (v < min) min = v; if (v > max) max = v; } return max - min; };
for (const f of files) {
  try {
    const xml = execFileSync('pdftotext', ['-bbox', '-f', '1', '-l', '1', f, '-'], { encoding: 'utf8', timeout: 15000, stdio: ['ignore', 'pipe', 'ignore'] });
    const page = /<page width="([\d.]+)" height="([\d.]+)"/.exec(xml); if (!page) continue;
    const [pw, ph] = [Number(page[1]), Number(page[2])];
    const words = [...xml.matchAll(/<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)</g)].map((m) => ({ box: [m[1] / pw, m[2] / ph, m[3] / pw, m[4] / ph], text: m[5] })).filter((w) => w.text.trim());
    if (!words.length) continue;
    execFileSync('pdftoppm', ['-f', '1', '-l', '1', '-scale-to-x', String(W), '-scale-to-y', '-1', '-png', '-singlefile', f, '/tmp/pop'], { timeout: 30000, stdio: 'ignore' });
    const pop = await ink('/tmp/pop.png');
    const doc = openPdf(f); const [picture] = await doc.renderPage(1, [W]); doc.close();
    const ours = await ink(Buffer.from(picture.bytes ?? picture.data ?? picture));
    if (Math.abs(ours.h / ours.w - pop.h / pop.w) > 0.02) { bad.push(`${f}: other shape`); continue; }
    const mine = {};
    for (const { box, text } of words) {
      if (contrast(pop, box) < 60) continue;
      const script = Object.keys(SCRIPTS).find((s) => s !== 'Latin' && SCRIPTS[s].test(text)) ?? (SCRIPTS.Latin.test(text) ? 'Latin' : 'other');
      const s = (mine[script] ??= { words: 0, drawn: 0 }); s.words++;
      if (contrast(ours, box) >= 60) s.drawn++;
    }
    for (const [script, s] of Object.entries(mine)) {
      const t = (perScript[script] ??= { files: 0, words: 0, drawn: 0 }); t.files++; t.words += s.words; t.drawn += s.drawn;
      if (s.drawn / s.words < 0.9) bad.push(`${f.split('/').pop()} ${script} ${s.drawn}/${s.words}`);
    }
  } catch (error) { bad.push(`${f.split('/').pop()}: ${String(error.message ?? error).slice(0, 60)}`); }
}
for (const [s, t] of Object.entries(perScript)) console.log(s.padEnd(12), String(t.files).padStart(4), 'files', String(t.words).padStart(6), 'words inked by poppler,', ((100 * t.drawn) / t.words).toFixed(1), '% by us');
console.log(bad.join('\n'));
