import { useTranslation } from 'react-i18next';

/** The first stop of the keyboard: past the navigation to the page itself. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className="z-skip" href="#main">
      {t('nav.skip')}
    </a>
  );
}
