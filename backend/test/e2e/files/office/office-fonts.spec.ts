import { existsSync } from 'node:fs';
import { describeWithOffice, OfficeFixture } from './office-fixture.js';
import { docx } from './office-samples.js';

/** A Debian font for each script; tests are skipped for fonts this machine lacks. */
const FONTS = [
  ['Chinese', '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', '简体中文', /WenQuanYi/],
  ['Korean', '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc', '한국어', /WenQuanYi/],
  ['Devanagari', '/usr/share/fonts/truetype/lohit-devanagari/Lohit-Devanagari.ttf', 'नमस्ते', /Lohit-?Devanagari/],
  ['Thai', '/usr/share/fonts/truetype/tlwg/Loma.ttf', 'ภาษาไทย', /Loma/],
] as const;

describeWithOffice('Letters of Office documents', () => {
  for (const [script, path, words, font] of FONTS)
    (existsSync(path) ? it : it.skip)(`are contained in a font: ${script}`, async () => {
      const fixture = new OfficeFixture();
      try {
        expect((await fixture.convertToPdf(docx(words), 'docx')).toString('latin1')).toMatch(font);
      } finally {
        await fixture.close();
      }
    });
});
