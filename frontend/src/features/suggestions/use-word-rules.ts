import { useTranslation } from 'react-i18next';
import { bounds } from './suggestion';

interface Words {
  title: string;
  description: string;
}

/** The sentences for a title and a description that the server would not take. */
export function useWordRules(): (words: Words) => Partial<Words> {
  const { t } = useTranslation('suggestions');
  const fault = (field: keyof Words, value: string) => {
    const { length } = value.trim();
    const { least, most } = bounds[field];
    if (length === 0) return t('form.fillAll');
    return length < least || length > most ? t(`form.${field}Length`, { least, most }) : undefined;
  };
  return ({ title, description }) => ({
    title: fault('title', title),
    description: fault('description', description),
  });
}
