import { useTranslation } from 'react-i18next';
import actions from '../locales/actions-en';

type Action = keyof typeof actions;

/** What an action of the audit log is called; one that the page does not know keeps its code. */
export function useActionName(): (type: string) => string {
  const { t } = useTranslation('admin');
  return (type) => {
    const key = type.replaceAll('.', '_').replaceAll('-', '_');
    return key in actions ? t(`actions.${key as Action}`) : type;
  };
}
