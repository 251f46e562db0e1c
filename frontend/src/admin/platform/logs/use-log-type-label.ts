import { useTranslation } from 'react-i18next';
import actions from '../locales/actions-en';
import happenings from '../locales/activity-types-en';
import { toTextKey } from './text-key';

const textsByLog = { actions, happenings };

/** What the kinds of entries of a log are called; one that the page does not know keeps its code. */
export function useLogTypeLabel(log: keyof typeof textsByLog): (type: string) => string {
  const { t } = useTranslation('admin');
  return (type) => {
    const key = toTextKey(type);
    return key in textsByLog[log] ? t(`${log}.${key}` as 'actions.plan_changed') : type;
  };
}

/** The kinds of entries to choose from, by their names. */
export function useLogTypeOptions(log: keyof typeof textsByLog, types: readonly string[]) {
  const { i18n } = useTranslation('admin');
  const getTypeLabel = useLogTypeLabel(log);
  return types
    .map((value) => ({ value, label: getTypeLabel(value) }))
    .sort((first, second) => first.label.localeCompare(second.label, i18n.language));
}
