import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../forms/use-form';
import { languageNames, languages } from '../preferences/language';
import { FormField } from '../ui/fields/form-field';
import type { SettingKey, Values } from './settings';

const keysOf = { termsUrl: 'terms', privacyUrl: 'privacy', imprintUrl: 'imprint' } as const;
type AddressKey = keyof typeof keysOf;
const suffixOf = { en: 'En', tr: 'Tr' } as const;

/** Whether this is an address in whose place something can be written here. */
export const canBeWritten = (key: SettingKey): key is AddressKey => key in keysOf;

interface Props {
  of: AddressKey;
  form: Pick<ReturnType<typeof useForm<Values>>, 'field'>;
}

/** What is said on a page of our own, a text for each language; open where something is written already. */
export function LegalTexts({ of, form }: Props) {
  const { t } = useTranslation('installation');
  const texts = languages.map((language) => ({
    language,
    field: form.field(`${keysOf[of]}${suffixOf[language]}`),
  }));
  const [isOpen, setOpen] = useState(texts.some(({ field }) => field.value !== ''));
  const isWrong = texts.some(({ field }) => field.error !== undefined);
  return (
    <details open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer', py: 1 }}>
        {t(`${of}.write`)}
      </Typography>
      <Box sx={{ display: 'grid', gap: 4, mt: 2 }}>
        {texts.map(({ language, field }) => (
          <FormField
            key={language}
            {...field}
            label={t(`${of}.text`, { language: languageNames[language] })}
            help={t('textHelp')}
            rows={4}
            maxRows={16}
            autoComplete="off"
            optional
          />
        ))}
      </Box>
    </details>
  );
}
