import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { languages } from '../../../shared/preferences/language';
import actionsEn from '../locales/actions-en';
import actionsTr from '../locales/actions-tr';
import happeningsEn from '../locales/activity-types-en';
import happeningsTr from '../locales/activity-types-tr';
import { toTextKey } from './text-key';

const openApi = JSON.parse(readFileSync(join(process.cwd(), 'openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, { enum?: string[] }> };
};
const textsBySchema = {
  ActivityType: { en: happeningsEn, tr: happeningsTr },
  AuditType: { en: actionsEn, tr: actionsTr },
} as const;

describe.each(Object.keys(textsBySchema) as (keyof typeof textsBySchema)[])(
  'Texts for every %s of the server',
  (schemaName) => {
    const serverCodes = openApi.components.schemas[schemaName]!.enum!;

    it.each(languages)('exist and are unique (%s)', (language) => {
      const labelsByKey: Record<string, string> = textsBySchema[schemaName][language];
      const labels = serverCodes.map((code) => labelsByKey[toTextKey(code)]);
      expect(serverCodes.filter((_, index) => !labels[index] || /[a-z][._][a-z]/.test(labels[index]))).toEqual([]);
      expect(labels.filter((name, index) => labels.indexOf(name) !== index)).toEqual([]);
    });

    it('exist for no other codes', () => {
      expect(Object.keys(textsBySchema[schemaName].en).sort()).toEqual(serverCodes.map(toTextKey).sort());
    });
  },
);
