import { useTranslation } from 'react-i18next';
import actions from '../locales/actions-en';
import happenings from '../locales/activity-types-en';
import { toTextKey } from './text-key';

const textsByLog = { actions, happenings };

/** Returns a log type's label; its code if the page doesn't know it. */
export function useLogTypeLabel(log: keyof typeof textsByLog): (type: string) => string {
  const { t } = useTranslation('admin');
  return (type) => {
    const key = toTextKey(type);
    return key in textsByLog[log] ? t(`${log}.${key}` as 'actions.plan_changed') : type;
  };
}

/** The types as options, with their labels. */
export function useLogTypeOptions(log: keyof typeof textsByLog, types: readonly string[]) {
  const { i18n } = useTranslation('admin');
  const getTypeLabel = useLogTypeLabel(log);
  return types
    .map((value) => ({ value, label: getTypeLabel(value) }))
    .sort((first, second) => first.label.localeCompare(second.label, i18n.language));
}
