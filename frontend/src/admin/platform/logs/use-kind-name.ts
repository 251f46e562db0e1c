import { useTranslation } from 'react-i18next';
import actions from '../locales/actions-en';
import happenings from '../locales/happenings-en';
import { textKey } from './text-key';

const known = { actions, happenings };

/** What the kinds of entries of a log are called; one that the page does not know keeps its code. */
export function useKindName(log: keyof typeof known): (type: string) => string {
  const { t } = useTranslation('admin');
  return (type) => {
    const key = textKey(type);
    return key in known[log] ? t(`${log}.${key}` as 'actions.plan_changed') : type;
  };
}

/** The kinds of entries to choose from, by their names. */
export function useKindOptions(log: keyof typeof known, types: readonly string[]) {
  const { i18n } = useTranslation('admin');
  const name = useKindName(log);
  return types
    .map((value) => ({ value, label: name(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, i18n.language));
}
