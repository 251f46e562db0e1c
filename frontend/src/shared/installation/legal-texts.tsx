import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { useForm } from '../forms/use-form';
import { languageNames, languages } from '../preferences/language';
import { FormField } from '../ui/fields/form-field';
import type { SettingKey, InstallationValues } from './settings';

const textKeyByUrlKey = { termsUrl: 'terms', privacyUrl: 'privacy', imprintUrl: 'imprint' } as const;
type UrlKey = keyof typeof textKeyByUrlKey;
const languageSuffix = { en: 'En', tr: 'Tr' } as const;

/** Whether a text can be written here instead of setting this URL. */
export const hasLegalText = (key: SettingKey): key is UrlKey => key in textKeyByUrlKey;

interface Props {
  urlKey: UrlKey;
  form: Pick<ReturnType<typeof useForm<InstallationValues>>, 'field'>;
}

/** Texts shown on our own page instead of a URL, one for each language; expanded if there already is one. */
export function LegalTextFields({ urlKey, form }: Props) {
  const { t } = useTranslation('installation');
  const texts = languages.map((language) => ({
    language,
    field: form.field(`${textKeyByUrlKey[urlKey]}${languageSuffix[language]}`),
  }));
  const [isOpen, setIsOpen] = useState(texts.some(({ field }) => field.value !== ''));
  const hasError = texts.some(({ field }) => field.error !== undefined);
  return (
    <details open={isOpen || hasError} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <Typography component="summary" variant="body2" sx={{ cursor: 'pointer', py: 1 }}>
        {t(`${urlKey}.write`)}
      </Typography>
      <Box sx={{ display: 'grid', gap: 4, mt: 2 }}>
        {texts.map(({ language, field }) => (
          <FormField
            key={language}
            {...field}
            label={t(`${urlKey}.text`, { language: languageNames[language] })}
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
