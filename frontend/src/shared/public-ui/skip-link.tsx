import { useTranslation } from 'react-i18next';

/** First element in the tab order: skips the navigation. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    <a className="z-skip" href="#main">
      {t('nav.skip')}
    </a>
  );
}
