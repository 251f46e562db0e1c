import { useTranslation } from 'react-i18next';
import { fieldLimits } from './suggestion';

interface SuggestionText {
  title: string;
  description: string;
}

/** Returns a function that validates title and description by the server's limits. */
export function useSuggestionValidation(): (words: SuggestionText) => Partial<SuggestionText> {
  const { t } = useTranslation('suggestions');
  const validateField = (field: keyof SuggestionText, value: string) => {
    const { length } = value.trim();
    const { least, most } = fieldLimits[field];
    if (length === 0) return t('form.fillAll');
    return length < least || length > most ? t(`form.${field}Length`, { least, most }) : undefined;
  };
  return ({ title, description }) => ({
    title: validateField('title', title),
    description: validateField('description', description),
  });
}
