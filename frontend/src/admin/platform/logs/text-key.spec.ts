import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../../shared/preferences/language';
import actionsEn from '../locales/actions-en';
import actionsTr from '../locales/actions-tr';
import happeningsEn from '../locales/happenings-en';
import happeningsTr from '../locales/happenings-tr';
import { textKey } from './text-key';

const contract = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, { enum?: string[] }> };
};
const texts = {
  ActivityType: { en: happeningsEn, tr: happeningsTr },
  AuditType: { en: actionsEn, tr: actionsTr },
} as const;

describe.each(Object.keys(texts) as (keyof typeof texts)[])('every %s that the server knows', (kind) => {
  const known = contract.components.schemas[kind]!.enum!;

  it.each(languages)('has words of its own (%s)', (language) => {
    const words: Record<string, string> = texts[kind][language];
    const named = known.map((code) => words[textKey(code)]);
    expect(known.filter((_, index) => !named[index] || /[a-z][._][a-z]/.test(named[index]))).toEqual([]);
    expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
  });

  it('is all that there are words for', () => {
    expect(Object.keys(texts[kind].en).sort()).toEqual(known.map(textKey).sort());
  });
});
